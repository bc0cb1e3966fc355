import Storage

extension Schema {
    /// Since this version a scheduled price that is taken back stays in its table. It is done, so
    /// that whatever looks for prices that are to go live passes it over.
    static let withdrawing = Migration("0014 prices that were withdrawn") { dialect in
        [
            "ALTER TABLE price_change ADD COLUMN withdrawn_at \(dialect.integer) "
                + "CHECK (withdrawn_at IS NULL OR state = 'done')"
        ]
    }
}
