import Storage
public import SubscriptionRules

/// A request for a refund as the operator sees it.
public struct RefundRequestEntry: Sendable, Hashable {
    public let request: RefundRequest
    /// The app that was paid for.
    public let bundleID: String
    /// The account that asks.
    public let account: String
    public let productID: String
    /// The transaction that names the subscription, or the transaction itself.
    public let originalTransactionID: Int64
    /// What was paid.
    public let price: Money
}

extension Store {
    /// The requests of an environment, newest first.
    ///
    /// - Parameters:
    ///   - state: only those in this state; nil for all.
    ///   - before: the identifier of the last one of the page before; nil for the newest.
    public func refundRequests(
        _ state: RefundRequest.State?, before: Int64?, limit: Int,
        in environment: StoreEnvironment
    ) async throws -> [RefundRequestEntry] {
        try await read { reader in
            try RefundRequest.page(
                environment, state: state, before: before, limit: limit, in: reader.session
            ).map { request, sale in
                RefundRequestEntry(
                    request: request, bundleID: try reader.apps[request.app].bundleID,
                    account: sale.account, productID: sale.productID,
                    originalTransactionID: sale.originalID, price: sale.price)
            }
        }
    }
}
