import Storage
public import SubscriptionRules

/// Something that a customer bought and that does not renew by itself.
public struct Purchase: Sendable, Hashable {
    /// The app that sold it.
    public let bundleID: String
    /// Its transaction.
    public let transactionID: Int64
    /// What was bought.
    public let productID: String
    /// How many.
    public let quantity: Int
    /// When.
    public let purchased: Instant
    /// What was paid for all of them.
    public let price: Money
    /// When the price was given back.
    public let revoked: Instant?
}

extension Store {
    /// What an account bought in all apps besides auto-renewable subscriptions: what changed last
    /// comes first, a refund being a change.
    ///
    /// - Parameter limit: how many at most.
    /// - Throws: `StoreError.unknown(.account)`.
    public func purchases(
        account: String, in environment: StoreEnvironment, limit: Int
    ) async throws -> [Purchase] {
        try await read { reader in
            guard
                let customer = try Customer.find(
                    account: account, environment, in: reader.session)
            else { throw StoreError.unknown(.account, account) }
            return try TransactionRecord.purchases(
                ofCustomer: customer.id, limit: limit, in: reader.session
            ).map { record in
                Purchase(
                    bundleID: try reader.apps[record.app].bundleID, transactionID: record.id,
                    productID: record.productID,
                    quantity: record.quantity, purchased: record.purchased, price: record.price,
                    revoked: record.revocation?.moment)
            }
        }
    }
}
