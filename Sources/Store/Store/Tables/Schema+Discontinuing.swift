import Storage

extension Schema {
    /// Since this version products can be deleted. Their rows stay, for those who bought them, and
    /// so that their identifiers never come back.
    static let discontinuing = Migration("0024 deleted products") { dialect in
        [
            "ALTER TABLE product ADD COLUMN deleted_at \(dialect.integer)",
            "ALTER TABLE app ADD COLUMN sandbox_ignores_availability \(dialect.integer) NOT NULL "
                + "DEFAULT 1 CHECK (sandbox_ignores_availability IN (0, 1))",
        ]
    }
}
