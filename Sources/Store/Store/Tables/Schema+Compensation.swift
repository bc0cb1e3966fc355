import Storage

/// What price changes, renewal-date extensions, refunds and the ledger need.
extension Schema {
    static let pricesExtensionsRefunds = Migration("0002 prices, extensions, refunds") { dialect in
        rebuildSubscription(dialect)
            + [priceChange, massExtension, refundRequest, ledger].map { $0(dialect) }
            + [
                "ALTER TABLE store_transaction ADD COLUMN revoked_at INT64",
                "ALTER TABLE store_transaction ADD COLUMN revocation TEXT",
                "ALTER TABLE store_transaction ADD COLUMN revocation_reason INT64",
                "ALTER TABLE store_transaction ADD COLUMN commission INT64 NOT NULL DEFAULT 30",
                "ALTER TABLE notification ADD COLUMN detail TEXT",
                "ALTER TABLE app ADD COLUMN refund_policy TEXT NOT NULL DEFAULT 'approve'",
                "ALTER TABLE app ADD COLUMN sandbox_refund_policy TEXT NOT NULL DEFAULT 'approve'",
                "ALTER TABLE app ADD COLUMN small_business INT64 NOT NULL DEFAULT 0",
                "ALTER TABLE app ADD COLUMN failing_extensions INT64 NOT NULL DEFAULT 0",
            ].map { $0.replacing("INT64", with: dialect.integer) }
            + [
                bookOldCharges, bookOldProrations,
                "CREATE UNIQUE INDEX price_change_open ON price_change "
                    + "(app, product_id, storefront) WHERE state = 'scheduled'",
                "CREATE INDEX price_change_due ON price_change (starts_at, id) "
                    + "WHERE state <> 'done'",
                "CREATE INDEX mass_extension_due ON mass_extension (created_at, id) "
                    + "WHERE completed_at IS NULL",
                "CREATE UNIQUE INDEX refund_request_open ON refund_request (transaction_id) "
                    + "WHERE state = 'open'",
                "CREATE INDEX refund_request_due ON refund_request (decide_at, id) "
                    + "WHERE decide_at IS NOT NULL",
                "CREATE INDEX transaction_refunds ON store_transaction (customer, modification) "
                    + "WHERE revoked_at IS NOT NULL",
            ]
    }

    /// Since this version the subscription says of its newest period that it was refunded also
    /// where it was over by then.
    static let refundsOfWhatWasOver = Migration("0005 refunds of what was over") { _ in
        let newest = "FROM store_transaction t WHERE t.id = s.term_transaction"
        return changeSubscriptions(
            [
                "revoked_at": "(SELECT t.revoked_at \(newest))",
                "revoked_fully":
                    "(SELECT CASE t.revocation WHEN 'REFUND_FULL' THEN 1 ELSE 0 END \(newest))",
            ],
            where: """
                s.state = 'expired' AND s.term_transaction IN (
                    SELECT id FROM store_transaction WHERE revoked_at IS NOT NULL)
                """)
    }

    /// Why subscriptions were not extended by a mass extension: one row each.
    static let reasonsOfFailures = Migration("0008 failures of mass extensions") { dialect in
        [
            table(
                "mass_extension_failure",
                """
                mass_extension INT64 NOT NULL REFERENCES mass_extension (id),
                subscription INT64 NOT NULL,
                reason TEXT NOT NULL,
                PRIMARY KEY (mass_extension, subscription)
                """)(dialect)
        ]
    }

    /// The subscription table with its new columns: neither database can change a check in place.
    private static func rebuildSubscription(_ dialect: Dialect) -> [String] {
        let old = """
            id, app, environment, customer, group_id, product_id, storefront, app_account_token, \
            first_purchased_at, plan, next_plan, term_transaction, term_purchased_at, term_start, \
            term_end, term_price, term_offer, cycle_anchor, cycle_unit, cycle_elapsed, state, \
            retry_since, retry_next, retry_gives_up_at, grace_until, expired_at, expired_reason, \
            renews, renewal_count, service_start, used_introductory, next_change
            """
        return [
            subscription(
                states: ["active", "grace", "retrying", "expired", "revoked"], more: "", dialect),
            // What was served before this version counts to no year of paid service.
            """
            INSERT INTO new_subscription (\(old), term_extended, term_commission, paid_periods,
                served)
            SELECT \(old), 0, 30, (
                SELECT COUNT(*) FROM store_transaction t
                WHERE t.original_id = s.id AND t.customer = s.customer AND t.price > 0), 0
            FROM subscription s
            """,
            "DROP TABLE subscription",
            "ALTER TABLE new_subscription RENAME TO subscription",
            "CREATE INDEX subscription_due ON subscription (next_change, id) "
                + "WHERE next_change IS NOT NULL",
        ]
    }

    /// - Parameter more: columns that came later.
    static func subscription(
        states: [String], more: String, isOneInGroup: Bool = true, _ dialect: Dialect
    ) -> String {
        let unique = isOneInGroup ? "UNIQUE (customer, app, group_id)," : ""
        return table(
            "new_subscription", subscriptionColumns(states: states, more: more + unique))(dialect)
    }

