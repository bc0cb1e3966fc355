import AppStoreWire

extension Sample {
    /// 14 July 2020, 19:36:40 UTC.
    private static let bought: Int64 = 1_594_755_400_000

    static let receipts = [
        Sample("receipt-transaction-full", subscription),
        Sample("receipt-transaction-minimal", seeds),
        Sample(
            "receipt-renewal-full",
            PendingRenewalInfo(
                autoRenewProductId: "garden.yearly", productId: "garden.monthly",
                originalTransactionId: "70000000000001", autoRenewStatus: .off,
                expirationIntent: .billingError, isInBillingRetryPeriod: true,
                gracePeriodExpiresDate: 1_604_218_800_000, priceConsentStatus: .pending,
                priceIncreaseStatus: .accepted, offerCodeRefName: "Spring",
                promotionalOfferId: "back")),
        Sample("receipt-renewal-minimal", renewing),
        Sample(
            "receipt-response",
            VerifyReceiptResponse(
                status: .valid, environment: .production, receipt: receipt,
                latestReceipt: "MIIT", latestReceiptInfo: [seeds],
                pendingRenewalInfo: [renewing])),
        Sample(
            "receipt-response-sandbox",
            VerifyReceiptResponse(
                status: .valid, environment: .sandbox,
                receipt: VerifiedReceipt(
                    receiptType: .sandbox, appAppleId: 0, bundleId: "com.example.garden",
                    applicationVersion: "42", downloadId: 0, versionExternalIdentifier: 0,
                    receiptCreationDate: bought, requestDate: bought + 1234,
                    originalPurchaseDate: 1_375_340_400_000, originalApplicationVersion: "1.0",
                    inApp: []))),
        Sample("receipt-refusal", VerifyReceiptResponse(status: .productionReceipt)),
        Sample(
            "receipt-internal-error",
            VerifyReceiptResponse(
                status: VerifyReceiptStatus(rawValue: 21100), isRetryable: true)),
        Sample(
            "receipt-ios6",
            VerifyTransactionReceiptResponse(
                status: .valid, environment: .sandbox, receipt: transactionReceipt,
                latestReceipt: "ewoJ", latestReceiptInfo: transactionReceipt, autoRenewStatus: .on,
                autoRenewProductId: "garden.monthly")),
        Sample(
            "receipt-ios6-expired",
            VerifyTransactionReceiptResponse(
                status: .expiredSubscription, receipt: transactionReceipt,
                latestExpiredReceiptInfo: transactionReceipt, autoRenewStatus: .off,
                autoRenewProductId: "garden.monthly", expirationIntent: .customerCancelled,
                isInBillingRetryPeriod: false)),
    ]

    private static let seeds = ReceiptTransaction(
        quantity: 1, productId: "seeds", transactionId: "70000000000003",
        originalTransactionId: "70000000000003", purchaseDate: bought,
        originalPurchaseDate: bought)

    private static let subscription = ReceiptTransaction(
        quantity: 10, productId: "garden.monthly", transactionId: "70000000000002",
        originalTransactionId: "70000000000001", purchaseDate: bought,
        originalPurchaseDate: bought - 86_400_000, expiresDate: bought + 2_678_400_000,
        webOrderLineItemId: "70000000000102", isTrialPeriod: true, isInIntroOfferPeriod: false,
        isUpgraded: true, cancellationDate: bought + 1000, cancellationReason: .issueInApp,
        inAppOwnershipType: .familyShared, subscriptionGroupIdentifier: "20000001",
        promotionalOfferId: "back", offerCodeRefName: "Spring", appAccountToken: uuid)

    private static let renewing = PendingRenewalInfo(
        autoRenewProductId: "garden.monthly", productId: "garden.monthly",
        originalTransactionId: "70000000000001", autoRenewStatus: .on)

    private static let receipt = VerifiedReceipt(
        receiptType: .productionVPP, appAppleId: 1_000_000_001, bundleId: "com.example.garden",
        applicationVersion: "42", downloadId: 500_000_000_000_000_001,
        versionExternalIdentifier: 880_000_001, receiptCreationDate: bought,
        requestDate: bought + 1234, originalPurchaseDate: bought - 31_536_000_000,
        originalApplicationVersion: "17", preorderDate: bought - 40_000_000_000,
        expirationDate: bought + 31_536_000_000, inApp: [subscription])

    private static let transactionReceipt = TransactionReceiptInfo(
        transaction: ReceiptTransaction(
            quantity: 1, productId: "garden.monthly", transactionId: "70000000000002",
            originalTransactionId: "70000000000001", purchaseDate: bought,
            originalPurchaseDate: bought - 86_400_000, expiresDate: bought + 2_678_400_000,
            webOrderLineItemId: "70000000000102", isTrialPeriod: false),
        bundleId: "com.example.garden", bundleVersion: "42", itemId: "1234567890",
        uniqueIdentifier: "000102030405060708090a0b0c0d0e0f10111213",
        uniqueVendorIdentifier: "A0A1A2A3-A4A5-A6A7-A8A9-AAABACADAEAF")
}
