import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// What a customer has bought, as the history of an account shows it, with the claims for refunds.
extension StorefrontSurface {
    private static let ownPurchasePages = Paging(
        "purchases", "Newest first.", of: .named("OwnPurchase"), .before,
        .identifier("The transactionId of the last one of the page before."))

    /// The history.
    static let listOwnPurchases = Endpoint.device(
        .get, "/storefront/v1/purchases", "listOwnPurchases",
        OperationDescription(
            .device, "List what the customer bought in this app, newest first",
            detail: "Each transaction with what was paid, what was given back, and the newest "
                + "claim for a refund.",
            parameters: ownPurchasePages.parameters,
            success: ownPurchasePages.success("A page of purchases.", "Purchases."))
    ) { call, device, input in
        try await ownPurchasePages.page(input) { before, limit in
            try await call.store.purchases(for: device, before: before, limit: limit)
        } writing: { one, json in
            json.elementObject { one.write(to: &$0) }
        }
    }

    /// One purchase.
    static let getOwnPurchase = Endpoint.device(
        .get, "/storefront/v1/purchases/{transactionId}", "getOwnPurchase",
        OperationDescription(
            .device, "Get one purchase of the customer, with its claim for a refund",
            parameters: [.path("transactionId", .identifier("The transaction."))],
            success: .ok("The purchase.", .named("OwnPurchase")),
            failures: [.init(.notFound, "unknownTransaction")])
    ) { call, device, _ in
        let one = try await call.store.purchase(
            try call.pathIdentifier("transactionId", of: .transaction), for: device)
        return .object { one.write(to: &$0) }
    }

    static let ownPurchaseSchema = Schema.object(
        "What a customer bought.",
        .required("transactionId", .identifier("The transaction.")),
        .required("originalTransactionId", .identifier("The first one of its chain, or the same.")),
        .required("orderId", .text("The order, as it is on the customer's receipt.")),
        .required("productId", .text("The product.")),
        .required("type", .choice("What kind of purchase it is.", ProductType.names)),
        .required("quantity", .integer("How many.")),
        .required("purchased", .moment("When it was paid.")),
        .required("originalPurchased", .moment("When the first one of its chain was bought.")),
        .optional("expires", .moment("Until when a period of a subscription lasts.")),
        .required("price", .total("What was paid")),
        .required("currency", .currency()),
        .required("familyShared", .boolean("Whether another one of the family paid for it.")),
        .required("upgraded", .boolean("Whether an upgrade took its place.")),
        .optional("revoked", .moment("When its price was given back.")),
        .optional("refunded", .total("What was given back")),
        .optional(
            "refundRequest",
            .object(
                "The newest claim for its price.",
                .required("id", .integer("Its number.")),
                .required(
                    "reason", .choice("Why.", RefundRequest.Reason.allCases.map(\.rawValue))),
                .required(
                    "state",
                    .choice("How far it has come.", RefundRequest.State.allCases.map(\.rawValue))),
                .required("requested", .moment("When it was made.")),
                .optional("decides", .moment("When a policy decides at the latest.")),
                .optional("decided", .moment("When it was decided.")))))
}

extension OwnPurchase {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("transactionId", String(id))
        json.field("originalTransactionId", String(originalID))
        json.field("orderId", orderID)
        json.field("productId", productID)
        json.field("type", type.rawValue)
        json.field("quantity", quantity)
        json.field("purchased", purchased.iso8601)
        json.field("originalPurchased", firstPurchased.iso8601)
        json.field("expires", expires?.iso8601)
        json.field("price", price.milliunits)
        json.field("currency", price.currency.code)
        json.field("familyShared", isShared)
        json.field("upgraded", isUpgraded)
        json.field("revoked", revoked?.iso8601)
        json.field("refunded", refunded)
        guard let claim else { return }
        json.object("refundRequest") { json in
            json.field("id", claim.id)
            json.field("reason", claim.reason.rawValue)
            json.field("state", claim.state.rawValue)
            json.field("requested", claim.requested.iso8601)
            json.field("decides", claim.decidesAt?.iso8601)
            json.field("decided", claim.decided?.iso8601)
        }
    }
}
