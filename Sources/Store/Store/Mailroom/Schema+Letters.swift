/// Letters to customers: when the next is due, and what became of each (0029).
extension Schema {
    static let letters = [letterDue, mail, mailAttempt]

    /// When the dates of a customer's subscriptions bring something to write next, and up to where
    /// reminders have looked.
    private static let letterDue = TableDefinition(
        "letter_due",
        """
        id KEY64 REFERENCES customer (id),
        due_at INT64,
        reminded_until INT64
        """,
        indexes: [
            "CREATE INDEX letter_due_next ON letter_due (due_at, id) WHERE due_at IS NOT NULL"
        ])

    /// A letter, by mail or another channel: what it says as a value, and from when it was taken
    /// up how it is written.
    private static let mail = TableDefinition(
        "mail",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL REFERENCES customer (id),
        subscription INT64,
        kind TEXT NOT NULL,
        channel TEXT NOT NULL DEFAULT 'mail' CHECK (channel IN ('mail', 'push', 'inApp')),
        created_at INT64 NOT NULL,
        letter TEXT NOT NULL,
        message_id TEXT NOT NULL UNIQUE,
        recipient TEXT,
        subject TEXT,
        plain TEXT,
        html TEXT,
        language TEXT,
        state TEXT NOT NULL CHECK (
            state IN ('waiting', 'kept', 'delivered', 'refused', 'givenUp', 'dropped')),
        reason TEXT,
        attempts INT64 NOT NULL,
        next_attempt INT64,
        seen_at INT64,
        CHECK ((state = 'waiting') = (next_attempt IS NOT NULL)),
        CHECK ((subject IS NULL) = (html IS NULL))
        """,
        indexes: [
            "CREATE INDEX mail_lane ON mail (app, environment, next_attempt, id) "
                + "WHERE next_attempt IS NOT NULL",
            "CREATE INDEX mail_environment ON mail (environment, id)",
            "CREATE INDEX mail_customer ON mail (customer, id)",
            "CREATE INDEX mail_subscription ON mail (subscription, created_at) "
                + "WHERE subscription IS NOT NULL",
        ])

    private static let mailAttempt = TableDefinition(
        "mail_attempt",
        """
        mail INT64 NOT NULL REFERENCES mail (id),
        number INT64 NOT NULL,
        at INT64 NOT NULL,
        outcome TEXT NOT NULL,
        reply TEXT,
        PRIMARY KEY (mail, number)
        """)
}
