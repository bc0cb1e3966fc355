import Storage
import SubscriptionRules

/// The row of a look: of each kind the one that runs, or the last one, in each environment of an
/// app. With each page it says where the next one begins, so that whoever comes after a crash goes
/// on there.
struct LookRow: StoredRecord {
    var app: Int64
    var report: GapReport
    /// Where it goes on: the store's token of the next page, or that of a test notification.
    var place: String?
    /// Up to when everything was looked at by looks that came to their end.
    var covered: Instant?

    static let blank = LookRow(
        app: 0,
        report: GapReport(
            bundleID: "", environment: .production, kind: .history,
            since: Instant(milliseconds: 0), until: Instant(milliseconds: 0),
            started: Instant(milliseconds: 0), moved: Instant(milliseconds: 0)))

    /// The statements that make its table.
    static func table(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE gap_look (
                app \(integer) NOT NULL REFERENCES app (id),
                environment \(integer) NOT NULL,
                kind TEXT NOT NULL,
                since \(integer) NOT NULL,
                read_until \(integer) NOT NULL,
                started_at \(integer) NOT NULL,
                moved_at \(integer) NOT NULL,
                ended_at \(integer),
                read_count \(integer) NOT NULL,
                healed \(integer) NOT NULL,
                changed \(integer) NOT NULL,
                arrived \(integer),
                send_attempts TEXT NOT NULL,
                problem TEXT,
                place TEXT,
                covered_until \(integer),
                PRIMARY KEY (app, environment, kind)
            )\(dialect.tableOptions)
            """
        ]
    }

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("app", &app)
        try columns.column("environment", &report.environment)
        try columns.column("kind", &report.kind)
        try columns.column("since", &report.since)
        try columns.column("read_until", &report.until)
        try columns.column("started_at", &report.started)
        try columns.column("moved_at", &report.moved)
        try columns.column("ended_at", &report.ended)
        try columns.column("read_count", &report.read)
        try columns.column("healed", &report.healed)
        try columns.column("changed", &report.changed)
        try columns.column("arrived", &report.arrived)
        var attempts = report.sendAttempts.joined(separator: " ")
        try columns.column("send_attempts", &attempts)
        report.sendAttempts = attempts.split(separator: " ").map { String($0) }
        try columns.column("problem", &report.problem)
        try columns.column("place", &place)
        try columns.column("covered_until", &covered)
    }

    /// Each state of a look takes the place of the one before.
    private static let register = Register<Self>(
        table: "gap_look", key: ["app", "environment", "kind"])

    /// The rows of one environment of an app.
    static func all(
        of app: Int64, _ environment: MerchantEnvironment, _ session: any Session
    ) throws(StorageError) -> [LookRow] {
        try register.records(
            where: "app = \(app) AND environment = \(environment.rawValue) ORDER BY kind", session)
    }

    /// All rows, by app, environment and kind.
    static func all(_ session: any Session) throws(StorageError) -> [LookRow] {
        try register.records(where: "TRUE ORDER BY app, environment, kind", session)
    }

    func save(_ session: any Session) throws(StorageError) {
        _ = try Self.register.take(self, session)
    }
}
