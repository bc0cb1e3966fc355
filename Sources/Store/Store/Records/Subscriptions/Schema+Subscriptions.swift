/// What customers have, and had.
extension Schema {
    static let subscriptions = [subscription, storeTransaction]

    private static let states = [
        "active", "awaitingPayment", "grace", "retrying", "expired", "revoked",
    ]

    /// A subscription as it is now. A plan of one line has the columns; what several lines have is
    /// one text, `lines` (0018).
    ///
    /// `separate_id` is its own identifier where a customer may have several in the group, as of a
    /// merchant's own plans; there is one of all others. `modification` is the number of its last
    /// change, by which whoever waits for changes finds it.
    private static let subscription = TableDefinition(
        "subscription",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL REFERENCES customer (id),
        group_id TEXT NOT NULL,
        separate_id INT64,
        product_id TEXT NOT NULL,
        storefront TEXT NOT NULL,
        app_account_token TEXT,
        first_purchased_at INT64 NOT NULL,
        plan TEXT NOT NULL,
        next_plan TEXT,
        lines TEXT,
        term_transaction INT64 NOT NULL,
        term_purchased_at INT64 NOT NULL,
        term_start INT64 NOT NULL,
        term_end INT64 NOT NULL,
        term_extended INT64 NOT NULL CHECK (term_extended >= 0),
        term_price INT64 NOT NULL CHECK (term_price >= 0),
        term_offer TEXT,
        term_commission INT64 NOT NULL,
        instalment INT64 CHECK (instalment BETWEEN 1 AND 12),
        cycle_anchor INT64 NOT NULL,
        cycle_unit TEXT NOT NULL,
        cycle_elapsed INT64 NOT NULL,
        state TEXT NOT NULL
            CHECK (\(TableDefinition.isOneOf("state", states))),
        retry_since INT64,
        retry_next INT64,
        retry_gives_up_at INT64,
        grace_until INT64,
        expired_at INT64,
        expired_reason INT64,
        revoked_at INT64,
        revoked_fully INT64,
        outstanding TEXT,
        renews INT64 NOT NULL CHECK (renews IN (0, 1)),
        renewal_count INT64 NOT NULL,
        service_start INT64 NOT NULL,
        used_introductory INT64 NOT NULL CHECK (used_introductory IN (0, 1)),
        offers_used TEXT,
        conversion TEXT,
        increase TEXT,
        last_increase INT64,
        paid_periods INT64 NOT NULL,
        first_extension INT64,
        second_extension INT64,
        served INT64 NOT NULL,
        served_until INT64,
        next_change INT64,
        modification INT64 NOT NULL DEFAULT 0,
        CHECK (term_end >= term_start),
        CHECK ((state IN ('expired', 'revoked')) = (next_change IS NULL))
        """,
        indexes: [
            "CREATE INDEX subscription_due ON subscription (next_change, id) "
                + "WHERE next_change IS NOT NULL",
            // A job finds its next subscriptions however few they are among all.
            "CREATE INDEX subscription_of_product "
                + "ON subscription (app, product_id, environment, id) "
                + "WHERE state <> 'expired' AND state <> 'revoked'",
            "CREATE INDEX subscription_of_price "
                + "ON subscription (app, product_id, storefront, id)",
            "CREATE INDEX subscription_changing ON subscription (app, storefront, id) "
                + "WHERE next_plan IS NOT NULL",
            "CREATE UNIQUE INDEX subscription_of_group ON subscription "
                + "(customer, app, group_id, COALESCE(separate_id, 0))",
        ])

    /// Every transaction there ever was, with what would take a join to find for each request.
    ///
    /// `source` is the purchaser's transaction that a family member has this one from, and
    /// `previous_original` the ordinary subscription that a merchant's goes on for. `queued` is the
    /// place in the queues of the customer's devices, and `finish_number` the number that was next
    /// when somebody finished it first. `modification` orders histories.
    private static let storeTransaction = TableDefinition(
        "store_transaction",
        """
        id KEY64,
        original_id INT64 NOT NULL,
        previous_original INT64,
        source INT64,
        subscription INT64,
        app INT64 NOT NULL,
        environment INT64 NOT NULL,
        customer INT64 NOT NULL,
        product_id TEXT NOT NULL,
        group_id TEXT,
        kind TEXT NOT NULL,
        purchased_at INT64 NOT NULL,
        first_purchased_at INT64 NOT NULL,
        expires_at INT64,
        quantity INT64 NOT NULL CHECK (quantity >= 1),
        is_renewal INT64 NOT NULL,
        price INT64 NOT NULL CHECK (price >= 0),
        currency TEXT NOT NULL,
        storefront TEXT NOT NULL,
        commission INT64 NOT NULL DEFAULT 30,
        offer_kind INT64,
        offer_id TEXT,
        offer_mode TEXT,
        offer_period TEXT,
        lines TEXT,
        advanced_commerce TEXT,
        billing_plan TEXT,
        instalment INT64 CHECK (instalment BETWEEN 1 AND 12),
        commitment_ends_at INT64,
        commitment_price INT64 CHECK (commitment_price >= 0),
        app_account_token TEXT,
        is_upgraded INT64 NOT NULL,
        refunded INT64,
        revoked_at INT64,
        revocation TEXT,
        revocation_reason INT64,
        finished_at INT64,
        finish_number INT64,
        queued INT64 NOT NULL DEFAULT 0,
        modification INT64 NOT NULL
        """,
        indexes: [
            "CREATE UNIQUE INDEX transaction_history "
                + "ON store_transaction (customer, modification)",
            "CREATE INDEX transaction_refunds ON store_transaction (customer, modification) "
                + "WHERE revoked_at IS NOT NULL",
            "CREATE INDEX transaction_shared ON store_transaction (source) "
                + "WHERE source IS NOT NULL",
        ])
}
