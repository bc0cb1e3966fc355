import Storage

/// The tables of what comes in beside notifications, and of what goes on to others.
enum IntakeTables {
    static func statements(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE store_customer (
                account \(integer) NOT NULL REFERENCES account (id),
                environment \(integer) NOT NULL,
                app_transaction_id TEXT NOT NULL,
                acquired_at \(integer) NOT NULL,
                original_version TEXT NOT NULL,
                signed_at \(integer) NOT NULL,
                PRIMARY KEY (account, environment, app_transaction_id)
            )\(dialect.tableOptions)
            """,
            // The raw bodies of notifications, a row for each of those that they go on to.
            """
            CREATE TABLE forwarded (
                id \(dialect.numberedKey),
                app \(integer) NOT NULL REFERENCES app (id),
                target TEXT NOT NULL,
                accepted_at \(integer) NOT NULL,
                attempts \(integer) NOT NULL,
                next_attempt \(integer) NOT NULL,
                claimed_until \(integer) NOT NULL,
                state \(integer) NOT NULL CHECK (state IN (0, 2)),
                problem TEXT,
                body \(dialect.bytes) NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX forwarded_waiting ON forwarded (app, target, id) WHERE state = 0",
            "CREATE INDEX forwarded_by_state ON forwarded (state, id)",
            "CREATE INDEX forwarded_by_age ON forwarded (state, accepted_at)",
            // What operators look for.
            "CREATE INDEX inbox_by_type ON inbox (type, id)",
            // What was meant for others, for its age.
            """
            CREATE INDEX inbox_set_aside ON inbox (received_at)
            WHERE state = 2 AND environment = 0
            """,
            // Whose bodies are still there, for their retention.
            """
            CREATE INDEX inbox_bodies ON inbox (app, received_at)
            WHERE state = 1 AND body <> ''
            """,
        ]
    }
}
