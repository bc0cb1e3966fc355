import Storage

extension Schema {
    /// Since this version notifications are kept without a URL as well, of apps that are new; the
    /// others go on as they were set up.
    static let unsent = Migration("0042 unsent") { dialect in
        [
            "ALTER TABLE app ADD COLUMN unsent_notifications \(dialect.integer) NOT NULL DEFAULT 0 "
                + "CHECK (unsent_notifications BETWEEN 0 AND 1000000)"
        ]
    }
}
