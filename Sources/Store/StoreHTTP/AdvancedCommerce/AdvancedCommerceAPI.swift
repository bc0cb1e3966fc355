import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

/// The server endpoints of the Advanced Commerce API (ACP-1).
enum AdvancedCommerceAPI {
    static let endpoints: [Endpoint] = [
        changePrice, cancel, changeMetadata, migrate, revoke, requestRefund,
    ]

    private static func sku(_ about: String) -> Schema {
        .text(about, 1...AdvancedCommerceLimit.sku)
    }

    private static let displayName = Schema.text(
        "What customers see.", 1...AdvancedCommerceLimit.displayName)

    private static let saidOfIt = Schema.text(
        "What is said of it.", 1...AdvancedCommerceLimit.description)

    /// Changes prices of items from one of the next renewals on.
    static let changePrice = Endpoint.advancedCommerce(
        .changePrice, "Change Subscription Price",
        members: [
            .optional("currency", .text("The currency of the prices, in ISO 4217.", 3...3)),
            .required(
                "items",
                .list(
                    "What changes, each SKU once.",
                    of: .openObject(
                        "An item.",
                        .required("SKU", sku("The item.")),
                        .required("price", .price("The new price")),
                        .optional(
                            "dependentSKUs",
                            .list(
                                "Items that end with it without the customer's consent.",
                                of: sku("An item.")))), atLeast: 1)),
        ]
    ) { store, caller, id, json in
        try await store.changePrices(transaction: id, .init(json), for: caller)
    }

    /// Turns renewal off.
    static let cancel = Endpoint.advancedCommerce(
        .cancel, "Cancel a Subscription", members: []
    ) { store, caller, id, json in
        try await store.cancel(transaction: id, .init(json), for: caller)
    }

    private static let words: [Schema.Member] = [
        .optional("displayName", displayName),
        .optional("description", saidOfIt),
    ]

    private static let effective = Schema.Member.required(
        "effective",
        .choice("When.", ["IMMEDIATELY", "NEXT_BILL_CYCLE"]))

    private static let described = Schema.openObject(
        "An item.",
        .required("SKU", sku("The item.")),
        .required("displayName", displayName),
        .required("description", saidOfIt))

    private static let taxCode = Schema.text("A tax code of subscriptions.", 1...20)

    /// Calls things something else.
    static let changeMetadata = Endpoint.advancedCommerce(
        .changeMetadata, "Change Subscription Metadata",
        members: [
            .optional(
                "descriptors",
                .openObject("What the whole subscription is called.", all: [effective] + words)),
            .optional(
                "items",
                .list(
                    "Items that are called something else.",
                    of: .openObject(
                        "An item.",
                        all: [
                            .required("currentSKU", sku("Its SKU until then.")),
                            effective, .optional("SKU", sku("Its new SKU.")),
                        ] + words), atLeast: 1)),
            .optional("taxCode", taxCode),
        ]
    ) { store, caller, id, json in
        try await store.changeMetadata(transaction: id, .init(json), for: caller)
    }

    /// Lets a merchant's plan go on for an ordinary subscription.
    static let migrate = Endpoint.advancedCommerce(
        .migrate, "Migrate a Subscription to Advanced Commerce API",
        members: [
            .required(
                "descriptors",
                .openObject(
                    "What the whole subscription is called.",
                    .required("displayName", displayName),
                    .required("description", saidOfIt))),
            .required("items", .list("What it delivers.", of: described, atLeast: 1)),
            .optional(
                "renewalItems",
                .list(
                    "What the change delivers that waits for the renewal.", of: described,
                    atLeast: 1)),
            .required("targetProductId", .text("The generic product.", 1...255)),
            .required("taxCode", taxCode),
        ]
    ) { store, caller, id, json in
        try await store.migrate(transaction: id, .init(json), for: caller)
    }

    private static let refundReason = Schema.Member.required(
        "refundReason",
        .choice("Why.", AdvancedCommerceRefundReason.known.map(\.rawValue)))

    private static let refundRisking = Schema.Member.required(
        "refundRiskingPreference",
        .boolean("Whether the store asks about consumption before it decides."))

