package import Storage
package import SubscriptionRules

/// One of the processes that share a database.
package struct ProcessRecord: Sendable {
    /// Random: a process that is started again is another one.
    package let id: String
    /// What its operator knows it by: the machine and the process number.
    package let name: String
    /// Of the program.
    package let version: String
    /// When it joined, by the database's clock.
    package let started: Instant
    /// When it was heard of last, by the database's clock.
    package let seen: Instant
    /// Whether it was heard of so lately that what it has is its own.
    package let isAlive: Bool
    /// What it has to itself, and until when unless it is heard of before, in the order of names.
    package let claims: [(claim: Claim, until: Instant)]

    /// How long one that is gone is shown.
    private static let kept = Span.hours(1)

    /// The statements that make the table.
    package static func table(_ dialect: Dialect) -> [String] {
        [
            """
            CREATE TABLE process (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                version TEXT NOT NULL,
                started_at \(dialect.integer) NOT NULL,
                seen_at \(dialect.integer) NOT NULL,
                swept \(dialect.integer) NOT NULL DEFAULT 0
            )\(dialect.tableOptions)
            """
        ]
    }

    /// Says that a process is there. Those that are gone for long are forgotten.
    static func beat(_ member: Membership, in session: any Session) throws(StorageError) {
        let now = session.dialect.now
        try session.execute(
            """
            INSERT INTO process (id, name, version, started_at, seen_at)
            VALUES (\(member.id), \(member.name), \(member.version), \(raw: now), \(raw: now))
            ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
            """)
        try session.execute(
            "DELETE FROM process WHERE seen_at < \(raw: now) - \(kept.milliseconds)")
    }

    /// Counts what a process has done, in the change that did.
    static func count(
        _ done: Int, for member: Membership, in session: any Session
    ) throws(StorageError) {
        let add: SQL = "UPDATE process SET swept = swept + \(done) WHERE id = \(member.id)"
        if try session.execute(add) == 1 { return }
        try beat(member, in: session)
        try session.execute(add)
    }

    /// How much each process has done so far, except one of them.
    package static func counts(
        except id: String, in session: any Session
    ) throws -> [String: Int] {
        let rows = try session.rows("SELECT id, swept FROM process WHERE id <> \(id)")
        return Dictionary(
            try rows.map { (try $0.text(0), try $0.int(1)) }, uniquingKeysWith: { one, _ in one })
    }

    /// Forgets a process and all that it has.
    static func leave(_ id: String, in session: any Session) throws(StorageError) {
        try session.execute("DELETE FROM claim WHERE process = \(id)")
        try session.execute("DELETE FROM process WHERE id = \(id)")
    }

    /// All processes that are known, in the order in which they joined.
    ///
    /// - Parameter time: for how long one that is not heard of keeps what it has.
    package static func all(
        holding time: Span, in session: any Session
    ) throws -> [ProcessRecord] {
        let now = session.dialect.now
        var held: [String: [(claim: Claim, until: Instant)]] = [:]
        for row in try session.rows(
            """
            SELECT process, name, held_until FROM claim
            WHERE held_until > \(raw: now) ORDER BY name
            """)
        {
            held[try row.text(0), default: []].append(
                (Claim(try row.text(1)), try row.instant(2)))
        }
        return try session.rows(
            """
            SELECT id, name, version, started_at, seen_at,
                CASE WHEN seen_at > \(raw: now) - \(time.milliseconds) THEN 1 ELSE 0 END
            FROM process ORDER BY started_at, id
            """
        ).map { row in
            let id = try row.text(0)
            return ProcessRecord(
                id: id, name: try row.text(1), version: try row.text(2),
                started: try row.instant(3), seen: try row.instant(4), isAlive: try row.bool(5),
                claims: held[id] ?? [])
        }
    }
}
