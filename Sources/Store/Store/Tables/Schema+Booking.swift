import Storage

extension Schema {
    /// Since this version the index of the ledger holds only what is not found by the number in
    /// its transaction's identifier.
    static let booking = Migration("0017 what is booked later") { _ in
        [
            "DROP INDEX ledger_of_transaction",
            "CREATE INDEX ledger_of_transaction ON ledger (transaction_id, sequence) WHERE "
                + LedgerEntry.isFar(),
        ]
    }
}
