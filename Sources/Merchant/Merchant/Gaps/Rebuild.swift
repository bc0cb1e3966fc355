import Storage
public import SubscriptionRules

/// A rebuild: what the store says of each of a list of transactions, taken, with how far it is.
public struct Rebuild: Hashable, Sendable {
    public internal(set) var id: Int64
    public internal(set) var bundleID: String
    public internal(set) var environment: MerchantEnvironment
    public internal(set) var started: Instant
    /// When it got on last.
    public internal(set) var moved: Instant
    /// Nil until it is done.
    public internal(set) var ended: Instant?
    /// How many lines it has.
    public internal(set) var lines: Int64
    /// How many of them it has read so far.
    public internal(set) var read: Int64 = 0
    /// How many transactions and how much renewal information were news.
    public internal(set) var taken: Int64 = 0
    /// How many lines brought nothing: each says why.
    public internal(set) var failed: Int64 = 0
    /// Why it stands still, where it does: it goes on by itself within the hour.
    public internal(set) var problem: String?
}

/// A line of a rebuild: a transaction of a customer, and whose it is where that is known.
public struct RebuildLine: Hashable, Sendable {
    /// The app's own name for the account; nil where nobody is meant.
    public let account: String?
    /// Any transaction of the purchase.
    public let transactionID: String

    public init(account: String? = nil, transactionID: String) {
        self.account = account
        self.transactionID = transactionID
    }
}

/// A line that brought nothing.
public struct FailedLine: Hashable, Sendable {
    public let id: Int64
    public let line: RebuildLine
    public let problem: String
}

/// The row of a rebuild.
struct RebuildRow: StoredRecord {
    var app: Int64
    var rebuild: Rebuild

    static let blank = RebuildRow(
        app: 0,
        rebuild: Rebuild(
            id: 0, bundleID: "", environment: .production, started: Instant(milliseconds: 0),
            moved: Instant(milliseconds: 0), lines: 0))

    /// The statements that make the tables of rebuilds.
    static func tables(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE rebuild (
                id \(dialect.integerKey),
                app \(integer) NOT NULL REFERENCES app (id),
                environment \(integer) NOT NULL,
                started_at \(integer) NOT NULL,
                moved_at \(integer) NOT NULL,
                ended_at \(integer),
                line_count \(integer) NOT NULL,
                read_count \(integer) NOT NULL,
                taken \(integer) NOT NULL,
                failed \(integer) NOT NULL,
                problem TEXT
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX rebuild_open ON rebuild (id) WHERE ended_at IS NULL",
            // What is done goes; what failed stays, with the reason.
            """
            CREATE TABLE rebuild_line (
                id \(dialect.numberedKey),
                rebuild \(integer) NOT NULL REFERENCES rebuild (id),
                account TEXT,
                transaction_id TEXT NOT NULL,
                problem TEXT
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX rebuild_waiting ON rebuild_line (rebuild, id) WHERE problem IS NULL",
            "CREATE INDEX rebuild_failed ON rebuild_line (rebuild, id) WHERE problem IS NOT NULL",
            // Whoever is erased is looked for in them.
            """
            CREATE INDEX rebuild_line_of_account ON rebuild_line (account)
            WHERE account IS NOT NULL
            """,
            // Up to where a purchase's history was read, by the transaction that it was asked by.
            """
            CREATE TABLE history_place (
                app \(integer) NOT NULL REFERENCES app (id),
                environment \(integer) NOT NULL,
                transaction_id TEXT NOT NULL,
                original_transaction_id TEXT,
                revision TEXT,
                PRIMARY KEY (app, environment, transaction_id)
            )\(dialect.tableOptions)
            """,
        ]
    }

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("id", &rebuild.id)
        try columns.column("app", &app)
        try columns.column("environment", &rebuild.environment)
        try columns.column("started_at", &rebuild.started)
        try columns.column("moved_at", &rebuild.moved)
        try columns.column("ended_at", &rebuild.ended)
        try columns.column("line_count", &rebuild.lines)
        try columns.column("read_count", &rebuild.read)
        try columns.column("taken", &rebuild.taken)
        try columns.column("failed", &rebuild.failed)
        try columns.column("problem", &rebuild.problem)
    }

    static let register = Register<Self>(table: "rebuild", key: ["id"])

    /// Begins a rebuild of lines, in a transaction that is alone.
    static func begin(
        _ lines: [RebuildLine], in place: LookPlace, at now: Instant, _ session: any Session
    ) throws(StorageError) -> RebuildRow {
        let last = try session.row("SELECT MAX(id) FROM rebuild")?.integerOrNil(0)
        let row = RebuildRow(
            app: place.app.id,
            rebuild: Rebuild(
                id: (last ?? 0) + 1, bundleID: "", environment: place.environment, started: now,
                moved: now, lines: Int64(lines.count)))
        _ = try register.take(row, session)
        try session.executeMany(
            "INSERT INTO rebuild_line (rebuild, account, transaction_id) VALUES ($1, $2, $3)",
            lines.map {
                [row.rebuild.id.sqlValue, $0.account.sqlValue, $0.transactionID.sqlValue]
            })
        return row
    }

    /// Counts lines that were read.
    static func count(
        _ id: Int64, taken: Int64, failed: Int64, at now: Instant, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            UPDATE rebuild SET read_count = read_count + 1, taken = taken + \(taken),
                failed = failed + \(failed), moved_at = \(now), problem = NULL
            WHERE id = \(id)
            """)
    }

