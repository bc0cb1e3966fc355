import AppStoreWire

extension Sample {
    static let uuid = "7e3fb20b-4cdb-47cc-936d-99d65f608138"

    static let signedData = [
        Sample("transaction-minimal", transactionMinimal),
        Sample("transaction-full", transactionFull),
        Sample("renewal-minimal", renewalMinimal),
        Sample("renewal-full", renewalFull),
        Sample("app-transaction-server", appTransactionServer),
        Sample("app-transaction-device", appTransactionDevice),
    ]

    static let transactionMinimal = JWSTransactionDecodedPayload(
        transactionId: "12345", originalTransactionId: "12345", bundleId: "com.example.garden",
        productId: "seeds", purchaseDate: 1_735_689_600_000,
        originalPurchaseDate: 1_735_689_600_000, quantity: 3, type: .consumable,
        inAppOwnershipType: .purchased, signedDate: 1_735_689_601_000, environment: .sandbox)

    static let transactionFull = JWSTransactionDecodedPayload(
        transactionId: "23457", originalTransactionId: "12345", webOrderLineItemId: "34567",
        bundleId: "com.example.garden", productId: "garden.yearly",
        subscriptionGroupIdentifier: "55555", purchaseDate: 1_738_368_000_000,
        originalPurchaseDate: 1_735_689_600_000, expiresDate: 1_740_787_200_000, quantity: 1,
        type: .autoRenewableSubscription, appAccountToken: uuid,
        inAppOwnershipType: .familyShared, signedDate: 1_738_368_001_000,
        revocationDate: 1_738_454_400_000, revocationReason: .issueInApp,
        revocationType: .refundProrated, revocationPercentage: 67932, isUpgraded: true,
        offerType: .promotional, offerIdentifier: "spring", offerDiscountType: .payAsYouGo,
        offerPeriod: "P2M", environment: .production, storefront: "JPN", storefrontId: "143462",
        transactionReason: .renewal, price: 300_000, currency: "JPY", appTransactionId: "71134",
        billingPlanType: .monthly,
        commitmentInfo: TransactionCommitmentInfo(
            billingPeriodNumber: 3, commitmentExpiresDate: 1_767_225_600_000,
            commitmentPrice: 3_600_000, totalBillingPeriods: 12),
        advancedCommerceInfo: advancedCommerceTransaction, previousOriginalTransactionId: "11111",
        deviceVerification: "c2VlZHM=", deviceVerificationNonce: uuid)

    static let advancedCommerceTransaction = AdvancedCommerceTransactionInfo(
        descriptors: descriptors,
        items: [
            AdvancedCommerceTransactionItem(
                sku: "seeds-1", displayName: "Seeds", description: "A bag of seeds",
                price: 300_000,
                offer: AdvancedCommerceOffer(
                    period: .oneMonth, periodCount: 2, price: 150_000, reason: .winBack),
                refunds: [
                    AdvancedCommerceRefund(
                        refundAmount: 100_000, refundDate: 1_738_454_400_000,
                        refundReason: .modifyItemsRefund, refundType: .prorated)
                ],
                revocationDate: 1_738_454_400_000)
        ],
        period: .oneMonth, requestReferenceId: uuid, taxCode: "C003-00-1",
        taxExclusivePrice: 272_727, estimatedTax: 27_273, taxRate: "0.1")

    static let descriptors = AdvancedCommerceDescriptors(
        displayName: "Garden Club", description: "Seeds every month")

    static let renewalMinimal = JWSRenewalInfoDecodedPayload(
        originalTransactionId: "12345", productId: "garden.monthly",
        autoRenewProductId: "garden.monthly", autoRenewStatus: .on, environment: .sandbox,
        signedDate: 1_735_689_601_000)

    static let renewalFull = JWSRenewalInfoDecodedPayload(
        originalTransactionId: "12345", productId: "garden.yearly",
        autoRenewProductId: "garden.monthly", autoRenewStatus: .off,
        renewalDate: 1_740_787_200_000, renewalPrice: 9990, currency: "EUR",
        expirationIntent: .billingError, isInBillingRetryPeriod: true,
        gracePeriodExpiresDate: 1_742_169_600_000, priceIncreaseStatus: .pending,
        offerType: .winBack, offerIdentifier: "come-back", offerDiscountType: .freeTrial,
        offerPeriod: "P1W", eligibleWinBackOfferIds: ["come-back", "come-again"],
        recentSubscriptionStartDate: 1_735_689_600_000, appAccountToken: uuid,
        appTransactionId: "71134", environment: .production, signedDate: 1_738_368_001_000,
        renewalBillingPlanType: .billedUpfront,
        commitmentInfo: RenewalCommitmentInfo(
            commitmentAutoRenewProductId: "garden.yearly", commitmentAutoRenewStatus: .on,
            commitmentRenewalBillingPlanType: .monthly,
            commitmentRenewalDate: 1_767_225_600_000, commitmentRenewalPrice: 119_880),
        advancedCommerceInfo: AdvancedCommerceRenewalInfo(
            consistencyToken: "1.12345.\(uuid)", descriptors: descriptors,
            items: [
                AdvancedCommerceRenewalItem(
                    sku: "seeds-1", displayName: "Seeds", description: "A bag of seeds",
                    price: 9990,
                    offer: AdvancedCommerceOffer(periodCount: 1, price: 0, reason: .retention),
                    priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo(
                        price: 10_990, status: .pending, dependentSKUs: ["pots-1"]))
            ],
            period: .oneYear, requestReferenceId: uuid, taxCode: "C003-00-1"),
        deviceVerification: "c2VlZHM=", deviceVerificationNonce: uuid)

    static let appTransactionServer = AppTransaction(
        receiptType: .production, appAppleId: 1_000_000_001, bundleId: "com.example.garden",
        receiptCreationDate: 1_738_368_001_000, originalPurchaseDate: 1_735_689_600_000,
        originalApplicationVersion: "1.0.2", originalPlatform: .iOS, appTransactionId: "71134",
        storeType: .consumer)

    static let appTransactionDevice = AppTransaction(
        receiptType: .production, appAppleId: 1_000_000_001, bundleId: "com.example.garden",
        applicationVersion: "2.1", versionExternalIdentifier: 870_000_001,
        receiptCreationDate: 1_738_368_001_000, requestDate: 1_738_368_000_500,
        originalPurchaseDate: 1_735_689_600_000, originalApplicationVersion: "1.0.2",
        originalPlatform: .visionOS, preorderDate: 1_733_011_200_000, appTransactionId: "71134",
        deviceVerification: "c2VlZHM=", deviceVerificationNonce: uuid, storeType: .consumer)
}
