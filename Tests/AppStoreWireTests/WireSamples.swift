import AppStoreWire

extension Sample {
    static let notifications = [
        notification(
            "data", .consumptionRequest,
            data: NotificationData(
                appAppleId: 1_000_000_001, bundleId: "com.example.garden", bundleVersion: "42",
                environment: .production, signedTransactionInfo: "h.t.s",
                signedRenewalInfo: "h.r.s", status: .active,
                consumptionRequestReason: .fulfillmentIssue)),
        notification(
            "test", .test,
            data: NotificationData(bundleId: "com.example.garden", environment: .sandbox)),
        notification(
            "summary", .renewalExtension, .summary,
            summary: Summary(
                requestIdentifier: uuid, environment: .production, appAppleId: 1_000_000_001,
                bundleId: "com.example.garden", productId: "garden.monthly",
                storefrontCountryCodes: ["USA", "JPN"], succeededCount: 12_000, failedCount: 0)),
        notification(
            "token", .externalPurchaseToken, .created,
            token: ExternalPurchaseToken(
                externalPurchaseId: "SANDBOX_1", tokenCreationDate: 1_738_368_000_000,
                appAppleId: 1_000_000_001, bundleId: "com.example.garden", tokenType: .services,
                tokenExpirationDate: 1_769_904_000_000)),
        notification(
            "app-data", .rescindConsent,
            appData: AppData(
                appAppleId: 1_000_000_001, bundleId: "com.example.garden",
                environment: .production, signedAppTransactionInfo: "h.a.s")),
        Sample("notification-body", ResponseBodyV2(signedPayload: "h.n.s")),
    ]

    private static func notification(
        _ name: String, _ type: NotificationTypeV2, _ subtype: Subtype? = nil,
        data: NotificationData? = nil, summary: Summary? = nil,
        token: ExternalPurchaseToken? = nil, appData: AppData? = nil
    ) -> Sample {
        Sample(
            "notification-\(name)",
            ResponseBodyV2DecodedPayload(
                notificationType: type, subtype: subtype, notificationUUID: uuid, data: data,
                summary: summary, externalPurchaseToken: token, appData: appData, version: "2.0",
                signedDate: 1_738_368_001_000))
    }

    static let customerReplies = [
        Sample("transaction-info", TransactionInfoResponse(signedTransactionInfo: "h.t.s")),
        Sample(
            "history",
            HistoryResponse(
                revision: "r1", hasMore: false, bundleId: "com.example.garden",
                appAppleId: 1_000_000_001, environment: .production,
                signedTransactions: ["h.1.s", "h.2.s"])),
        Sample(
            "statuses",
            StatusResponse(
                environment: .sandbox, bundleId: "com.example.garden",
                data: [
                    SubscriptionGroupIdentifierItem(
                        subscriptionGroupIdentifier: "55555",
                        lastTransactions: [
                            LastTransactionsItem(
                                originalTransactionId: "12345", status: .billingGracePeriod,
                                signedTransactionInfo: "h.t.s", signedRenewalInfo: "h.r.s")
                        ])
                ])),
        Sample(
            "app-transaction-info",
            AppTransactionInfoResponse(signedAppTransactionInfo: "h.a.s")),
        Sample(
            "order-valid", OrderLookupResponse(status: .valid, signedTransactions: ["h.1.s"])),
        Sample("order-invalid", OrderLookupResponse(status: .invalid)),
        Sample(
            "refund-history",
            RefundHistoryResponse(signedTransactions: [], revision: "r2", hasMore: true)),
        Sample("refund-lookup", RefundLookupResponse(signedTransactions: ["h.1.s"])),
    ]

    static let operatorReplies = [
        Sample(
            "extend",
            ExtendRenewalDateResponse(
                effectiveDate: 1_741_392_000_000, originalTransactionId: "12345", success: true,
                webOrderLineItemId: "34567")),
        Sample("mass-extend", MassExtendRenewalDateResponse(requestIdentifier: uuid)),
        Sample(
            "mass-extend-running",
            MassExtendRenewalDateStatusResponse(requestIdentifier: uuid, complete: false)),
        Sample(
            "mass-extend-complete",
            MassExtendRenewalDateStatusResponse(
                requestIdentifier: uuid, complete: true, completeDate: 1_741_392_000_000,
                succeededCount: 12_000, failedCount: 2)),
        Sample(
            "test-notification",
            SendTestNotificationResponse(testNotificationToken: "\(uuid)_1738368001000")),
        Sample(
            "test-notification-status",
            CheckTestNotificationResponse(
                signedPayload: "h.n.s",
                sendAttempts: [
                    SendAttemptItem(
                        attemptDate: 1_738_368_001_000, sendAttemptResult: .tlsIssue)
                ],
                firstSendAttemptResult: .tlsIssue)),
        Sample(
            "notification-history",
            NotificationHistoryResponse(
                notificationHistory: [
                    NotificationHistoryResponseItem(
                        signedPayload: "h.n.s",
                        sendAttempts: [
                            SendAttemptItem(
                                attemptDate: 1_738_368_001_000,
                                sendAttemptResult: .unsuccessfulHTTPResponseCode),
                            SendAttemptItem(
                                attemptDate: 1_738_371_601_000, sendAttemptResult: .success),
                        ])
                ],
                hasMore: true, paginationToken: "p1")),
    ]
}
