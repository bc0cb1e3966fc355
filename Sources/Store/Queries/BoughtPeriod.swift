import Storage
public import SubscriptionRules

/// What a transaction bought.
public struct BoughtPeriod: Sendable, Hashable {
    public let productID: String
    /// The first transaction of its chain.
    public let originalID: Int64
    /// What was paid for it.
    public let price: Money
    /// The purchase, or the start of a subscription's period.
    public let start: Instant
    /// The end of the period; nil where the product has none.
    public let end: Instant?

    fileprivate static let columns =
        "id, product_id, purchased_at, expires_at, original_id, price, currency"
}

extension Store {
    /// What a transaction bought, refunded or not.
    ///
    /// - Throws: `StoreError.unknown(.transaction)` when there is none in the environment.
    public func boughtPeriod(
        transaction id: Int64, in environment: StoreEnvironment
    ) async throws -> BoughtPeriod {
        try await read { look in
            let row = try look.session.row(
                """
                SELECT \(raw: BoughtPeriod.columns) FROM store_transaction
                WHERE id = \(id) AND environment = \(environment)
                """)
            guard let row else { throw StoreError.unknown(.transaction, String(id)) }
            let stored = StoredRow(row, of: "store_transaction", BoughtPeriod.columns)
            return BoughtPeriod(
                productID: try stored.text(1), originalID: try stored.identifier(4),
                price: Money(
                    milliunits: try stored.amount(5),
                    try stored.parsed(6, Currency.init(code:))),
                start: try stored.instant(2), end: try stored.instantOrNil(3))
        }
    }
}
