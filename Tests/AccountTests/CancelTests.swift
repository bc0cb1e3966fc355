import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: leaving and coming back")
struct CancelTests {
    private func path(_ id: String, _ rest: String = "") -> String {
        "/account/subscriptions/\(id)\(rest)"
    }

    /// Silver with an offer for whoever has left it for a month.
    private static let winning: Catalogue = {
        var catalogue = SampleCatalogue.all
        var offer = Offer(
            kind: .winBack, id: "soon", mode: .payUpFront, period: .month, basePrice: 990)
        offer.winBack = WinBackTerms(monthsSinceEnd: 1...12, priority: .high)
        for place in catalogue.products.indices
        where catalogue.products[place].id == "silver.monthly" {
            catalogue.products[place].subscription?.offers = [offer]
        }
        return catalogue
    }()

    @Test(
        "Two taps cancel: the second is asked for with the date until which access lasts",
        arguments: Backend.available, StoreEnvironment.allCases)
    func twoTaps(_ backend: Backend, _ environment: StoreEnvironment) async throws {
        let world = try await AccountWorld(backend)
        let id = try await world.subscribe(in: environment)
        try await world.signedIn(environment) { browser in
            let before = try await world.tables()
            let first = try await browser.get("/account")
            #expect(first.links.contains(path(id, "/cancel")))
            let page = try await browser.get(path(id, "/cancel"))
            expectSafe(page)
            #expect(try await world.changes(since: before) == [])
            for text in ["Confirm Cancellation", "You keep access until", "Confirm", "Not Now"] {
                #expect(page.words.contains(text), "\(text)")
            }
            if environment == .production {
                #expect(page.words.contains("You keep access until February 1, 2026."))
            }
            let sight = try await browser.submit(page, to: path(id, "/cancel"))
            #expect(sight.status == 303)
            #expect(sight.location == path(id) + "?done=cancel")
            let shown = try await browser.get(try #require(sight.location))
            #expect(shown.words.contains("Renewal is off."))
            #expect(shown.words.contains("Nothing more is charged."))
            #expect(!shown.links.contains(path(id, "/cancel")))
        }
    }

    @Test("At most one offer stands below Confirm, and leaving does not depend on it")
    func offer() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let page = try await browser.get(path(id, "/cancel"))
            let offers = page.links.filter { $0.contains("/plans/") }
            #expect(offers == [path(id, "/plans/silver.other")])
            #expect(page.words.contains("Change to silver.other for $8.99 per month"))
            let confirm = try #require(page.text.firstRange(of: "Confirm</button>"))
            let below = try #require(page.text.firstRange(of: "/plans/silver.other"))
            #expect(confirm.lowerBound < below.lowerBound)
        }
    }

    @Test("A double click cancels once, and whoever stays after all renews again")
    func keep() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let page = try await browser.get(path(id, "/cancel"))
            async let one = browser.submit(page, to: path(id, "/cancel"))
            async let other = browser.submit(page, to: path(id, "/cancel"))
            let both = try await [one.location, other.location]
            #expect(both == [path(id) + "?done=cancel", path(id) + "?done=cancel"])
            let shown = try await browser.get(path(id))
            let sight = try await browser.submit(shown, to: path(id, "/renewal"))
            #expect(sight.location == path(id) + "?done=keep")
            #expect(try await browser.get(path(id)).links.contains(path(id, "/cancel")))
            // The old form was taken already: going back and sending it again changes nothing.
            let before = try await world.tables()
            _ = try await browser.submit(page, to: path(id, "/cancel"))
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("What has ended cannot be cancelled, and what runs not be begun again")
    func refused() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            for sight in [
                try await browser.get(path(id, "/resubscribe")),
                try await browser.post(
                    path(id, "/resubscribe"), [("product", "silver.monthly"), ("charged", "9990")]),
            ] {
                #expect(sight.status == 409)
                #expect(sight.words.contains("You are subscribed to this already."))
            }
            let page = try await browser.get(path(id, "/cancel"))
            _ = try await browser.submit(page, to: path(id, "/cancel"))
            try await world.advance(to: "2026-02-02T12:00:00Z")
            for rest in ["/cancel", "/plans", "/price"] {
                let sight = try await browser.get(path(id, rest))
                #expect(sight.status == 409, "\(rest)")
                #expect(sight.words.contains("This subscription is over."), "\(rest)")
            }
            for rest in ["/cancel", "/renewal", "/price/agree"] {
                #expect(try await browser.post(path(id, rest)).status == 409, "\(rest)")
            }
        }
    }

    @Test(
        "Coming back shows the win-back offer's price, length and standard price, and buys that",
        arguments: Backend.available)
    func winBack(_ backend: Backend) async throws {
        let world = try await AccountWorld(backend, catalogue: Self.winning)
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let leaving = try await browser.get(path(id, "/cancel"))
            _ = try await browser.submit(leaving, to: path(id, "/cancel"))
            try await world.advance(to: "2026-03-15T12:00:00Z")
            let overview = try await browser.get("/account")
            #expect(overview.links.contains(path(id, "/resubscribe")))
            let before = try await world.tables()
            let page = try await browser.get(path(id, "/resubscribe"))
            expectSafe(page)
            for text in [
                "Resubscribe to silver.monthly", "$0.99 for 1 month, then $9.99 per month.",
                "Charged today", "It renews by itself until you cancel.", "Resubscribe Now",
            ] {
                #expect(page.words.contains(text), "\(text)")
            }
            let other = try await browser.submit(
                page, to: path(id, "/resubscribe"), ["offer": "", "charged": "9990"])
            #expect(other.status == 409)
            #expect(try await world.changes(since: before) == [])
            let sight = try await browser.submit(page, to: path(id, "/resubscribe"))
            #expect(sight.status == 303)
            #expect(sight.location == "/account?done=resubscribe")
            let shown = try await browser.get(try #require(sight.location))
            #expect(shown.words.contains("Welcome back."))
            #expect(shown.links.contains(path(id, "/cancel")))
            let again = try await browser.submit(page, to: path(id, "/resubscribe"))
            #expect(again.location == sight.location)
            #expect(
                try await world.world.store.ledger(after: 0, limit: 10, in: .production)
                    .count == 2)
        }
    }

    @Test("A payment that fails is said, and changes nothing")
    func declined() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let action = path(id, "/plans/gold.monthly")
            let page = try await browser.get(action)
            try await world.world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: "ada", in: .production)
            let sight = try await browser.submit(page, to: action)
            #expect(sight.status == 402)
            #expect(sight.words.contains("Your payment method was declined."))
            #expect(try await browser.get(path(id)).words.contains("silver.monthly"))
        }
    }
}
