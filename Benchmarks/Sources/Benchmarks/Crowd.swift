import Storage

extension Fixture {
    /// Copies every customer with its subscription, as often as it takes, under identifiers of
    /// their own.
    static func multiply(in database: any Database, by factor: Int) async throws {
        let columns: [(table: String, keys: [String])] = [
            ("customer", ["id"]), ("customer_app", ["customer", "app_transaction_id"]),
            ("subscription", ["id", "customer", "term_transaction"]),
            (
                "store_transaction",
                ["id", "original_id", "subscription", "customer", "modification"]
            ),
        ]
        let stride: Int64 = 1_000_000
        for (table, keys) in columns {
            let names = try await database.read { session in
                try columnNames(of: table, in: session)
            }
            for copy in 1..<factor {
                let values = names.map { name in
                    if keys.contains(name) { return "\(name) + \(Int64(copy) * stride)" }
                    return name == "account" ? "account || '-\(copy)'" : name
                }
                let list = names.joined(separator: ", ")
                let original = keys[0] == "customer" ? "customer" : "id"
                let limit =
                    table == "customer" || table == "customer_app"
                    ? stride
                    : 400_000_000_000_000 + stride
                try await database.write { session in
                    try session.execute(
                        """
                        INSERT INTO \(raw: table) (\(raw: list))
                        SELECT \(raw: values.joined(separator: ", ")) FROM \(raw: table)
                        WHERE \(raw: original) < \(limit)
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

    private static func columnNames(
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
