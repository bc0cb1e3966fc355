import Merchant
import MerchantPages
import MerchantRules
import Store
import SubscriptionRules
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
            let words = text.lowercased()
            for word in ["likely", "usually", "chance", "eligible", "guarantee", "policy"] {
                #expect(!words.contains(word), "\(word)")
            }
        }
    }

    @Test("Help restores what is missing, beside the way to a refund")
    func missing() async throws {
        let world = try await ShopWorld()
        try await world.buy("silver.monthly")
        try await world.signedIn { shopper in
            let help = try await shopper.get("/shop/help")
            #expect(help.text.contains(#"action="/shop/restore""#))
            #expect(help.text.contains(#"href="http://127.0.0.1:8080/account/purchases""#))
            let form = try #require(help.hidden("form"))
            let restored = try await shopper.post("/shop/restore", [("form", form)])
            #expect(restored.location == "/shop/content?done=restore")
            #expect(try await shopper.get("/shop/content").text.contains("Unlocked"))
        }
    }

    @Test("Who has bought nothing sees what is free, and beside what is locked the way to plans")
    func locked() async throws {
        try await ShopWorld().signedIn { shopper in
            let text = try await shopper.get("/shop/content").text
            #expect(text.contains("Free for everybody"))
            #expect(text.contains("You can use this without paying"))
            let locked = text.ranges(of: #"<section id="locked-"#).count
            #expect(locked == 4)
            // One more below them all.
            #expect(text.ranges(of: #"<a href="/shop">"#).count >= locked)
            #expect(text.ranges(of: "See Your Options").count == locked + 1)
        }
    }

    @Test("Who subscribed elsewhere signs in, and is asked for nothing")
    func elsewhere() async throws {
        let world = try await ShopWorld()
        try await world.buy("silver.monthly")
        try await world.signedIn { shopper in
            _ = try await shopper.post("/shop/restore")
            _ = try await shopper.post("/shop/sign-out")
            #expect(try await shopper.get("/shop/content").status == 303)
            let form = [("app", World.bundleID), ("account", "ada")]
            #expect(try await shopper.post("/shop/sign-in", form).status == 303)
            #expect(try await shopper.get("/shop").location == "/shop/plan")
            #expect(try await shopper.get("/shop/content").text.contains("Unlocked"))
        }
    }

    @Test("What is for a while ends by itself, and is offered again")
    func season() async throws {
        let world = try await ShopWorld(setUp: {
            $0.policy.durations = ["season": CalendarPeriod(3, .month)]
        })
        try await world.buy("season")
        try await world.signedIn { shopper in
            _ = try await shopper.post("/shop/restore")
            let before = try await shopper.get("/shop/content").text
            #expect(before.contains("Unlocked"))
            _ = try await world.world.store.advance(to: World.instant("2026-04-02"))
            let after = try await shopper.get("/shop/content").text
            #expect(!after.contains("Unlocked"))
            #expect(after.contains("Your subscription has ended."))
            #expect(after.contains("See Your Options"))
            #expect(try await shopper.get("/shop").text.contains("/account/buy/season"))
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
