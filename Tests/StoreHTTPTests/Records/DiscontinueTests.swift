import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Connect: products that are deleted")
struct DiscontinueTests {
    private static let app = "/connect/v1/apps/\(World.bundleID)"
    private static let product = "\(app)/products/silver.monthly"

    @Test("A product is taken off sale and deleted, and stays known to those who have it")
    func delete() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let bought = try await client.ours(
                .post, "/storefront/v1/purchases", #"{"productId":"silver.monthly"}"#,
                as: .bearer(token))
            #expect(bought.status == 200)
            let early = try await client.ours(.delete, Self.product)
            #expect(early.status == 409)
            #expect(early.complaint == "stillForSale")
            _ = try await client.ours(.put, "\(Self.product)/availability", #"{"forSale":false}"#)
            #expect(try await client.ours(.delete, Self.product).status == 204)
            let read = try await client.ours(.get, "\(Self.app)/catalogue")
            let product = read["products"]?.array?.first { $0["id"] == .string("silver.monthly") }
            #expect(product?["deleted"] == .string("2026-01-01T00:00:00Z"))
            #expect(product?["forSale"] == .bool(false))
            let count = try await client.ours(.get, Self.app)["productCount"]
            #expect(count == .integer(Int64(SampleCatalogue.all.products.count - 1)))
            let customer = try await client.ours(.get, "/connect/v1/customers/ada")
            let subscription = try #require(customer["subscriptions"]?.array?.first)
            #expect(subscription["productDeleted"] == .string("2026-01-01T00:00:00Z"))
            #expect(subscription["nextForSale"] == .bool(false))
            #expect(subscription["entitled"] == .bool(true))
            let shown = try await client.ours(
                .get, "/storefront/v1/subscriptions", as: .bearer(token))
            #expect(shown["subscriptions"]?.array?.count == 1)
            let prices = try await client.ours(.get, "\(Self.app)/prices")["prices"]?.array
            #expect(prices?.contains { $0["productId"] == .string("silver.monthly") } == false)
            let named = try await client.ours(.get, "\(Self.app)/prices?product=silver.monthly")
            #expect(named["prices"]?.array?.first?["forSale"] == .bool(false))
        }
    }

    @Test("What was deleted is refused by its code, and nothing changes")
    func refused() async throws {
        let world = try await HTTPWorld(catalogue: Catalogue())
        try await world.with { client in
            let file = ConnectTests.configuration(price: "4.99")
            _ = try await client.ours(.put, "\(Self.app)/catalogue", file)
            let gems = "\(Self.app)/products/gems"
            _ = try await client.ours(.put, "\(gems)/availability", #"{"forSale":false}"#)
            #expect(try await client.ours(.delete, gems).status == 204)
            let before = try await world.everything()
            let calls: [(HTTPRequest.Method, String, String?)] = [
                (.delete, gems, nil), (.put, "\(gems)/availability", #"{"forSale":true}"#),
                (.put, "\(gems)/prices/USA", #"{"price":990}"#),
                (.put, "\(gems)/price-changes/USA", #"{"price":990}"#),
            ]
            for (method, path, body) in calls {
                let reply = try await client.ours(method, path, body)
                #expect(reply.status == 409, "\(method) \(path) \(reply.text)")
                #expect(reply.complaint == "productDeleted", "\(method) \(path)")
            }
            let imported = try await client.ours(.put, "\(Self.app)/catalogue", file)
            #expect(imported.complaint == "invalidCatalogue")
            let finding = imported["findings"]?.array?.first
            #expect(finding?["path"] == .string("$.products[0].productID"))
            #expect(finding?["message"]?.string?.contains("was deleted") == true)
            for path in ["\(Self.app)/products/nothing", "/connect/v1/apps/nobody/products/gems"] {
                #expect(try await client.ours(.delete, path).status == 404)
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("Whether Sandbox ignores availability is a setting of the app")
    func sandbox() async throws {
        let world = try await HTTPWorld()
        try await world.with(.sandbox) { client in
            let token = try await client.signIn()
            _ = try await client.ours(
                .put, "\(Self.app)/products/coins/availability", #"{"forSale":false}"#)
            func buy() async throws -> Int {
                try await client.ours(
                    .post, "/storefront/v1/purchases", #"{"productId":"coins"}"#,
                    as: .bearer(token)
                ).status
            }
            #expect(
                try await client.ours(.get, Self.app)["sandboxIgnoresAvailability"] == .bool(true))
            #expect(try await buy() == 200)
            let set = try await client.ours(
                .patch, Self.app, #"{"sandboxIgnoresAvailability":false}"#)
            #expect(set["sandboxIgnoresAvailability"] == .bool(false))
            #expect(try await buy() == 409)
        }
    }
}
