import Storage
public import SubscriptionRules

/// What a transaction bought.
public struct BoughtPeriod: Sendable, Hashable {
    public let productID: String
    /// The first transaction of its chain.
    public let originalID: Int64
    /// What was paid for it.
    public let price: Money
    public let quantity: Int
    /// The purchase, or the start of a subscription's period.
    public let start: Instant
    /// The end of the period; nil where the product has none.
    public let end: Instant?
}

extension Store {
    /// What a transaction bought, refunded or not.
    ///
    /// - Throws: `StoreError.unknown(.transaction)` when there is none in the environment.
    public func boughtPeriod(
        transaction id: Int64, in environment: StoreEnvironment
    ) async throws -> BoughtPeriod {
        try await read { reader in
            let found = try BoughtPeriod.find(transaction: id, in: environment, reader.session)
            guard let found else { throw StoreError.unknown(.transaction, String(id)) }
            return found
        }
    }
}
