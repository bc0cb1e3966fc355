public import AppStoreWire
import Storage
import SubscriptionRules

/// All that is ever signed about one purchase, before it is signed: what forged proofs are made of.
public struct ProvenPurchase: Sendable {
    public let transaction: JWSTransactionDecodedPayload
    /// What comes next; nil where it is of no auto-renewable subscription.
    public let renewalInfo: JWSRenewalInfoDecodedPayload?
    /// How the subscription stands.
    public let status: Status?
    /// The customer's copy of the app.
    public let appTransaction: AppTransaction
    /// The newest purchase of somebody else in the app; nil where there is none.
    public let ofOther: JWSTransactionDecodedPayload?
    public let appAppleID: Int64
}

extension Store {
    /// What is signed about a purchase, and one of somebody else.
    ///
    /// - Parameter id: the transaction; nil for the app's newest, of a subscription if there is
    ///   one.
    /// - Returns: nil where nobody has bought anything.
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.transaction)`.
    public func provenPurchase(
        _ id: Int64?, for caller: Caller
    ) async throws -> ProvenPurchase? {
        try await read { reader in
            let app = try reader.app(caller)
            guard let id = try id ?? reader.newestPurchase(app, caller.environment) else {
                return nil
            }
            let (record, presenter) = try reader.presentedTransaction(id, caller)
            let standing = try reader.newest(
                customer: record.customer, app: app, by: presenter
            ).first { $0.originalID == record.originalID }
            let other = try TransactionRecord.newest(
                app: app.id, caller.environment, notOf: record.customer, in: reader.session)
            return ProvenPurchase(
                transaction: presenter.transaction(record, signed: reader.now),
                renewalInfo: standing?.renewal, status: standing?.status,
                appTransaction: try reader.appTransaction(
                    app, customer: record.customer, caller.environment),
                ofOther: try other.map { other in
                    try reader.presentedTransaction(other.id, caller).1
                        .transaction(other, signed: reader.now)
                },
                appAppleID: app.appleID)
        }
    }
}

extension StoreReader {
    fileprivate func newestPurchase(_ app: App, _ environment: StoreEnvironment) throws -> Int64? {
        let subscription = try TransactionRecord.newest(
            app: app.id, environment, type: .autoRenewableSubscription, in: session)
        return try subscription?.id
            ?? TransactionRecord.newest(app: app.id, environment, in: session)?.id
    }
}
