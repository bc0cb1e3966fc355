import Storage

extension Schema {
    /// Since this version a scheduled price says when that was done, and one that another took the
    /// place of before it was live says which. Of earlier ones neither is known.
    static let replacing = Migration("0016 prices that were replaced") { dialect in
        [
            "ALTER TABLE price_change ADD COLUMN scheduled_at \(dialect.integer)",
            "ALTER TABLE price_change ADD COLUMN replaced_by \(dialect.integer) "
                + "CHECK (replaced_by IS NULL OR withdrawn_at IS NOT NULL AND replaced_by > id)",
        ]
    }
}
