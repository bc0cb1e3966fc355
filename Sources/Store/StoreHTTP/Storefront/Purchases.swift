import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// Buys a product, as `Product.purchase()` does.
    static let purchase = Endpoint.device(
        .post, "/storefront/v1/purchases", "purchase",
        canRehearse: true,
        OperationDescription(
            .device, "Buy a product",
            detail: "A subscription of a group in which the customer has one is a change of plan. "
                + "A non-consumable that is owned is delivered again without payment. The "
                + "signature of an offer is good for 24 hours by the machine's clock, whatever the "
                + "world's shows, and for one attempt: one that is refused or declined spends it "
                + "too.",
            parameters: [idempotencyParameter],
            body: .members(
                .object(
                    "What to buy.",
                    .required("productId", .text("The product.", 1...255)),
                    .optional("quantity", .integer("How many; 1 unless given.", 1...10)),
                    .optional("billingPlanType", billingPlanSchema),
                    .optional(
                        "appAccountToken", .uuid("The developer's own name for the customer.")),
                    .optional("offer", offerClaimSchema),
                    .optional("advancedCommerce", signedRequestSchema))),
            success: purchaseSuccess,
            failures: offerFailures + signedRequestFailures + [
                .init(.badRequest, "invalidQuantity"),
                .init(.paymentRequired, "paymentDeclined"), .init(.notFound, "unknownProduct"),
                .init(.conflict, "notASubscription"), .init(.conflict, "notForSale"),
                .init(.conflict, "notBilledMonthly"),
                .init(.conflict, "alreadySubscribed"),
                .init(.conflict, "paymentPending"), .init(.forbidden, "paymentsNotAllowed"),
                .init(.conflict, "purchaseInterrupted"), .init(.conflict, "requestClosed"),
                .init(.conflict, "idempotencyKeyReused"),
            ])
    ) { call, device, input in
        let productID = input.requiredText("productId")
        let token = input.text("appAccountToken")?.lowercasedUUID
        var request = PurchaseRequest(
            productID: productID, billing: input.billingPlan ?? .upFront,
            offer: try await call.offerClaim(
                input, of: productID, appAccountToken: token, for: device),
            quantity: input.integer("quantity").map(Int.init) ?? 1, appAccountToken: token,
            idempotencyKey: input.parameter("Idempotency-Key")?.string)
        request.advancedCommerce = try await call.signedRequest(input, for: device)
        let wanted = request
        let bought = try await call.explainingGrace(device, productID) {
            try await call.store.buy(wanted, by: device)
        }
        return .object { bought.write(to: &$0) }
    }

    /// How a subscription is to be billed.
    static let billingPlanSchema = Schema.choice(
        "Of a yearly subscription that has both: paid at once, which is so unless given, or month "
            + "by month under a commitment to all twelve.", BillingPlan.allCases.map(\.rawValue))

    static let idempotencyParameter = OperationDescription.Parameter.header(
        "Idempotency-Key",
        .text("Makes a repeated request find what the first one bought.", 1...64, .visible))

    /// What came of a purchase.
    static let purchaseSuccess = OperationDescription.Success.ok(
        "Bought.",
        .object(
            "What came of it.",
            .required("result", .choice("What came of it.", ["success", "pending"])),
            .optional(
                "signedTransactionInfo",
                .signed(
                    "The transaction; absent where nothing is charged and a change of plan "
                        + "waits for the renewal, and while the payment is pending")),
            .optional(
                "autoRenewProductId",
                .text(
                    "The product that begins with a later renewal, where nothing is charged now.")),
            .optional(
                "renewalDate",
                .moment("When it begins: the next renewal, or the end of a commitment.")),
            .optional(
                "billId",
                .identifier(
                    "The bill that the bank has not answered; once it is paid, the "
                        + "transaction comes up among the unfinished ones.")),
            .optional(
                "requestId",
                .identifier(
                    "The request that somebody else has to approve, within a day; once it is, the "
                        + "transaction comes up among the unfinished ones.")),
            .optional(
                "deliveredAgain",
                .boolean(
                    "True where the product was owned already: nothing is charged, and the "
                        + "transaction is that of then; absent otherwise."))))
}

extension Input {
    /// How a subscription is to be billed; nil where nothing is said.
    var billingPlan: BillingPlan? { text("billingPlanType").flatMap(BillingPlan.init(rawValue:)) }
}

extension Bought {
    func write(to json: inout JSONWriter) {
        let isPending = pendingBill != nil || request != nil
        json.field("result", isPending ? "pending" : "success")
        json.field("billId", pendingBill.map(String.init))
        json.field("requestId", request.map(String.init))
        json.field("signedTransactionInfo", signedTransaction)
        json.field("autoRenewProductId", scheduled?.productID)
        json.field("renewalDate", scheduled?.moment.iso8601)
        if isDeliveredAgain { json.field("deliveredAgain", true) }
    }
}
