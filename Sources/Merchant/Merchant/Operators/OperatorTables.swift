import Storage

/// The tables and indexes that operators look at.
enum OperatorTables {
    static func statements(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE audit_entry (
                id \(dialect.numberedKey),
                ticket TEXT NOT NULL UNIQUE,
                begun_at \(integer) NOT NULL,
                token_scope TEXT NOT NULL,
                bundle_id TEXT,
                route TEXT NOT NULL,
                subject TEXT,
                other_name TEXT,
                outcome TEXT NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX audit_of_subject ON audit_entry (subject, id)",
            """
            CREATE INDEX audit_of_other_name ON audit_entry (other_name)
            WHERE other_name IS NOT NULL
            """,
            "CREATE INDEX audit_of_route ON audit_entry (route, id)",
            "CREATE INDEX audit_of_app ON audit_entry (bundle_id, id)",
            // The newest notification of an app and environment, without a look at all others.
            "CREATE INDEX inbox_of_environment ON inbox (app, environment, id)",
        ]
    }
}
