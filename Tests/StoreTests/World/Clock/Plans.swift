import Storage
import Synchronization

/// A SQLite database that says which tables its queries read from the first row to the last, to
/// find rows or to look each of them up.
final class Plans: Database {
    private let base: any Database
    private let found = Mutex<(isWatching: Bool, scans: Set<String>)>((false, []))
    /// They hold a handful of rows, whatever the store has.
    private static let small = [
        "world", "app", "consent_threshold", "product", "subscription_group",
        "product_storefront", "fault", "process", "claim", "CONSTANT", "present", "coming",
        "app_key", "opt_in_terms", "due",
    ]

    init(_ base: any Database) { self.base = base }

    var dialect: Dialect { base.dialect }

    /// Looks at every query from here on.
    func watch() { found.withLock { $0.isWatching = true } }

    /// The steps that scan a table, with the query each is of.
    var scans: [String] { found.withLock { $0.scans.sorted() } }

    @discardableResult
    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.write(company) { [self] in try body(Explained(base: $0, plans: self)) }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.read { [self] in try body(Explained(base: $0, plans: self)) }
    }

    func migrate(_ migrations: [Migration]) async throws { try await base.migrate(migrations) }

    func check() async throws { try await base.check() }

    var load: DatabaseLoad { base.load }

    var copies: any DatabaseCopies { base.copies }

    func close() async { await base.close() }

    fileprivate func explain(_ sql: SQL, in session: any Session) throws(StorageError) {
        guard found.withLock({ $0.isWatching }) else { return }
        for row in try session.rows("EXPLAIN QUERY PLAN " + sql) {
            let step = try row.text(3)
            let words = step.split(separator: " ")
            let table: Substring?
            if words.first == "SCAN", !step.contains("USING") {
                table = words.dropFirst().first
            } else if step.contains("SEARCH ON TABLE"), step.hasSuffix("FOR IN-OPERATOR") {
                table = words.dropLast(2).last
            } else {
                table = nil
            }
            guard let table, !Self.small.contains(String(table)) else { continue }
            found.withLock { _ = $0.scans.insert("\(step): \(sql.text)") }
        }
    }
}

private struct Explained: Session {
    let base: any Session
    let plans: Plans

    var dialect: Dialect { base.dialect }

    func execute(_ sql: SQL) throws(StorageError) -> Int { try base.execute(sql) }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] {
        try plans.explain(sql, in: base)
        return try base.rows(sql)
    }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        try plans.explain(sql, in: base)
        try base.forEachRow(sql, body)
    }

    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        try base.executeMany(text, rows)
    }

    func liftLimits() throws(StorageError) { try base.liftLimits() }
}
