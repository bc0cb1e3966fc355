import Storage

extension Schema {
    /// Since this version there are receipts, and secrets that servers show with them: one of an
    /// app, and a primary one, which is of app 0.
    static let sharedSecrets = Migration("0040 shared secrets") { dialect in
        [
            table(
                "shared_secret",
                """
                app KEY64,
                secret TEXT NOT NULL,
                made_at INT64 NOT NULL
                """)(dialect)
        ]
    }
}
