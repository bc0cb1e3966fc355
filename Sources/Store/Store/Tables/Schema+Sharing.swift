import Storage

extension Schema {
    /// What many processes need in order to write beside each other: numbers that nobody waits for,
    /// an order of what was told that is that of its commits, and who made how much happen.
    static let sharing = Migration("0019 sharing") { dialect in
        let numbers = [
            "CREATE SEQUENCE store_number INCREMENT BY \(Numbers.block)",
            "SELECT setval('store_number', COALESCE((SELECT next_number FROM world), 1), false)",
        ]
        return (dialect.isShared ? numbers : []) + [
            "ALTER TABLE process ADD COLUMN swept \(dialect.integer) NOT NULL DEFAULT 0",
            "ALTER TABLE notification ADD COLUMN told_order \(dialect.integer)",
            "UPDATE notification SET told_order = id WHERE signed_payload IS NOT NULL",
            "CREATE INDEX notification_told ON notification (app, environment, told_order) "
                + "WHERE told_order IS NOT NULL",
        ]
    }
}
