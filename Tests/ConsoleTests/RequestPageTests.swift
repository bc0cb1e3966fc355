import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: requests to buy, and how accounts are set")
struct RequestPageTests {
    private static let customer = "/console/customers/mia"
    private static let requests = "/console/requests"

    /// Sets the switches of mia's account.
    private func set(
        _ values: [String: String], _ browser: Browser
    ) async throws -> Sight {
        try await browser.submit(
            try await browser.get(Self.customer), to: "\(Self.customer)/settings", values)
    }

    /// Buys on mia's page.
    private func buy(_ browser: Browser) async throws -> Sight {
        let ahead = try await browser.get("\(Self.customer)/buy?product=silver.monthly")
        return try await browser.submit(ahead, to: "\(Self.customer)/buy")
    }

    @Test(
        "A child's purchase waits, is found, and is approved or declined",
        arguments: Backend.available)
    func askToBuy(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        _ = try await world.world.device("mia")
        try await world.signedIn { browser in
            let saved = try await set(["asksToBuy": "true"], browser)
            #expect(saved.location == "\(Self.customer)?done=changeAccount")
            let asked = try await buy(browser)
            let first = try #require(asked.location).replacing("?done=waits", with: "")
            #expect(first.hasPrefix("\(Self.requests)/"))
            #expect(try await browser.get(Self.customer).words.contains("never subscribed"))
            let list = try await browser.get(
                "\(Self.requests)?account=mia&state=waiting&reason=askToBuy")
            #expect(list.links.contains(first))
            #expect(list.words.contains("until Jan 2, 2026"))
            let others = try await browser.get("\(Self.requests)?state=approved")
            #expect(!others.links.contains(first))
            let before = try await world.tables()
            let page = try await browser.get(first)
            #expect(page.words.contains("SUBSCRIBED/INITIAL_BUY"), "\(page.words)")
            #expect(page.words.contains("$9.99"))
            #expect(try await world.changes(since: before) == [])
            let declined = try await browser.submit(page, to: "\(first)/decline")
            #expect(declined.location == "\(first)?done=decideRequest")
            let over = try await browser.get(first)
            #expect(over.words.contains("It was declined: nothing was bought."))
            #expect(over.form(to: "\(first)/approve") == nil)
            // Who had the page open already is told that it is too late, on that page.
            let late = try await browser.submit(page, to: "\(first)/approve")
            #expect(late.status == 409)
            #expect(late.words.contains("was declined"))
            let second = try #require(try await buy(browser).location)
                .replacing("?done=waits", with: "")
            #expect(second != first)
            _ = try await browser.submit(try await browser.get(second), to: "\(second)/approve")
            #expect(try await browser.get(second).words.contains("It was approved, and bought."))
            #expect(try await browser.get(Self.customer).words.contains("silver.monthly"))
        }
    }

    @Test("An interrupted purchase waits until it is settled")
    func interrupted() async throws {
        let world = try await ConsoleWorld()
        _ = try await world.world.device("mia")
        try await world.signedIn { browser in
            _ = try await set(["interruptsPurchases": "true"], browser)
            let before = try await world.tables()
            let ahead = try await browser.get("\(Self.customer)/buy?product=silver.monthly")
            #expect(ahead.words.contains("it will fail, and wait among the requests"))
            #expect(try await world.changes(since: before) == [])
            let sight = try await browser.submit(ahead, to: "\(Self.customer)/buy")
            #expect(sight.location == "\(Self.requests)?account=mia&done=interrupted")
            let list = try await browser.get(sight.location ?? "")
            let one = try #require(list.links.first { $0.hasPrefix("\(Self.requests)/") })
            let page = try await browser.get(one)
            #expect(page.words.contains("Complete the interrupted purchase"))
            _ = try await browser.submit(page, to: "\(one)/approve")
            #expect(try await browser.get(Self.customer).words.contains("silver.monthly"))
        }
    }

    @Test("Only what was changed of an account is set", arguments: Backend.available)
    func settings(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        let store = world.world.store
        _ = try await world.world.device("mia")
        try await world.signedIn { browser in
            let page = try await browser.get(Self.customer)
            // Somebody else changes something while the page is looked at.
            try await store.setBuying(
                BuyingChange(interruptsPurchases: true), account: "mia", in: .production)
            let saved = try await browser.submit(
                page, to: "\(Self.customer)/settings",
                [
                    "storefront": "deu", "email": "mia@example.com", "canMakePayments": "false",
                    "sharesNewPurchases": "false",
                ])
            #expect(saved.status == 303)
            let mia = try await store.customer(account: "mia", in: .production).0
            #expect(mia.storefront.code == "DEU" && mia.email == "mia@example.com")
            #expect(!mia.canMakePayments && !mia.sharesNewPurchases)
            #expect(mia.interruptsPurchases && !mia.asksToBuy)
            let refused = try await browser.get("\(Self.customer)/buy?product=silver.monthly")
            #expect(refused.form(to: "\(Self.customer)/buy") == nil)
            #expect(refused.words.contains("may not pay for anything"))
            for (field, value) in [("storefront", "zzz"), ("email", "no address")] {
                let before = try await world.tables()
                let sight = try await set([field: value], browser)
                #expect(sight.status == 400, "\(field): \(sight.status)")
                #expect(sight.text.contains("id=\"account-\(field)-problem\""), "\(field)")
                #expect(sight.text.contains("value=\"\(value)\""))
                expectSafe(sight)
                #expect(try await world.changes(since: before) == [])
            }
            // Production has neither switch, and no history is cleared there.
            #expect(!page.text.contains("name=\"sandboxSpeed\""))
            #expect(try await browser.get("\(Self.customer)/clear-history").status == 404)
            #expect(try await browser.post("\(Self.customer)/clear-history").status == 409)
        }
    }

    @Test("A Sandbox account is sped up, kept from buying, and begins anew")
    func sandbox() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe("mia", in: .sandbox)
        try await world.signedIn(.sandbox) { browser in
            _ = try await set(
                ["sandboxSpeed": "30", "allowsPurchasesAndRenewals": "false"], browser)
            let page = try await browser.get(Self.customer)
            #expect(page.words.contains("a month lasts 30 minutes"))
            #expect(page.words.contains("declined"))
            #expect(page.links.contains("\(Self.customer)/clear-history"))
            let asked = try await browser.get("\(Self.customer)/clear-history")
            let cleared = try await browser.submit(asked, to: "\(Self.customer)/clear-history")
            #expect(cleared.location == "\(Self.customer)?done=clearHistory")
            #expect(try await browser.get(Self.customer).words.contains("never subscribed"))
        }
    }

    @Test("Sandbox defers purchases and approves none, unless the app says otherwise")
    func sandboxDefers() async throws {
        let world = try await ConsoleWorld()
        try await world.world.store.configure(bundleID: World.bundleID) {
            $0.sandboxApprovesPurchases = false
        }
        _ = try await world.world.device("mia", in: .sandbox)
        try await world.signedIn(.sandbox) { browser in
            _ = try await set(["asksToBuy": "true"], browser)
            let one = try #require(try await buy(browser).location)
                .replacing("?done=waits", with: "")
            let page = try await browser.get(one)
            #expect(page.words.contains("approves none"))
            #expect(page.links.contains("/console/apps/com.example.app"))
            #expect(page.form(to: "\(one)/approve") == nil)
            #expect(page.form(to: "\(one)/decline") != nil)
            let late = try await browser.post("\(one)/approve")
            #expect(late.status == 409)
            expectSafe(late)
            #expect(try await browser.post("\(one)/nothing").status == 404)
        }
    }
}
