import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ServerAPI {
    /// Send Consumption Information, version 2 (API-5.7).
    static let sendConsumption = Endpoint.serverAPI(
        .put, "/inApps/v2/transactions/consumption/{transactionId}", "sendConsumption",
        perSecond: 50,
        OperationDescription(
            .developer, "Send Consumption Information", parameters: [transactionID()],
            body: .members(ConsumptionReport.schema), success: .nothing("Taken.", .accepted),
            failures: [
                .init(.appTransactionIdNotSupported), .init(.familyTransactionNotSupported),
                .init(.consumptionPercentageAutoRenewableSubscription),
                .init(.transactionIdNotFound),
            ])
    ) { call, caller, input in
        let id = input.identifier("transactionId")
        let report = try ConsumptionReport(input)
        try await call.refusingAppTransactions(id, caller) {
            try await call.take(report.consumption, of: id, from: caller) {
                (kind) throws(APIError) in
                guard !kind.isMerchants else { throw .advancedCommerceNotSupported }
                try report.check(kind.type)
            }
        }
        return .empty(.accepted)
    }

    /// Send Consumption Information, version 1 (API-5.8): other members, and numbers where
    /// version 2 has texts. It has no word of its own for an app transaction.
    static let sendConsumptionV1 = Endpoint.serverAPI(
        .put, "/inApps/v1/transactions/consumption/{transactionId}", "sendConsumptionV1",
        perSecond: 50,
        OperationDescription(
            .developer, "Send Consumption Information, version 1", parameters: [transactionID()],
            body: .members(ConsumptionReportV1.schema), success: .nothing("Taken.", .accepted),
            failures: [
                .init(.invalidTransactionTypeNotSupported), .init(.transactionIdNotFound),
                .init(.familyTransactionNotSupported),
            ])
    ) { call, caller, input in
        let id = input.identifier("transactionId")
        let report = ConsumptionReportV1(input)
        try await call.take(report.consumption, of: id, from: caller) {
            (kind) throws(APIError) in try report.check(kind.type)
        }
        return .empty(.accepted)
    }
}

extension Call {
    /// Hands a report to the store, once the transaction's type is known to take it.
    fileprivate func take(
        _ consumption: Consumption, of id: Int64, from caller: Caller,
        check: ((type: ProductType, isMerchants: Bool)) throws(APIError) -> Void
    ) async throws {
        try check(try await store.kind(ofTransaction: id, for: caller))
        try await store.consumption(of: id, consumption, for: caller)
    }
}

/// The body of version 2 (API-5.7).
private struct ConsumptionReport {
    static let schema = Schema.openObject(
        "What became of the purchase.",
        .required(
            "customerConsented", .affirmation("Nothing may be sent without consent."),
            or: .invalidCustomerConsented),
        .required(
            "deliveryStatus",
            .choice(
                "What the developer was able to deliver.",
                [delivered] + [
                    "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
                    "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
                ]), or: .invalidDeliveryStatus),
        .required(
            "sampleContentProvided", .boolean("Whether there was something to try."),
            or: .invalidSampleContentProvided),
        .optional(
            "consumptionPercentage",
            .integer(
                "How much was used up, in thousandths of a per cent; not of subscriptions, and 0 "
                    + "where nothing was delivered.", 0...100_000),
            or: .percentageOutOfRange),
        .optional(
            "refundPreference",
            .choice(
                "What the developer would like; GRANT_PRORATED of what is no subscription needs a "
                    + "percentage that is neither nothing nor all.",
                ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]),
            or: .invalidRefundPreference))

    private static let delivered = "DELIVERED"

    private let delivery: String
    private let isSampleProvided: Bool
    private let percentage: Int?
    private let preference: Consumption.Preference?

    /// Reads the body and judges what depends on more than one member.
    init(_ input: APIInput) throws(APIError) {
        delivery = input.required(input.text("deliveryStatus"), "deliveryStatus")
        isSampleProvided = input.required(
            input.boolean("sampleContentProvided"), "sampleContentProvided")
        percentage = input.integer("consumptionPercentage").map(Int.init)
        preference = input.text("refundPreference").flatMap(Consumption.Preference.init(rawValue:))
        guard delivery == Self.delivered || (percentage ?? 0) == 0 else {
            throw .percentageOfUndelivered
        }
    }

    /// Judges what depends on the product.
    func check(_ type: ProductType) throws(APIError) {
        guard type != .autoRenewableSubscription else {
            guard percentage == nil else {
                throw .consumptionPercentageAutoRenewableSubscription
            }
            return
        }
        guard preference != .grantProrated || (1..<100_000).contains(percentage ?? 0) else {
            throw .preferenceWithoutShare
        }
    }

    var consumption: Consumption {
        var json = JSONWriter(capacity: 192)
        json.object { json in
            json.field("customerConsented", true)
            json.field("deliveryStatus", delivery)
            json.field("sampleContentProvided", isSampleProvided)
            json.field("consumptionPercentage", percentage)
            json.field("refundPreference", preference?.rawValue)
        }
        return Consumption(
            preference: preference, percentage: percentage,
            body: String(decoding: json.bytes, as: UTF8.self))
    }
}

