import AppStoreWire
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ServerAPI {
    /// Extend a Subscription Renewal Date (app-store-server-api.md section 5.12).
    static let extendRenewalDate = Endpoint.serverAPI(
        .put, "/inApps/v1/subscriptions/extend/{originalTransactionId}", "extendRenewalDate",
        perSecond: 20
    ) { call, caller in
        let id = try call.identifier("originalTransactionId", or: .invalidOriginalTransactionId)
        let body = try await call.jsonObject()
        let request = try ExtensionRequest(body)
        guard let identifier = try body.text("requestIdentifier"), identifier.isRequestIdentifier
        else { throw APIError.invalidRequestIdentifier }
        let extended = try await call.store.extend(
            originalTransaction: id, request, requestIdentifier: identifier, for: caller)
        return .json(
            ExtendRenewalDateResponse(
                effectiveDate: extended.effective.milliseconds,
                originalTransactionId: String(extended.originalTransactionID), success: true,
                webOrderLineItemId: String(extended.webOrderLineItemID)))
    }

    /// Extend Subscription Renewal Dates for All Active Subscribers (section 5.13): the order is
    /// taken here and carried out in the background.
    static let massExtendRenewalDates = Endpoint.serverAPI(
        .post, "/inApps/v1/subscriptions/extend/mass", "massExtendRenewalDates", perSecond: 1
    ) { call, caller in
        let body = try await call.jsonObject()
        guard let identifier = try body.text("requestIdentifier")?.lowercasedUUID else {
            throw APIError.invalidRequestIdentifier
        }
        let order = try MassExtensionOrder(body, requestIdentifier: identifier)
        do {
            try await call.store.massExtend(order, for: caller)
        } catch StoreError.notASubscription {
            throw APIError.invalidProductId.saying(
                "The product is no auto-renewable subscription: send the id of one.")
        }
        return .json(MassExtendRenewalDateResponse(requestIdentifier: identifier))
    }

    /// Get Status of Subscription Renewal Date Extensions (section 5.14), for which Apple
    /// publishes no rate limit.
    static let getMassExtensionStatus = Endpoint.serverAPI(
        .get, "/inApps/v1/subscriptions/extend/mass/{productId}/{requestIdentifier}",
        "getMassExtensionStatus", perSecond: nil
    ) { call, caller in
        guard let product = call.parameter("productId"), product.isPlainName else {
            throw APIError.invalidProductId
        }
        guard let identifier = call.parameter("requestIdentifier")?.lowercasedUUID else {
            throw APIError.invalidRequestIdentifier
        }
        return .json(
            try await call.store.massExtensionStatus(
                productID: product, requestIdentifier: identifier, for: caller))
    }
}

extension ExtensionRequest {
    /// Reads the days and the reason, which both kinds of extensions have.
    fileprivate init(_ body: JSONValue) throws {
        guard let days = try body.integer("extendByDays") else {
            throw APIError.invalidExtendByDays
        }
        guard let reason = try body.integer("extendReasonCode") else {
            throw APIError.invalidExtendReasonCode
        }
        do {
            try self.init(days: Int(days), reasonCode: Int(reason))
        } catch {
            throw error == .invalidDays
                ? APIError.invalidExtendByDays : .invalidExtendReasonCode
        }
    }
}

extension MassExtensionOrder {
    /// Reads the rest of the body of a mass extension.
    fileprivate init(_ body: JSONValue, requestIdentifier: String) throws {
        let request = try ExtensionRequest(body)
        guard let product = try body.text("productId"), product.isPlainName else {
            throw APIError.invalidProductId
        }
        self.init(
            productID: product, storefronts: try body.storefronts(), request: request,
            requestIdentifier: requestIdentifier)
    }
}

extension JSONValue {
    /// The storefronts of a mass extension, each once; nil for all of them.
    fileprivate func storefronts() throws -> [Storefront]? {
        guard let codes = try texts("storefrontCountryCodes") else { return nil }
        guard !codes.isEmpty else { throw APIError.invalidEmptyStorefrontCountryCodeList }
        return try Set(codes).sorted().map { code in
            guard let storefront = Storefront(code: code) else {
                throw APIError.invalidStorefrontCountryCode
            }
            return storefront
        }
    }
}

extension String {
    /// Whether it can name a request: "any unique string" of at most 128 characters (section 5.12),
    /// without control characters, which no database keeps alike.
    fileprivate var isRequestIdentifier: Bool {
        (1...128).contains(unicodeScalars.count)
            && unicodeScalars.allSatisfy { !$0.isControl }
    }
}
