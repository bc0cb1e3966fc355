import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: the family in two voices")
struct FamilyPageTests {
    /// Ada organises a family with Bea, a child who asks before buying.
    private func family(_ backend: Backend = .sqlite) async throws -> AccountWorld {
        let played = try await World.shareable(backend, at: "2026-01-01T12:00:00Z")
        let world = AccountWorld(played)
        _ = try await played.device("ada")
        _ = try await played.device("bea")
        _ = try await played.device("eve")
        try await played.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        return world
    }

    /// Lets Bea ask for a purchase, and gives the request's number.
    private func ask(_ world: AccountWorld) async throws -> String {
        try await world.signedIn(as: "bea") { browser in
            let set = try await browser.call(
                .patch, "/connect/v1/customers/bea", #"{"asksToBuy":true}"#,
                token: AccountWorld.operatorToken)
            #expect(set.status == 200)
            let page = try await browser.get("/account/buy/family.monthly")
            let sent = try await browser.submit(page, to: "/account/buy/family.monthly")
            let location = try #require(sent.location)
            let query = try #require(location.split(separator: "?").last)
            let field = try #require(
                query.split(separator: "&").first { $0.hasPrefix("request=") })
            return String(field.dropFirst("request=".count))
        }
    }

    @Test(
        "The organiser sees item, price, child and time left, and approves",
        arguments: Backend.available)
    func approve(_ backend: Backend) async throws {
        let world = try await family(backend)
        let id = try await ask(world)
        try await world.signedIn { browser in
            let before = try await world.tables()
            let page = try await browser.get("/account/family")
            expectSafe(page)
            #expect(try await world.changes(since: before) == [])
            for text in [
                "You organise this family", "family.monthly", "$9.99", "bea", "Time left", "h",
                "Approve", "Decline", "Ask to Buy", "Organiser",
            ] {
                #expect(page.words.contains(text), "\(text)")
            }
            let action = "/account/family/requests/\(id)/approve"
            let sent = try await browser.submit(page, to: action)
            #expect(sent.location == "/account/family?done=approve")
            let shown = try await browser.get(try #require(sent.location))
            #expect(shown.words.contains("You have approved it."))
            #expect(shown.words.contains("No request waits."))
            #expect(try await browser.post(action).status == 409)
        }
        try await world.signedIn(as: "bea") { browser in
            let words = try await browser.get("/account").words
            #expect(words.contains("family.monthly"))
        }
    }

    @Test("Nobody but the organiser decides, and a declined request buys nothing")
    func decline() async throws {
        let world = try await family()
        let id = try await ask(world)
        let before = try await world.tables()
        for account in ["bea", "eve"] {
            try await world.signedIn(as: account) { browser in
                for action in ["approve", "decline"] {
                    let sight = try await browser.post("/account/family/requests/\(id)/\(action)")
                    #expect(sight.status == 403, "\(account)")
                }
                let sight = try await browser.post(
                    "/account/family/asking/bea", [("asks", "false")])
                #expect(sight.status == 403, "\(account)")
            }
        }
        #expect(try await world.changes(since: before) == [])
        try await world.signedIn { browser in
            let stranger = try await browser.post(
                "/account/family/asking/eve", [("asks", "true")])
            #expect(stranger.status == 403)
            let page = try await browser.get("/account/family")
            let sent = try await browser.submit(
                page, to: "/account/family/requests/\(id)/decline")
            #expect(sent.location == "/account/family?done=declineRequest")
            #expect(
                try await world.world.store.ledger(after: 0, limit: 10, in: .production).isEmpty)
            let now = try await browser.get("/account/family")
            let off = try await browser.submit(now, to: "/account/family/asking/bea")
            #expect(off.status == 303)
        }
    }

    @Test("A member is welcomed, told who pays, and finds nothing to cancel")
    func member() async throws {
        let world = try await family()
        let ada = try await world.world.device("ada")
        _ = try await world.world.store.purchase(
            PurchaseRequest(productID: "family.monthly"), by: ada)
        try await world.world.store.settle()
        try await world.signedIn(as: "bea") { browser in
            let page = try await browser.get("/account/family")
            expectSafe(page)
            for text in [
                "ada organises this family.",
                "Welcome. What your family shares includes family.monthly.",
                "ada pays for it and manages it.", "Leave Family",
            ] {
                #expect(page.words.contains(text), "\(text)")
            }
            #expect(!page.links.contains { $0.hasSuffix("/cancel") })
            #expect(!page.words.contains("Approve"))
            let history = try await browser.get("/account/purchases")
            #expect(!history.links.contains { $0.hasSuffix("/refund") })
        }
        try await world.signedIn { browser in
            let page = try await browser.get("/account/family")
            #expect(page.words.contains("Shared with"))
            #expect(page.words.contains("Stop Sharing"))
            let action = try #require(
                page.markup.compactMap { $0.attributes["action"] }
                    .first { $0.contains("/family/sharing/") })
            _ = try await browser.submit(page, to: action)
            let shown = try await browser.get("/account/family")
            #expect(shown.words.contains("Sharing of family.monthly is off."))
        }
    }

    @Test("Leaving says what is lost before it is")
    func leave() async throws {
        let world = try await family()
        try await world.signedIn(as: "bea") { browser in
            let page = try await browser.get("/account/family/leave")
            expectSafe(page)
            #expect(page.words.contains("You lose at once what the others share"))
            let sent = try await browser.submit(page, to: "/account/family/leave")
            #expect(sent.location == "/account/family?done=leaveFamily")
            let shown = try await browser.get("/account/family")
            #expect(shown.words.contains("You are in no family."))
            #expect(try await browser.get("/account/family/leave").status == 409)
        }
    }
}
