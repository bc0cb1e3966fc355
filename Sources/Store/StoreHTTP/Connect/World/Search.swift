import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Finds customers and purchases.
    static let search = Endpoint.operatorOnly(
        .get, "/connect/v1/search", "search",
        OperationDescription(
            .theOperator, "Find customers and purchases",
            detail: "Accounts by the beginning of their names; transactions, orders and products "
                + "by their whole identifiers. Of a product the subscriptions that are not over.",
            parameters: [
                .query("q", .text("What is looked for.", 1...256)),
                .query("limit", .integer("How many at most; 50 unless given.", 1...200)),
            ],
            success: .ok(
                "What was found.",
                .object(
                    "Matches.",
                    .required("matches", .list("What a number names comes first.", of: match)))))
    ) { call, input in
        let text = input.parameter("q")?.string ?? ""
        let limit = input.parameter("limit")?.integer.map(Int.init) ?? 50
        let matches =
            text.isEmpty
            ? [] : try await call.store.search(text, in: call.environment, limit: limit)
        return .object { json in
            json.array("matches") { json in
                for match in matches { json.elementObject { match.write(to: &$0) } }
            }
        }
    }

    private static let match = Schema.object(
        "Something that was found.",
        .required("kind", .choice("By what.", SearchMatch.Kind.allCases.map(\.rawValue))),
        .required("account", .text("Whose it is.")),
        .optional(
            "productId",
            .text("What was bought, of a subscription its newest product; absent for an account.")),
        .optional(
            "purchaser",
            .text("Who bought what a family member has: the subscription is the purchaser's.")),
        .optional("originalTransactionId", .identifier("The subscription.")),
        .optional("state", .text("Its state, as in getSubscription.")),
        .optional("nextEvent", .moment("When something happens to it next by itself.")))
}

extension SearchMatch {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("kind", kind.rawValue)
        json.field("account", customer.account)
        json.field("productId", productID)
        json.field("purchaser", purchaser?.account)
        json.field("originalTransactionId", (subscription?.id).map(String.init))
        json.field("state", subscription?.stateName)
        json.field("nextEvent", subscription?.nextChange?.iso8601)
    }
}
