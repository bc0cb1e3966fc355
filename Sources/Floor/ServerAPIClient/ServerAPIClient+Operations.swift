public import AppStoreWire

// What concerns many customers, and notifications.
extension ServerAPIClient {
    /// Moves the renewal date of one subscription (API-5.12).
    ///
    /// - Returns: with the new expiry, in milliseconds.
    /// - Throws: ``ServerAPIError``: 4030004 where its state allows no extension, 4030005 after
    ///   two within 365 days, 4030007 for a family member's, 4040005 for an unknown subscription.
    public func extendRenewalDate(
        of originalTransactionID: String, _ request: ExtendRenewalDateRequest
    ) async throws(ServerAPIError) -> ExtendRenewalDateResponse {
        try await call(APIEndpoints.extend, [originalTransactionID], body: request)
    }

    /// Moves the renewal dates of all active subscribers of a product (API-5.13). It takes hours to
    /// days; ``massExtensionStatus(_:of:)`` and a `RENEWAL_EXTENSION` notification say how it went.
    ///
    /// - Throws: ``ServerAPIError``: 4000023 for an unknown product, 4000027 and 4000028 for the
    ///   storefronts.
    public func extendRenewalDates(
        _ request: MassExtendRenewalDateRequest
    ) async throws(ServerAPIError) -> MassExtendRenewalDateResponse {
        try await call(APIEndpoints.massExtend, body: request)
    }

    /// How far a mass extension is (API-5.14).
    ///
    /// - Parameter requestIdentifier: the UUID that it was requested with.
    /// - Throws: ``ServerAPIError``: 4040009 where there is none.
    public func massExtensionStatus(
        _ requestIdentifier: String, of productID: String
    ) async throws(ServerAPIError) -> MassExtendRenewalDateStatusResponse {
        try await call(APIEndpoints.massExtendStatus, [productID, requestIdentifier])
    }

    /// Lets the server send a `TEST` notification (API-5.15).
    ///
    /// - Returns: with the token that ``testNotificationStatus(_:)`` asks with, for six months.
    /// - Throws: ``ServerAPIError``: 4040007 where the app has no URL in this environment.
    public func requestTestNotification()
        async throws(ServerAPIError) -> SendTestNotificationResponse
    {
        try await call(APIEndpoints.testNotification)
    }

    /// What came of a test notification (API-5.16).
    ///
    /// - Throws: ``ServerAPIError``: 4040008 while there is no result: ask again later.
    public func testNotificationStatus(
        _ token: String
    ) async throws(ServerAPIError) -> CheckTestNotificationResponse {
        try await call(APIEndpoints.testNotificationStatus, [token])
    }

    /// A page of what the server has notified about, at most 20 (API-5.17): of the last 180 days,
    /// in Sandbox of the last 30.
    ///
    /// - Parameters:
    ///   - request: the same for all pages.
    ///   - paginationToken: of the page before; nil for the first page.
    /// - Throws: ``ServerAPIError``: 4000012 for a start too long ago, 4000013 where the end is not
    ///   after it, 4000017 for a token that has expired or belongs to another request.
    public func notificationHistory(
        _ request: NotificationHistoryRequest, after paginationToken: String? = nil
    ) async throws(ServerAPIError) -> NotificationHistoryResponse {
        try await call(
            APIEndpoints.notificationHistory,
            query: PagePlace(name: "paginationToken", token: paginationToken), body: request)
    }

    /// All pages of what the server has notified about (API-5.17).
    public func notificationHistoryPages(
        _ request: NotificationHistoryRequest
    ) -> ServerAPIPages<NotificationHistoryResponse> {
        ServerAPIPages(
            fetch: { (token: String?) async throws(ServerAPIError) in
                try await self.notificationHistory(request, after: token)
            },
            next: { NextPage(exists: $0.hasMore, token: $0.paginationToken) })
    }
}