    /// It is done, or stands still for a reason.
    static func end(
        _ id: Int64, at now: Instant, problem: String?, _ session: any Session
    ) throws(StorageError) {
        let ended = problem == nil ? now : nil
        try session.execute(
            """
            UPDATE rebuild SET ended_at = \(ended), problem = \(problem) WHERE id = \(id)
            """)
    }
}

/// The row of a line that waits, or has failed.
struct RebuildLineRow: Sendable {
    let id: Int64
    let line: RebuildLine
    let problem: String?

    /// Those of a rebuild behind one, in their order.
    static func some(
        of rebuild: Int64, haveFailed: Bool, after last: Int64, limit: Int, _ session: any Session
    ) throws(StorageError) -> [RebuildLineRow] {
        let which = haveFailed ? "problem IS NOT NULL" : "problem IS NULL"
        return try session.rows(
            """
            SELECT id, account, transaction_id, problem FROM rebuild_line
            WHERE rebuild = \(rebuild) AND id > \(last) AND \(raw: which)
            ORDER BY id LIMIT \(limit)
            """
        ).map { row throws(StorageError) in
            RebuildLineRow(
                id: try row.integer(0),
                line: RebuildLine(
                    account: try row.textOrNil(1), transactionID: try row.text(2)),
                problem: try row.textOrNil(3))
        }
    }

    /// The account that it names now; nil where it names none, or was read by another process.
    func account(_ session: any Session) throws(StorageError) -> String? {
        try session.row("SELECT account FROM rebuild_line WHERE id = \(id)")?.textOrNil(0)
    }

    /// It was read: it goes, or stays with why it brought nothing.
    ///
    /// - Returns: whether it still waited.
    func end(problem: String?, _ session: any Session) throws(StorageError) -> Bool {
        if let problem {
            return try session.execute(
                """
                UPDATE rebuild_line SET problem = \(problem)
                WHERE id = \(id) AND problem IS NULL
                """) == 1
        }
        return try session.execute(
            "DELETE FROM rebuild_line WHERE id = \(id) AND problem IS NULL") == 1
    }
}

/// Up to where the history behind a transaction was read.
struct HistoryPlace: StoredRecord {
    var app: Int64
    var environment: MerchantEnvironment
    var transactionID: String
    /// The purchase; nil while that is not known.
    var originalTransactionID: String?
    /// The store's word for it; nil for the beginning.
    var revision: String?

    static let blank = HistoryPlace(app: 0, environment: .production, transactionID: "")

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("app", &app)
        try columns.column("environment", &environment)
        try columns.column("transaction_id", &transactionID)
        try columns.column("original_transaction_id", &originalTransactionID)
        try columns.column("revision", &revision)
    }

    private static let register = Register<Self>(
        table: "history_place", key: ["app", "environment", "transaction_id"])

    static func find(
        _ transactionID: String, in place: LookPlace, _ session: any Session
    ) throws(StorageError) -> HistoryPlace {
        let found = try register.records(
            where: """
                app = \(place.app.id) AND environment = \(place.environment.rawValue)
                AND transaction_id = \(transactionID)
                """, session)
        return found.first
            ?? HistoryPlace(
                app: place.app.id, environment: place.environment, transactionID: transactionID)
    }

    func save(_ session: any Session) throws(StorageError) {
        _ = try Self.register.take(self, session)
    }
}
