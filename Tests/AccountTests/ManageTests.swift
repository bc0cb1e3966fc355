import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: subscriptions")
struct ManageTests {
    private func path(_ id: String, _ rest: String = "") -> String {
        "/account/subscriptions/\(id)\(rest)"
    }

    @Test(
        "The overview says app, plan, price and next billing date, with the way to manage it",
        arguments: Backend.available, StoreEnvironment.allCases)
    func overview(_ backend: Backend, _ environment: StoreEnvironment) async throws {
        let world = try await AccountWorld(backend)
        let id = try await world.subscribe(in: environment)
        try await world.signedIn(environment) { browser in
            let sight = try await browser.get("/account")
            expectSafe(sight)
            for text in ["App", "silver.monthly", "$9.99 per month", "Next billing date"] {
                #expect(sight.words.contains(text), "\(text)")
            }
            #expect(sight.links.contains(path(id)))
            #expect(sight.links.contains(path(id, "/cancel")))
            if environment == .production {
                #expect(sight.words.contains("February 1, 2026"))
            }
        }
    }

    @Test("Whoever has no subscription reads so")
    func none() async throws {
        try await AccountWorld().signedIn { browser in
            let sight = try await browser.get("/account")
            #expect(sight.words.contains("You have no subscriptions here."))
        }
    }

    @Test(
        "Whoever subscribes to nothing is shown the plans, each leading to the one confirmation",
        arguments: Backend.available)
    func window(_ backend: Backend) async throws {
        let world = try await AccountWorld(backend)
        try await world.signedIn { browser in
            let before = try await world.tables()
            let sight = try await browser.get("/account")
            expectSafe(sight)
            for text in [
                "Subscribe to silver.monthly", "$9.99 per month",
                "It renews by itself until you cancel.",
            ] {
                #expect(sight.words.contains(text), "\(text)")
            }
            #expect(sight.links.contains("/account/buy/silver.monthly"))
            // What does not renew is no plan.
            #expect(!sight.links.contains("/account/buy/coins"))
            #expect(try await world.changes(since: before) == [])
            let confirmation = try await browser.get("/account/buy/silver.monthly")
            #expect(confirmation.form(to: "/account/buy/silver.monthly") != nil)
        }
    }

