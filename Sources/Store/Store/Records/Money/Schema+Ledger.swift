/// Who gained what.
extension Schema {
    static let ledger = [ledgerTable]

    /// Money that moved, one entry a row: what each of the three parties gains. An entry that does
    /// not balance cannot be written. The index holds only what is not found by the number in its
    /// transaction's identifier, as renewals write little (0005).
    private static let ledgerTable = TableDefinition(
        "ledger",
        """
        sequence KEY64,
        at INT64 NOT NULL,
        kind TEXT NOT NULL
            CHECK (\(TableDefinition.isOneOf("kind", kinds))),
        transaction_id INT64 NOT NULL,
        sku TEXT,
        customer INT64 NOT NULL,
        developer INT64 NOT NULL,
        store INT64 NOT NULL,
        CHECK (customer + developer + store = 0)
        """,
        indexes: [
            "CREATE INDEX ledger_of_transaction ON ledger (transaction_id, sequence) WHERE "
                + LedgerEntry.isFar()
        ])

    private static let kinds = ["charge", "proration", "refund", "reversal"]
}
