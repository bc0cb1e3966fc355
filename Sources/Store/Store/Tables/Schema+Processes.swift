import Storage

extension Schema {
    /// Which processes serve the world, and which of them delivers in which lane, until when by
    /// the database's clock.
    static let processes = Migration("0018 processes") { dialect in
        [
            table(
                "process",
                """
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                version TEXT NOT NULL,
                started_at INT64 NOT NULL,
                seen_at INT64 NOT NULL
                """),
            table(
                "lane_claim",
                """
                app INT64 NOT NULL,
                environment INT64 NOT NULL,
                process TEXT NOT NULL,
                held_until INT64 NOT NULL,
                PRIMARY KEY (app, environment)
                """),
        ].map { $0(dialect) }
    }
}