/// The body of version 1 (API-5.8).
private struct ConsumptionReportV1 {
    static let schema = Schema(
        kind: .object(Schema.Members(all: described + numbered, isOpen: true)),
        about: "What became of the purchase.")

    private static let described: [Schema.Member] = [
        .required(
            "customerConsented", .affirmation("Nothing may be sent without consent."),
            or: .invalidCustomerConsented),
        .required(
            "appAccountToken",
            .text(
                "The developer's own name for the customer; empty for none.", 0...36,
                .uuidOrNothing), or: .invalidAppAccountToken),
        .required(
            "sampleContentProvided", .boolean("Whether there was something to try."),
            or: .invalidSampleContentProvided),
        .optional(
            "refundPreference",
            .numbers("0 undeclared, 1 grant, 2 decline, 3 no preference.", Array(0...3)),
            or: .invalidRefundPreference),
    ]

    private static func number(
        _ name: String, _ values: ClosedRange<Int64>, _ error: APIError
    ) -> Schema.Member {
        .required(
            name, .numbers("A number of Apple's for the \(name).", Array(values)), or: error)
    }

    /// The members that are a number out of a list, in the order of the reference.
    private static let numbered = [
        number("consumptionStatus", 0...3, .invalidConsumptionStatus),
        number("platform", 0...2, .invalidPlatform),
        number("deliveryStatus", 0...5, .invalidDeliveryStatus),
        number("accountTenure", 0...7, .invalidAccountTenure),
        number("playTime", 0...7, .invalidPlayTime),
        number("lifetimeDollarsPurchased", 0...7, .invalidLifetimeDollarsPurchased),
        number("lifetimeDollarsRefunded", 0...7, .invalidLifetimeDollarsRefunded),
        number("userStatus", 0...4, .invalidUserStatus),
    ]

    private let appAccountToken: String
    private let isSampleProvided: Bool
    /// The numbers, in the order of the reference.
    private let numbers: [(name: String, value: Int64)]
    private let preference: Int64?

    /// Reads the body.
    init(_ input: APIInput) {
        appAccountToken = input.required(input.text("appAccountToken"), "appAccountToken")
            .lowercased()
        isSampleProvided = input.required(
            input.boolean("sampleContentProvided"), "sampleContentProvided")
        preference = input.integer("refundPreference")
        numbers = Self.numbered.map { member in
            (member.name, input.required(input.integer(member.name), member.name))
        }
    }

    /// Only consumables and auto-renewable subscriptions have consumption here.
    func check(_ type: ProductType) throws(APIError) {
        switch type {
        case .consumable, .autoRenewableSubscription: return
        case .nonConsumable, .nonRenewingSubscription: throw .invalidTransactionTypeNotSupported
        }
    }

    var consumption: Consumption {
        var json = JSONWriter(capacity: 384)
        json.object { json in
            json.field("customerConsented", true)
            json.field("appAccountToken", appAccountToken)
            json.field("sampleContentProvided", isSampleProvided)
            for (name, value) in numbers { json.field(named: name, value) }
            json.field("refundPreference", preference)
        }
        let preferred: Consumption.Preference? =
            switch preference {
            case 1: .grantFull
            case 2: .decline
            default: nil
            }
        return Consumption(
            preference: preferred, percentage: nil,
            body: String(decoding: json.bytes, as: UTF8.self))
    }
}

// Apple names these errors without publishing their numbers: they are the generic number with
// words of their own (docs/decisions/0013).
extension APIError {
    fileprivate static let advancedCommerceNotSupported = generalBadRequest.saying(
        "Of an Advanced Commerce transaction version 2 is not told: send version 1.")

    fileprivate static let percentageOutOfRange = generalBadRequest.saying(
        "`consumptionPercentage` is out of range: send 0 to 100000 milli-percent.")

    fileprivate static let percentageOfUndelivered = generalBadRequest.saying(
        "`consumptionPercentage` must be 0 or absent where `deliveryStatus` is not DELIVERED.")

    /// The number of the preference, which is what does not fit.
    fileprivate static let preferenceWithoutShare = invalidRefundPreference.saying(
        "`refundPreference` GRANT_PRORATED needs a `consumptionPercentage` above 0 and below "
            + "100000, except for auto-renewable subscriptions.")
}
