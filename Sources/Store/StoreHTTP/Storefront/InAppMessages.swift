import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Letters
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// How the messages are given out.
    private static let inAppPages = Paging(
        "messages", "Oldest first.", of: .named("InAppMessage"), .after,
        .identifier("The id of the last one of the page before."))

    /// What the store has to say to the customer when the app is opened.
    static let listInAppMessages = Endpoint.device(
        .get, "/storefront/v1/in-app-messages", "listInAppMessages",
        OperationDescription(
            .device, "List what the customer is to be told in the app",
            detail: "Written out in the customer's language: what is true now and was not seen, to "
                + "customers whom the app writes to. What is answered is answered at the "
                + "subscription.",
            parameters: inAppPages.parameters,
            success: inAppPages.success("A page of messages.", "Messages."))
    ) { call, device, input in
        try await inAppPages.page(input) { after, limit in
            try await call.store.inAppMessages(for: device, after: after ?? 0, limit: limit)
        } writing: { message, json in
            json.elementObject { message.write(to: &$0) }
        }
    }

    /// The customer has seen one.
    static let seeInAppMessage = Endpoint.device(
        .post, "/storefront/v1/in-app-messages/{messageId}/seen", "seeInAppMessage",
        OperationDescription(
            .device, "Say that the customer has seen a message",
            detail: "It is not shown again; what is asked every week comes again with its next "
                + "request. Saying it again is no error.",
            parameters: [.path("messageId", .identifier("The message."))],
            success: .nothing("Seen."), failures: [.init(.notFound, "unknownMail")])
    ) { call, device, _ in
        try await call.store.seeInAppMessage(
            try call.pathIdentifier("messageId", of: .mail), by: device)
        return .empty(.noContent)
    }

    static let inAppMessageSchema = Schema.object(
        "What a customer is told in the app.",
        .required("id", .identifier("Its number.")),
        .required("kind", .choice("What it tells.", MailKind.allCases.map(\.rawValue))),
        .optional("originalTransactionId", .identifier("The subscription that it is about.")),
        .required("created", .moment("When it came to be told.")),
        .required("title", .text("In the customer's language.")),
        .required("body", .text("In the customer's language.")),
        .required(
            "buttons",
            .list("What can be answered, what is asked for first.", of: .text("A button."))),
        .required("language", .text("That language, such as de.")))
}

extension InAppMessage {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", String(id))
        json.field("kind", kind.rawValue)
        json.field("originalTransactionId", subscription.map { String($0) })
        json.field("created", created.iso8601)
        json.field("title", title)
        json.field("body", body)
        json.array("buttons") { json in
            for button in buttons { json.element(button) }
        }
        json.field("language", language)
    }
}
