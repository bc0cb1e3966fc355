import Storage
import SubscriptionRules

/// The ledger as reports ask for it: pages with what was sold to whom, and sums.
extension LedgerEntry {
    /// An entry with the sale that it is about.
    struct Sale {
        let entry: LedgerEntry
        let currency: Currency
        let productID: String
        let account: String
        let app: Int64
    }

    /// A page of the ledger of an environment, in order or newest first.
    ///
    /// - Parameters:
    ///   - customer: only what this one paid and got; nil for all.
    ///   - after: the sequence of the last entry of the page before; nil for the first page.
    static func page(
        of environment: StoreEnvironment, customer: Int64?, newestFirst: Bool, after: Int64?,
        limit: Int, in session: any Session
    ) throws -> [Sale] {
        var query: SQL = """
            SELECT \(raw: columns), t.currency, t.product_id, c.account, t.app
            FROM ledger l JOIN store_transaction t ON t.id = l.transaction_id
            JOIN customer c ON c.id = t.customer
            WHERE t.environment = \(environment)
            """
        if let customer {
            query += " AND l.sequence IN (\(sequences(ofTransactions: "t.customer = \(customer)")))"
        }
        if let after {
            query += newestFirst ? " AND l.sequence < \(after)" : " AND l.sequence > \(after)"
        }
        query += " ORDER BY l.sequence \(raw: newestFirst ? "DESC" : "ASC") LIMIT \(limit)"
        return try session.rows(query).map { row in
            let sale = StoredRow(
                row, of: "sale of ledger", "currency, product_id, account, app", first: 8)
            return Sale(
                entry: try LedgerEntry(row),
                currency: try sale.parsed(0, Currency.init(everUsed:)),
                productID: try sale.text(1), account: try sale.text(2),
                app: try sale.identifier(3))
        }
    }

    /// What the entries of one kind come to, of one product in one storefront and month.
    struct Sum {
        /// In UTC, such as `2026-03`.
        let month: String
        let kind: Kind
        let storefront: Storefront
        let productID: String
        let currency: Currency
        let entries: Int64
        let customer: Int64
        let developer: Int64
        let store: Int64
    }

    /// The sums of an app. The database makes them, so that memory does not grow with the ledger.
    ///
    /// - Parameters:
    ///   - start: the first moment that counts; nil for all time.
    ///   - end: the first moment that no longer counts; nil for all time.
    /// - Throws: `StorageError` with `.overflow` where a sum does not fit into 64 bits.
    static func sums(
        app: Int64, _ environment: StoreEnvironment, from start: Instant?, to end: Instant?,
        in session: any Session
    ) throws -> [Sum] {
        let month = session.dialect.month(ofMilliseconds: "l.at")
        var query: SQL = """
            SELECT \(raw: month), l.kind, t.storefront, COALESCE(l.sku, t.product_id), t.currency,
                COUNT(*), \(total("l.customer")), \(total("l.developer")), \(total("l.store"))
            FROM ledger l JOIN store_transaction t ON t.id = l.transaction_id
            WHERE t.app = \(app) AND t.environment = \(environment)
            """
        if let start { query += " AND l.at >= \(start)" }
        if let end { query += " AND l.at < \(end)" }
        let columns = "at, kind, storefront, product_id, currency"
        return try session.rows(query + " GROUP BY 1, 2, 3, 4, 5").map { row in
            let stored = StoredRow(row, of: "sums of ledger", columns)
            return Sum(
                month: try stored.text(0), kind: try stored.value(1),
                storefront: try stored.parsed(2, Storefront.init(code:)),
                productID: try stored.text(3),
                currency: try stored.parsed(4, Currency.init(everUsed:)),
                entries: try row.integer(5), customer: try row.integer(6),
                developer: try row.integer(7), store: try row.integer(8))
        }
    }

    /// What developers gained in Production within some time, by currency.
    ///
    /// - Parameters:
    ///   - sequences: only entries with these.
    ///   - start: the first moment that counts.
    ///   - end: the first moment that no longer counts.
    /// - Throws: `StorageError` with `.overflow` where a sum does not fit into 64 bits.
    static func proceeds(
        _ sequences: Range<Int64>, from start: Instant, to end: Instant, in session: any Session
    ) throws -> [Currency: Int64] {
        let rows = try session.rows(
            """
            SELECT t.currency, \(total("l.developer"))
            FROM ledger l JOIN store_transaction t ON t.id = l.transaction_id
            WHERE l.sequence >= \(sequences.lowerBound) AND l.sequence < \(sequences.upperBound)
                AND l.at >= \(start) AND l.at < \(end)
                AND t.environment = \(StoreEnvironment.production)
            GROUP BY t.currency
            """)
        return Dictionary(
            try rows.map { row in
                let stored = StoredRow(row, of: "sums of ledger", "currency, developer")
                return (try stored.parsed(0, Currency.init(everUsed:)), try row.integer(1))
            }, uniquingKeysWith: { one, _ in one })
    }

    /// The sum of a column. PostgreSQL's is of a wider type, and refuses to be narrowed where it
    /// does not fit; SQLite refuses to sum it.
    private static func total(_ column: String) -> SQL {
        "CAST(SUM(\(raw: column)) AS BIGINT)"
    }
}
