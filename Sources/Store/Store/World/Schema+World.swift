/// The world itself, which is one row.
extension Schema {
    static let world: [TableDefinition] = [worldTable]

    /// One row: the clock, the counter that numbers everything, and the secret that notification
    /// identifiers are derived from.
    ///
    /// The clock never goes back behind `latest_change`, the latest moment that a change saw.
    /// `root_fingerprint` tells whose certificates sign for the world. `delivers` and what follows
    /// are about its copies: whether its notifications go out, whether it is a fork, the moment of
    /// its clock at which it was copied, and how often it was put back.
    private static let worldTable = TableDefinition(
        "world",
        """
        id KEY64 CHECK (id = 1),
        clock_mode TEXT NOT NULL CHECK (clock_mode IN ('system', 'running', 'frozen')),
        clock_value INT64 NOT NULL,
        latest_change INT64,
        next_number INT64 NOT NULL,
        settings_version INT64 NOT NULL,
        seed TEXT NOT NULL,
        root_fingerprint TEXT,
        delivers INT64 NOT NULL DEFAULT 1 CHECK (delivers IN (0, 1)),
        is_fork INT64 NOT NULL DEFAULT 0 CHECK (is_fork IN (0, 1)),
        copied_at INT64,
        rewinds INT64 NOT NULL DEFAULT 0 CHECK (rewinds >= 0)
        """)
}
