import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: purchases, help and refunds")
struct RefundPageTests {
    private func sheet(_ id: String) -> String { "/account/purchases/\(id)/refund" }

    @Test(
        "Each purchase has its picture, name, date and amount, and its refund control beside it",
        arguments: Backend.available)
    func history(_ backend: Backend) async throws {
        let world = try await AccountWorld(backend)
        let id = try await world.subscribe()
        try await world.advance(to: "2026-02-10T12:00:00Z")
        try await world.signedIn { browser in
            let before = try await world.tables()
            let page = try await browser.get("/account/purchases")
            expectSafe(page)
            #expect(try await world.changes(since: before) == [])
            for text in [
                "silver.monthly", "Original purchase date", "January 1, 2026",
                "Paid on", "February 1, 2026", "$9.99", "Request a Refund", "Receipt",
            ] {
                #expect(page.words.contains(text), "\(text)")
            }
            #expect(page.markup.count { $0.name == "img" } == 2)
            #expect(page.links.contains(sheet(id)))
            let receipt = try await browser.get("/account/purchases/\(id)")
            expectSafe(receipt)
            #expect(receipt.words.contains("Order"))
            #expect(receipt.links.contains(sheet(id)))
        }
    }

    @Test(
        "The sheet has five reasons of which none is chosen, and says that access may be lost",
        arguments: Backend.available)
    func reasons(_ backend: Backend) async throws {
        let world = try await AccountWorld(backend)
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let page = try await browser.get(sheet(id) + "?reason=child")
            expectSafe(page)
            let radios = page.markup.filter { $0.attributes["type"] == "radio" }
            #expect(radios.count == 5)
            #expect(radios.allSatisfy { $0.attributes["checked"] == nil })
            for text in [
                "Request a Refund", "$9.99", "January 1, 2026", "ada",
                "You may lose access to this purchase.", "Not Now",
            ] {
                #expect(page.words.contains(text), "\(text)")
            }
            // No word on policy or odds (HIG-58).
            for text in ["policy", "usually", "likely", "eligible", "guarantee"] {
                #expect(!page.words.contains(text), "\(text)")
            }
            let before = try await world.tables()
            let none = try await browser.submit(page, to: sheet(id))
            #expect(none.status == 400)
            #expect(none.words.contains("Choose a reason."))
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("A request is sent once, its claim is shown, and another one is refused")
    func claim() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let page = try await browser.get(sheet(id))
            let sent = try await browser.submit(page, to: sheet(id), ["reason": "notWorking"])
            #expect(sent.status == 303)
            #expect(sent.location == "/account/purchases/\(id)/claim")
            let claim = try await browser.get(try #require(sent.location))
            expectSafe(claim)
            for text in ["Your request was submitted.", "within 48 hours", "Submitted", "Done"] {
                #expect(claim.words.contains(text), "\(text)")
            }
            let requests = try await world.world.store.refundRequests(
                nil, before: nil, limit: 10, in: .production)
            #expect(requests.map(\.request.reason) == [.unsatisfiedWithPurchase])
            let history = try await browser.get("/account/purchases")
            #expect(history.words.contains("Submitted"))
            #expect(!history.links.contains(sheet(id)))
            let again = try await browser.post(sheet(id), [("reason", "other")])
            #expect(again.status == 409)
            #expect(again.words.contains("A refund of this purchase was requested already."))
        }
    }

    @Test(
        "Each of the five reasons becomes one of those that the developer is told",
        arguments: [
            ("notMeant", "UNINTENDED_PURCHASE"), ("child", "UNINTENDED_PURCHASE"),
            ("notWorking", "UNSATISFIED_WITH_PURCHASE"), ("notReceived", "FULFILLMENT_ISSUE"),
            ("other", "OTHER"),
        ])
    func wires(chosen: String, told: String) async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let page = try await browser.get(sheet(id))
            let values = page.markup.filter { $0.attributes["type"] == "radio" }
                .compactMap { $0.attributes["value"] }
            #expect(values.contains(chosen))
            let sent = try await browser.submit(page, to: sheet(id), ["reason": chosen])
            #expect(sent.status == 303)
            let requests = try await world.world.store.refundRequests(
                nil, before: nil, limit: 10, in: .production)
            #expect(requests.map(\.request.reason.rawValue) == [told])
        }
    }

    @Test("The page for contact has the support address")
    func contact() async throws {
        let played = try await World(
            .sqlite, at: "2026-01-01T12:00:00Z", isListening: false
        ) { $0.supportURL = "https://example.com/support" }
        try await AccountWorld(played).signedIn { browser in
            let page = try await browser.get("/account/help/contact")
            expectSafe(page)
            #expect(page.words.contains("https://example.com/support"))
        }
        try await AccountWorld().signedIn { browser in
            let page = try await browser.get("/account/help/contact")
            #expect(!page.words.contains("https://"))
        }
    }

    @Test("Nobody sees or claims what somebody else bought")
    func others() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe("eve")
        try await world.subscribe()
        try await world.signedIn { browser in
            let before = try await world.tables()
            for path in [sheet(id), "/account/purchases/\(id)", "/account/purchases/\(id)/claim"] {
                let sight = try await browser.get(path)
                #expect(sight.status == 404, "\(path)")
                #expect(sight.words.contains("You have no such purchase."), "\(path)")
            }
            let sight = try await browser.post(sheet(id), [("reason", "other")])
            #expect(sight.status == 404)
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("Help has five ways, of which a refund is one, and each leads to a page")
    func help() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            let page = try await browser.get("/account/help")
            expectSafe(page)
            for text in [
                "How can we help?", "Missing a Purchase", "Frequently Asked Questions",
                "Request a Refund", "Submit Feedback", "Contact Us",
            ] {
                #expect(page.words.contains(text), "\(text)")
            }
            for path in page.links {
                let sight = try await browser.get(path)
                #expect(sight.status == 200, "\(path)")
                expectSafe(sight)
            }
            let empty = try await browser.get("/account/purchases")
            #expect(empty.words.contains("You have bought nothing in this app."))
        }
    }
}
