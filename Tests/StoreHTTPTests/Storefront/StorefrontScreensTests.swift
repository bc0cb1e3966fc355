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

    @Test("A paywall before the sign-in: an app's products in a storefront, about no customer")
    func beforeSigningIn() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let path = "\(Self.path)/products?bundleId=com.example.app"
            let shown = try await client.ours(.get, path, as: .nothing)
            #expect(shown["storefront"] == .string("USA"))
            #expect(shown["canMakePayments"] == nil)
            let token = try await client.signIn()
            let own = try await client.ours(.get, "\(Self.path)/products", as: .bearer(token))
            #expect(shown["products"] == own["products"])
            // Whoever had the offer is shown without a customer what new customers have.
            try await client.buy("silver.trial", as: token)
            let again = try await client.ours(.get, path, as: .bearer(token))
            #expect(again["products"] == shown["products"])
            let japan = try await client.ours(
                .get, "\(path)&storefront=JPN&locale=ja&id=silver.trial", as: .nothing)
            #expect(japan["currency"] == .string("JPY"))
            #expect(japan["products"]?.array?.count == 1)
            #expect(japan["products"]?.array?.first?["price"] == .integer(10_000))
        }
    }

    @Test(
        "Products without a customer are refused by the parameter's name",
        arguments: [
            ("?bundleId=com.example.none", 404, "unknownApp"),
            ("?bundleId=com.example.app&storefront=US", 400, "invalidMember"),
            ("?bundleId=com.example.app&bundleId=com.example.app", 400, "invalidMember"),
            ("?storefront=USA", 401, "unauthenticated"), ("?bundleid=x", 401, "unauthenticated"),
        ])
    func beforeSigningInRefused(query: String, status: Int, code: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let reply = try await client.ours(.get, "\(Self.path)/products\(query)", as: .nothing)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.complaint == code)
        }
    }

    @Test("A paywall shows promotional and win-back offers: identifier, name, mode and price")
    func offers() async throws {
        func offer(_ kind: Offer.Kind, _ id: String, isMonthly: Bool = false) -> Offer {
            Offer(
                kind: kind, id: id, referenceName: kind == .promotional ? "Ref \(id)" : "",
                mode: .payAsYouGo, period: .month, periodCount: 2, basePrice: 1990,
                isForMonthlyBilling: isMonthly)
        }
        var later = offer(.promotional, "later")
        later.availability.begins = World.instant("2027-01-01T00:00:00Z")
        var abroad = offer(.winBack, "abroad")
        abroad.availability.storefronts = ["JPN"]
        var catalogue = SampleCatalogue.all
        let place = try #require(
            catalogue.products.firstIndex { $0.id == "silver.monthly" })
        catalogue.products[place].subscription?.offers += [
            offer(.promotional, "loyal"), later, offer(.winBack, "back"), abroad,
            offer(.offerCode, "secret"),
        ]
        let world = try await HTTPWorld(catalogue: catalogue, isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let path = "\(Self.path)/products?id=silver.monthly"
            for (path, credential) in [
                (path, Client.Credential.bearer(token)),
                (path + "&bundleId=com.example.app", .nothing),
            ] {
                let reply = try await client.ours(.get, path, as: credential)
                let shown = reply["products"]?.array?.first?["subscription"]
                #expect(
                    shown?["promotionalOffers"]
                        == (try? JSONValue(
                            parsing: Array(
                                #"""
                                [{"id":"loyal","name":"Ref loyal","mode":"PAY_AS_YOU_GO",
                                  "period":"P1M","periodCount":2,"price":1990}]
                                """#.utf8))))
                #expect(shown?["winBackOffers"]?.array?.compactMap { $0["id"]?.string } == ["back"])
                #expect(shown?["winBackOffers"]?.array?.first?["name"] == nil)
                #expect(!reply.text.contains("secret"))
            }
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
