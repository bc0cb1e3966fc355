import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ServerAPI {
    /// Extend a Subscription Renewal Date (API-5.12).
    static let extendRenewalDate = Endpoint.serverAPI(
        .put, "/inApps/v1/subscriptions/extend/{originalTransactionId}", "extendRenewalDate",
        perSecond: 20,
        OperationDescription(
            .developer, "Extend a Subscription Renewal Date",
            parameters: [
                transactionID(
                    "originalTransactionId", "The subscription.",
                    or: .invalidOriginalTransactionId)
            ],
            body: .members(
                .openObject(
                    "By how much.", days, reason,
                    .required(
                        "requestIdentifier",
                        .text("Names the extension of this subscription.", 1...128),
                        or: .invalidRequestIdentifier))),
            success: .ok(
                "Extended.",
                .object(
                    "A renewal date that was extended.",
                    .required(
                        "effectiveDate",
                        .integer("When the period ends now, in milliseconds since 1970.")),
                    .required("originalTransactionId", .identifier("The subscription.")),
                    .required("success", .boolean("Whether it was extended.")),
                    .required("webOrderLineItemId", .identifier("The newest period.")))),
            failures: [
                .init(.subscriptionExtensionIneligible), .init(.subscriptionMaxExtension),
                .init(.familySharedSubscriptionExtensionIneligible),
                .init(.originalTransactionIdNotFound),
            ])
    ) { call, caller, input in
        let id = input.identifier("originalTransactionId")
        let request = try ExtensionRequest(input)
        let identifier = input.required(input.text("requestIdentifier"), "requestIdentifier")
        let extended = try await call.store.extend(
            originalTransaction: id, request, requestIdentifier: identifier, for: caller)
        return .json(
            ExtendRenewalDateResponse(
                effectiveDate: extended.effective.milliseconds,
                originalTransactionId: String(extended.originalTransactionID), success: true,
                webOrderLineItemId: String(extended.webOrderLineItemID)))
    }

    /// Extend Subscription Renewal Dates for All Active Subscribers (API-5.13): the order is
    /// taken here and carried out in the background.
    static let massExtendRenewalDates = Endpoint.serverAPI(
        .post, "/inApps/v1/subscriptions/extend/mass", "massExtendRenewalDates", perSecond: 1,
        OperationDescription(
            .developer, "Extend Subscription Renewal Dates for All Active Subscribers",
            body: .members(massExtensionSchema),
            success: .ok(
                "It began.",
                .object(
                    "An extension for all.",
                    .required("requestIdentifier", .uuid("What it was ordered with.")))))
    ) { call, caller, input in
        let identifier = input.required(
            input.text("requestIdentifier")?.lowercasedUUID, "requestIdentifier")
        let order = MassExtensionOrder(
            productID: input.required(input.text("productId"), "productId"),
            storefronts: input.texts("storefrontCountryCodes").map {
                Set($0).sorted().compactMap(Storefront.init(code:))
            }, request: try ExtensionRequest(input), requestIdentifier: identifier)
        do {
            try await call.store.massExtend(order, for: caller)
        } catch StoreError.subscription(.notASubscription) {
            throw APIError.invalidProductId.saying(
                "The product is no auto-renewable subscription: send the id of one.")
        }
        return .json(MassExtendRenewalDateResponse(requestIdentifier: identifier))
    }

    /// Get Status of Subscription Renewal Date Extensions (API-5.14), for which Apple
    /// publishes no rate limit.
    static let getMassExtensionStatus = Endpoint.serverAPI(
        .get, "/inApps/v1/subscriptions/extend/mass/{productId}/{requestIdentifier}",
        "getMassExtensionStatus", perSecond: nil,
        OperationDescription(
            .developer, "Get Status of Subscription Renewal Date Extensions",
            parameters: [
                .path("productId", .text("The product.", 1...1024), or: .invalidProductId),
                .path(
                    "requestIdentifier", .uuid("What it was ordered with."),
                    or: .invalidRequestIdentifier),
            ],
            success: .ok(
                "How far it is.",
                .object(
                    "An extension for all.",
                    .required("requestIdentifier", .uuid("What it was ordered with.")),
                    .required("complete", .boolean("Whether all were looked at.")),
                    .optional(
                        "completeDate", .integer("When that was, in milliseconds since 1970.")),
                    .optional("succeededCount", .integer("How many were extended.")),
                    .optional("failedCount", .integer("How many could not be.")))),
            failures: [.init(.statusRequestNotFound)])
    ) { call, caller, input in
        let product = input.required(input.parameterText("productId"), "productId")
        let identifier = input.required(
            input.parameterText("requestIdentifier")?.lowercasedUUID, "requestIdentifier")
        return .json(
            try await call.store.massExtensionStatus(
                productID: product, requestIdentifier: identifier, for: caller))
    }

    private static let days = Schema.Member.required(
        "extendByDays", .integer("How many days.", 1...90), or: .invalidExtendByDays)

    private static let reason = Schema.Member.required(
        "extendReasonCode",
        .numbers(
            "0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage.",
            ExtensionReason.allCases.map { Int64($0.rawValue) }),
        or: .invalidExtendReasonCode)

    private static let massExtensionSchema = Schema.openObject(
        "What is extended, and by how much.",
        .required(
            "requestIdentifier", .uuid("Names the extension."), or: .invalidRequestIdentifier),
        days, reason,
        .required("productId", .text("The product.", 1...1024), or: .invalidProductId),
        .optional(
            "storefrontCountryCodes",
            .list("Only in these.", of: .storefront("A storefront."), atLeast: 1),
            or: .invalidStorefrontCountryCode, empty: .invalidEmptyStorefrontCountryCodeList))
}

extension ExtensionRequest {
    /// Reads the days and the reason, which both kinds of extensions have.
    fileprivate init(_ input: APIInput) throws {
        try self.init(
            days: Int(input.required(input.integer("extendByDays"), "extendByDays")),
            reasonCode: Int(input.required(input.integer("extendReasonCode"), "extendReasonCode")))
    }
}
