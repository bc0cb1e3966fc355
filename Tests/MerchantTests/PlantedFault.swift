import Storage
import Synchronization
import Testing

/// A mistake that a merchant could make, planted between it and its database: a statement or an
/// answer is altered, and nothing else. The lives are worth something only if they find each.
enum PlantedFault: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The signing time is ignored: what comes last is kept (ING-3).
    case lastArrivalWins
    /// A refund of one period takes every other one too (ING-5).
    case refundTakesEveryPeriod
    /// A grace period gives no access.
    case graceIgnored
    /// What was bought while another plan of the purchase ran does not replace it.
    case upgradeReplacesNothing
    /// Nobody remembers whose an account's token is.
    case tokenForgotten

    var testDescription: String { rawValue }

    /// A statement as it goes to the database.
    ///
    /// - Returns: nil for one that is left out.
    func altered(_ sql: SQL) -> SQL? {
        switch self {
        case .lastArrivalWins:
            guard sql.text.hasPrefix("INSERT INTO"), sql.text.contains("_register "),
                let condition = sql.text.firstRange(of: " AND (excluded.")
            else { return sql }
            // The condition binds nothing.
            return SQL(text: String(sql.text[..<condition.lowerBound]), binds: sql.binds)
        case .tokenForgotten:
            return sql.text.hasPrefix("UPDATE purchase SET app_account_token") ? nil : sql
        case .refundTakesEveryPeriod, .graceIgnored, .upgradeReplacesNothing: return sql
        }
    }

    private static let purchases = "binding b JOIN purchase p"
    private static let grace: Set = ["grace_ends_at", "last_grace_ends_at"]
    private static let transaction: Set = [
        "purchase", "product_id", "purchased_at", "expires_at", "is_renewal", "revoked_at",
        "revocation",
    ]

    /// The rows that a query finds, as the merchant gets them.
    func altered(_ rows: [Row], of sql: SQL) -> [Row] {
        switch self {
        case .lastArrivalWins: return rows
        case .tokenForgotten:
            return sql.text.hasPrefix("SELECT account FROM account_token") ? [] : rows
        case .graceIgnored:
            guard
                let list = RegisterRows(
                    rows, of: sql, from: [Self.purchases], with: Self.grace)
            else { return rows }
            let none = Dictionary(uniqueKeysWithValues: Self.grace.map { ($0, SQLValue.null) })
            return rows.map { list.row($0, with: none) }
        case .refundTakesEveryPeriod:
            guard
                let list = RegisterRows(
                    rows, of: sql, from: [Self.purchases, "transaction_register"],
                    with: Self.transaction)
            else { return rows }
            return rows.map { row in
                let purchase = list.value("purchase", of: row)
                let refund = rows.first {
                    list.value("purchase", of: $0) == purchase
                        && list.value("revoked_at", of: $0) != .null
                }
                guard let refund else { return row }
                return list.row(
                    row,
                    with: [
                        "revoked_at": list.value("revoked_at", of: refund),
                        "revocation": list.value("revocation", of: refund),
                    ])
            }
        case .upgradeReplacesNothing:
            guard
                let list = RegisterRows(
                    rows, of: sql, from: [Self.purchases, "transaction_register"],
                    with: Self.transaction)
            else { return rows }
            return rows.filter { row in !rows.contains { list.isReplaced($0, by: row) } }
        }
    }
}

/// The columns of a query of registers, by name.
private struct RegisterRows {
    private let places: [String: Int]

    /// Nil where the query is another one.
    ///
    /// - Parameter needed: the columns without which it is another one.
    init?(_ rows: [Row], of sql: SQL, from tables: [String], with needed: Set<String>) {
        let text = sql.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let ends = tables.compactMap { text.firstRange(of: " FROM \($0) ") }
        guard text.hasPrefix("SELECT "), let end = ends.first else { return nil }
        let names = text[..<end.lowerBound].dropFirst("SELECT ".count).split(separator: ", ")
            .map { name in name.split(separator: ".").last.map(String.init) ?? "" }
        guard rows.allSatisfy({ $0.count == names.count }), needed.isSubset(of: names) else {
            return nil
        }
        places = Dictionary(
            names.enumerated().map { ($0.element, $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    func value(_ name: String, of row: Row) -> SQLValue {
        guard let place = places[name] else { preconditionFailure("no register has \(name)") }
        return row.values[place]
    }

    func row(_ row: Row, with changes: [String: SQLValue]) -> Row {
        var values = row.values
        for (name, value) in changes {
            guard let place = places[name] else { preconditionFailure("no register has \(name)") }
            values[place] = value
        }
        return Row(values)
    }

    /// Whether another product of the same purchase was bought before a period's end.
    func isReplaced(_ row: Row, by other: Row) -> Bool {
        guard value("purchase", of: row) == value("purchase", of: other),
            value("product_id", of: row) != value("product_id", of: other),
            value("is_renewal", of: other) == .integer(0),
            case .integer(let start) = value("purchased_at", of: row),
            case .integer(let end) = value("expires_at", of: row),
            case .integer(let bought) = value("purchased_at", of: other)
        else { return false }
        return start < bought && bought < end
    }
}

/// A database through which a merchant makes one mistake.
final class FaultedDatabase: Database {
    private let base: any Database
    private let fault: PlantedFault
    private let alterations = Mutex(0)

    init(_ base: any Database, _ fault: PlantedFault) {
        self.base = base
        self.fault = fault
    }

    /// How often the fault has altered something.
    var count: Int { alterations.withLock { $0 } }

    var dialect: Dialect { base.dialect }

    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.write(company) { [self] session in
            try body(FaultedSession(base: session, database: self))
        }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.read { [self] session in
            try body(FaultedSession(base: session, database: self))
        }
    }

    func migrate(_ migrations: [Migration]) async throws { try await base.migrate(migrations) }

    func check() async throws { try await base.check() }

    var load: DatabaseLoad { base.load }

    var copies: any DatabaseCopies { base.copies }

    func close() async { await base.close() }

    fileprivate func altered(_ sql: SQL) -> SQL? {
        let altered = fault.altered(sql)
        if altered?.text != sql.text { alterations.withLock { $0 += 1 } }
        return altered
    }

    fileprivate func altered(_ rows: [Row], of sql: SQL) -> [Row] {
        let altered = fault.altered(rows, of: sql)
        if altered != rows { alterations.withLock { $0 += 1 } }
        return altered
    }
}

/// A session whose statements and answers the fault alters.
private struct FaultedSession: Session {
    let base: any Session
    let database: FaultedDatabase

    var dialect: Dialect { base.dialect }

    func execute(_ sql: SQL) throws(StorageError) -> Int {
        guard let altered = database.altered(sql) else { return 0 }
        return try base.execute(altered)
    }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] {
        database.altered(try base.rows(sql), of: sql)
    }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        try base.forEachRow(sql, body)
    }

    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        try base.executeMany(text, rows)
    }

    func liftLimits() throws(StorageError) { try base.liftLimits() }
}
