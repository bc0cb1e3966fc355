internal import AppStoreWire
public import Storage

/// The journal read as what it says of rows: whoever applies everything that it says was changed,
/// in order, must have the rows.
public enum JournalFold {
    private typealias Columns = [String: SQLValue]

    private struct Folded {
        var subscriptions: [Int64: Columns] = [:]
        var transactions: [Int64: Columns] = [:]
    }

    /// What an event can change of a transaction, and what stands there until then.
    private static let untouched: Columns = [
        "is_upgraded": .integer(0), "refunded": .null, "revoked_at": .null, "revocation": .null,
        "revocation_reason": .null,
    ]

    /// Where the rows of subscriptions and of transactions differ from what the journal says.
    public static func differences(in database: any Database) async throws -> [String] {
        try await database.read { session in
            let folded = try fold(session)
            var found: [String] = []
            for row in try session.rows("SELECT id FROM subscription ORDER BY id") {
                let id = try row.integer(0)
                guard let columns = folded.subscriptions[id] else {
                    found.append("the journal does not know subscription \(id)")
                    continue
                }
                found += try compare(columns, with: "subscription", id, in: session)
            }
            for row in try session.rows("SELECT id FROM store_transaction ORDER BY id") {
                let id = try row.integer(0)
                let columns = untouched.merging(folded.transactions[id] ?? [:]) { $1 }
                found += try compare(columns, with: "store_transaction", id, in: session)
            }
            return found
        }
    }

    private static func fold(_ session: any Session) throws -> Folded {
        var folded = Folded()
        let rows = try session.rows(
            "SELECT subscription, detail FROM journal WHERE detail IS NOT NULL ORDER BY sequence")
        for row in rows {
            let detail = try JSONValue(parsing: try row.text(1).utf8)
            if let id = try row.integerOrNil(0) {
                apply(detail, to: &folded.subscriptions[id, default: [:]])
            }
            for transaction in detail["transactions"]?.array ?? [] {
                guard let id = transaction["id"]?.integer else { continue }
                apply(transaction, to: &folded.transactions[id, default: [:]])
            }
        }
        return folded
    }

    private static func apply(_ change: JSONValue, to columns: inout Columns) {
        for (column, value) in change["changed"]?.object ?? [:] {
            if let number = value.integer {
                columns[column] = .integer(number)
            } else if let text = value.string {
                columns[column] = .text(text)
            }
        }
        for column in change["cleared"]?.array ?? [] {
            if let column = column.string { columns[column] = .null }
        }
    }

    private static func compare(
        _ columns: Columns, with table: String, _ id: Int64, in session: any Session
    ) throws -> [String] {
        let names = columns.keys.sorted()
        let row = try session.row(
            "SELECT \(raw: names.joined(separator: ", ")) FROM \(raw: table) WHERE id = \(id)")
        guard let row else { return ["there is no row \(id) in \(table)"] }
        return zip(names, row.values).compactMap { name, value in
            columns[name] == value
                ? nil
                : "\(name) of \(table) \(id) is \(value), in the journal "
                    + "\(columns[name] ?? .null)"
        }
    }
}
