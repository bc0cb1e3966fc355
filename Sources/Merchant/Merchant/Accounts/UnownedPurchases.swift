import Storage
public import SubscriptionRules

/// A purchase that no account has.
public struct UnownedPurchase: Hashable, Sendable {
    /// Its number, in the order in which purchases were heard of.
    public let id: Int64
    public let bundleID: String
    public let environment: MerchantEnvironment
    public let originalTransactionID: String
    /// What was bought last; nil where only renewal information was heard of.
    public let productID: String?
    public let purchased: Instant?
    /// When what was bought last ends; nil where it has no end.
    public let expires: Instant?
    /// When the account that had it was erased.
    public let erased: Instant?
}

/// Which purchases of nobody are meant.
public struct UnownedFilter: Hashable, Sendable {
    public var bundleID: String?
    public var environment: MerchantEnvironment?
    /// A product that was bought at any time.
    public var productID: String?

    public init(
        bundleID: String? = nil, environment: MerchantEnvironment? = nil, productID: String? = nil
    ) {
        self.bundleID = bundleID
        self.environment = environment
        self.productID = productID
    }
}

extension Merchant {
    /// The purchases that no account has, the newest first.
    ///
    /// - Parameter before: the number before which they are; nil for the newest.
    /// - Throws: `MerchantError.unknownApp`.
    public func unowned(
        _ filter: UnownedFilter, before: Int64? = nil, limit: Int
    ) async throws -> [UnownedPurchase] {
        let condition = filter.condition(of: try number(of: filter.bundleID))
        return try await database.read { session in
            try UnownedPurchase.all(where: condition, before: before, limit: limit, session)
        }
    }

    /// How many purchases no account has, as far as it is counted.
    ///
    /// - Throws: `MerchantError.unknownApp`.
    public func unownedCount(_ filter: UnownedFilter) async throws -> CappedCount {
        let condition = filter.condition(of: try number(of: filter.bundleID))
        return try await database.read { session in
            try CappedCount(of: "purchase p WHERE \(condition)", session)
        }
    }

    private func number(of bundleID: String?) throws(MerchantError) -> Int64? {
        guard let bundleID else { return nil }
        return try app(bundleID).id
    }
}

extension UnownedFilter {
    fileprivate func condition(of app: Int64?) -> SQL {
        var condition: SQL = "p.account IS NULL"
        if let app { condition += " AND p.app = \(app)" }
        if let environment { condition += " AND p.environment = \(environment.rawValue)" }
        if let productID {
            condition += """
                 AND EXISTS (SELECT 1 FROM transaction_register t
                WHERE t.purchase = p.id AND t.product_id = \(productID))
                """
        }
        return condition
    }
}

extension UnownedPurchase {
    fileprivate static func all(
        where condition: SQL, before: Int64?, limit: Int, _ session: any Session
    ) throws(StorageError) -> [UnownedPurchase] {
        try session.rows(
            """
            SELECT p.id, a.bundle_id, p.environment, p.original_transaction_id, t.product_id,
                t.purchased_at, t.expires_at,
                (SELECT e.erased_at FROM erased_purchase e WHERE e.purchase = p.id)
            FROM purchase p JOIN app a ON a.id = p.app
            LEFT JOIN transaction_register t ON t.purchase = p.id AND t.transaction_id = (
                SELECT n.transaction_id FROM transaction_register n WHERE n.purchase = p.id
                ORDER BY n.purchased_at DESC, n.transaction_id DESC LIMIT 1)
            WHERE \(condition) AND p.id < \(before ?? Int64.max) ORDER BY p.id DESC LIMIT \(limit)
            """
        ).map { row throws(StorageError) in try UnownedPurchase(row) }
    }

    private init(_ row: Row) throws(StorageError) {
        id = try row.integer(0)
        bundleID = try row.text(1)
        guard let environment = MerchantEnvironment(rawValue: try row.integer(2)) else {
            throw StorageError(.corrupt, "a purchase is of no environment")
        }
        self.environment = environment
        originalTransactionID = try row.text(3)
        productID = try row.textOrNil(4)
        purchased = try row.integerOrNil(5).map(Instant.init(milliseconds:))
        expires = try row.integerOrNil(6).map(Instant.init(milliseconds:))
        erased = try row.integerOrNil(7).map(Instant.init(milliseconds:))
    }
}
