import Journal
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

    /// Where the rows of subscriptions, of transactions and of devices differ from what the journal
    /// says.
    ///
    /// - Throws: `StorageError` where they cannot be read.
    public static func differences(in database: any Database) async throws -> [String] {
        try await database.read { session in
            var found: [String] = []
            try subscriptions(session) { found.append($0) }
            try transactions(session) { found.append($0) }
            try devices(session) { found.append($0) }
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
                SELECT \(raw: read) FROM journal
                WHERE subscription = \(id) AND detail IS NOT NULL ORDER BY sequence
                """)
            for entry in entries { apply(try detail(entry).changes, to: &columns) }
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
            SELECT \(raw: read) FROM journal
            WHERE detail LIKE \("%\(JournalDetail.Member.transactions.mark)%") ORDER BY sequence
            """
        ) { row in
            for transaction in try detail(row).transactions {
                apply(transaction.changes, to: &folded[transaction.id, default: [:]])
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

    private static let read = "sequence, detail"

    static func detail(_ entry: Row) throws -> JournalDetail {
        try JournalDetail(StoredRow(entry, of: "journal", read), 1)
    }

    private static func apply(_ changes: ColumnChanges?, to columns: inout Columns) {
        for column in changes?.columns ?? [] { columns[column.name] = column.value.sqlValue }
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
            return Set(untouched.keys).union([
                "expires_at", "app_account_token", "commitment_ends_at", "advanced_commerce",
                "lines",
            ])
        }
        return SubscriptionRecord.columnNames
    }
}