    @Test("Whoever subscribes is offered no plan, and whoever has left a group the way back to it")
    func noWindow() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let sight = try await browser.get("/account")
            #expect(!sight.links.contains { $0.hasPrefix("/account/buy/") })
            _ = try await browser.submit(
                try await browser.get(path(id, "/cancel")), to: path(id, "/cancel"))
        }
        try await world.advance(to: "2026-02-10T12:00:00Z")
        try await world.signedIn { browser in
            let sight = try await browser.get("/account")
            #expect(sight.links.contains(path(id, "/resubscribe")))
            #expect(!sight.links.contains("/account/buy/silver.monthly"))
            #expect(!sight.links.contains("/account/buy/gold.monthly"))
        }
    }

    @Test("What stands for plans that the developer describes is no plan by itself")
    func generic() async throws {
        let world = try await AccountWorld()
        try await world.world.store.setGeneric(
            true, product: "news.monthly", bundleID: World.bundleID)
        try await world.signedIn { browser in
            let sight = try await browser.get("/account")
            #expect(sight.links.contains("/account/buy/silver.monthly"))
            #expect(!sight.links.contains("/account/buy/news.monthly"))
        }
    }

    @Test("Whoever may not pay is told so, and shown no plan")
    func mayNotPay() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            let set = try await browser.call(
                .patch, "/connect/v1/customers/ada", #"{"canMakePayments":false}"#,
                token: AccountWorld.operatorToken)
            #expect(set.status == 200, "\(set.text)")
            let sight = try await browser.get("/account")
            #expect(sight.words.contains("This account may not pay for anything."))
            #expect(!sight.links.contains { $0.hasPrefix("/account/buy/") })
        }
    }

    @Test("Manage, redeem and restore stand beside each other", arguments: [true, false])
    func ways(subscribes: Bool) async throws {
        let world = try await AccountWorld()
        if subscribes { try await world.subscribe() }
        try await world.signedIn { browser in
            let sight = try await browser.get("/account")
            #expect(sight.words.contains("Redeem Code"))
            #expect(sight.words.contains("Restore Purchases"))
            #expect(sight.links.contains("/account/help/missing"))
            #expect(sight.words.contains("Manage Subscription") == subscribes)
        }
    }

    @Test("One subscription: its display name, its summary and its next bill line by line")
    func subscription() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let sight = try await browser.get(path(id))
            expectSafe(sight)
            for text in ["silver.monthly", "Next Bill", "To pay", "Total", "Cancel Subscription"] {
                #expect(sight.words.contains(text), "\(text)")
            }
            #expect(sight.links.contains(path(id, "/plans")))
        }
    }

    @Test("Nobody sees or changes what is somebody else's")
    func others() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe("bea")
        try await world.signedIn { browser in
            let before = try await world.tables()
            for rest in ["", "/cancel", "/plans", "/plans/gold.monthly", "/resubscribe", "/price"] {
                let sight = try await browser.get(path(id, rest))
                #expect(sight.status == 404, "\(rest)")
                #expect(sight.words.contains("You have no such subscription."), "\(rest)")
            }
            for rest in ["/cancel", "/renewal", "/plans/gold.monthly", "/resubscribe"] {
                let sight = try await browser.post(path(id, rest), [("charged", "0")])
                #expect(sight.status == 404, "\(rest)")
            }
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("Plans show when each takes effect and what is charged today, and change nothing")
    func plans() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let before = try await world.tables()
            let list = try await browser.get(path(id, "/plans"))
            expectSafe(list)
            for text in [
                "gold.monthly", "$19.99 per month", "bronze.monthly", "$4.99 per month",
                "$0.99 per week", "Takes effect", "At once", "February 1, 2026", "Charged today",
                "Your plan",
            ] {
                #expect(list.words.contains(text), "\(text)")
            }
            let up = try await browser.get(path(id, "/plans/gold.monthly"))
            expectSafe(up)
            #expect(up.words.contains("Change to gold.monthly"))
            #expect(up.words.contains("At once"))
            let down = try await browser.get(path(id, "/plans/bronze.monthly"))
            #expect(down.words.contains("February 1, 2026"))
            #expect(down.words.contains("$0.00"))
            let charged = down.form(to: path(id, "/plans/bronze.monthly"))?
                .first { $0.name == "charged" }?.value
            #expect(charged == "0")
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test(
        "Choosing a plan does what the page said, once, however often it is sent",
        arguments: Backend.available)
    func change(_ backend: Backend) async throws {
        let world = try await AccountWorld(backend)
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let action = path(id, "/plans/gold.monthly")
            let page = try await browser.get(action)
            let sight = try await browser.submit(page, to: action)
            #expect(sight.status == 303)
            #expect(sight.location == path(id) + "?done=changePlan")
            let after = try await world.tables()
            let again = try await browser.submit(page, to: action)
            #expect(again.status == 303)
            #expect(again.location == sight.location)
            #expect(try await world.changes(since: after) == [])
            let shown = try await browser.get(try #require(sight.location))
            #expect(shown.words.contains("Your plan is chosen."))
            #expect(shown.words.contains("gold.monthly"))
        }
    }

    @Test("A plan that waits is named, and can be given up again")
    func waits() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let action = path(id, "/plans/bronze.monthly")
            _ = try await browser.submit(try await browser.get(action), to: action)
            let shown = try await browser.get(path(id))
            #expect(
                shown.words.contains("It changes to bronze.monthly on February 1, 2026."))
            let keep = path(id, "/plans/silver.monthly")
            let page = try await browser.get(keep)
            #expect(page.words.contains("Keep silver.monthly"))
            #expect(try await browser.submit(page, to: keep).status == 303)
            #expect(try await browser.get(path(id)).words.contains("It changes to") == false)
        }
    }

    @Test("What costs something else than the page said is refused, and so is what is not sold")
    func refused() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let before = try await world.tables()
            let action = path(id, "/plans/gold.monthly")
            for charged in ["0", "1", "", "19991", "x"] {
                let sight = try await browser.submit(
                    try await browser.get(action), to: action, ["charged": charged])
                #expect(sight.status == 409, "\(charged)")
                #expect(sight.words.contains("has changed since the page was opened"))
                #expect(sight.form(to: action) != nil, "the page is shown again")
            }
            for product in ["none", "coins", "news.monthly"] {
                #expect(try await browser.get(path(id, "/plans/\(product)")).status == 404)
                let sight = try await browser.post(
                    path(id, "/plans/\(product)"), [("charged", "0")])
                #expect(sight.status == 404, "\(product)")
            }
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("A member of a family sees what is shared and who pays, and can change nothing")
    func shared() async throws {
        let played = try await World.shareable(.sqlite, at: "2026-01-01T12:00:00Z")
        let world = AccountWorld(played)
        let ada = try await played.device("ada")
        _ = try await played.device("bea")
        try await played.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        _ = try await played.store.purchase(PurchaseRequest(productID: "family.monthly"), by: ada)
        try await played.store.settle()
        try await world.signedIn(as: "bea") { browser in
            let overview = try await browser.get("/account")
            #expect(overview.words.contains("Shared with you by your family"))
            let link = try #require(
                overview.links.first { $0.hasPrefix("/account/subscriptions/") })
            #expect(!overview.links.contains("\(link)/cancel"))
            let page = try await browser.get(link)
            #expect(page.words.contains("ada pays for this subscription and manages it."))
            #expect(!page.words.contains("Cancel Subscription"))
            for rest in ["/cancel", "/plans"] {
                #expect(try await browser.get(link + rest).status == 409)
            }
            #expect(try await browser.post("\(link)/cancel").status == 409)
        }
    }
}
