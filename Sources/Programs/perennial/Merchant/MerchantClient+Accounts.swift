import AppStoreWire
import ConnectAnswers
import NIOHTTP1

/// What is asked about accounts, and whose purchases are.
extension MerchantClient {
    /// Whose a purchase is, and what would come of it if the account sent it.
    func owner(of purchase: String, asSeenBy account: String) async throws -> Answer {
        try await client.ask(
            .GET, path("purchases", purchase, "owner").with("account", account), nil,
            token: app.serverToken)
    }

    /// Gives an account a purchase that nobody has.
    func claim(_ purchase: String, for account: String) async throws -> Answer {
        try await client.ask(
            .POST, path("purchases", purchase, "claim"),
            StoreClient.members { $0.field("account", account) }, token: app.serverToken)
    }

    /// Gives an account what was bought with an order.
    func claim(order: String, for account: String) async throws -> Answer {
        try await client.ask(
            .POST, path("claims"),
            StoreClient.members { json in
                json.field("account", account)
                json.field("orderId", order)
            }, token: app.serverToken)
    }

    /// The purchases that no account has.
    func unowned(
        app bundleID: String?, environment: String?, product: String?, limit: Int
    ) async throws -> Answer {
        let path = StorePath("v1", "operator", "unowned")
            .with("bundleId", bundleID).with("environment", environment)
            .with("productId", product)
        return try await client.pages(path, list: "purchases", limit: limit) { path, last in
            let before = try last.map { String(try $0.integer("id")) }
            return path.with("before", before)
        }
    }

    /// Lets an account answer to another name.
    func alias(_ alias: String, to account: String) async throws -> Answer {
        try await client.ask(
            .POST, path("accounts", account, "aliases"),
            StoreClient.members { $0.field("alias", alias) }, token: app.serverToken)
    }

    /// Everything that is kept about an account.
    func export(_ account: String) async throws -> Answer {
        try await client.ask(
            .GET, path("accounts", account, "export"), nil, token: app.serverToken)
    }

    /// Erases an account.
    func erase(_ account: String) async throws -> Answer {
        try await client.ask(.DELETE, path("accounts", account), nil, token: app.serverToken)
    }

    private func path(_ parts: String...) -> StorePath {
        StorePath(parts: ["v1", "apps", app.bundleID] + parts)
    }
}
