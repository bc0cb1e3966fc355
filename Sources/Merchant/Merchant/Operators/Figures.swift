import MerchantRules
import Storage
public import SubscriptionRules

/// What an app earns, by the newest that was signed of each transaction.
public struct AppFigures: Hashable, Sendable {
    /// What the merchant's clock shows.
    public let asOf: Instant
    /// How many subscriptions are in a period that has not ended.
    public let active: Int64
    /// How many of their periods cost nothing.
    public let trials: Int64
    /// By day and currency, the first day first; days without a transaction are left out.
    public let days: [Day]

    /// What was bought on a day in one currency.
    public struct Day: Hashable, Sendable {
        /// In UTC, such as `2026-01-31`.
        public let day: String
        public let currency: String
        public let transactions: Int64
        /// The prices that were signed, in milliunits.
        public let revenue: Int64
        /// Of these, the prices of transactions that were refunded since, in milliunits: the whole
        /// price, or the share that was said.
        public let refunded: Int64
    }
}

/// A transaction behind a figure.
public struct EarnedTransaction: Hashable, Sendable {
    public let transactionID: String
    public let originalTransactionID: String
    public let environment: MerchantEnvironment
    /// The account that owns the purchase.
    public let account: String?
    public let productID: String
    public let purchased: Instant
    public let expires: Instant?
    /// In milliunits.
    public let price: Int64
    public let currency: String
    public let revoked: Instant?
    let purchase: Int64
}

/// The transaction behind which a page begins.
public struct EarnedCursor: Hashable, Sendable {
    let purchased: Int64
    let purchase: Int64
    let transactionID: String

    /// Nil for a text that none was written as.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let purchased = Int64(parts[0]), let purchase = Int64(parts[1])
        else { return nil }
        self.purchased = purchased
        self.purchase = purchase
        transactionID = String(parts[2])
    }
}

extension EarnedTransaction {
    /// What a page goes on behind.
    public var cursor: String { "\(purchased.milliseconds):\(purchase):\(transactionID)" }
}

// Transactions are found by their dates and then their purchases: the other way round, which SQLite
// would choose, all purchases of the app are read. `CROSS JOIN` keeps it from that.
extension Merchant {
    private static let day: Int64 = 86_400_000

    /// What an app earns in an environment.
    ///
    /// - Parameter days: how many, the present one among them.
    /// - Throws: `MerchantError.unknownApp`.
    public func figures(
        of bundleID: String, in environment: MerchantEnvironment, days: Int64
    ) async throws -> AppFigures {
        let app = try app(bundleID)
        let now = try await now()
        let today = now.milliseconds / Self.day
        let first = (today - days + 1) * Self.day
        return try await database.read { session in
            AppFigures(
                asOf: now,
                active: try AppFigures.count(
                    """
                    SELECT COUNT(*) FROM purchase p
                    WHERE p.app = \(app.id) AND p.environment = \(environment.rawValue)
                        AND p.ends_at > \(now)
                    """, session),
                trials: try AppFigures.count(
                    """
                    SELECT COUNT(*) FROM transaction_register t CROSS JOIN purchase p
                    WHERE p.id = t.purchase AND t.price = 0 AND t.expires_at > \(now) AND t.kind = 1
                        AND t.is_upgraded = 0 AND t.revoked_at IS NULL
                        AND t.purchased_at <= \(now)
                        AND p.app = \(app.id) AND p.environment = \(environment.rawValue)
                    """, session),
                days: try AppFigures.Day.all(
                    from: first, to: (today + 1) * Self.day, of: app.id, in: environment, session))
        }
    }

    /// The transactions of a day, the first first.
    ///
    /// - Parameters:
    ///   - day: any moment of it, in UTC.
    ///   - currency: only of this one; nil for all.
    /// - Throws: `MerchantError.unknownApp`.
    public func transactions(
        of bundleID: String, in environment: MerchantEnvironment, on day: Instant,
        currency: String?, after cursor: EarnedCursor?, limit: Int
    ) async throws -> [EarnedTransaction] {
        let app = try app(bundleID)
        let start = day.milliseconds / Self.day * Self.day
        var condition: SQL = ""
        if let currency { condition += " AND t.currency = \(currency)" }
        if let cursor {
            condition += """
                 AND (t.purchased_at, t.purchase, t.transaction_id)
                > (\(cursor.purchased), \(cursor.purchase), \(cursor.transactionID))
                """
        }
        let wanted = condition
        return try await database.read { session in
            try session.rows(
                """
                SELECT t.transaction_id, p.original_transaction_id, a.name, t.product_id,
                    t.purchased_at, t.expires_at, t.price, t.currency, t.revoked_at, t.purchase
                FROM transaction_register t CROSS JOIN purchase p
                LEFT JOIN account a ON a.id = p.account
                WHERE p.id = t.purchase AND t.purchased_at >= \(start)
                    AND t.purchased_at < \(start + Self.day)
                    AND p.app = \(app.id) AND p.environment = \(environment.rawValue)
                    AND t.price IS NOT NULL AND t.currency IS NOT NULL
                    AND t.is_shared = 0\(wanted)
                ORDER BY t.purchased_at, t.purchase, t.transaction_id LIMIT \(limit)
                """
            ).map { row throws(StorageError) in
                EarnedTransaction(
                    transactionID: try row.text(0), originalTransactionID: try row.text(1),
                    environment: environment, account: try row.textOrNil(2),
                    productID: try row.text(3), purchased: try row.instant(4),
                    expires: try row.integerOrNil(5).map(Instant.init(milliseconds:)),
                    price: try row.integer(6), currency: try row.text(7),
                    revoked: try row.integerOrNil(8).map(Instant.init(milliseconds:)),
                    purchase: try row.integer(9))
            }
        }
    }
}

extension AppFigures {
    fileprivate static func count(
        _ query: SQL, _ session: any Session
    ) throws(StorageError) -> Int64 {
        try session.row(query)?.integer(0) ?? 0
    }
}

extension AppFigures.Day {
    /// Those from a moment to another, by an index of dates.
    fileprivate static func all(
        from start: Int64, to end: Int64, of app: Int64, in environment: MerchantEnvironment,
        _ session: any Session
    ) throws(StorageError) -> [AppFigures.Day] {
        let refund = TransactionFacts.Revocation.refund.rawValue
        let rows = try session.rows(
            """
            SELECT t.purchased_at / 86400000, t.currency, COUNT(*),
                CAST(SUM(t.price) AS BIGINT),
                CAST(SUM(CASE WHEN t.revocation = \(refund)
                    THEN t.price * COALESCE(t.refunded_share, 100000) / 100000
                    ELSE 0 END) AS BIGINT)
            FROM transaction_register t CROSS JOIN purchase p
            WHERE p.id = t.purchase AND t.purchased_at >= \(start) AND t.purchased_at < \(end)
                AND p.app = \(app) AND p.environment = \(environment.rawValue)
                AND t.price IS NOT NULL AND t.currency IS NOT NULL AND t.is_shared = 0
            GROUP BY 1, 2 ORDER BY 1, 2
            """)
        return try rows.map { row throws(StorageError) in
            let start = Instant(milliseconds: try row.integer(0) * 86_400_000)
            return AppFigures.Day(
                day: String(start.iso8601.prefix(10)), currency: try row.text(1),
                transactions: try row.integer(2), revenue: try row.integer(3),
                refunded: try row.integer(4))
        }
    }
}
