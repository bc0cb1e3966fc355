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
        try await read { look in
            try RefundRequest.all(
                environment, state: state, before: before, limit: limit, in: look.session
            ).map { request in
                guard
                    let transaction = try TransactionRecord.find(
                        request.transactionID, in: look.session),
                    let customer = try look.session.row(
                        "SELECT account FROM customer WHERE id = \(request.customer)")
                else {
                    throw Stored.missing(
                        "the transaction or the customer", for: "refund_request \(request.id)")
                }
                return RefundRequestEntry(
                    request: request, bundleID: try look.apps[request.app].bundleID,
                    account: try customer.text(0), productID: transaction.productID,
                    originalTransactionID: transaction.originalID, price: transaction.price)
            }
        }
    }
}
