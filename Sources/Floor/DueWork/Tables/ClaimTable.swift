package import Storage
package import SubscriptionRules

/// Which process has a claim. They go by the database's clock, so that those of the machines may
/// differ.
extension Claim {
    /// The statements that make the table.
    package static func table(_ dialect: Dialect) -> [String] {
        [
            """
            CREATE TABLE claim (
                name TEXT NOT NULL PRIMARY KEY,
                process TEXT NOT NULL,
                held_until \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """
        ]
    }

    /// Takes it for a process, or keeps it.
    ///
    /// - Returns: whether it is the process's; false while another one has it.
    package func hold(
        for process: String, _ time: Span, in session: any Session
    ) throws(StorageError) -> Bool {
        let now = session.dialect.now
        return try session.execute(
            """
            INSERT INTO claim (name, process, held_until)
            VALUES (\(name), \(process), \(raw: now) + \(time.milliseconds))
            ON CONFLICT (name) DO UPDATE
                SET process = excluded.process, held_until = excluded.held_until
                WHERE claim.process = excluded.process OR claim.held_until <= \(raw: now)
            """) == 1
    }

    /// Puts off its end.
    ///
    /// - Returns: whether it is still the process's.
    package func keep(
        for process: String, _ time: Span, in session: any Session
    ) throws(StorageError) -> Bool {
        try session.execute(
            """
            UPDATE claim SET held_until = \(raw: session.dialect.now) + \(time.milliseconds)
            WHERE name = \(name) AND process = \(process)
            """) == 1
    }

    /// Lets go of it, if it is the process's.
    package func release(by process: String, in session: any Session) throws(StorageError) {
        try session.execute("DELETE FROM claim WHERE name = \(name) AND process = \(process)")
    }

    /// What other processes have.
    package static func held(
        byOthersThan process: String, in session: any Session
    ) throws -> Set<Claim> {
        let found = try session.rows(
            """
            SELECT name FROM claim
            WHERE process <> \(process) AND held_until > \(raw: session.dialect.now)
            """)
        return Set(try found.map { Claim(try $0.text(0)) })
    }

    /// Lets go of everything that anybody has: for a database that has one process.
    package static func releaseAll(in session: any Session) throws(StorageError) {
        try session.execute("DELETE FROM claim")
    }
}
