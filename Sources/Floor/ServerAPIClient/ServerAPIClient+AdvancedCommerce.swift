public import AppStoreWire

// What servers ask for Advanced Commerce (ACP-1). A request is repeated with the same
// `requestReferenceId` only: the second time changes nothing (ACP-9).
extension ServerAPIClient {
    /// Changes prices of a subscription's items, from a renewal on (*Change Subscription Price*).
    ///
    /// - Parameter transactionID: any transaction's of the subscription.
    /// - Throws: ``ServerAPIError``: 4000097 where the reference belongs to another request,
    ///   4040010 for an unknown transaction.
    public func changePrices(
        _ request: AdvancedCommerceSubscriptionPriceChangeRequest, of transactionID: String
    ) async throws(ServerAPIError) {
        try await call(APIEndpoints.changePrice, [transactionID], body: request)
    }

    /// Turns a subscription's renewal off (*Cancel a Subscription*).
    ///
    /// - Throws: ``ServerAPIError``, as for ``changePrices(_:of:)``.
    public func cancel(
        _ request: AdvancedCommerceSubscriptionCancelRequest, of transactionID: String
    ) async throws(ServerAPIError) {
        try await call(APIEndpoints.cancel, [transactionID], body: request)
    }
}
