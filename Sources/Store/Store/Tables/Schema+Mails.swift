import Storage

extension Schema {
    /// Mails to customers, how often each was handed over and what came of it; what an app and a
    /// customer say about mails.
    static let mails = Migration("0026 mails") { dialect in
        let flag = "\(dialect.integer) NOT NULL DEFAULT 0"
        return [mail(dialect), mailAttempt(dialect)] + [
            "CREATE INDEX mail_lane ON mail (app, environment, next_attempt, id) "
                + "WHERE next_attempt IS NOT NULL",
            "CREATE INDEX mail_environment ON mail (environment, id)",
            "CREATE INDEX mail_customer ON mail (customer, id)",
            "ALTER TABLE app ADD COLUMN mails TEXT NOT NULL DEFAULT 'addressed'",
            "ALTER TABLE app ADD COLUMN sandbox_mails \(flag) CHECK (sandbox_mails IN (0, 1))",
            "ALTER TABLE app ADD COLUMN support_url TEXT",
            "ALTER TABLE app ADD COLUMN privacy_url TEXT",
            "ALTER TABLE customer ADD COLUMN email TEXT",
        ]
    }

    private static let mail = table(
        "mail",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL REFERENCES customer (id),
        subscription INT64,
        kind TEXT NOT NULL,
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
        CHECK ((state = 'waiting') = (next_attempt IS NOT NULL)),
        CHECK ((subject IS NULL) = (html IS NULL))
        """)

    private static let mailAttempt = table(
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
