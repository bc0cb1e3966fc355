import AppStoreWire
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ServerAPI {
    /// Send Consumption Information, version 2 (app-store-server-api.md section 5.7).
    static let sendConsumption = Endpoint.serverAPI(
        .put, "/inApps/v2/transactions/consumption/{transactionId}", "sendConsumption",
        perSecond: 50
    ) { call, caller in
        let id = try call.identifier("transactionId")
        let report = try ConsumptionReport(try await call.jsonObject())
        try await call.refusingAppTransactions(id, caller) {
            try await call.take(report.consumption, of: id, from: caller, check: report.check)
        }
        return .empty(.accepted)
    }

    /// Send Consumption Information, version 1 (section 5.8): other members, and numbers where
    /// version 2 has texts. It has no word of its own for an app transaction.
    static let sendConsumptionV1 = Endpoint.serverAPI(
        .put, "/inApps/v1/transactions/consumption/{transactionId}", "sendConsumptionV1",
        perSecond: 50
    ) { call, caller in
        let id = try call.identifier("transactionId")
        let report = try ConsumptionReportV1(try await call.jsonObject())
        try await call.take(report.consumption, of: id, from: caller, check: report.check)
        return .empty(.accepted)
    }
}

extension Call {
    /// Hands a report to the store, once the transaction's type is known to take it.
    fileprivate func take(
        _ consumption: Consumption, of id: Int64, from caller: Caller,
        check: (ProductType) throws(APIError) -> Void
    ) async throws {
        try check(try await store.productType(ofTransaction: id, for: caller))
        try await store.consumption(of: id, consumption, for: caller)
    }
}

/// The body of version 2 (section 5.7).
private struct ConsumptionReport {
    /// What the developer was able to deliver.
    enum Delivery: String {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    private let delivery: Delivery
    private let isSampleProvided: Bool
    private let percentage: Int?
    private let preference: Consumption.Preference?

    /// Reads and judges whatever does not depend on the product, in the order of the reference.
    init(_ body: JSONValue) throws {
        guard try body.boolean("customerConsented") == true else {
            throw APIError.invalidCustomerConsented
        }
        guard let delivery = try body.text("deliveryStatus").flatMap(Delivery.init(rawValue:))
        else { throw APIError.invalidDeliveryStatus }
        guard let isSampleProvided = try body.boolean("sampleContentProvided") else {
            throw APIError.invalidSampleContentProvided
        }
        let percentage = try body.integer("consumptionPercentage")
        guard percentage.map({ (0...100_000).contains($0) }) ?? true else {
            throw APIError.percentageOutOfRange
        }
        guard delivery == .delivered || (percentage ?? 0) == 0 else {
            throw APIError.percentageOfUndelivered
        }
        preference = try body.text("refundPreference").map { text in
            guard let preference = Consumption.Preference(rawValue: text) else {
                throw APIError.invalidRefundPreference
            }
            return preference
        }
        self.delivery = delivery
        self.isSampleProvided = isSampleProvided
        self.percentage = percentage.map(Int.init)
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
            json.field("deliveryStatus", delivery.rawValue)
            json.field("sampleContentProvided", isSampleProvided)
            json.field("consumptionPercentage", percentage)
            json.field("refundPreference", preference?.rawValue)
        }
        return Consumption(
            preference: preference, percentage: percentage,
            body: String(decoding: json.bytes, as: UTF8.self))
    }
}

/// The body of version 1 (section 5.8).
private struct ConsumptionReportV1 {
    /// A member that is a number out of a list.
    private struct Choice {
        let name: String
        let values: ClosedRange<Int64>
        let error: APIError
    }

    private static let choices = [
        Choice(name: "consumptionStatus", values: 0...3, error: .invalidConsumptionStatus),
        Choice(name: "platform", values: 0...2, error: .invalidPlatform),
        Choice(name: "deliveryStatus", values: 0...5, error: .invalidDeliveryStatus),
        Choice(name: "accountTenure", values: 0...7, error: .invalidAccountTenure),
        Choice(name: "playTime", values: 0...7, error: .invalidPlayTime),
        Choice(
            name: "lifetimeDollarsPurchased", values: 0...7,
            error: .invalidLifetimeDollarsPurchased),
        Choice(
            name: "lifetimeDollarsRefunded", values: 0...7, error: .invalidLifetimeDollarsRefunded),
        Choice(name: "userStatus", values: 0...4, error: .invalidUserStatus),
    ]
    private static let preferences = Choice(
        name: "refundPreference", values: 0...3, error: .invalidRefundPreference)

    private let appAccountToken: String
    private let isSampleProvided: Bool
    /// The numbers, in the order of the reference.
    private var numbers: [(name: String, value: Int64)] = []
    private let preference: Int64?

    /// Reads and judges the body. Every member but the preference has to be there.
    init(_ body: JSONValue) throws {
        guard try body.boolean("customerConsented") == true else {
            throw APIError.invalidCustomerConsented
        }
        let token = try body.text("appAccountToken")
        guard let token = token?.isEmpty == true ? "" : token?.lowercasedUUID else {
            throw APIError.invalidAppAccountToken
        }
        appAccountToken = token
        guard let isSampleProvided = try body.boolean("sampleContentProvided") else {
            throw APIError.invalidSampleContentProvided
        }
        self.isSampleProvided = isSampleProvided
        preference = try body.integer(Self.preferences.name)
        guard preference.map({ Self.preferences.values.contains($0) }) ?? true else {
            throw Self.preferences.error
        }
        for choice in Self.choices {
            guard let number = try body.integer(choice.name), choice.values.contains(number) else {
                throw choice.error
            }
            numbers.append((choice.name, number))
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
    fileprivate static let percentageOutOfRange = generalBadRequest.saying(
        "`consumptionPercentage` is out of range: send 0 to 100000 milli-percent.")

    fileprivate static let percentageOfUndelivered = generalBadRequest.saying(
        "`consumptionPercentage` must be 0 or absent where `deliveryStatus` is not DELIVERED.")

    /// The number of the preference, which is what does not fit.
    fileprivate static let preferenceWithoutShare = invalidRefundPreference.saying(
        "`refundPreference` GRANT_PRORATED needs a `consumptionPercentage` above 0 and below "
            + "100000, except for auto-renewable subscriptions.")
}
