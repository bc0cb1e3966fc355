import Storage

extension Fixture {
    /// A table of what customers have, and which of its columns tell copies apart.
    private struct Copied {
        let table: String
        /// The first one is the table's own.
        let keys: [String]
        /// What the store's numbers are added to in that one.
        var base: Int64 = 0
    }

    private static let purchases = [
        Copied(table: "customer", keys: ["id"]),
        Copied(table: "customer_app", keys: ["customer", "app_transaction_id"]),
        Copied(
            table: "subscription", keys: ["id", "customer", "term_transaction"],
            base: 400_000_000_000_000),
        Copied(
            table: "store_transaction",
            keys: ["id", "original_id", "subscription", "customer", "modification"],
            base: 400_000_000_000_000),
    ]

    private static let history = [
        Copied(table: "journal", keys: ["sequence", "customer", "subscription", "transaction_id"]),
        Copied(table: "ledger", keys: ["sequence", "transaction_id"]),
    ]

    /// Copies every customer with its subscription, as often as it takes, under identifiers of
    /// their own.
    ///
    /// - Parameters:
    ///   - number: only those who came after this one of the store's numbers.
    ///   - withHistory: whether what happened to them and what they paid is copied too, which only
    ///     people look at.
    static func multiply(
        in database: any Database, by factor: Int, after number: Int64 = 0,
        withHistory: Bool = false
    ) async throws {
        let stride: Int64 = 1_000_000
        for copied in purchases + (withHistory ? history : []) {
            let names = try await database.read { session in
                try columnNames(of: copied.table, in: session)
            }
            let range = (copied.base + number, copied.base + stride)
            for copy in 1..<factor {
                let values = names.map { name in
                    if copied.keys.contains(name) { return "\(name) + \(Int64(copy) * stride)" }
                    return name == "account" ? "account || '-\(copy)'" : name
                }
                let list = names.joined(separator: ", ")
                try await database.write { session in
                    try session.execute(
                        """
                        INSERT INTO \(raw: copied.table) (\(raw: list))
                        SELECT \(raw: values.joined(separator: ", ")) FROM \(raw: copied.table)
                        WHERE \(raw: copied.keys[0]) > \(range.0)
                            AND \(raw: copied.keys[0]) < \(range.1)
                        """)
                }
            }
        }
        let next = Int64(factor) * stride + stride
        try await database.write { session in
            switch session.dialect {
            case .sqlite: try session.execute("UPDATE world SET next_number = \(next)")
            case .postgres: _ = try session.rows("SELECT setval('store_number', \(next))")
            }
        }
    }

    static func columnNames(
        of table: String, in session: any Session
    ) throws -> [String] {
        let query: SQL =
            switch session.dialect {
            case .sqlite: "SELECT name FROM pragma_table_info(\(table))"
            case .postgres:
                """
                SELECT column_name::text FROM information_schema.columns
                WHERE table_schema = current_schema() AND table_name = \(table)
                """
            }
        return try session.rows(query).map { try $0.text(0) }
    }
}
