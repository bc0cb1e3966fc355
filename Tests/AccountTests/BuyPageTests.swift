import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: the confirmation page of every purchase")
struct BuyPageTests {
    private func set(_ body: String, _ browser: Browser) async throws {
        let sight = try await browser.call(
            .patch, "/connect/v1/customers/ada", body, token: AccountWorld.operatorToken)
        #expect(sight.status == 200, "\(sight.text)")
    }

    private func purchases(_ world: AccountWorld) async throws -> Int {
        try await world.world.store.ledger(after: 0, limit: 10, in: .production).count
    }

    @Test(
        "Looking at it buys nothing, and its button buys once",
        arguments: Backend.available, StoreEnvironment.allCases)
    func buy(_ backend: Backend, _ environment: StoreEnvironment) async throws {
        let world = try await AccountWorld(backend)
        try await world.signedIn(environment) { browser in
            let before = try await world.tables()
            let page = try await browser.get("/account/buy/silver.monthly")
            expectSafe(page)
            for text in [
                "Subscribe to silver.monthly", "$9.99 per month", "Charged today", "ada",
                "It renews by itself until you cancel.", "Terms and Conditions",
            ] {
                #expect(page.words.contains(text), "\(text)")
            }
            #expect(try await world.changes(since: before) == [])
            let one = try await browser.submit(page, to: "/account/buy/silver.monthly")
            let other = try await browser.submit(page, to: "/account/buy/silver.monthly")
            #expect(one.status == 303)
            #expect(one.location == other.location)
            let shown = try await browser.get(try #require(one.location))
            #expect(shown.words.contains("You’re all set."))
            #expect(
                try await world.world.store.ledger(after: 0, limit: 10, in: environment).count == 1
            )
        }
    }

    /// Silver with a name for customers.
    private static let named: Catalogue = {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices
        where catalogue.products[place].id == "silver.monthly" {
            catalogue.products[place].localizations = [
                Localization(
                    locale: "en_US", displayName: "The Silver Garden", description: "Ten plants.")
            ]
        }
        return catalogue
    }()

    @Test("The display name stands in the dialogue that sells it and on the page that manages it")
    func displayName() async throws {
        let world = try await AccountWorld(catalogue: Self.named)
        try await world.signedIn { browser in
            let page = try await browser.get("/account/buy/silver.monthly")
            #expect(page.words.contains("Subscribe to The Silver Garden"))
        }
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            for path in ["/account", "/account/subscriptions/\(id)"] {
                let page = try await browser.get(path)
                #expect(page.words.contains("The Silver Garden"), "\(path)")
                #expect(!page.words.contains("silver.monthly"), "\(path)")
            }
        }
    }

    @Test("A trial says its length, what comes after, and on which day it is charged")
    func trial() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            let page = try await browser.get("/account/buy/silver.trial")
            for text in [
                "Free for 1 week, then $9.99 per month.", "$0.00",
                "$9.99 per month is charged by itself on January 8, 2026",
            ] {
                #expect(page.words.contains(text), "\(text)")
            }
        }
    }

    @Test(
        "Each kind of purchase says what sets it apart",
        arguments: [
            ("coins", "You use it up, and can buy it again."),
            ("lifetime", "You buy it once and keep it."),
            ("season", "It ends by itself and does not renew."),
        ])
    func kinds(product: String, sentence: String) async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            let page = try await browser.get("/account/buy/\(product)")
            #expect(page.words.contains("Buy \(product)"))
            #expect(page.words.contains(sentence))
            expectSafe(page)
        }
    }

    @Test("What is declined is said on the page, and nothing is bought")
    func declined() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            try await world.world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: "ada", in: .production)
            let page = try await browser.get("/account/buy/coins")
            #expect(page.status == 200)
            let sight = try await browser.submit(page, to: "/account/buy/coins")
            #expect(sight.status == 402)
            #expect(sight.words.contains("Your payment method was declined."))
            #expect(try await purchases(world) == 0)
        }
    }

    @Test("A child's purchase waits for the family, and the page does not thank for it")
    func pending() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            try await set(#"{"asksToBuy":true}"#, browser)
            let page = try await browser.get("/account/buy/coins")
            #expect(page.words.contains("Somebody in your family has to approve it first."))
            let sight = try await browser.submit(page, to: "/account/buy/coins")
            let shown = try await browser.get(try #require(sight.location))
            #expect(shown.words.contains("Your family was asked to approve it."))
            #expect(!shown.words.contains("You’re all set."))
            #expect(try await purchases(world) == 0)
            let missing = try await browser.get("/account/help/missing")
            #expect(missing.words.contains("Your family was asked to approve it."))
        }
    }

    @Test("What was interrupted is settled by a button, and bought then")
    func interrupted() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            try await set(#"{"interruptsPurchases":true}"#, browser)
            let page = try await browser.get("/account/buy/coins")
            let sight = try await browser.submit(page, to: "/account/buy/coins")
            #expect(sight.status == 409)
            #expect(sight.words.contains("Settle and Buy"))
            #expect(sight.form(to: "/account/buy/coins") == nil, "it would be bought twice")
            #expect(try await purchases(world) == 0)
            let action = try #require(
                sight.markup.compactMap { $0.attributes["action"] }
                    .first { $0.hasSuffix("/settle") })
            let settled = try await browser.submit(sight, to: action)
            #expect(settled.status == 303)
            #expect(try await purchases(world) == 1)
            let again = try await browser.post(action)
            #expect(again.status == 409)
        }
    }

    @Test("Who may pay for nothing sees why, and no button")
    func hidden() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            try await set(#"{"canMakePayments":false}"#, browser)
            let page = try await browser.get("/account/buy/silver.monthly")
            #expect(page.words.contains("This account may not pay for anything."))
            #expect(page.form(to: "/account/buy/silver.monthly") == nil)
            let sight = try await browser.post("/account/buy/silver.monthly", [("charged", "9990")])
            #expect(sight.status == 403)
        }
    }

    @Test("What has another price than the page said, or is not sold, is refused")
    func refused() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let before = try await world.tables()
            for (product, charged, status) in [
                ("coins", "1", 409), ("none", "990", 404), ("coins?quantity=11", "990", 400),
            ] {
                let sight = try await browser.post(
                    "/account/buy/\(product)",
                    [("charged", charged)]
                        + (product.hasSuffix("11") ? [("quantity", "11")] : []))
                #expect(sight.status == status, "\(product)")
            }
            let owned = try await browser.get("/account/buy/silver.monthly")
            #expect(owned.words.contains("You are subscribed to this already."))
            #expect(owned.links.contains("/account"))
            #expect(try await world.changes(since: before) == [])
            #expect(try await browser.get("/account/subscriptions/\(id)").status == 200)
        }
    }
}
