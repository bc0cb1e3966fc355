import Storage

/// Which changes were the last: of customers, of their subscriptions, of the world.
enum LastChange {
    /// A text that is another one after anything was changed, by whatever process.
    ///
    /// Numbers alone do not do where several processes write: they are drawn before what they
    /// number can be seen. PostgreSQL's snapshot says which changes can be.
    static func look(in session: any Session) throws -> String {
        let query: SQL =
            session.dialect.isShared
            ? "SELECT pg_current_snapshot()::text" : "SELECT CAST(next_number AS TEXT) FROM world"
        return try session.row(query)?.text(0) ?? ""
    }

    /// How many customers are asked for in one statement.
    private static let mostAtOnce = 512

    /// The number of the newest change of each customer: of a transaction, or of a subscription,
    /// be it one that the family shares. Those that are gone are missing.
    static func newest(
        of customers: [Int64], in session: any Session
    ) throws -> [Int64: Int64] {
        var newest: [Int64: Int64] = [:]
        for start in stride(from: 0, to: customers.count, by: mostAtOnce) {
            var some = Array(customers[start..<min(start + mostAtOnce, customers.count)])
            // Filled up to a power of two: a statement of each length would be one to prepare.
            let missing = (1 << (Int.bitWidth - (some.count - 1).leadingZeroBitCount)) - some.count
            some += Array(repeating: some[0], count: missing)
            let rows = try session.rows(
                """
                SELECT c.id,
                    (SELECT MAX(t.modification) FROM store_transaction t WHERE t.customer = c.id),
                    (SELECT MAX(s.modification) FROM subscription s WHERE s.customer = c.id),
                    (SELECT MAX(s.modification) FROM family_share h
                        JOIN subscription s ON s.id = h.subscription WHERE h.member = c.id)
                FROM customer c WHERE c.id IN (\(list: some))
                """)
            for row in rows {
                newest[try row.integer(0)] = try (1...3).map { try row.integerOrNil($0) ?? 0 }.max()
            }
        }
        return newest
    }

    /// The subscriptions that a customer has in an app, or has of the family, by the customer's
    /// original transaction, with the number of what changed last about each.
    static func ofSubscriptions(
        _ buyer: TransactionRecord.Selection, after number: Int64, in session: any Session
    ) throws -> [Int64: Int64] {
        var changes: [Int64: Int64] = [:]
        let rows = try session.rows(
            """
            SELECT s.id, s.modification, 0 FROM subscription s
            WHERE s.customer = \(buyer.customer) AND s.app = \(buyer.app)
            UNION ALL
            SELECT h.id, s.modification, t.modification FROM family_share h
            JOIN subscription s ON s.id = h.subscription
            JOIN store_transaction t ON t.id = h.newest
            WHERE h.member = \(buyer.customer) AND h.app = \(buyer.app)
            """)
        for row in rows {
            let change = max(try row.integer(1), try row.integer(2))
            if change > number { changes[try row.integer(0)] = change }
        }
        return changes
    }
}
