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
    public let quantity: Int
    /// What a granted request gave back; nil while it is not granted, and after a reversal.
    public let refunded: Money?

    /// The share of the price that was given back, in milli-percent, as `revocationPercentage`.
    public var percentage: Int? {
        refunded.map { refunded in
            Revocation.percentage(
                refunded: refunded,
                used: Money(
                    milliunits: price.milliunits - refunded.milliunits, price.currency))
        }
    }

    fileprivate init(_ request: RefundRequest, _ sale: RefundRequest.Sale, bundleID: String) {
        self.request = request
        self.bundleID = bundleID
        account = sale.account
        productID = sale.productID
        originalTransactionID = sale.originalID
        price = sale.price
        quantity = sale.quantity
        // Items may be refunded while the rest goes on.
        let isGiven = request.state == .granted && (sale.isRevoked || request.items != nil)
        let given = isGiven ? sale.refunded.flatMap { $0 > 0 ? $0 : nil } : nil
        refunded = given.map { Money(milliunits: $0, sale.price.currency) }
    }
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
                    request, sale, bundleID: try reader.apps[request.app].bundleID)
            }
        }
    }
}
