import AppStoreWire
import ConnectAnswers
import MerchantPages
import NIOHTTP1
import SubscriptionRules

/// Asks the merchant beside a store, about one app.
struct MerchantClient: Sendable {
    let client: StoreClient
    let app: MerchantReady.App

    /// - Parameter bundleID: the app; nil for the only one.
    /// - Throws: `Failure` where no merchant is known, or it serves no such app.
    init(_ address: StoreAddress, of bundleID: String?) throws {
        guard let merchant = address.merchant else {
            throw Failure.unreachable(
                "No merchant is known here: start one with `perennial dev` or "
                    + "`perennial merchant serve`, or name its ready file with --ready.")
        }
        try self.init(merchant, of: bundleID, usually: address.bundleID)
    }

    /// - Parameter usually: the app that is meant where none is named.
    init(_ merchant: MerchantReady, of bundleID: String?, usually: String? = nil) throws {
        let wanted = bundleID ?? usually
        guard
            let app = merchant.apps.first(where: { $0.bundleID == wanted })
                ?? (bundleID == nil ? merchant.apps.first : nil)
        else {
            throw Failure.refused(
                "The merchant serves no app \(bundleID ?? ""); it serves "
                    + merchant.apps.map(\.bundleID).joined(separator: ", ") + ".")
        }
        self.app = app
        // Only a store delivers notifications that a change could wait for.
        client = StoreClient(
            StoreAddress(url: merchant.url, operatorToken: merchant.operatorToken), waits: false)
    }

    /// A link that opens the merchant's console, once.
    ///
    /// - Parameter now: the machine's clock.
    func consoleLink(now: Instant) -> String {
        let address = client.address
        return address.url + MerchantAccess.link(operatorToken: address.operatorToken, now: now)
    }

    /// Sends a purchase as the app on a device does.
    func take(_ signedTransaction: String, from account: String) async throws -> Answer {
        try await client.ask(
            .POST, StorePath("v1", "apps", app.bundleID, "transactions"),
            StoreClient.members { json in
                json.field("account", account)
                json.field("signedTransaction", signedTransaction)
            }, token: app.appToken)
    }

    /// What an account has.
    func customer(_ account: String) async throws -> Answer {
        try await client.ask(.GET, path(of: account), nil, token: app.serverToken)
    }

    /// What that rests on.
    func why(_ account: String, _ entitlement: String?) async throws -> Answer {
        let path = StorePath("v1", "apps", app.bundleID, "accounts", account, "why")
        return try await client.ask(
            .GET, path.with("entitlement", entitlement), nil, token: app.serverToken)
    }

    /// What has happened to an account's purchases.
    func events(
        _ account: String, entitlement: String?, purchase: String?, environment: String?,
        limit: Int
    ) async throws -> Answer {
        let path = StorePath("v1", "apps", app.bundleID, "accounts", account, "events")
            .with("entitlement", entitlement).with("purchase", purchase)
            .with("environment", environment)
        return try await client.pages(path, list: "events", limit: limit) { path, last in
            path.with("before", try last?.text("id"))
        }
    }

    /// Its health.
    func overview() async throws -> Answer {
        try await client.get(StorePath("v1", "operator", "overview"))
    }

    /// Customers, page after page until there are enough.
    func customers(
        entitlement: String?, state: String?, app: String?, search: String?, limit: Int
    ) async throws -> Answer {
        let path = StorePath("v1", "operator", "customers").with("entitlement", entitlement)
            .with("state", state).with("app", app).with("search", search)
        var found: [Answer] = []
        var next: String?
        repeat {
            let size = min(limit - found.count, 200)
            let page = try await client.get(path.with("after", next).with("limit", String(size)))
            found += try page.list("customers")
            next = page.value["next"]?.string
        } while next != nil && found.count < limit
        var members: [String: JSONValue] = ["customers": .array(found.map(\.value))]
        if let next { members["next"] = .string(next) }
        return Answer(value: .object(members), source: path.text)
    }

    /// What the operator and servers have changed.
    func audit(
        scope: String?, app: String?, operation: String?, subject: String?, limit: Int
    ) async throws -> Answer {
        let path = StorePath("v1", "operator", "audit").with("scope", scope).with("app", app)
            .with("operation", operation).with("subject", subject)
        return try await client.pages(path, list: "entries", limit: limit) { path, last in
            path.with("before", last?.optionalText("id"))
        }
    }

    /// What could not be processed.
    func deadLetters(limit: Int) async throws -> Answer {
        try await client.get(
            StorePath("v1", "operator", "dead-letters").with("limit", String(limit)))
    }

    /// Tries one again.
    func replay(_ number: Int64) async throws -> Answer {
        try await client.send(
            .POST, StorePath("v1", "operator", "dead-letters", String(number), "replay"))
    }

    /// What looks for what was missed have found: the last ones, or those of now.
    func gaps(healing: Bool, since: Instant?) async throws -> Answer {
        guard healing else { return try await client.get(StorePath("v1", "operator", "gaps")) }
        return try await client.send(.POST, StorePath("v1", "operator", "gaps", "heal")) { json in
            json.field("since", since?.iso8601)
        }
    }

    /// Asks the store for a test notification, and whether it arrived.
    func testNotifications() async throws -> Answer {
        try await client.send(.POST, StorePath("v1", "operator", "gaps", "test"))
    }

    /// Begins to rebuild from a list of transactions, a line each.
    func rebuild(_ lines: [String], inSandbox: Bool) async throws -> Answer {
        let environment: String? = inSandbox ? "Sandbox" : nil
        return try await client.send(.POST, StorePath("v1", "operator", "rebuild")) { json in
            json.field("bundleId", app.bundleID)
            json.field("environment", environment)
            json.field("lines", lines)
        }
    }

    /// How far a rebuild is.
    func rebuild(_ number: Int64) async throws -> Answer {
        try await client.get(StorePath("v1", "operator", "rebuild", String(number)))
    }

    /// The lines of a rebuild that brought nothing.
    func failedLines(of number: Int64) async throws -> Answer {
        try await client.get(
            StorePath("v1", "operator", "rebuild", String(number), "failures")
                .with("limit", "200"))
    }

    /// Begins to read the whole history of notifications again.
    func rereadHistory() async throws -> Answer {
        try await client.send(.POST, StorePath("v1", "operator", "rebuild", "history"))
    }

    /// Waits until everything accepted has been processed.
    func settle() async throws -> Answer {
        try await client.send(.POST, StorePath("v1", "operator", "settle"))
    }

    private func path(of account: String) -> StorePath {
        StorePath("v1", "apps", app.bundleID, "accounts", account)
    }
}

extension StoreClient {
    /// Sends what was bought to the merchant beside the store, as the app on a device does.
    ///
    /// - Returns: what the account has there; nil where there is no merchant, or nothing to send.
    func tellMerchant(
        of answer: Answer, by account: String, in app: String
    ) async throws -> Answer? {
        guard address.merchant != nil,
            let transaction = answer.optionalText("signedTransactionInfo")
        else { return nil }
        return try await MerchantClient(address, of: app).take(transaction, from: account)
    }
}
