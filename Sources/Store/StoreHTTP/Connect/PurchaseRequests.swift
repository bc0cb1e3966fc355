import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// How the requests are given out.
    private static let heldPages = Paging(
        "purchaseRequests", "Newest first.", of: .named("PurchaseRequest"), .before,
        .integer("The id of the last one of the page before."))

    /// Purchases that wait for an approval, or for what interrupted them.
    static let listPurchaseRequests = Endpoint.operatorOnly(
        .get, "/connect/v1/purchase-requests", "listPurchaseRequests",
        OperationDescription(
            .theOperator, "List the purchases of this environment that wait, or waited",
            detail: "Of all apps, newest first: those of accounts that ask to buy, and those that "
                + "were interrupted.",
            parameters: [
                .query(
                    "state", .choice("Only those.", HeldPurchase.State.allCases.map(\.rawValue))),
                .query(
                    "reason", .choice("Only those.", HeldPurchase.Reason.allCases.map(\.rawValue))),
                .query("account", .text("Only those of this account.", 1...256)),
            ] + heldPages.parameters,
            success: heldPages.success("A page of requests.", "Requests."),
            failures: [.init(.notFound, "unknownAccount")])
    ) { call, input in
        try await heldPages.page(input) { before, limit in
            try await call.store.heldPurchases(
                input.parameter("state")?.string.flatMap(HeldPurchase.State.init(rawValue:)),
                reason: input.parameter("reason")?.string
                    .flatMap(HeldPurchase.Reason.init(rawValue:)),
                account: input.parameter("account")?.string, before: before, limit: limit,
                in: call.environment)
        } writing: { entry, json in
            json.elementObject { entry.write(to: &$0) }
        }
    }

    /// One request.
    static let getPurchaseRequest = Endpoint.operatorOnly(
        .get, "/connect/v1/purchase-requests/{id}", "getPurchaseRequest",
        OperationDescription(
            .theOperator, "Get a purchase that waits, or waited", parameters: [heldParameter],
            success: .ok("The request.", .named("PurchaseRequest")),
            failures: [.init(.notFound, "unknownPurchaseRequest")])
    ) { call, _ in
        let entry = try await call.store.heldPurchase(
            try call.pathIdentifier("id", of: .purchaseRequest), in: call.environment)
        return .object { entry.write(to: &$0) }
    }

    /// Lets a purchase happen.
    static let approvePurchase = Endpoint.operatorOnly(
        .post, "/connect/v1/purchase-requests/{id}/approve", "approvePurchase",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Approve a purchase, or settle what interrupted it",
            detail: "It is made at this moment, at today's price. What would refuse an ordinary "
                + "purchase now keeps it from happening: the request is approved and `obstacle` "
                + "says why nothing was bought. The transaction comes up among the customer's "
                + "unfinished ones.",
            parameters: [heldParameter],
            success: .ok("Approved.", .named("PurchaseRequest")),
            failures: [
                .init(.notFound, "unknownPurchaseRequest"), .init(.conflict, "requestClosed"),
                .init(.conflict, "sandboxCannotApprove"),
            ])
    ) { call, _ in
        let entry = try await call.store.approve(
            heldPurchase: try call.pathIdentifier("id", of: .purchaseRequest),
            in: call.environment)
        return .object { entry.write(to: &$0) }
    }

    /// Lets a purchase not happen.
    static let declinePurchase = Endpoint.operatorOnly(
        .post, "/connect/v1/purchase-requests/{id}/decline", "declinePurchase",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Decline a purchase that waits", parameters: [heldParameter],
            success: .ok("Declined.", .named("PurchaseRequest")),
            failures: [
                .init(.notFound, "unknownPurchaseRequest"), .init(.conflict, "requestClosed"),
            ])
    ) { call, _ in
        let entry = try await call.store.decline(
            heldPurchase: try call.pathIdentifier("id", of: .purchaseRequest),
            in: call.environment)
        return .object { entry.write(to: &$0) }
    }

    private static let heldParameter = OperationDescription.Parameter.path(
        "id", .identifier("The request."))

    static let purchaseRequestSchema = Schema.object(
        "A purchase that somebody else lets happen.",
        .required("id", .identifier("Its number.")),
        .required("bundleId", .text("The app.")),
        .required("account", .text("Whose purchase it is.")),
        .required("productId", .text("What was asked for.")),
        .required("quantity", .integer("How many.")),
        .optional(
            "originalTransactionId", .identifier("The subscription whose plan is to change.")),
        .required(
            "reason",
            .choice(
                "Whether somebody approves it, or the customer settles what interrupted it.",
                HeldPurchase.Reason.allCases.map(\.rawValue))),
        .required(
            "state",
            .choice("How far it has come.", HeldPurchase.State.allCases.map(\.rawValue))),
        .optional(
            "price",
            .total(
                "What was charged, or what it would cost if it were approved now, offers "
                    + "included; absent where nothing was charged, where it cannot be had any "
                    + "more, where a merchant's plan is to change, and in another storefront than "
                    + "a merchant's request is for")),
        .optional("currency", .currency()),
        .required("asked", .moment("When it was asked for first.")),
        .optional("lapses", .moment("When it lapses unless somebody decides before.")),
        .optional("decided", .moment("When it was decided, or lapsed.")),
        .optional("transactionId", .identifier("The transaction that it became.")),
        .optional("billId", .identifier("The bill that the bank has not paid.")),
        .optional(
            "obstacle",
            .choice(
                "Why nothing was bought although it was approved. ineligibleForOffer: the offer, "
                    + "or its code, could not be had any more; a code may have expired, been ended "
                    + "or been redeemed meanwhile.",
                HeldPurchase.Obstacle.allCases.map(\.rawValue))))
}

extension HeldPurchaseEntry {
    func write(to json: inout JSONWriter) {
        json.field("id", String(request.id))
        json.field("bundleId", bundleID)
        json.field("account", account)
        json.field("productId", request.productID)
        json.field("quantity", request.quantity)
        json.field("originalTransactionId", request.subscription.map(String.init))
        json.field("reason", request.reason.rawValue)
        json.field("state", request.state.rawValue)
        json.field("price", price?.milliunits)
        json.field("currency", price?.currency.code)
        json.field("asked", request.asked.iso8601)
        json.field("lapses", request.lapses?.iso8601)
        json.field("decided", request.decided?.iso8601)
        json.field("transactionId", transactionID.map(String.init))
        json.field("billId", transactionID == nil ? request.bill.map(String.init) : nil)
        json.field("obstacle", request.obstacle?.rawValue)
    }
}
