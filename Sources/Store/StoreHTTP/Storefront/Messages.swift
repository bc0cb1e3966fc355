import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// What an app shows the customer when it is opened, as StoreKit's messages do.
    static let listMessages = Endpoint.device(
        .get, "/storefront/v1/messages", "listMessages",
        OperationDescription(
            .device, "List messages to show the customer",
            detail: "Price increases that were announced: those that wait for the customer's "
                + "answer, and those of which the customer is only told. Answer one with "
                + "priceIncrease at the subscription.",
            success: .ok(
                "The messages.",
                .object(
                    "Messages.",
                    .required(
                        "messages",
                        .list("In the order of the subscriptions.", of: .named("DeviceMessage"))))))
    ) { call, device, _ in
        let found = try await call.store.priceIncreaseMessages(for: device)
        return .object { json in
            json.array("messages") { json in
                for message in found { json.elementObject { message.write(to: &$0) } }
            }
        }
    }

    static let messageSchema = Schema.object(
        "A message that an app shows the customer.",
        .required(
            "type",
            .choice(
                "What it is about: a higher price, or, in Korea, the end of an offer.",
                ["priceIncrease", "offerConversion"])),
        .required("originalTransactionId", .identifier("The subscription.")),
        .required("productId", .text("Its product.")),
        .required("oldPrice", .total("What the customer pays for a period")),
        .required("newPrice", .total("What a period will cost")),
        .required("currency", .currency()),
        .required("renewal", .moment("The renewal that first charges the new price.")),
        .required(
            "needsConsent",
            .boolean("Whether the subscription ends unless the customer agrees; else a notice.")))
}

extension PriceIncreaseMessage {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("type", isConversion ? "offerConversion" : "priceIncrease")
        json.field("originalTransactionId", String(originalTransactionID))
        json.field("productId", productID)
        json.field("oldPrice", change.old)
        json.field("newPrice", change.new)
        json.field("currency", change.currency.code)
        json.field("renewal", renewal.iso8601)
        json.field("needsConsent", needsConsent)
    }
}
