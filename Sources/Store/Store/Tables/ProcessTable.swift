import Storage
public import SubscriptionRules

/// One of the processes that serve a world together (0021).
public struct StoreProcess: Sendable, Hashable {
    /// Random: a process that is started again is another one.
    public let id: String
    /// What its operator knows it by: the machine and the process number.
    public let name: String
    /// Of the program.
    public let version: String
    /// When it joined, by the database's clock.
    public let started: Instant
    /// When it was heard of last, by the database's clock.
    public let seen: Instant
    /// Whether it was heard of so lately that what it holds is its own.
    public let isAlive: Bool
    /// The lanes in which it delivers now.
    public let lanes: [Held]
    /// Whether it is moving the clock now.
    public let movesClock: Bool

    /// A lane that a process has to itself.
    public struct Held: Sendable, Hashable {
        /// The app whose notifications they are.
        public let bundleID: String
        /// Of which environment.
        public let environment: StoreEnvironment
        /// Until when, unless it is heard of before, by the database's clock.
        public let until: Instant
    }
}

extension StoreProcess {
    /// How long one that is gone is shown.
    private static let kept = Span.hours(1)

    /// Says that a process is there. Those that are gone for long are forgotten.
    static func beat(
        _ id: String, name: String, version: String, in session: any Session
    ) throws {
        let now = session.dialect.now
        try session.execute(
            """
            INSERT INTO process (id, name, version, started_at, seen_at)
            VALUES (\(id), \(name), \(version), \(raw: now), \(raw: now))
            ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
            """)
        try session.execute(
            "DELETE FROM process WHERE seen_at < \(raw: now) - \(kept.milliseconds)")
    }

    /// Counts events that a process has made happen, in the change that did.
    static func count(
        _ events: Int, for member: Membership, in session: any Session
    ) throws {
        let add: SQL = "UPDATE process SET swept = swept + \(events) WHERE id = \(member.id)"
        if try session.execute(add) == 1 { return }
        try beat(member.id, name: member.name, version: member.version, in: session)
        try session.execute(add)
    }

    /// How many events the processes have made happen so far, except one of them.
    static func counts(except id: String, in session: any Session) throws -> [String: Int] {
        let rows = try session.rows("SELECT id, swept FROM process WHERE id <> \(id)")
        return Dictionary(
            try rows.map { (try $0.text(0), try $0.int(1)) }, uniquingKeysWith: { one, _ in one })
    }

    /// Forgets a process and all that it holds.
    static func leave(_ id: String, in session: any Session) throws {
        try Lane.releaseAll(of: id, in: session)
        try session.execute("DELETE FROM process WHERE id = \(id)")
    }

    /// All processes that are known, in the order in which they joined.
    static func all(
        holding time: Span, apps: Apps, in session: any Session
    ) throws -> [StoreProcess] {
        let now = session.dialect.now
        let claims = try session.rows(
            """
            SELECT process, app, environment, held_until FROM lane_claim
            WHERE held_until > \(raw: now) ORDER BY app, environment
            """)
        var held: [String: [Held]] = [:]
        var moving: String?
        for claim in claims {
            let row = StoredRow(claim, of: "lane_claim", "process, app, environment, held_until")
            guard try row.integer(1, in: 0...Int64.max) != Lane.clock.app else {
                moving = try row.text(0)
                continue
            }
            held[try row.text(0), default: []].append(
                Held(
                    bundleID: try apps[row.identifier(1)].bundleID,
                    environment: try row.value(2), until: try row.instant(3)))
        }
        return try session.rows(
            """
            SELECT id, name, version, started_at, seen_at,
                CASE WHEN seen_at > \(raw: now) - \(time.milliseconds) THEN 1 ELSE 0 END
            FROM process ORDER BY started_at, id
            """
        ).map { found in
            let row = StoredRow(found, of: "process", "id, name, version, started_at, seen_at")
            return StoreProcess(
                id: try row.text(0), name: try row.text(1), version: try row.text(2),
                started: try row.instant(3), seen: try row.instant(4), isAlive: try row.bool(5),
                lanes: held[try row.text(0)] ?? [], movesClock: moving == (try row.text(0)))
        }
    }
}
