import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules
import Wording

/// Sharing with the publisher, as a customer is asked and answers (S308-95).
extension StorefrontSurface {
    private static let ownOptInPath = "/storefront/v1/opt-ins/{originalTransactionId}"

    /// Whether to ask.
    static let listOptIns = Endpoint.device(
        .get, "/storefront/v1/opt-ins", "listOptIns",
        OperationDescription(
            .device, "List what to ask the customer to share with the publisher",
            detail: "After a purchase, and when the app is opened: whoever has subscribed is asked "
                + "once about each subscription, where the app wants it. What was answered stays "
                + "in the list, so that settings can show and revoke it.",
            success: .ok(
                "The subscriptions about which there is anything to ask or show.",
                .object(
                    "Questions.",
                    .required(
                        "optIns",
                        .list("In the order of the subscriptions.", of: .named("OwnOptIn"))))))
    ) { call, device, _ in
        let found = try await call.store.optIns(for: device)
        return .object { json in
            json.array("optIns") { json in
                for one in found { json.elementObject { one.write(to: &$0) } }
            }
        }
    }

    /// Says yes or no.
    static let answerOptIn = Endpoint.device(
        .put, ownOptInPath, "answerOptIn",
        OperationDescription(
            .device, "Answer whether to share with the publisher",
            detail: "With a yes come the details, as the customer has confirmed them; they are "
                + "kept for nothing but the publisher's report. Said again, they take the place "
                + "of those before. A no after a yes revokes it.",
            parameters: [subscriptionParameter],
            body: .members(
                .object(
                    "The answer.", .required("shares", .boolean("Yes or no.")),
                    .optional("name", .text("The customer's name; needed for a yes.", 1...200)),
                    .optional(
                        "email", .text("The address for mails; needed for a yes.", 3...254)),
                    .optional(
                        "postalCode",
                        .text("The postal code, where the customer's place has one.", 1...16)))),
            success: .ok("How it stands.", .named("OwnOptIn")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownSubscription"),
                .init(.conflict, "notAsked"), .init(.conflict, "notActive"),
            ])
    ) { call, device, input in
        let id = try call.pathIdentifier("originalTransactionId", of: .originalTransaction)
        var details: SharedDetails?
        if input.boolean("shares") == true {
            details = SharedDetails(
                name: input.text("name") ?? "", email: input.text("email") ?? "",
                postalCode: input.text("postalCode"))
        }
        _ = try await call.store.answerOptIn(subscription: id, sharing: details, by: device)
        guard
            let one = try await call.store.optIns(for: device).first(where: {
                $0.originalTransactionID == id
            })
        else { throw StoreError.unknown(.originalTransaction, String(id)) }
        return .object { one.write(to: &$0) }
    }

    /// Revokes a yes.
    static let revokeOptIn = Endpoint.device(
        .delete, ownOptInPath, "revokeOptIn",
        OperationDescription(
            .device, "Share nothing with the publisher any more",
            detail: "The details are erased; a bonus stays. Where nothing was shared it is a no.",
            parameters: [subscriptionParameter], success: .nothing("Revoked."),
            failures: [.init(.notFound, "unknownSubscription")])
    ) { call, device, _ in
        let id = try call.pathIdentifier("originalTransactionId", of: .originalTransaction)
        try await call.store.revokeOptIn(subscription: id, by: device)
        return .empty(.noContent)
    }

    private static let subscriptionParameter = OperationDescription.Parameter.path(
        "originalTransactionId", .identifier("The subscription."))

    static let ownOptInSchema = Schema.object(
        "What to ask a customer to share with the publisher, or what was answered.",
        .required("originalTransactionId", .identifier("The subscription.")),
        .required("productId", .text("Its product.")),
        .required("asks", .boolean("Whether to ask now.")),
        .required("shares", .boolean("Whether something is shared.")),
        .optional("publicationName", .text("The publisher's name, in the customer's language.")),
        .optional(
            "text", .text("The question in the customer's language, or in English.")),
        .optional(
            "bonus", .text("How much longer the period becomes for a yes.", 3...6, .duration)))
}

extension OptInQuestion {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("originalTransactionId", String(originalTransactionID))
        json.field("productId", productID)
        json.field("asks", asks)
        json.field("shares", isShared)
        json.field("publicationName", publication)
        json.field("text", publication.map { OptInText.question(by: $0, in: locale) })
        json.field("bonus", publication == nil ? nil : bonus?.iso8601)
    }
}
