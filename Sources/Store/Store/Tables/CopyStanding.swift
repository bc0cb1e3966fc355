import Storage
import SubscriptionRules

/// What a world is among its copies: columns of its row that nothing else needs.
struct CopyStanding: Hashable {
    /// Whether its notifications go out.
    var isDelivering: Bool
    /// Whether it is a fork of another world, whatever was put in its place since.
    var isFork: Bool
    /// What its clock showed when it was copied; nil for one that is no copy.
    var copied: Instant?
    /// How often it was put back.
    var rewinds: Int64

    /// The condition under which notifications go out.
    static let delivers: SQL = "EXISTS (SELECT 1 FROM world WHERE delivers = 1)"

    private static let columns = "delivers, is_fork, copied_at, rewinds"

    init(of session: any Session) throws {
        guard let row = try session.row("SELECT \(raw: Self.columns) FROM world") else {
            throw StorageError(.corrupt, "the world's row is missing")
        }
        let stored = StoredRow(row, of: "world", Self.columns)
        isDelivering = try stored.bool(0)
        isFork = try stored.bool(1)
        copied = try stored.instantOrNil(2)
        rewinds = try stored.integer(3, in: 0...Int64.max)
    }

    func save(in session: any Session) throws {
        try session.execute(
            """
            UPDATE world SET delivers = \(isDelivering), is_fork = \(isFork),
                copied_at = \(copied), rewinds = \(rewinds)
            """)
    }
}

/// Which processes serve a world and what they hold: no part of what is copied or comes back.
struct ServingRows: Sendable {
    private let processes: [[SQLValue]]
    private let claims: [[SQLValue]]

    /// Reads what there is.
    init(of session: any Session) throws {
        processes = try session.rows(
            "SELECT id, name, version, started_at, seen_at, swept FROM process"
        ).map { row in
            [
                .text(try row.text(0)), .text(try row.text(1)), .text(try row.text(2)),
                .integer(try row.integer(3)), .integer(try row.integer(4)),
                .integer(try row.integer(5)),
            ]
        }
        claims = try session.rows("SELECT app, environment, process, held_until FROM lane_claim")
            .map { row in
                [
                    .integer(try row.integer(0)), .integer(try row.integer(1)),
                    .text(try row.text(2)), .integer(try row.integer(3)),
                ]
            }
    }

    /// Puts them in the place of what a world has.
    func replace(in session: any Session) throws {
        try ServingRows.remove(from: session)
        try session.executeMany(
            "INSERT INTO process (id, name, version, started_at, seen_at, swept) "
                + "VALUES ($1, $2, $3, $4, $5, $6)", processes)
        try session.executeMany(
            "INSERT INTO lane_claim (app, environment, process, held_until) "
                + "VALUES ($1, $2, $3, $4)", claims)
    }

    /// A copy is served by nobody.
    static func remove(from session: any Session) throws {
        try session.execute("DELETE FROM lane_claim")
        try session.execute("DELETE FROM process")
    }
}
