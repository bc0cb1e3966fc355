/// Notifications of the developer, and each attempt to send one.
extension Schema {
    static let notifications = [notification, notificationAttempt]

    /// Notifications out. Until the first attempt the unsigned parts wait as drafts; `particulars`
    /// is what few of them carry in place of a purchase. `told_order` is the order in which they
    /// were signed, which is that of its commits.
    private static let notification = TableDefinition(
        "notification",
        """
        id KEY64,
        uuid TEXT NOT NULL UNIQUE,
        app INT64 NOT NULL,
        environment INT64 NOT NULL,
        customer INT64,
        subscription INT64,
        kind TEXT NOT NULL,
        subkind TEXT,
        created_at INT64 NOT NULL,
        provoked INT64 NOT NULL DEFAULT 0 CHECK (provoked IN (0, 1)),
        status INT64,
        transaction_draft TEXT,
        renewal_draft TEXT,
        detail TEXT,
        particulars TEXT,
        signed_payload TEXT,
        told_order INT64,
        attempts INT64 NOT NULL,
        delivered INT64 NOT NULL CHECK (delivered IN (0, 1)),
        next_attempt INT64
        """,
        indexes: [
            "CREATE INDEX notification_due ON notification (next_attempt, id) "
                + "WHERE next_attempt IS NOT NULL",
            "CREATE INDEX notification_history ON notification (app, environment, id)",
            "CREATE INDEX notification_customer ON notification (customer, id) "
                + "WHERE customer IS NOT NULL",
            // What is due in one lane is found however much is due in another.
            "CREATE INDEX notification_lane ON notification "
                + "(app, environment, next_attempt, id) WHERE next_attempt IS NOT NULL",
            "CREATE INDEX notification_told ON notification (app, environment, told_order) "
                + "WHERE told_order IS NOT NULL",
        ])

    private static let notificationAttempt = TableDefinition(
        "notification_attempt",
        """
        notification INT64 NOT NULL REFERENCES notification (id),
        number INT64 NOT NULL,
        at INT64 NOT NULL,
        outcome TEXT NOT NULL,
        PRIMARY KEY (notification, number)
        """)
}
