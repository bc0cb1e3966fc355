import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ConnectSurface {
    /// Lets a Sandbox account begin anew (SBX-5).
    static let clearHistory = Endpoint.operatorOnly(
        .post, "/connect/v1/customers/{account}/clear-history", "clearHistory", canRehearse: true,
        OperationDescription(
            .theOperator, "Clear the purchase history of a Sandbox account",
            detail: "As if it had never bought anything: introductory offers are there again. "
                + "Subscriptions end at once, and what waits is given up. What it bought stays "
                + "with an account of another name, so that old transactions are still known.",
            parameters: [.path("account", .text("The account, percent-encoded.", 1...256))],
            success: .ok(
                "Cleared.",
                .object(
                    "What became of the history.",
                    .required("account", .text("The account, which begins anew.")),
                    .required("history", .text("The account that has its purchases now.")))),
            failures: [.init(.notFound, "unknownAccount"), .init(.conflict, "sandboxOnly")])
    ) { call, _ in
        guard call.environment == .sandbox else {
            throw ErrorBody(
                .conflict, "sandboxOnly",
                "Purchases are for ever in Production",
                remedy: "clear the history of an account in Sandbox")
        }
        let account = call.text("account")
        let history = try await call.store.clearHistory(account: account)
        return .object { json in
            json.field("account", account)
            json.field("history", history)
        }
    }
}
