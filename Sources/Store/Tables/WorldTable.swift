import Storage
import SubscriptionRules

/// The one row of a database that is about the world itself.
struct World {
    var clock: StoreClock
    /// The next number for a transaction, an entry of the journal or a notification.
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

    private static let columns =
        "id, clock_mode, clock_value, next_number, settings_version, seed, latest_change, "
        + "root_fingerprint"

    /// Reads the row; a change locks it first of all, since everything that is numbered needs it,
    /// and two writers that wait for each other here need not be repeated.
    init?(_ session: any Session, forChange: Bool = false) throws {
        let lock = forChange ? session.dialect.lockRow : ""
        let query: SQL = "SELECT \(raw: World.columns) FROM world\(raw: lock)"
        guard let row = try session.row(query) else { return nil }
        let stored = StoredRow(row, of: "world", World.columns)
        let farthest = Stored.moments.upperBound
        clock = StoreClock(
            mode: try stored.value(1), value: try stored.integer(2, in: -farthest...farthest))
        nextNumber = try stored.identifier(3)
        settingsVersion = try stored.identifier(4)
        seed = try stored.text(5)
        latestChange = try stored.instantOrNil(6)
        rootFingerprint = try stored.textOrNil(7)
    }

    /// What the world shows while the machine's clock shows `machine`.
    func time(machine: Instant) -> WorldTime {
        WorldTime(clock, machine: machine, noEarlierThan: latestChange)
    }

    static func create(_ session: any Session, clock: StoreClock, seed: String) throws {
        try session.execute(
            """
            INSERT INTO world (id, clock_mode, clock_value, next_number, settings_version, seed)
            VALUES (1, \(clock.mode.rawValue), \(clock.value), 1, 1, \(seed))
            """)
    }

    func save(_ session: any Session) throws {
        try session.execute(
            """
            UPDATE world SET clock_mode = \(clock.mode.rawValue), clock_value = \(clock.value),
                next_number = \(nextNumber), settings_version = \(settingsVersion),
                latest_change = \(latestChange), root_fingerprint = \(rootFingerprint)
            """)
    }
}
