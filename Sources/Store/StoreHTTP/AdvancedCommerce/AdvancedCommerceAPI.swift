import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

/// The server endpoints of the Advanced Commerce API (ACP-1).
enum AdvancedCommerceAPI {
    static let endpoints: [Endpoint] = [changePrice, cancel]

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
                        .required("SKU", .text("The item.", 1...128)),
                        .required("price", .price("The new price")),
                        .optional(
                            "dependentSKUs",
                            .list(
                                "Items that end with it without the customer's consent.",
                                of: .text("An item.", 1...128)))), atLeast: 1)),
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
    /// - Parameter members: those besides `requestInfo` and `storefront`, which all have.
    fileprivate static func advancedCommerce(
        _ endpoint: AdvancedCommerceEndpoint, _ summary: String, members: [Schema.Member],
        carryOut:
            @escaping @Sendable (Store, Caller, Int64, JSONValue) async throws
            -> SignedSubscription
    ) -> Endpoint {
        let description = OperationDescription(
            .developer, summary,
            parameters: [.path("transactionId", .identifier("Any of the subscription's."))],
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
                    .required("signedRenewalInfo", .signed("What comes next")))),
            failures: (endpoint.errors + endpoint.furtherErrors).map { .init($0) })
        return Endpoint(
            .post, endpoint.path, endpoint.rawValue, on: .advancedCommerce,
            description: description
        ) { call in
            let caller = try await call.caller()
            try call.admit(caller, to: endpoint.rawValue, perSecond: endpoint.requestsPerSecond)
            try await call.applyFaults(to: caller, at: endpoint.rawValue)
            guard let id = call.parameter("transactionId").flatMap(Int64.init(identifier:)) else {
                throw APIError.AdvancedCommerce.invalidTransactionId
            }
            let signed = try await carryOut(call.store, caller, id, try await call.jsonObject())
            return .object { json in
                json.field("signedTransactionInfo", signed.transaction)
                json.field("signedRenewalInfo", signed.renewal)
            }
        }
    }
}
