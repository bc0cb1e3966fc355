import AppStoreWire
public import Storage

/// The journal read as what it says of rows: whoever applies everything that it says was changed,
/// in order, must have the rows.
public enum JournalFold {
    typealias Columns = [String: SQLValue]

    /// What an event can change of a transaction, and what stands there until then.
    private static let untouched: Columns = [
        "is_upgraded": .integer(0), "refunded": .null, "revoked_at": .null, "revocation": .null,
        "revocation_reason": .null,
    ]

    /// Where the rows of subscriptions and of transactions differ from what the journal says.
    ///
    /// - Throws: `StorageError` where they cannot be read.
    public static func differences(in database: any Database) async throws -> [String] {
        try await database.read { session in
            var found: [String] = []
            try subscriptions(session) { found.append($0) }
            try transactions(session) { found.append($0) }
            return found
        }
    }

    /// One subscription after the other, so that no more than one is held.
    static func subscriptions(
        _ session: any Session, _ found: (String) throws -> Void
    ) throws {
        try session.forEachRow("SELECT id FROM subscription ORDER BY id") { row in
            let id = try row.integer(0)
            var columns: Columns = [:]
            let entries = try session.rows(
                """
                SELECT sequence, detail FROM journal
                WHERE subscription = \(id) AND detail IS NOT NULL ORDER BY sequence
                """)
            for entry in entries { apply(try detail(entry), to: &columns) }
            guard !columns.isEmpty else {
                return try found("the journal does not know subscription \(id)")
            }
            try compare(columns, with: "subscription", id, in: session, found)
        }
    }

    /// Only those that were changed after they were made are held.
    static func transactions(
        _ session: any Session, _ found: (String) throws -> Void
    ) throws {
        var folded: [Int64: Columns] = [:]
        try session.forEachRow(
            """
            SELECT sequence, detail FROM journal WHERE detail LIKE '%"transactions"%'
            ORDER BY sequence
            """
        ) { row in
            for transaction in try detail(row)["transactions"]?.array ?? [] {
                guard let id = transaction["id"]?.integer else { continue }
                apply(transaction, to: &folded[id, default: [:]])
            }
        }
        let names = untouched.keys.sorted().joined(separator: ", ")
        try session.forEachRow(
            "SELECT id, \(raw: names) FROM store_transaction ORDER BY id"
        ) { row in
            let id = try row.integer(0)
            guard let columns = folded[id] else {
                let values = zip(untouched.keys.sorted(), row.values.dropFirst())
                for (name, value) in values where untouched[name] != value {
                    try found("\(name) of store_transaction \(id) was never said to change")
                }
                return
            }
            try compare(
                untouched.merging(columns) { $1 }, with: "store_transaction", id, in: session,
                found)
        }
    }

    private static func detail(_ entry: Row) throws -> JSONValue {
        do {
            return try JSONValue(parsing: entry.text(1).utf8)
        } catch is JSONSyntaxError {
            throw StorageError(
                .corrupt, "journal \(try entry.integer(0)), column detail: it is no JSON")
        }
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
        _ columns: Columns, with table: String, _ id: Int64, in session: any Session,
        _ found: (String) throws -> Void
    ) throws {
        // A name that was damaged is no name of a column.
        let known = try knownColumns(of: table, in: session)
        let names = columns.keys.filter(known.contains).sorted()
        for name in columns.keys.sorted() where !known.contains(name) {
            try found("the journal names a column of \(table) \(id) that there is not")
        }
        guard !names.isEmpty else { return }
        let row = try session.row(
            "SELECT \(raw: names.joined(separator: ", ")) FROM \(raw: table) WHERE id = \(id)")
        guard let row else { return try found("there is no row \(id) in \(table)") }
        for (name, value) in zip(names, row.values) where columns[name] != value {
            try found("\(name) of \(table) \(id) is not what the journal says")
        }
    }

    private static func knownColumns(
        of table: String, in session: any Session
    ) throws -> Set<String> {
        guard table == "subscription" else {
            return Set(untouched.keys).union(["expires_at", "app_account_token"])
        }
        return SubscriptionRecord.columnNames
    }
}
