import Storage

extension Schema {
    /// Since this version an app can have keys of its own: their public halves.
    static let keys = Migration("0033 keys of apps") { dialect in
        [
            table(
                "app_key",
                """
                id KEY64,
                app INT64 NOT NULL REFERENCES app (id),
                key_id TEXT NOT NULL,
                name TEXT NOT NULL,
                public_key TEXT NOT NULL,
                added_at INT64 NOT NULL,
                revoked_at INT64,
                UNIQUE (app, key_id),
                UNIQUE (app, public_key)
                """)(dialect)
        ]
    }
}
