import Storage

extension Schema {
    /// What the world remembers of itself: the latest moment that a change saw, so that it never
    /// goes back behind it, and whose certificates sign for it.
    static let remembering = Migration("0006 what a world remembers") { dialect in
        [
            "ALTER TABLE world ADD COLUMN latest_change \(dialect.integer)",
            "ALTER TABLE world ADD COLUMN root_fingerprint TEXT",
            "UPDATE world SET latest_change = (SELECT MAX(at) FROM journal)",
        ]
    }
}
