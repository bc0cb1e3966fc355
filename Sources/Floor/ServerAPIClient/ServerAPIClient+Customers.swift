public import AppStoreWire

// What concerns one customer or one purchase. Errors that are named here are Apple's numbers;
// `ServerAPIError.errorCode` has them, and `APIError.all` their names.
extension ServerAPIClient {
    /// The very transaction that is asked for, finished or not (API-5.1).
    ///
    /// - Parameter transactionID: not an app transaction's (4000048).
    /// - Throws: ``ServerAPIError``: 4040010 where this environment does not know it.
    public func transactionInfo(
        _ transactionID: String
    ) async throws(ServerAPIError) -> TransactionInfoResponse {
        try await call(APIEndpoints.transactionInfo, [transactionID])
    }

    /// A page of a customer's transactions, at most 20 (API-5.2).
    ///
    /// - Parameters:
    ///   - transactionID: any transaction's of the customer, or an app transaction's.
    ///   - request: the page after another has its `revision`.
    /// - Throws: ``ServerAPIError``: 4040010 where nobody has such a transaction, 4000005 for a
    ///   revision of other filters.
    public func transactionHistory(
        of transactionID: String, _ request: TransactionHistoryRequest = .init()
    ) async throws(ServerAPIError) -> HistoryResponse {
        try await call(APIEndpoints.history, [transactionID], query: request)
    }

    /// All pages of a customer's transactions (API-5.2). The `revision` of the last one finds,
    /// later, what has changed since.
    ///
    /// - Parameter transactionID: any transaction's of the customer, or an app transaction's.
    public func transactionHistoryPages(
        of transactionID: String, _ request: TransactionHistoryRequest = .init()
    ) -> ServerAPIPages<HistoryResponse> {
        ServerAPIPages(
            fetch: { (revision: String?) async throws(ServerAPIError) in
                try await self.transactionHistory(of: transactionID, request.from(revision))
            },
            next: { NextPage(exists: $0.hasMore, token: $0.revision) })
    }

    /// The state of each of a customer's subscriptions, with its newest transaction and its
    /// renewal info (API-5.3).
    ///
    /// - Parameters:
    ///   - transactionID: any transaction's of the customer, or an app transaction's.
    ///   - statuses: only these; empty for all.
    /// - Throws: ``ServerAPIError``: 4040010 where nobody has such a transaction.
    public func statuses(
        of transactionID: String, in statuses: [Status] = []
    ) async throws(ServerAPIError) -> StatusResponse {
        try await call(
            APIEndpoints.statuses, [transactionID], query: StatusFilter(statuses: statuses))
    }

    /// How a customer got the app (API-5.4).
    ///
    /// - Parameter transactionID: any transaction's of the customer, or an app transaction's.
    /// - Throws: ``ServerAPIError``: 4040010 where nobody has such a transaction, 4040019 where
    ///   the customer has no app transaction.
    public func appTransactionInfo(
        of transactionID: String
    ) async throws(ServerAPIError) -> AppTransactionInfoResponse {
        try await call(APIEndpoints.appTransaction, [transactionID])
    }

    /// Says whose purchase it is (API-5.5): it holds for the newest transaction of a subscription
    /// and all later ones.
    ///
    /// - Parameters:
    ///   - token: a UUID; another one is replaced.
    ///   - originalTransactionID: the first transaction's.
    /// - Throws: ``ServerAPIError``: 4000183 where the token is no UUID, 4000187 where the
    ///   transaction is not the first one, 4000185 for a family member's, 4040005 for none.
    public func setAppAccountToken(
        _ token: String, of originalTransactionID: String
    ) async throws(ServerAPIError) {
        try await call(
            APIEndpoints.appAccountToken, [originalTransactionID],
            body: UpdateAppAccountTokenRequest(appAccountToken: token))
    }

    /// Marks a transaction as finished, as the app does (API-5.6); again changes nothing.
    ///
    /// - Throws: ``ServerAPIError``: 4040010 where this environment does not know it.
    public func finishTransaction(_ transactionID: String) async throws(ServerAPIError) {
        try await call(APIEndpoints.finish, [transactionID])
    }

    /// Says how a purchase was used, within 12 hours of a `CONSUMPTION_REQUEST` (API-5.7).
    ///
    /// - Throws: ``ServerAPIError``: 4000035 without the customer's consent, 4000209 for a
    ///   percentage of an auto-renewable subscription, 4040010 for an unknown transaction.
    public func sendConsumption(
        _ consumption: ConsumptionRequest, of transactionID: String
    ) async throws(ServerAPIError) {
        try await call(APIEndpoints.consumption, [transactionID], body: consumption)
    }

    /// The same in the deprecated version 1, which Advanced Commerce transactions need (API-5.8).
    ///
    /// - Throws: ``ServerAPIError``: 4000035 without the customer's consent, 4000047 for a type
    ///   other than consumables and auto-renewable subscriptions, 4040010.
    public func sendConsumptionV1(
        _ consumption: ConsumptionRequestV1, of transactionID: String
    ) async throws(ServerAPIError) {
        try await call(APIEndpoints.consumptionV1, [transactionID], body: consumption)
    }

    /// A page of a customer's refunds, at most 20, by rising revocation date (API-5.9).
    ///
    /// - Parameters:
    ///   - transactionID: any transaction's of the customer, or an app transaction's.
    ///   - revision: of the page before; nil for the first page.
    /// - Throws: ``ServerAPIError``: 4040010, 4000005 for a revision of somebody else.
    public func refundHistory(
        of transactionID: String, after revision: String? = nil
    ) async throws(ServerAPIError) -> RefundHistoryResponse {
        try await call(
            APIEndpoints.refunds, [transactionID],
            query: PagePlace(name: "revision", token: revision))
    }

    /// All pages of a customer's refunds (API-5.9).
    ///
    /// - Parameter transactionID: any transaction's of the customer, or an app transaction's.
    public func refundHistoryPages(
        of transactionID: String
    ) -> ServerAPIPages<RefundHistoryResponse> {
        ServerAPIPages(
            fetch: { (revision: String?) async throws(ServerAPIError) in
                try await self.refundHistory(of: transactionID, after: revision)
            },
            next: { NextPage(exists: $0.hasMore, token: $0.revision) })
    }

    /// What a customer's order number stands for (API-5.11); in Production only.
    ///
    /// - Returns: with the status `invalid` for an order that does not exist: that is no error.
    /// - Throws: ``ServerAPIError``: 4000000 where the text cannot be an order's.
    public func lookUpOrder(
        _ orderID: String
    ) async throws(ServerAPIError) -> OrderLookupResponse {
        try await call(APIEndpoints.order, [orderID])
    }
}
