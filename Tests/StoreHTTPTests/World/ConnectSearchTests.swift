import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Connect: finding customers and purchases")
struct ConnectSearchTests {
    private static let path = "/connect/v1/search"

    /// What a search finds, as `kind account product`.
    private func found(
        _ client: Client, _ text: String, _ more: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let asked = text.utf8.map { byte in
            "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        let reply = try await client.ours(
            .get, "\(Self.path)?q=\(asked)\(more)", sourceLocation: sourceLocation)
        #expect(reply.status == 200, "\(reply.text)", sourceLocation: sourceLocation)
        return (reply["matches"]?.array ?? []).map { match in
            ["kind", "account", "productId"].compactMap { match[$0]?.string }
                .joined(separator: " ")
        }
    }

    @Test("Accounts are found by their beginning, letter by letter", arguments: Backend.available)
    func accounts(_ backend: Backend) async throws {
        try await HTTPWorld(backend, isListening: false).with { client in
            for account in [
                "ada", "Ada", "adam", "ad", "bob", "100%", "1000", "a_b", "axb", "ähre", "äh",
                "zoë", "日本", "日本語", "ada lovelace",
            ] {
                _ = try await client.signIn(account)
            }
            for (text, accounts) in [
                ("ad", ["ad", "ada", "ada lovelace", "adam"]),
                ("ada", ["ada", "ada lovelace", "adam"]),
                ("Ad", ["Ada"]), ("adA", []), ("100%", ["100%"]), ("a_", ["a_b"]), ("%", []),
                ("_", []), ("äh", ["äh", "ähre"]), ("日", ["日本", "日本語"]), ("zo", ["zoë"]),
                ("b", ["bob"]), ("ob", []), ("nobody", []), (" ", []), ("'", []), ("\\", []),
                ("ada ", ["ada lovelace"]),
            ] {
                let expected = accounts.map { "account \($0)" }
                #expect(try await found(client, text).sorted() == expected.sorted(), "\(text)")
            }
            #expect(try await found(client, "ad", "&limit=2").count == 2)
        }
    }

    @Test(
        "A number finds what it names: a subscription, a transaction or an order",
        arguments: Backend.available)
    func numbers(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let bought = try await client.buy("silver.monthly", as: token)
            let coins = try await client.buy("coins", as: token)
            _ = try await world.world.store.advance(to: World.instant("2026-02-01"))
            let history = try await world.world.history(bought.transactionId)
            let renewal = try #require(history.last?.transactionId)
            #expect(renewal != bought.transactionId)
            let id = try #require(Int64(bought.transactionId))
            for (text, kind) in [
                (bought.transactionId, "subscription"), (renewal, "transaction"),
                (OrderID.text(id), "order"),
            ] {
                let match = try await client.ours(.get, "\(Self.path)?q=\(text)")["matches"]?
                    .array?.first
                #expect(match?["kind"]?.string == kind, "\(text)")
                #expect(match?["account"]?.string == "ada")
                #expect(match?["productId"]?.string == "silver.monthly")
                #expect(match?["originalTransactionId"]?.string == bought.transactionId)
                #expect(match?["state"]?.string == "active")
                #expect(match?["nextEvent"]?.string == "2026-03-01T00:00:00Z")
            }
            let match = try await client.ours(.get, "\(Self.path)?q=\(coins.transactionId)")[
                "matches"]?.array?.first
            #expect(match?["kind"]?.string == "transaction")
            #expect(match?["productId"]?.string == "coins")
            #expect(match?["originalTransactionId"] == nil)
            #expect(match?["state"] == nil)
            for text in [
                "\(id + 1_000_000)", String("\(id)".dropLast()), "-1", "0", "99999999999999999999",
                OrderID.text(id).lowercased(), "M", "0\(id)",
            ] where text != "0\(id)" {
                #expect(try await found(client, text).isEmpty, "\(text)")
            }
        }
        // The other environment has none of it.
        try await world.with(.sandbox) { client in
            let matches = try await found(client, "ada")
            #expect(matches.isEmpty)
        }
    }

    @Test(
        "Each number of a subscription shows its newest product",
        arguments: Backend.available)
    func newestProduct(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let silver = try await client.buy("silver.monthly", as: token)
            let gold = try await client.buy("gold.monthly", as: token)
            #expect(gold.transactionId != silver.transactionId)
            let id = try #require(Int64(silver.transactionId))
            for text in [silver.transactionId, gold.transactionId, OrderID.text(id)] {
                let match = try await client.ours(.get, "\(Self.path)?q=\(text)")["matches"]?
                    .array?.first
                #expect(match?["productId"]?.string == "gold.monthly", "\(text)")
                #expect(match?["originalTransactionId"]?.string == silver.transactionId)
            }
        }
    }

    @Test(
        "A product finds the subscriptions to it that are not over", arguments: Backend.available)
    func products(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with { client in
            for account in ["ada", "bob", "cy", "silver.monthly fan"] {
                try await client.buy("silver.monthly", as: try await client.signIn(account))
            }
            try await client.buy("gold.monthly", as: try await client.signIn("dora"))
            let ended = try await client.ours(.get, "\(Self.path)?q=silver.monthly&limit=200")
            let second = ended["matches"]?.array?.filter { $0["account"]?.string == "bob" }.first
            let id = try #require(second?["originalTransactionId"]?.string)
            let reply = try await client.ours(.post, "/connect/v1/subscriptions/\(id)/expire")
            #expect(reply.status == 204)
            let open = try await found(client, "silver.monthly")
            #expect(
                open == [
                    "account silver.monthly fan", "product ada silver.monthly",
                    "product cy silver.monthly", "product silver.monthly fan silver.monthly",
                ])
            #expect(try await found(client, "silver.monthly", "&limit=2").count == 2)
            #expect(try await found(client, "silver.month").count == 1)
            #expect(try await found(client, "coins").isEmpty)
        }
        try await world.with(.sandbox) { client in
            let matches = try await found(client, "silver.monthly")
            #expect(matches.isEmpty)
        }
    }

    @Test(
        "A search that cannot be meant is refused", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        try await HTTPWorld(backend, isListening: false).with { client in
            for query in [
                "?q=", "?q=\(String(repeating: "a", count: 257))", "?q=a&limit=0",
                "?q=a&limit=201", "?q=a&limit=x", "?q=a&q=b", "?query=a",
            ] {
                let reply = try await client.ours(.get, "\(Self.path)\(query)")
                #expect(reply.status == 400, "\(query)")
            }
            let nothing = try await client.ours(.get, Self.path)
            #expect(nothing["matches"]?.array?.isEmpty == true)
            #expect(try await client.ours(.get, "\(Self.path)?q=a", as: .nothing).status == 401)
            // What no name can have is found nowhere, and never fails.
            for query in ["?q=%00", "?q=a%00b", "?q=%FF%FE", "?q=%F4%8F%BF%BF", "?q=%EF%BF%BF"] {
                let reply = try await client.send(.get, "\(Self.path)\(query)", as: .operatorToken)
                #expect([200, 400].contains(reply.status), "\(query): \(reply.text)")
            }
        }
    }
}
