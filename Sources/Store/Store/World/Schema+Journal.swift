/// What happened.
extension Schema {
    static let journal = [journalTable]

    /// What happened, in order, never changed. A command's identifier is in it once, so that a
    /// repeated command finds what was decided.
    private static let journalTable = TableDefinition(
        "journal",
        """
        sequence KEY64,
        at INT64 NOT NULL,
        kind TEXT NOT NULL,
        app INT64,
        customer INT64,
        subscription INT64,
        transaction_id INT64,
        amount INT64,
        detail TEXT,
        command_id TEXT
        """,
        indexes: [
            "CREATE INDEX journal_of_subscription ON journal (subscription) "
                + "WHERE subscription IS NOT NULL",
            "CREATE UNIQUE INDEX journal_command ON journal (command_id) "
                + "WHERE command_id IS NOT NULL",
        ])
}
