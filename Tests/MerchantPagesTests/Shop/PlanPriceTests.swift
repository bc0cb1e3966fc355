import HTTPTypes
import Storage
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Shop: what a subscriber pays")
struct PlanPriceTests {
    /// A subscriber whose purchase the merchant has from the app alone, so that nobody has said
    /// yet what the next period costs.
    private func open(
        _ product: String, _ backend: Backend = .sqlite,
        _ body: @escaping @Sendable (Browser) async throws -> Void
    ) async throws {
        let world = try await ShopWorld(backend)
        try await world.buy(product)
        try await world.signedIn { shopper in
            let sight = try await shopper.post("/shop/restore")
            #expect(sight.location == "/shop/content?done=restore")
            try await body(shopper)
        }
    }

    /// The store has said that all that was bought renews.
    private func renew(_ world: ShopWorld, at price: Int64) async throws {
        try await world.database.write { session in
            try session.execute(
                """
                INSERT INTO renewal_register (purchase, next_product_id, renews,
                    is_in_billing_retry, renewal_price, currency, signed_at, rank, digest, source,
                    signed_text)
                SELECT id, 'silver.monthly', 1, 0, \(price), 'USD', 1767225600000, 0, 'digest',
                    'test', 'text' FROM purchase
                """)
        }
    }

    @Test(
        "The plan says what it costs, with the length of its period, in every language",
        arguments: [
            ("en", "Price"), ("de", "Preis"), ("fr", "Prix"), ("es", "Precio"), ("ja", "価格"),
            ("ar", "السعر"),
        ])
    func languages(language: String, label: String) async throws {
        try await open("silver.monthly") { shopper in
            let sight = try await shopper.get("/shop/plan", [.acceptLanguage: language])
            #expect(sight.status == 200)
            #expect(sight.text.contains(label))
            #expect(sight.text.replacing(",", with: ".").contains("9.99"))
        }
    }

    @Test("So does the form for a watch, on both databases", arguments: Backend.available)
    func compact(_ backend: Backend) async throws {
        try await open("silver.monthly", backend) { shopper in
            let sight = try await shopper.get("/shop/compact")
            #expect(sight.text.contains("$9.99 per month"))
        }
    }

    @Test("Once the store has said so, it is the price of the next period")
    func next() async throws {
        let world = try await ShopWorld()
        try await world.buy("silver.monthly")
        try await world.signedIn { shopper in
            _ = try await shopper.post("/shop/restore")
            #expect(try await !shopper.get("/shop/plan").text.contains("Next price"))
            try await renew(world, at: 9_990)
            let sight = try await shopper.get("/shop/plan")
            #expect(sight.text.contains("Next price"))
            #expect(sight.text.contains("$9.99 per month"))
            #expect(sight.text.contains("Next billing date"))
        }
    }

    @Test("Manage, redeem and restore stand beside each other on the plan")
    func ways() async throws {
        try await open("silver.monthly") { shopper in
            let text = try await shopper.get("/shop/plan").text
            for way in ["Manage Subscription", "Redeem Code", "Restore Purchases"] {
                #expect(text.contains(way), "\(way)")
            }
        }
    }

    @Test("An offer's price stands alone, for its period may be another")
    func offer() async throws {
        let world = try await ShopWorld()
        try await world.buy("silver.monthly")
        try await world.signedIn { shopper in
            _ = try await shopper.post("/shop/restore")
            try await renew(world, at: 4_990)
            let sight = try await shopper.get("/shop/plan")
            #expect(sight.text.contains("$4.99"))
            #expect(!sight.text.contains("$4.99 per month"))
        }
    }

    @Test("Whoever has no subscription reads of no price")
    func nothing() async throws {
        try await ShopWorld().signedIn { shopper in
            let sight = try await shopper.get("/shop/plan")
            #expect(!sight.text.contains("Next price"))
            #expect(!sight.text.contains("$9.99"))
        }
    }
}
