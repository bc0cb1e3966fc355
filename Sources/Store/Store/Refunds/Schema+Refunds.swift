/// Requests to get money back.
extension Schema {
    static let refunds = [refundRequest]

    /// A customer's request to get money back, of Advanced Commerce item by item (`items`): open
    /// until it is decided, at `decide_at` at the latest where a policy decides.
    private static let refundRequest = TableDefinition(
        "refund_request",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL,
        transaction_id INT64 NOT NULL,
        items TEXT,
        reason TEXT NOT NULL,
        requested_at INT64 NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'granted', 'declined')),
        decide_at INT64,
        decided_at INT64,
        consumption TEXT,
        CHECK ((state = 'open') = (decided_at IS NULL))
        """,
        indexes: [
            "CREATE UNIQUE INDEX refund_request_open ON refund_request (transaction_id) "
                + "WHERE state = 'open'",
            "CREATE INDEX refund_request_due ON refund_request (decide_at, id) "
                + "WHERE decide_at IS NOT NULL",
            "CREATE INDEX refund_request_of_customer ON refund_request (customer, decide_at, id) "
                + "WHERE decide_at IS NOT NULL",
            "CREATE INDEX refund_request_list ON refund_request (environment, id)",
            "CREATE INDEX refund_request_states ON refund_request (environment, state, id)",
        ])
}
