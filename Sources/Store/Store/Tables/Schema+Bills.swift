import Storage

/// What bills need that are not paid at once.
extension Schema {
    static let bills = Migration("0009 bills") { dialect in
        rebuildSubscriptionForBills(dialect)
            + [bill(dialect)]
            + [
                "CREATE INDEX bill_due ON bill (next_at, id) WHERE next_at IS NOT NULL",
                "CREATE INDEX bill_of_customer ON bill (customer, id)",
                "CREATE INDEX bill_of_customer_due ON bill (customer, next_at, id) "
                    + "WHERE next_at IS NOT NULL",
                "CREATE INDEX bill_of_subscription ON bill (subscription, id) "
                    + "WHERE subscription IS NOT NULL",
                "CREATE INDEX bill_state ON bill (environment, state, id)",
                "ALTER TABLE customer ADD COLUMN answers_later INT64 NOT NULL DEFAULT 0 "
                    + "CHECK (answers_later IN (0, 1))",
                "ALTER TABLE customer ADD COLUMN answers_after INT64 CHECK (answers_after > 0)",
                "ALTER TABLE app ADD COLUMN pending_renewal_days INT64 NOT NULL DEFAULT 6 "
                    + "CHECK (pending_renewal_days BETWEEN 0 AND 28)",
            ].map { $0.replacing("INT64", with: dialect.integer) }
    }

    /// The subscription table with another state and the bill that is waited for.
    private static func rebuildSubscriptionForBills(_ dialect: Dialect) -> [String] {
        rebuildSubscription(
            more: "outstanding TEXT,", copying: subscriptionColumnsOfBills, dialect)
    }

    /// The columns of a subscription before it could wait for a bill.
    static let subscriptionColumnsOfBills = """
        id, app, environment, customer, group_id, product_id, storefront, app_account_token, \
        first_purchased_at, plan, next_plan, term_transaction, term_purchased_at, term_start, \
        term_end, term_extended, term_price, term_offer, term_commission, cycle_anchor, \
        cycle_unit, cycle_elapsed, state, retry_since, retry_next, retry_gives_up_at, \
        grace_until, expired_at, expired_reason, revoked_at, revoked_fully, renews, \
        renewal_count, service_start, used_introductory, increase, last_increase, \
        paid_periods, first_extension, second_extension, served, served_until, next_change
        """

    /// The subscription table as one must make it anew where a constraint changes.
    static func rebuildSubscription(
        more: String, isOneInGroup: Bool = true, copying columns: String, _ dialect: Dialect
    ) -> [String] {
        [
            subscription(
                states: ["active", "awaitingPayment", "grace", "retrying", "expired", "revoked"],
                more: more, isOneInGroup: isOneInGroup, dialect),
            "INSERT INTO new_subscription (\(columns)) SELECT \(columns) FROM subscription",
            "DROP TABLE subscription",
            "ALTER TABLE new_subscription RENAME TO subscription",
            "CREATE INDEX subscription_due ON subscription (next_change, id) "
                + "WHERE next_change IS NOT NULL",
            "CREATE INDEX subscription_of_product "
                + "ON subscription (app, product_id, environment, id) "
                + "WHERE state <> 'expired' AND state <> 'revoked'",
            "CREATE INDEX subscription_of_price "
                + "ON subscription (app, product_id, storefront, id)",
            "CREATE INDEX subscription_changing ON subscription (app, storefront, id) "
                + "WHERE next_plan IS NOT NULL",
        ]
    }

    /// A bill that was not paid at once. One that was is its transaction, which bears the bill's
    /// identifier.
    private static let bill = table(
        "bill",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL CHECK (environment IN (0, 1)),
        customer INT64 NOT NULL REFERENCES customer (id),
        subscription INT64,
        purpose TEXT NOT NULL,
        product_id TEXT NOT NULL,
        group_id TEXT,
        quantity INT64 NOT NULL CHECK (quantity >= 1),
        amount INT64 NOT NULL CHECK (amount >= 0),
        currency TEXT NOT NULL,
        storefront TEXT NOT NULL,
        app_account_token TEXT,
        content TEXT,
        state TEXT NOT NULL CHECK (state IN (
            'sent', 'pending', 'paid', 'declined', 'void', 'reversed')),
        voiding INT64 NOT NULL CHECK (voiding IN (0, 1)),
        made_at INT64 NOT NULL,
        changed_at INT64 NOT NULL,
        answer TEXT,
        answer_at INT64,
        next_at INT64,
        CHECK (next_at IS NULL OR state IN ('sent', 'pending'))
        """)
}
