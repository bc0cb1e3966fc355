import MerchantPages
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Shop: what is unlocked")
struct ContentTests {
    @Test(
        "Content says that it is locked, then why it is unlocked, on both databases",
        arguments: Backend.available)
    func unlocks(_ backend: Backend) async throws {
        let world = try await ShopWorld(backend)
        try await world.buy("silver.monthly")
        try await world.signedIn { shopper in
            let before = try await shopper.get("/shop/content").text
            #expect(before.contains("Garden Club"))
            #expect(before.contains("You have not bought it."))
            #expect(!before.contains("Unlocked"))
            _ = try await shopper.post("/shop/restore")
            let after = try await shopper.get("/shop/content").text
            #expect(after.contains("Unlocked"))
            #expect(after.contains("Your purchase is paid."))
        }
    }

    @Test("Looking at pages changes nothing at the merchant")
    func looking() async throws {
        let world = try await ShopWorld()
        try await world.buy("silver.monthly")
        let before = try await Tables(
            world.database, named: ["account", "purchase", "transaction_register", "binding"])
        try await world.signedIn { shopper in
            for path in ["/shop", "/shop/content", "/shop/plan", "/shop/price", "/shop/help"] {
                let page = try await shopper.get(path)
                #expect(page.status == 200, "\(path)")
            }
        }
        let after = try await Tables(
            world.database, named: ["account", "purchase", "transaction_register", "binding"])
        #expect(after.differences(from: before) == [])
    }

    @Test("Restoring says so where there is nothing")
    func nothingToRestore() async throws {
        try await ShopWorld().signedIn { shopper in
            let sight = try await shopper.post("/shop/restore")
            #expect(sight.location == "/shop/content?done=restoreNothing")
        }
    }

    @Test("Help has its five parts and names no odds of a refund")
    func help() async throws {
        try await ShopWorld().signedIn { shopper in
            let text = try await shopper.get("/shop/help").text
            for part in [
                "Missing a Purchase", "Frequently Asked Questions", "Request a Refund",
                "Submit Feedback", "Contact Us",
            ] { #expect(text.contains(part), "\(part)") }
        }
    }

    @Test("A sheet that there is not is refused, and its page says that there is no news")
    func noSheet() async throws {
        try await ShopWorld().signedIn { shopper in
            #expect(try await shopper.get("/shop/price").text.contains("no news"))
            for id in ["1", "x"] {
                let sight = try await shopper.post("/shop/price/\(id)", [("action", "agree")])
                #expect(sight.status == 404, "\(id)")
            }
        }
    }
}
