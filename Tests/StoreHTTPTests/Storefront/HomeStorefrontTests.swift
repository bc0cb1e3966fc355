import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Where an app is at home, and its prices")
struct HomeStorefrontTests {
    private static let app = "/connect/v1/apps/\(World.bundleID)"

    /// A store that sells what a file for Norway has.
    private func norway() async throws -> HTTPWorld {
        let world = try await HTTPWorld(catalogue: Catalogue())
        try await world.with { client in
            let imported = try await client.ours(
                .put, "\(Self.app)/catalogue",
                ConnectTests.configuration(price: "99.00", storefront: "NOR"))
            #expect(imported["storefront"] == .string("NOR"))
        }
        return world
    }

    @Test(
        "Who names no storefront buys in the currency of the imported file",
        arguments: StoreEnvironment.allCases)
    func signIn(environment: StoreEnvironment) async throws {
        let world = try await norway()
        try await world.with(environment) { client in
            let signedIn = try await client.ours(
                .post, "/storefront/v1/sign-in",
                #"{"bundleId":"com.example.app","account":"ada"}"#, as: .nothing)
            #expect(signedIn["storefront"] == .string("NOR"))
            let token = try #require(signedIn["token"]?.string)
            let shown = try await client.ours(
                .get, "/storefront/v1/products", as: .bearer(token))
            #expect(shown["storefront"] == .string("NOR"))
            #expect(shown["currency"] == .string("NOK"))
            let bought = try await client.ours(
                .post, "/storefront/v1/purchases", #"{"productId":"gems"}"#, as: .bearer(token))
            let signed = try #require(bought["signedTransactionInfo"]?.string)
            let transaction: JWSTransactionDecodedPayload = try JWSText.decode(signed)
            #expect(transaction.storefront == "NOR")
            #expect(transaction.currency == "NOK")
            let named = try await client.ours(
                .post, "/storefront/v1/sign-in",
                #"{"bundleId":"com.example.app","account":"bea","storefront":"USA"}"#,
                as: .nothing)
            #expect(named["storefront"] == .string("USA"))
        }
    }

    @Test("The operator sees the app's storefront and moves it; who is there stays")
    func setting() async throws {
        let world = try await norway()
        try await world.with { client in
            let app = try await client.ours(.get, Self.app)
            #expect(app["storefront"] == .string("NOR"))
            let catalogue = try await client.ours(.get, "\(Self.app)/catalogue")
            #expect(catalogue["storefront"] == .string("NOR"))
            #expect(catalogue["currency"] == .string("NOK"))
            let body = #"{"bundleId":"com.example.app","account":"ada"}"#
            _ = try await client.ours(.post, "/storefront/v1/sign-in", body, as: .nothing)
            let moved = try await client.ours(.patch, Self.app, #"{"storefront":"DEU"}"#)
            #expect(moved["storefront"] == .string("DEU"))
            let again = try await client.ours(.post, "/storefront/v1/sign-in", body, as: .nothing)
            #expect(again["storefront"] == .string("NOR"))
            let other = try await client.ours(
                .post, "/storefront/v1/sign-in",
                #"{"bundleId":"com.example.app","account":"bea"}"#, as: .nothing)
            #expect(other["storefront"] == .string("DEU"))
        }
    }

    @Test("Prices are listed where there is something to say, or where it is asked")
    func prices() async throws {
        let world = try await norway()
        try await world.with { client in
            let plus = "\(Self.app)/products/plus.monthly"
            for (path, body) in [
                ("\(plus)/prices/JPN", #"{"price":1500000}"#),
                ("\(plus)/availability", #"{"forSale":false,"storefront":"DEU"}"#),
                ("\(Self.app)/products/gems/availability", #"{"forSale":false}"#),
            ] { #expect(try await client.ours(.put, path, body).status == 204) }
            let before = try await world.everything()
            let alone = try await client.ours(
                .put, "\(Self.app)/products/gems/availability",
                #"{"forSale":true,"storefront":"DEU"}"#)
            #expect(alone.status == 409)
            #expect(alone.complaint == "offSaleEverywhere")
            #expect(try await world.everything() == before)
            func list(_ query: String) async throws -> [String] {
                let reply = try await client.ours(.get, "\(Self.app)/prices\(query)")
                #expect(reply.status == 200, "\(reply.text)")
                return try #require(reply["prices"]?.array).map { price in
                    let own = price["isOwn"]?.bool == true ? " own" : ""
                    let sold = price["forSale"]?.bool == true ? "" : " off"
                    return
                        "\(price["productId"]?.string ?? "") \(price["storefront"]?.string ?? "")"
                        + " \(price["price"]?.integer ?? -1) \(price["currency"]?.string ?? "")"
                        + own + sold
                }
            }
            #expect(
                try await list("") == [
                    "gems NOR 1000 NOK off", "plus.monthly NOR 99000 NOK",
                    "plus.monthly DEU 99000 EUR off", "plus.monthly JPN 1500000 JPY own",
                ])
            #expect(try await list("?product=gems") == ["gems NOR 1000 NOK off"])
            #expect(
                try await list("?product=plus.monthly&storefront=JPN&storefront=USA") == [
                    "plus.monthly JPN 1500000 JPY own", "plus.monthly USA 99000 USD",
                ])
            for (query, status, code) in [
                ("?product=none", 404, "unknownProduct"), ("?storefront=ZZZ", 400, "invalidMember"),
                ("?limit=1", 400, "unknownParameter"),
            ] {
                let reply = try await client.ours(.get, "\(Self.app)/prices\(query)")
                #expect(reply.status == status)
                #expect(reply.complaint == code)
            }
            let nobody = try await client.ours(.get, "/connect/v1/apps/com.example.no/prices")
            #expect(nobody.complaint == "unknownApp")
        }
    }
}
