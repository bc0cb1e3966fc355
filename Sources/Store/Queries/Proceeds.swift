import Storage
public import SubscriptionRules

/// What one product, or one SKU of several, brought in one storefront in one month, in milliunits
/// of its currency.
public struct ProceedsLine: Sendable, Hashable {
    /// The month in UTC, such as `2026-03`.
    public let month: String
    public let storefront: Storefront
    public let productID: String
    public let currency: Currency
    /// How many charges there were.
    public let charges: Int64
    /// How many charges were given back, in full or in part, reversals taken off.
    public let refunds: Int64
    /// What customers paid.
    public let paid: Int64
    /// What customers got back, reversals taken off.
    public let refunded: Int64
    /// What the store keeps of the rest.
    public let commission: Int64
    /// What the developer gets of the rest.
    public let proceeds: Int64
}

extension Store {
    /// What an app brought, by month, storefront and product, from the ledger.
    ///
    /// - Parameters:
    ///   - start: the first moment that counts; nil for all time.
    ///   - end: the first moment that no longer counts; nil for all time.
    /// - Throws: `StoreError.unknown(.app)`.
    public func proceeds(
        bundleID: String, from start: Instant?, to end: Instant?,
        in environment: StoreEnvironment
    ) async throws -> [ProceedsLine] {
        try await read { look in
            let app = try look.apps.find(bundleID: bundleID)
            var lines: [ProceedsKey: ProceedsSum] = [:]
            var query: SQL = """
                SELECT l.at, l.kind, l.customer, l.developer, l.store, t.storefront,
                    COALESCE(l.sku, t.product_id), t.currency
                FROM ledger l JOIN store_transaction t ON t.id = l.transaction_id
                WHERE t.app = \(app.id) AND t.environment = \(environment)
                """
            if let start { query += " AND l.at >= \(start)" }
            if let end { query += " AND l.at < \(end)" }
            try look.session.forEachRow(query) { row in
                let key = ProceedsKey(
                    month: String(try row.instant(0).iso8601.prefix(7)),
                    storefront: try row.text(5), product: try row.text(6),
                    currency: try row.text(7))
                let stored = StoredRow(
                    row, of: "ledger at", "at, kind, customer, developer, store")
                let amounts = -Stored.largestAmount...Stored.largestAmount
                lines[key, default: ProceedsSum()].add(
                    try stored.value(1), customer: try stored.integer(2, in: amounts),
                    developer: try stored.integer(3, in: amounts),
                    store: try stored.integer(4, in: amounts))
            }
            return try lines.sorted { $0.key < $1.key }.map { key, sum in
                guard let line = ProceedsLine(key, sum) else {
                    throw StorageError(
                        .corrupt, "a store_transaction's storefront or currency is unknown")
                }
                return line
            }
        }
    }

    /// The ledger of an environment, page by page, in order or newest first.
    ///
    /// - Parameters:
    ///   - account: only what this one paid and got; nil for all.
    ///   - after: the sequence of the last entry of the page before; nil for the first page.
    /// - Throws: `StoreError.unknown(.account)`.
    public func ledger(
        of account: String? = nil, newestFirst: Bool = false, after: Int64?, limit: Int,
        in environment: StoreEnvironment
    ) async throws -> [LedgerLine] {
        try await read { look in
            var query: SQL = """
                SELECT \(raw: LedgerEntry.columns), t.currency, t.product_id, c.account, t.app
                FROM ledger l JOIN store_transaction t ON t.id = l.transaction_id
                JOIN customer c ON c.id = t.customer
                WHERE t.environment = \(environment)
                """
            if let account {
                let customer = try Customer.find(account: account, environment, in: look.session)
                guard let customer else { throw StoreError.unknown(.account, account) }
                query += " AND t.customer = \(customer.id)"
            }
            if let after {
                query += newestFirst ? " AND l.sequence < \(after)" : " AND l.sequence > \(after)"
            }
            query += " ORDER BY l.sequence \(raw: newestFirst ? "DESC" : "ASC") LIMIT \(limit)"
            return try look.session.rows(query).map { row in
                let sale = StoredRow(
                    row, of: "sale of ledger", "currency, product_id, account, app", first: 8)
                return LedgerLine(
                    entry: try LedgerEntry(row),
                    currency: try sale.parsed(0, Currency.init(everUsed:)),
                    productID: try sale.text(1), account: try sale.text(2),
                    bundleID: try look.apps[try sale.identifier(3)].bundleID)
            }
        }
    }
}

/// An entry of the ledger, and what was sold to whom.
public struct LedgerLine: Sendable {
    /// The money that moved.
    public let entry: LedgerEntry
    /// What it is counted in.
    public let currency: Currency
    /// What was bought.
    public let productID: String
    /// Who bought it.
    public let account: String
    /// The app that sold it.
    public let bundleID: String
}

private struct ProceedsKey: Hashable, Comparable {
    let month: String
    let storefront: String
    let product: String
    let currency: String

    static func < (left: ProceedsKey, right: ProceedsKey) -> Bool {
        (left.month, left.storefront, left.product, left.currency)
            < (right.month, right.storefront, right.product, right.currency)
    }
}

private struct ProceedsSum {
    var (charges, refunds): (Int64, Int64) = (0, 0)
    var (paid, refunded, commission, proceeds): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)

    mutating func add(
        _ kind: LedgerEntry.Kind, customer: Int64, developer: Int64, store: Int64
    ) {
        switch kind {
        case .charge: charges += 1
        case .proration, .refund: refunds += 1
        case .reversal: refunds -= 1
        }
        switch kind {
        case .charge: paid -= customer
        case .proration, .refund, .reversal: refunded += customer
        }
        commission += store
        proceeds += developer
    }
}

extension ProceedsLine {
    /// - Returns: nil where a transaction names a storefront or a currency that is none.
    fileprivate init?(_ key: ProceedsKey, _ sum: ProceedsSum) {
        guard let storefront = Storefront(code: key.storefront),
            let currency = Currency(everUsed: key.currency)
        else { return nil }
        self.init(
            month: key.month, storefront: storefront, productID: key.product, currency: currency,
            charges: sum.charges, refunds: sum.refunds, paid: sum.paid, refunded: sum.refunded,
            commission: sum.commission, proceeds: sum.proceeds)
    }
}
