import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// The customer's subscriptions with their status and renewal info.
    static let listSubscriptions = Endpoint.device(
        .get, "/storefront/v1/subscriptions", "listSubscriptions",
        OperationDescription(
            .device, "List the customer's subscriptions",
            detail: "One a subscription group, ended ones too, in the order of first purchase; "
                + "behind them those that the family shares or shared.",
            success: .ok(
                "The subscriptions.",
                .object(
                    "Subscriptions.",
                    .required(
                        "subscriptions",
                        .list("The customer's own first.", of: .named("DeviceSubscription"))))))
    ) { call, device, _ in
        let found = try await call.store.subscriptions(for: device)
        return .object { json in
            json.array("subscriptions") { json in
                for subscription in found { json.elementObject { subscription.write(to: &$0) } }
            }
        }
    }

    /// Turns renewal off or on, answers a price increase, or chooses another plan.
    static let changeSubscription = Endpoint.device(
        .patch, "/storefront/v1/subscriptions/{originalTransactionId}", "changeSubscription",
        canRehearse: true,
        OperationDescription(
            .device, "Change a subscription",
            detail: "What the manage-subscriptions screen does. Either all changes happen or none: "
                + "the price increase is answered first, then renewal is set, then the product "
                + "is chosen.",
            parameters: [.path("originalTransactionId", .identifier("The subscription."))],
            body: .members(
                .object(
                    "What to change; at least one.", of: 1...4, or: "nothingToChange",
                    .optional("autoRenew", .boolean("Whether it shall renew.")),
                    .optional(
                        "productId",
                        .text(
                            "Another product of the group, or the current one to withdraw a change "
                                + "that waits for the renewal.", 1...255)),
                    .optional(
                        "billingPlanType",
                        .choice(
                            "How that product is to be billed; unless given the current one stays "
                                + "as it is, and any other is paid at once.",
                            BillingPlan.allCases.map(\.rawValue))),
                    .optional(
                        "priceIncrease",
                        .choice(
                            "The answer to a price increase that was announced. Declining turns "
                                + "renewal off; agreeing afterwards turns it on again. Declining "
                                + "what was agreed to makes the agreement void: once renewal is "
                                + "on again, the increase is announced anew.",
                            ["agree", "decline"])))),
            success: .ok("The subscription as it is now.", .named("DeviceSubscription")),
            failures: [
                .init(.paymentRequired, "paymentDeclined"), .init(.conflict, "paymentPending"),
                .init(.notFound, "unknownSubscription"), .init(.notFound, "unknownProduct"),
                .init(.conflict, "notActive"), .init(.conflict, "notForSale"),
                .init(.conflict, "notBilledMonthly"),
                .init(.conflict, "alreadySubscribed"), .init(.conflict, "wrongGroup"),
                .init(.conflict, "notASubscription"), .init(.conflict, "noPriceIncrease"),
                .init(.conflict, "purchaseInterrupted"), .init(.forbidden, "paymentsNotAllowed"),
                .init(.conflict, "familyShared"),
            ])
    ) { call, device, input in
        let id = try call.pathIdentifier(
            "originalTransactionId", of: .originalTransaction)
        // An increase goes when renewal is turned off or another plan begins, so it is answered
        // while it is there.
        var changes: [SubscriptionChange] = []
        if let answer = input.text("priceIncrease") {
            changes.append(.priceIncrease(agrees: answer == "agree"))
        }
        if let isOn = input.boolean("autoRenew") { changes.append(.renewal(isOn: isOn)) }
        if let product = input.text("productId") {
            changes.append(.product(product, input.billingPlan))
        }
        let request = try await call.explainingGrace(device, input.text("productId")) {
            try await call.store.change(subscription: id, changes, by: device)
        }
        let found = try await call.store.subscriptions(for: device)
        guard let subscription = found.first(where: { $0.originalTransactionID == id }) else {
            throw StoreError.unknown(.originalTransaction, String(id))
        }
        return .object { json in
            subscription.write(to: &json)
            json.field("requestId", request.map(String.init))
        }
    }

    static let subscriptionSchema = Schema.object(
        "A subscription as a device sees it.",
        .required("originalTransactionId", .identifier("The subscription.")),
        .required("subscriptionGroupIdentifier", .text("Its group.")),
        .required(
            "status",
            .numbers(
                "1 active, 2 expired, 3 billing retry, 4 billing grace period, 5 revoked.",
                [1, 2, 3, 4, 5])),
        .required("entitled", .boolean("Whether the customer has access.")),
        .required(
            "familyShared",
            .boolean("Whether it came by Family Sharing: then its purchaser manages it.")),
        .required("productId", .text("The product of this period.")),
        .required("autoRenewProductId", .text("The product of the next period.")),
        .required(
            "autoRenew",
            .boolean(
                "Whether it renews; of a commitment, when that ends: its months are paid anyway.")),
        .required("expires", .moment("The end of the newest period.")),
        .optional("commitmentMonth", .integer("The month of the running commitment.", 1...12)),
        .optional("commitmentExpires", .moment("When the running commitment ends.")),
        .required("signedTransactionInfo", .signed("The newest transaction")),
        .required("signedRenewalInfo", .signed("What comes next")),
        .optional(
            "requestId",
            .identifier(
                "The request that somebody else has to approve before the product changes; only "
                    + "in the answer to such a change.")))
}

extension DeviceSubscription {
    func write(to json: inout JSONWriter) {
        json.field("originalTransactionId", String(originalTransactionID))
        json.field("subscriptionGroupIdentifier", groupID)
        json.field("status", status)
        json.field("entitled", isEntitled)
        json.field("familyShared", isShared)
        json.field("productId", productID)
        json.field("autoRenewProductId", nextProductID)
        json.field("autoRenew", renewsAutomatically)
        json.field("expires", expires.iso8601)
        json.field("commitmentMonth", commitment?.month)
        json.field("commitmentExpires", commitment?.ends.iso8601)
        json.field("signedTransactionInfo", signedTransaction)
        json.field("signedRenewalInfo", signedRenewalInfo)
    }
}
