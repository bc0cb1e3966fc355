import Storage
import SubscriptionRules

/// The one row of a database that is about the world itself.
struct World {
    var clock: StoreClock
    /// A number that was not given out when this was read, nor any higher one.
    var nextNumber: Int64
    /// Grows with every change of an app or its catalogue, so that others can be cached.
    var settingsVersion: Int64
    /// What identifiers that must not be guessed are derived from.
    let seed: String
    /// The latest moment that a change saw; nil where none did yet.
    var latestChange: Instant?
    /// The SHA-256 of the root certificate that this world is signed under, as DER; nil until it
    /// is known.
    var rootFingerprint: String?
    /// What the database's own clock showed; nil where it does not count.
    let databaseTime: Instant?
    /// Whether its notifications go out, which `CopyStanding` changes.
    let isDelivering: Bool

    private static let columns =
        "id, clock_mode, clock_value, next_number, settings_version, seed, latest_change, "
        + "root_fingerprint, delivers"

    /// Reads the row.
    ///
    /// - Parameter draws: whether its next number is the first one of a block that is drawn.
    init?(_ session: any Session, drawingNumbers draws: Bool = false) throws {
        let isShared = session.dialect.isShared
        let more = isShared ? ", \(draws ? World.draw : World.coming), \(session.dialect.now)" : ""
        let query: SQL = "SELECT \(raw: World.columns)\(raw: more) FROM world"
        guard let row = try session.row(query) else { return nil }
        let stored = StoredRow(row, of: "world", World.columns)
        let farthest = Instant.storable.upperBound
        clock = StoreClock(
            mode: try stored.value(1), value: try stored.integer(2, in: -farthest...farthest))
        nextNumber = try isShared ? row.integer(9) : stored.identifier(3)
        databaseTime = isShared ? Instant(milliseconds: try row.integer(10)) : nil
        settingsVersion = try stored.identifier(4)
        seed = try stored.text(5)
        latestChange = try stored.instantOrNil(6)
        rootFingerprint = try stored.textOrNil(7)
        isDelivering = try stored.bool(8)
    }

    /// What the world shows while the machine's clock shows `machine`.
    func time(machine: Instant) -> WorldTime {
        WorldTime(clock, machine: machine, noEarlierThan: latestChange)
    }

    // MARK: Numbers

    // Where several processes change the database, numbers come from a sequence, for which nobody
    // waits: what the row says means nothing then.

    private static let draw = "nextval('store_number')"
    private static let coming = """
        (SELECT last_value + CASE WHEN is_called THEN \(Numbers.block) ELSE 0 END
            FROM store_number)
        """

    /// The number from which on none was given out, as a query in parentheses.
    static func comingNumber(_ dialect: Dialect) -> String {
        dialect.isShared ? coming : "(SELECT next_number FROM world)"
    }

    /// Draws blocks of numbers from the sequence, lowest first.
    static func drawNumbers(_ blocks: Int, in session: any Session) throws -> [Range<Int64>] {
        try session.rows("SELECT \(raw: draw) FROM generate_series(1, \(blocks))").map { row in
            let first = try row.integer(0)
            return first..<first + Numbers.block
        }
    }

    /// The secret from which identifiers and codes are derived.
    static func seed(in session: any Session) throws -> String {
        guard let row = try session.row("SELECT seed FROM world") else {
            throw StorageError(.corrupt, "the world's row is missing")
        }
        return try row.text(0)
    }

    // MARK: Writing

    static func create(_ session: any Session, clock: StoreClock, seed: String) throws {
        try session.execute(
            """
            INSERT INTO world (id, clock_mode, clock_value, next_number, settings_version, seed)
            VALUES (1, \(clock.mode.rawValue), \(clock.value), 1, 1, \(seed))
            """)
    }

    /// Notes that a moment was seen, before which the world never goes back.
    static func note(_ moment: Instant, in session: any Session) throws {
        try session.execute(
            """
            UPDATE world SET latest_change = \(moment)
            WHERE latest_change IS NULL OR latest_change < \(moment)
            """)
    }

    func save(_ session: any Session) throws {
        let counted: SQL = session.dialect.isShared ? "" : "next_number = \(nextNumber),"
        try session.execute(
            """
            UPDATE world SET clock_mode = \(clock.mode.rawValue), clock_value = \(clock.value),
                \(counted) settings_version = \(settingsVersion),
                latest_change = \(latestChange), root_fingerprint = \(rootFingerprint)
            """)
    }
}
