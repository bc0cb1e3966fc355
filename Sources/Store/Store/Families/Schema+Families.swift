/// Families, and what a member has of what another one bought.
extension Schema {
    static let families = [
        family, familyMember, familyShare, sharingChoice, sharingDue, shareableProduct,
    ]

    private static let family = TableDefinition(
        "family",
        """
        id KEY64,
        environment INT64 NOT NULL CHECK (environment IN (0, 1)),
        created_at INT64 NOT NULL
        """,
        indexes: ["CREATE INDEX family_list ON family (environment, id)"])

    /// That a family has six people at most is in its places, of which 0 is the organiser's; that
    /// nobody is in two is the key.
    private static let familyMember = TableDefinition(
        "family_member",
        """
        customer KEY64 REFERENCES customer (id),
        family INT64 NOT NULL REFERENCES family (id),
        place INT64 NOT NULL CHECK (place BETWEEN 0 AND 5),
        joined_at INT64 NOT NULL,
        UNIQUE (family, place)
        """)

    /// What a member has of a purchase of another one. Its identifier is the member's original
    /// transaction, and stays where access comes back. `expiration_reason` is why the purchaser's
    /// subscription was over when it ended.
    private static let familyShare = TableDefinition(
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
        expiration_reason INT64,
        UNIQUE (source, member),
        CHECK (purchaser <> member),
        CHECK (subscription IS NULL OR subscription = source),
        CHECK ((ended_at IS NULL) = (ending IS NULL))
        """,
        indexes: [
            "CREATE INDEX family_share_of_member ON family_share (member, app, id)",
            "CREATE INDEX family_share_of_purchaser ON family_share (purchaser)",
        ])

    /// What a purchaser chose for a purchase, by its original transaction.
    private static let sharingChoice = TableDefinition(
        "sharing_choice",
        """
        source KEY64,
        is_shared INT64 NOT NULL CHECK (is_shared IN (0, 1))
        """)

    /// Purchases that the family gets later than their purchaser, by their original transactions.
    private static let sharingDue = TableDefinition(
        "sharing_due",
        """
        id KEY64,
        due_at INT64 NOT NULL
        """,
        indexes: ["CREATE INDEX sharing_due_next ON sharing_due (due_at, id)"])

    /// Products for which sharing was turned on after they were sold without it: when, and at which
    /// place among everything that was numbered.
    private static let shareableProduct = TableDefinition(
        "shareable_product",
        """
        app INT64 NOT NULL,
        product_id TEXT NOT NULL,
        since INT64 NOT NULL,
        number INT64,
        PRIMARY KEY (app, product_id),
        FOREIGN KEY (app, product_id) REFERENCES product (app, id)
        """)
}
