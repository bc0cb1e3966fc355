import Storage

extension Schema {
    /// Since this version a share keeps why its subscription was over when it ended.
    static let endedShares = Migration("0041 ended shares") { dialect in
        ["ALTER TABLE family_share ADD COLUMN expiration_reason \(dialect.integer)"]
    }

    /// Families, and what a member has of what another one bought.
    ///
    /// That a family has six people at most is in its places; that nobody is in two is the key of
    /// `family_member`. A customer's row names the organiser besides, whose row is locked for all
    /// of a family (0030): without a family nothing more is read than before.
    static let families = Migration("0027 families") { dialect in
        [
            "ALTER TABLE customer ADD COLUMN organiser INT64",
            "ALTER TABLE customer ADD COLUMN shares_new INT64 NOT NULL DEFAULT 1 "
                + "CHECK (shares_new IN (0, 1))",
            "ALTER TABLE store_transaction ADD COLUMN source INT64",
            "ALTER TABLE app ADD COLUMN sharing_delay INT64 NOT NULL DEFAULT 0 "
                + "CHECK (sharing_delay BETWEEN 0 AND 60)",
        ].map { $0.replacing("INT64", with: dialect.integer) }
            + [family, familyMember, familyShare, sharingChoice, sharingDue, shareableProduct]
            .map { $0(dialect) }
            + [
                "CREATE INDEX customer_of_organiser ON customer (organiser) "
                    + "WHERE organiser IS NOT NULL",
                "CREATE INDEX transaction_shared ON store_transaction (source) "
                    + "WHERE source IS NOT NULL",
                "CREATE INDEX family_list ON family (environment, id)",
                "CREATE INDEX family_share_of_member ON family_share (member, app, id)",
                "CREATE INDEX sharing_due_next ON sharing_due (due_at, id)",
                "CREATE INDEX family_share_of_purchaser ON family_share (purchaser)",
            ]
    }

    private static let family = table(
        "family",
        """
        id KEY64,
        environment INT64 NOT NULL CHECK (environment IN (0, 1)),
        created_at INT64 NOT NULL
        """)

    /// Place 0 is the organiser's, the others have 1 to 5.
    private static let familyMember = table(
        "family_member",
        """
        customer KEY64 REFERENCES customer (id),
        family INT64 NOT NULL REFERENCES family (id),
        place INT64 NOT NULL CHECK (place BETWEEN 0 AND 5),
        joined_at INT64 NOT NULL,
        UNIQUE (family, place)
        """)

    /// What a member has of a purchase of another one. Its identifier is the member's original
    /// transaction, and stays where access comes back.
    private static let familyShare = table(
        "family_share",
        """
        id KEY64,
        source INT64 NOT NULL,
        subscription INT64,
        app INT64 NOT NULL REFERENCES app (id),
        purchaser INT64 NOT NULL REFERENCES customer (id),
        member INT64 NOT NULL REFERENCES customer (id),
        group_id TEXT,
        first_purchased_at INT64 NOT NULL,
        newest INT64 NOT NULL,
        since INT64 NOT NULL,
        ended_at INT64,
        ending TEXT,
        UNIQUE (source, member),
        CHECK (purchaser <> member),
        CHECK (subscription IS NULL OR subscription = source),
        CHECK ((ended_at IS NULL) = (ending IS NULL))
        """)

    /// What a purchaser chose for a purchase, by its original transaction.
    private static let sharingChoice = table(
        "sharing_choice",
        """
        source KEY64,
        is_shared INT64 NOT NULL CHECK (is_shared IN (0, 1))
        """)

    /// Purchases that the family gets later than their purchaser, by their original transactions.
    private static let sharingDue = table(
        "sharing_due",
        """
        id KEY64,
        due_at INT64 NOT NULL
        """)

    /// Products for which sharing was turned on after they were sold without it.
    private static let shareableProduct = table(
        "shareable_product",
        """
        app INT64 NOT NULL,
        product_id TEXT NOT NULL,
        since INT64 NOT NULL,
        PRIMARY KEY (app, product_id),
        FOREIGN KEY (app, product_id) REFERENCES product (app, id)
        """)
}