    /// Ends a subscription and asks for its money.
    static let revoke = Endpoint.advancedCommerce(
        .revoke, "Revoke a Subscription",
        members: [
            refundReason,
            .required("refundType", .choice("How much.", ["FULL", "PRORATED"])), refundRisking,
        ]
    ) { store, caller, id, json in
        try await store.revoke(transaction: id, .init(json), for: caller)
    }

    /// Asks for the money of items.
    static let requestRefund = Endpoint.advancedCommerce(
        .requestRefund, "Request Transaction Refund",
        of: "The transaction itself, which need not be a subscription's.",
        members: [
            .optional("currency", .text("The currency of amounts, in ISO 4217.", 3...3)),
            .required(
                "items",
                .list(
                    "What is asked back, each SKU once.",
                    of: .openObject(
                        "An item.",
                        .required("SKU", sku("The item.")), refundReason,
                        .required(
                            "refundType", .choice("How much.", ["FULL", "PRORATED", "CUSTOM"])),
                        .required("revoke", .boolean("Whether the customer loses it.")),
                        .optional("refundAmount", .price("For CUSTOM, how much"))), atLeast: 1)),
            refundRisking,
        ]
    ) { store, caller, id, json in
        try await store.requestRefund(transaction: id, .init(json), for: caller)
    }
}

extension Endpoint {
    private static var requestInfo: Schema {
        .openObject(
            "Which request this is.",
            .required("requestReferenceId", .uuid("A UUID of its own: repeated, it finds itself.")),
            .optional(
                "appAccountToken",
                .text("A UUID, or an empty text for none.", 0...36, .uuidOrNothing)),
            .optional(
                "consistencyToken",
                .text("That of the last renewal info: a change since is noticed.", 1...128)))
    }

    private static var storefront: Schema.Member {
        .optional("storefront", .storefront("The storefront, which must be the subscription's."))
    }

    /// An endpoint of the Advanced Commerce API. What a request carries is judged where it is read:
    /// the first fault is told by its number.
    ///
    /// - Parameters:
    ///   - transaction: which one it is asked for.
    ///   - members: those besides `requestInfo` and `storefront`, which all have.
    fileprivate static func advancedCommerce(
        _ endpoint: AdvancedCommerceEndpoint, _ summary: String,
        of transaction: String = "Any of the subscription's.", members: [Schema.Member],
        carryOut:
            @escaping @Sendable (Store, Caller, Int64, JSONValue) async throws
            -> SignedSubscription
    ) -> Endpoint {
        let description = OperationDescription(
            .developer, summary,
            parameters: [.path("transactionId", .identifier(transaction))],
            body: .members(
                Schema(
                    kind: .object(
                        .init(
                            all: [.required("requestInfo", requestInfo), storefront] + members,
                            isOpen: true)), about: "What is asked for.")),
            success: .ok(
                "Done, or done before by a request of this `requestReferenceId`.",
                .object(
                    "How the subscription stands.",
                    .required("signedTransactionInfo", .signed("The newest transaction")),
                    .optional(
                        "signedRenewalInfo",
                        .signed("What comes next; absent for what is no subscription")))),
            failures: (endpoint.errors + endpoint.furtherErrors).map { .init($0) })
        return Endpoint(
            .post, endpoint.path, endpoint.name, on: .advancedCommerce,
            description: description
        ) { call in
            let caller = try await call.caller()
            try call.admit(caller, to: endpoint.name, perSecond: endpoint.requestsPerSecond)
            try await call.applyFaults(to: caller, at: endpoint.name)
            guard let id = call.parameter("transactionId").flatMap(Int64.init(identifier:)) else {
                throw APIError.AdvancedCommerce.invalidTransactionId
            }
            // Apple has a code of its own for a body that is not JSON here (0035).
            let body = try await call.body()
            guard let json = try? JSONValue(parsing: body.readableBytesView) else {
                throw APIError.AdvancedCommerce.malformedPayload
            }
            let signed = try await carryOut(call.store, caller, id, json)
            return .object { json in
                json.field("signedTransactionInfo", signed.transaction)
                json.field("signedRenewalInfo", signed.renewal)
            }
        }
    }
}

extension AdvancedCommerceEndpoint {
    /// Its name among all endpoints, as fault rules and metrics have it.
    fileprivate var name: String {
        "advancedCommerce" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
}
