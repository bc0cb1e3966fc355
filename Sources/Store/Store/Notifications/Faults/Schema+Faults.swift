/// Rules that make the outside go wrong.
extension Schema {
    static let faults = [fault, faultDecision]

    /// A rule. What belongs to one kind only is null in the others.
    private static let fault = TableDefinition(
        "fault",
        """
        id KEY64,
        environment INT64 NOT NULL CHECK (environment IN (0, 1)),
        kind TEXT NOT NULL,
        app INT64 REFERENCES app (id),
        notification_kind TEXT,
        notification_subkind TEXT,
        operation TEXT,
        duration INT64 CHECK (duration > 0),
        times INT64 CHECK (times > 0),
        error_code INT64,
        percent INT64 NOT NULL CHECK (percent BETWEEN 1 AND 100),
        seed TEXT NOT NULL,
        most INT64 CHECK (most > 0),
        candidates INT64 NOT NULL,
        applied INT64 NOT NULL CHECK (applied <= candidates),
        created_at INT64 NOT NULL,
        CHECK (most IS NULL OR applied <= most)
        """)

    /// What a rule decided for an attempt, so that it is decided once; the log shows those that
    /// were applied, also when the rule is gone.
    private static let faultDecision = TableDefinition(
        "fault_decision",
        """
        notification INT64 NOT NULL REFERENCES notification (id),
        attempt INT64 NOT NULL,
        fault INT64 NOT NULL,
        kind TEXT NOT NULL,
        at INT64 NOT NULL,
        is_applied INT64 NOT NULL CHECK (is_applied IN (0, 1)),
        PRIMARY KEY (notification, attempt, fault)
        """)
}
