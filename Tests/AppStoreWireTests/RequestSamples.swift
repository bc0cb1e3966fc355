import AppStoreWire

// Requests of the App Store Server API, as clients send them.
extension Sample {
    private static let identifier = "7e3fb204-2d3b-4b4c-9f3e-1234567890ab"

    private static var consumptionV1: ConsumptionRequestV1 {
        var request = ConsumptionRequestV1(customerConsented: true, sampleContentProvided: false)
        request.appAccountToken = identifier
        request.consumptionStatus = .partiallyConsumed
        request.platform = .apple
        request.deliveryStatus = .serverOutage
        request.accountTenure = .overThreeHundredSixtyFiveDays
        request.playTime = .oneToSixHours
        request.lifetimeDollarsPurchased = .upTo99
        request.lifetimeDollarsRefunded = .zero
        request.userStatus = .limitedAccess
        request.refundPreference = .noPreference
        return request
    }

    static let requests = [
        Sample(
            "consumption-request",
            ConsumptionRequest(
                customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false,
                consumptionPercentage: 25_000, refundPreference: .grantProrated)),
        Sample("consumption-request-v1", consumptionV1),
        Sample(
            "consumption-request-v1-minimal",
            ConsumptionRequestV1(customerConsented: true, sampleContentProvided: true)),
        Sample(
            "extend-request",
            ExtendRenewalDateRequest(
                extendByDays: 10, extendReasonCode: .serviceIssue, requestIdentifier: "outage-7")),
        Sample(
            "mass-extend-request",
            MassExtendRenewalDateRequest(
                requestIdentifier: identifier, extendByDays: 90,
                extendReasonCode: .customerSatisfaction, productId: "silver.monthly",
                storefrontCountryCodes: ["USA", "DEU"])),
        Sample(
            "notification-history-request",
            NotificationHistoryRequest(
                startDate: 1_738_368_000_000, endDate: 1_738_454_400_000,
                notificationType: .subscribed, notificationSubtype: .initialBuy,
                onlyFailures: true)),
        Sample(
            "notification-history-request-customer",
            NotificationHistoryRequest(
                startDate: 1_738_368_000_000, endDate: 1_738_454_400_000, transactionId: "12345")),
        Sample(
            "app-account-token-request",
            UpdateAppAccountTokenRequest(appAccountToken: identifier)),
    ]
}
