import Storage

extension Schema {
    /// When a customer is to be written to next; by which way each letter goes, and when it was
    /// seen in the app.
    static let letters = Migration("0030 letters") { dialect in
        [
            "ALTER TABLE mail ADD COLUMN channel TEXT NOT NULL DEFAULT 'mail' "
                + "CHECK (channel IN ('mail', 'push', 'inApp'))",
            "ALTER TABLE mail ADD COLUMN seen_at \(dialect.integer)",
            "CREATE INDEX mail_subscription ON mail (subscription, created_at) "
                + "WHERE subscription IS NOT NULL",
            "ALTER TABLE customer ADD COLUMN hears_of_sharing \(dialect.integer) NOT NULL "
                + "DEFAULT 1 CHECK (hears_of_sharing IN (0, 1))",
            letterDue(dialect),
            "CREATE INDEX letter_due_next ON letter_due (due_at, id) WHERE due_at IS NOT NULL",
        ]
    }

    private static let letterDue = table(
        "letter_due",
        """
        id KEY64 REFERENCES customer (id),
        due_at INT64,
        reminded_until INT64
        """)
}
