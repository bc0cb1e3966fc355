public import Storage
import Synchronization

/// Something in a stored world that is not as it must be.
public struct CheckFinding: Sendable, Hashable {
    /// Where it is: a table and the row in it, or a part of the database.
    public let place: String
    /// What is wrong, without what the row holds.
    public let what: String

    public init(place: String, what: String) {
        self.place = place
        self.what = what
    }
}

/// What looking at a whole world came to.
public struct CheckReport: Sendable {
    /// How many rows of each table were read, in the order in which they were.
    public var rows: [(table: String, count: Int)] = []
    /// What was found, at most `WorldCheck.most` in a table.
    public var findings: [CheckFinding] = []

    public init() {}
}

/// Reads every row of a world the way the store reads it, and checks what must hold among rows.
public struct WorldCheck: Sendable {
    /// How many findings of one kind are named; a damaged file has thousands.
    static let most = 100

    private let database: any Database
    private let rootFingerprint: String?
    private let progress: @Sendable (_ part: String, _ rows: Int) -> Void
    private var report = CheckReport()

    /// - Parameters:
    ///   - ownership: the certificates that must be the world's.
    ///   - progress: told of every part, and now and then of the rows read in it.
    public init(
        _ database: any Database, ownership: WorldOwnership?,
        progress: @escaping @Sendable (_ part: String, _ rows: Int) -> Void
    ) {
        self.database = database
        rootFingerprint = ownership?.rootFingerprint
        self.progress = progress
    }

    /// Checks everything; nothing is changed.
    ///
    /// - Throws: `StorageError` when there is no database to read, or one of another version.
    public func run() async throws -> CheckReport {
        var check = self
        try await check.checkVersion()
        if database.dialect == .sqlite { try await check.checkFile() }
        for table in StoredTable.all { try await check.read(table) }
        try await check.checkWorld()
        for rule in CheckRule.all(database.dialect) { try await check.check(rule) }
        try await check.checkJournal()
        return check.report
    }

    private func checkVersion() async throws {
        let applied = try await database.read { session in
            try session.rows("SELECT name FROM migration ORDER BY applied_order")
                .map { try $0.text(0) }
        }
        let known = Schema.migrations.map(\.name)
        guard applied != known else { return }
        throw StorageError(
            applied.count > known.count ? .newerSchema : .invalidStatement,
            "its tables are of another version; start the store once to bring them up to date, or "
                + "use the version that made them")
    }

    // MARK: Parts

    /// Runs one part; what cannot be read to its end is a finding.
    private mutating func part(
        _ name: String,
        _ work: @escaping @Sendable (any Session, Findings) throws -> Void
    ) async throws {
        progress(name, 0)
        let found = Findings()
        do {
            try await database.read { session in
                // What a repeated transaction found before counts once.
                found.clear()
                try work(session, found)
            }
        } catch let error as StorageError where error.code == .corrupt {
            found.add(name, "it cannot be read to its end: \(error.message)")
        }
        report.findings += found.list
    }

    /// What SQLite says of its own file.
    private mutating func checkFile() async throws {
        try await part("the file") { session, found in
            for row in try session.rows("PRAGMA integrity_check(\(raw: String(WorldCheck.most)))") {
                let text = try row.text(0)
                if text != "ok" { found.add("the file", text) }
            }
        }
        try await part("foreign keys") { session, found in
            for row in try session.rows("PRAGMA foreign_key_check") {
                let id = try row.integerOrNil(1).map { " \($0)" } ?? ""
                found.add(
                    "\(try row.text(0))\(id)",
                    "it names a row of \(try row.text(2)) that is not there")
            }
        }
    }

    private mutating func read(_ table: StoredTable) async throws {
        let progress = progress
        let count = RowCount()
        try await part(table.name) { session, found in
            var read = 0
            defer { count.value.withLock { $0 = read } }
            try session.forEachRow(table.query) { row in
                read += 1
                if read.isMultiple(of: 100_000) { progress(table.name, read) }
                do {
                    try table.read(row)
                } catch let error as StorageError where error.code == .corrupt {
                    found.add(table.place(row), error.message)
                }
            }
        }
        report.rows.append((table.name, count.value.withLock { $0 }))
    }

    private mutating func checkWorld() async throws {
        let rootFingerprint = rootFingerprint
        try await part("the world") { session, found in
            guard let world = try World(session) else {
                return found.add("world", "its row is missing")
            }
            _ = try App.all(in: session)
            if let rootFingerprint, let own = world.rootFingerprint, own != rootFingerprint {
                found.add("world 1", "other certificates than those beside it sign for it")
            }
        }
    }

    private mutating func check(_ rule: CheckRule) async throws {
        try await part(rule.table) { session, found in
            let rows = try session.rows(rule.query + " LIMIT \(WorldCheck.most)")
            for row in rows { found.add("\(rule.table) \(try row.integer(0))", rule.what) }
        }
    }

    private mutating func checkJournal() async throws {
        try await part("journal") { session, found in
            try JournalFold.subscriptions(session) { found.add("journal", $0) }
        }
        try await part("journal") { session, found in
            try JournalFold.transactions(session) { found.add("journal", $0) }
        }
        try await part("journal") { session, found in
            try JournalFold.devices(session) { found.add("journal", $0) }
        }
    }
}

/// What one part found, while it runs.
private final class Findings: Sendable {
    private let found = Mutex<[CheckFinding]>([])

    var list: [CheckFinding] { found.withLock { $0 } }

    func clear() { found.withLock { $0 = [] } }

    func add(_ place: String, _ what: String) {
        found.withLock { found in
            guard found.count < WorldCheck.most else { return }
            found.append(CheckFinding(place: place, what: what))
        }
    }
}

/// How many rows a part has read.
private final class RowCount: Sendable {
    let value = Mutex(0)
}
