import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: redeeming codes")
struct CodePageTests {
    private static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices
        where catalogue.products[place].id == "silver.monthly" {
            catalogue.products[place].subscription?.offers += [
                Offer(
                    kind: .offerCode, id: "FREE", mode: .freeTrial, period: .month,
                    audiences: Offer.Audience.allCases)
            ]
        }
        return catalogue
    }()

    private func code(_ world: AccountWorld, custom: String? = nil) async throws -> String {
        let batch = try await world.world.store.makeOfferCodes(
            OfferCodeOrder(
                productID: "silver.monthly", offerID: "FREE", custom: custom, count: 2,
                expires: nil), bundleID: World.bundleID, in: .production)
        if let custom { return custom }
        return try #require(
            try await world.world.store.offerCodes(
                ofBatch: batch.id, bundleID: World.bundleID, in: .production
            ).first)
    }

    @Test(
        "A link fills the code in and redeems nothing; the second screen's button does",
        arguments: Backend.available)
    func link(_ backend: Backend) async throws {
        let world = try await AccountWorld(backend, catalogue: Self.catalogue)
        let code = try await self.code(world)
        try await world.signedIn { browser in
            let before = try await world.tables()
            let first = try await browser.get("/account/redeem?code=\(code)")
            expectSafe(first)
            let field = first.markup.first { $0.attributes["name"] == "code" }
            #expect(field?.attributes["value"] == code)
            #expect(field?.attributes["autocomplete"] == "off")
            #expect(first.words.contains("Terms and Conditions"))
            #expect(first.markup.contains { $0.attributes["alt"] == "Icon of App" })
            let second = try await browser.get("/account/redeem/offer?code=\(code)&via=url")
            expectSafe(second)
            for text in ["silver.monthly", "Free for 1 month, then $9.99 per month."] {
                #expect(second.words.contains(text), "\(text)")
            }
            #expect(second.words.contains("Redeem Offer"))
            #expect(second.words.contains("Terms and Conditions"))
            #expect(second.markup.contains { $0.attributes["alt"] == "Icon of App" })
            #expect(try await world.changes(since: before) == [])
            let sent = try await browser.submit(second, to: "/account/redeem/offer")
            #expect(sent.status == 303)
            let location = try #require(sent.location)
            #expect(location.hasSuffix("?done=redeem"))
            let shown = try await browser.get(location)
            #expect(shown.words.contains("The code is redeemed."))
            let overview = try await browser.get("/account")
            #expect(overview.words.contains("silver.monthly"))
            let again = try await browser.get("/account/redeem/offer?code=\(code)&via=url")
            #expect(again.status == 409)
        }
    }

    @Test("Who redeems before the app was ever opened finds it there afterwards")
    func beforeTheApp() async throws {
        let world = try await AccountWorld(catalogue: Self.catalogue)
        let code = try await self.code(world)
        try await world.signedIn { browser in
            let page = try await browser.get("/account/redeem/offer?code=\(code)&via=url")
            let sent = try await browser.submit(page, to: "/account/redeem/offer")
            #expect(sent.status == 303)
        }
        let device = try await world.world.device("ada")
        let queue = try await world.world.store.transactions(
            for: device, unfinishedOnly: true, after: 0, limit: 10)
        #expect(queue.map(\.productID) == ["silver.monthly"])
        let entitlements = try await world.world.store.entitlements(for: device)
        #expect(entitlements.map(\.productID) == ["silver.monthly"])
    }

    @Test(
        "What is no code is refused with the rule, at the field",
        arguments: [
            ("", 400, "A code has 3 to 64 letters"), ("A-B C!", 400, "A code has 3 to 64 letters"),
            ("ÄPFEL", 400, "A code has 3 to 64 letters"),
            ("NOTHING", 404, "There is no such code."),
        ])
    func wrong(typed: String, status: Int, sentence: String) async throws {
        let world = try await AccountWorld(catalogue: Self.catalogue)
        try await world.signedIn { browser in
            let sight = try await browser.get(
                "/account/redeem/offer?code=\(Browser.percent(typed))&via=settings")
            #expect(sight.status == status)
            #expect(sight.words.contains(sentence))
            let field = sight.markup.first { $0.attributes["name"] == "code" }
            #expect(field?.attributes["aria-invalid"] == "true")
            expectSafe(sight)
        }
    }

    @Test("A custom code works by its link, and not where it is typed in (COD-2)")
    func custom() async throws {
        let world = try await AccountWorld(catalogue: Self.catalogue)
        _ = try await self.code(world, custom: "SPRING26")
        try await world.signedIn { browser in
            let typed = try await browser.get("/account/redeem/offer?code=spring26&via=settings")
            #expect(typed.status == 409)
            #expect(typed.words.contains("This code works in the app or by its link"))
            let linked = try await browser.get("/account/redeem/offer?code=spring26&via=url")
            #expect(linked.status == 200)
            #expect(linked.words.contains("Redeem Offer"))
        }
    }
}
