import Storage

extension Schema {
    /// So that nobody waits for what does not concern them: who is ahead of a job, and indexes in
    /// which a job finds its next subscriptions however few they are among all.
    static let waiting = Migration("0007 nobody waits") { dialect in
        [
            customerAhead(dialect),
            "CREATE INDEX subscription_of_product "
                + "ON subscription (app, product_id, environment, id) "
                + "WHERE state <> 'expired' AND state <> 'revoked'",
            "CREATE INDEX subscription_of_price "
                + "ON subscription (app, product_id, storefront, id)",
            "CREATE INDEX subscription_changing ON subscription (app, storefront, id) "
                + "WHERE next_plan IS NOT NULL",
            "CREATE INDEX refund_request_of_customer ON refund_request (customer, decide_at, id) "
                + "WHERE decide_at IS NOT NULL",
            "CREATE INDEX refund_request_list ON refund_request (environment, id)",
            "CREATE INDEX refund_request_states ON refund_request (environment, state, id)",
            "CREATE INDEX mass_extension_list ON mass_extension (environment, id)",
            "CREATE INDEX price_change_list ON price_change (app, product_id, id)",
        ]
    }

    /// Customers for whom a command has settled what jobs that are under way have in store for
    /// them: all that were due by `moment` and have a lower number.
    private static let customerAhead = table(
        "customer_ahead",
        """
        customer KEY64 REFERENCES customer (id),
        moment INT64 NOT NULL,
        number INT64 NOT NULL
        """)
}