    private static func subscriptionColumns(states: [String], more: String) -> String {
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL REFERENCES customer (id),
        group_id TEXT NOT NULL,
        product_id TEXT NOT NULL,
        storefront TEXT NOT NULL,
        app_account_token TEXT,
        first_purchased_at INT64 NOT NULL,
        plan TEXT NOT NULL,
        next_plan TEXT,
        term_transaction INT64 NOT NULL,
        term_purchased_at INT64 NOT NULL,
        term_start INT64 NOT NULL,
        term_end INT64 NOT NULL,
        term_extended INT64 NOT NULL CHECK (term_extended >= 0),
        term_price INT64 NOT NULL CHECK (term_price >= 0),
        term_offer TEXT,
        term_commission INT64 NOT NULL,
        cycle_anchor INT64 NOT NULL,
        cycle_unit TEXT NOT NULL,
        cycle_elapsed INT64 NOT NULL,
        state TEXT NOT NULL
            CHECK (\(isOneOf("state", states))),
        retry_since INT64,
        retry_next INT64,
        retry_gives_up_at INT64,
        grace_until INT64,
        expired_at INT64,
        expired_reason INT64,
        revoked_at INT64,
        revoked_fully INT64,
        renews INT64 NOT NULL CHECK (renews IN (0, 1)),
        renewal_count INT64 NOT NULL,
        service_start INT64 NOT NULL,
        used_introductory INT64 NOT NULL CHECK (used_introductory IN (0, 1)),
        increase TEXT,
        last_increase INT64,
        paid_periods INT64 NOT NULL,
        first_extension INT64,
        second_extension INT64,
        served INT64 NOT NULL,
        served_until INT64,
        next_change INT64,
        \(more)
        CHECK (term_end >= term_start),
        CHECK ((state IN ('expired', 'revoked')) = (next_change IS NULL))
        """
    }

    /// A price that will be live, or is going or went live: one is scheduled at a time for a
    /// product in a storefront (PRC-2). While it goes live, `reached` is the last subscription
    /// that it was brought to.
    private static let priceChange = table(
        "price_change",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        product_id TEXT NOT NULL,
        storefront TEXT NOT NULL,
        price INT64 NOT NULL CHECK (price >= 0),
        cohort_price INT64,
        for_cohort INT64 NOT NULL CHECK (for_cohort IN (0, 1)),
        starts_at INT64 NOT NULL,
        existing TEXT NOT NULL CHECK (existing IN ('preserve', 'apply')),
        state TEXT NOT NULL CHECK (state IN ('scheduled', 'going', 'done')),
        reached INT64 NOT NULL,
        subscribers INT64 NOT NULL
        """)

    /// An extension for all subscribers of a product; `reached` is the last subscription that was
    /// looked at.
    private static let massExtension = table(
        "mass_extension",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        request_identifier TEXT NOT NULL,
        product_id TEXT NOT NULL,
        storefronts TEXT,
        days INT64 NOT NULL CHECK (days BETWEEN 1 AND 90),
        reason INT64 NOT NULL,
        created_at INT64 NOT NULL,
        reached INT64 NOT NULL,
        candidates INT64 NOT NULL,
        succeeded INT64 NOT NULL,
        failed INT64 NOT NULL,
        failing INT64 NOT NULL,
        completed_at INT64,
        UNIQUE (app, environment, request_identifier)
        """)

    /// A customer's request to get money back: open until it is decided, at `decide_at` at the
    /// latest where a policy decides.
    private static let refundRequest = table(
        "refund_request",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL,
        transaction_id INT64 NOT NULL,
        reason TEXT NOT NULL,
        requested_at INT64 NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'granted', 'declined')),
        decide_at INT64,
        decided_at INT64,
        consumption TEXT,
        CHECK ((state = 'open') = (decided_at IS NULL))
        """)

    /// Money that moved, one entry a row: what each of the three parties gains. An entry that does
    /// not balance cannot be written.
    private static let ledger = table(
        "ledger",
        """
        sequence KEY64,
        at INT64 NOT NULL,
        kind TEXT NOT NULL
            CHECK (\(isOneOf("kind", ["charge", "proration", "refund", "reversal"]))),
        transaction_id INT64 NOT NULL,
        customer INT64 NOT NULL,
        developer INT64 NOT NULL,
        store INT64 NOT NULL,
        CHECK (customer + developer + store = 0)
        """)

    /// Charges of before, at the standard commission; the number in a transaction's identifier is
    /// one of the counter that numbers everything.
    private static let bookOldCharges = """
        INSERT INTO ledger (sequence, at, kind, transaction_id, customer, developer, store)
        SELECT id - CASE environment WHEN 0 THEN 400000000000000 ELSE 2000000000000000 END,
            purchased_at, 'charge', id, -price, price - price * 30 / 100, price * 30 / 100
        FROM store_transaction WHERE price > 0
        """

    /// Prorations of before, at the moment of the purchase that followed.
    private static let bookOldProrations = """
        INSERT INTO ledger (sequence, at, kind, transaction_id, customer, developer, store)
        SELECT t.modification, MIN(n.purchased_at), 'proration', t.id, t.refunded,
            (t.price - t.refunded) - (t.price - t.refunded) * 30 / 100
                - (t.price - t.price * 30 / 100),
            (t.price - t.refunded) * 30 / 100 - t.price * 30 / 100
        FROM store_transaction t
        JOIN store_transaction n ON n.original_id = t.original_id AND n.id > t.id
        WHERE t.refunded > 0
        GROUP BY t.id, t.modification, t.refunded, t.price
        """

    /// A condition that a sweep checks for each row that it writes: for a list of three or more
    /// SQLite would fill a table of its own each time.
    private static func isOneOf(_ column: String, _ values: [String]) -> String {
        values.map { "\(column) = '\($0)'" }.joined(separator: " OR ")
    }
}
