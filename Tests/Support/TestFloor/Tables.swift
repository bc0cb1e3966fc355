public import Storage

/// What tables hold, to compare what two ways of doing the same have left, or to show that
/// nothing was changed.
public struct Tables: Hashable, Sendable {
    /// The rows of each table, in an order that does not depend on when they were written.
    public let rows: [String: [Row]]
    /// Tables of which two ways of doing the same leave other rows, such as random secrets.
    private let chance: Set<String>

    /// Reads tables, all at one moment.
    ///
    /// - Parameters:
    ///   - columns: what is read of a table, where that is not everything.
    ///   - chance: tables that are never among the differences.
    ///   - value: what a value is compared as.
    public init(
        _ database: any Database, named names: [String], columns: [String: String] = [:],
        chance: Set<String> = [],
        as value: @escaping @Sendable (SQLValue) -> SQLValue = { $0 }
    ) async throws {
        self.chance = chance
        rows = try await database.read { session in
            var rows: [String: [Row]] = [:]
            for name in names {
                let query: SQL = "SELECT \(raw: columns[name] ?? "*") FROM \(raw: name)"
                let found = try session.rows(query).map {
                    Row($0.values.map(value))
                }
                rows[name] = found.map { (Tables.key($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
            return rows
        }
    }

    /// How many rows each table has.
    public var counts: [String: Int] { rows.mapValues(\.count) }

    /// The tables in which two databases differ, by name, but for those of chance and those that
    /// are named.
    public func differences(from other: Tables, besides: Set<String> = []) -> [String] {
        rows.keys.filter {
            !chance.contains($0) && !besides.contains($0) && rows[$0] != other.rows[$0]
        }.sorted()
    }

    // Whatever sorts equal rows to equal places does.
    private static func key(_ row: Row) -> String {
        var key = ""
        for value in row.values {
            switch value {
            case .null: key += "-"
            case .integer(let number): key += String(number)
            case .text(let text): key += text
            case .bytes(let bytes): key += String(decoding: bytes, as: UTF8.self)
            }
            key += "|"
        }
        return key
    }
}
