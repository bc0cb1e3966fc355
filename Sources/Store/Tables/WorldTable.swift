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

    /// Reads the row; a change locks it first of all, since everything that is numbered needs it,
    /// and two writers that wait for each other here need not be repeated.
    init?(_ session: any Session, forChange: Bool = false) throws {
        let lock = forChange ? session.dialect.lockRow : ""
        let query: SQL = """
            SELECT clock_mode, clock_value, next_number, settings_version, seed
            FROM world\(raw: lock)
            """
        guard let row = try session.row(query) else { return nil }
        guard let mode = StoreClock.Mode(rawValue: row.text(0)) else {
            preconditionFailure("the stored clock mode \(row.text(0)) is unknown")
        }
        clock = StoreClock(mode: mode, value: row.integer(1))
        nextNumber = row.integer(2)
        settingsVersion = row.integer(3)
        seed = row.text(4)
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
                next_number = \(nextNumber), settings_version = \(settingsVersion)
            """)
    }
}
