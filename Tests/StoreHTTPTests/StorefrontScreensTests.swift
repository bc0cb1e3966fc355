import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

/// What the screens of an app show, out of what a device is told.
@Suite("Storefront: what screens need")
struct StorefrontScreensTests {
    private static let path = "/storefront/v1"

    /// Such as `silver.trial 9990 USD, P1M, first FREE_TRIAL 1 × P1W 0`.
    private static func line(_ product: JSONValue) -> String {
        var words = [
            product["id"]?.string, product["price"]?.integer.map(String.init),
            product["currency"]?.string,
        ].compactMap { $0 }.joined(separator: " ")
        if product["familyShareable"] == .bool(true) { words += ", shareable" }
        guard let subscription = product["subscription"] else { return words }
        words += ", \(subscription["period"]?.string ?? "no period")"
        guard let offer = subscription["introductoryOffer"] else { return words }
        let parts = [
            offer["mode"]?.string, offer["periodCount"]?.integer.map { "\($0) ×" },
            offer["period"]?.string, offer["price"]?.integer.map(String.init),
        ].compactMap { $0 }.joined(separator: " ")
        return "\(words), first \(parts)"
    }

    @Test("Signing up: everything has its whole price, its length, and what an offer costs first")
    func signingUp() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let reply = try await client.ours(.get, "\(Self.path)/products", as: .bearer(token))
            #expect(
                try #require(reply["products"]?.array).map(Self.line) == [
                    "gold.monthly 19990 USD, P1M", "silver.monthly 9990 USD, P1M",
                    "silver.yearly 99990 USD, P1Y", "silver.other 8990 USD, P1M",
                    "bronze.monthly 4990 USD, P1M", "bronze.weekly 990 USD, P1W",
                    "silver.trial 9990 USD, P1M, first FREE_TRIAL 1 × P1W 0",
                    "silver.intro 9990 USD, P1M, first PAY_AS_YOU_GO 3 × P1M 1990",
                    "silver.upfront 9990 USD, P1M, first PAY_UP_FRONT 1 × P6M 29990",
                    "news.monthly 2990 USD, P1M", "coins 990 USD", "lifetime 49990 USD, shareable",
                    "season 14990 USD",
                ])
        }
    }

    @Test("Managing: the plan, its level, the day and price of the next charge, and other plans")
    func managing() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            try await client.buy("silver.intro", as: token)
            let list = try await client.ours(
                .get, "\(Self.path)/subscriptions", as: .bearer(token))
            let subscription = try #require(list["subscriptions"]?.array?.first)
            #expect(subscription["productId"] == .string("silver.intro"))
            #expect(subscription["autoRenew"] == .bool(true))
            // Until then a customer who cancels keeps access.
            #expect(subscription["expires"] == .string("2026-02-01T00:00:00Z"))
            let renewal = try await client.verifier().verifyRenewalInfo(
                try #require(subscription["signedRenewalInfo"]?.string))
            #expect(renewal.renewalDate == World.instant("2026-02-01").milliseconds)
            #expect(renewal.renewalPrice == 1_990)
            let products = try #require(
                try await client.ours(.get, "\(Self.path)/products", as: .bearer(token))[
                    "products"]?.array)
            let plans = products.filter {
                $0["subscription"]?["groupId"] == subscription["subscriptionGroupIdentifier"]
            }
            #expect(plans.count == 9)
            let levels = plans.map { $0["subscription"]?["level"]?.integer }
            #expect(levels == [1, 2, 2, 2, 3, 3, 2, 2, 2])
        }
    }

    @Test(
        "Asking for a refund: each purchase has its name, price and day, and one call asks",
        arguments: ["coins", "lifetime", "season", "silver.monthly"])
    func askingForRefund(product: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let bought = try await client.buy(product, as: token)
            let list = try await client.ours(
                .get, "\(Self.path)/transactions", as: .bearer(token))
            let one = try #require(list["transactions"]?.array?.first)
            #expect(one["productId"] == .string(product))
            let transaction = try await client.verifier().verifyTransaction(
                try #require(one["signedTransactionInfo"]?.string))
            #expect(transaction.price == bought.price)
            #expect(transaction.purchaseDate == World.instant("2026-01-01").milliseconds)
            let shown = try await client.ours(
                .get, "\(Self.path)/products?id=\(product)", as: .bearer(token))
            let texts = try #require(shown["products"]?.array?.first)
            #expect(texts["displayName"]?.string == product)
            #expect(texts["description"]?.string != nil)
            // Finished or not: what the developer does with it is no barrier.
            _ = try await client.ours(
                .post, "\(Self.path)/transactions/\(bought.transactionId)/finish",
                as: .bearer(token))
            let asked = try await client.ours(
                .post, "\(Self.path)/transactions/\(bought.transactionId)/refund-request",
                #"{"reason":"FULFILLMENT_ISSUE"}"#, as: .bearer(token))
            #expect(asked.status == 202)
            #expect(asked["state"] == .string("open"))
            // Within the 48 hours that Apple's sheet names.
            #expect(asked["decides"] == .string("2026-01-01T12:00:00Z"))
        }
    }
}
