import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: notifications")
struct NotificationPageTests {
    @Test(
        "A notification is found by what it is and how it fared, decoded, and sent again",
        arguments: Backend.available)
    func resent(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        world.world.listener.answer([.socketIssue, .socketIssue])
        try await world.subscribe()
        try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.world.advance(
            to: "2026-01-01T01:00:00Z", expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.signedIn { browser in
            let asked = "/console/notifications?account=&notificationType=SUBSCRIBED"
            let list = try await browser.get("\(asked)&onlyFailures=true")
            #expect(list.words.contains("perennial notifications --type SUBSCRIBED --failed"))
            #expect(list.words.contains("SOCKET_ISSUE × 2"))
            let path = try #require(list.links.first { $0.hasPrefix("/console/notifications/") })
            let other = try await browser.get("/console/notifications?notificationType=REFUND")
            #expect(!other.links.contains(path))
            let page = try await browser.get(path)
            #expect(page.words.contains("transactionInfo"))
            #expect(page.words.contains("SOCKET_ISSUE"))
            let sight = try await browser.submit(page, to: "\(path)/resend")
            #expect(sight.location == "\(path)?done=resendNotification")
            try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
            let again = try await browser.get(path)
            #expect(again.words.contains("SUCCESS"))
            expectSafe(again)
            let none = try await browser.get("\(asked)&onlyFailures=true")
            #expect(!none.links.contains(path))
            let refused = try await browser.get("/console/notifications?notificationType=NEW")
            #expect(refused.status == 400)
            #expect(try await browser.get("/console/notifications/999999").status == 404)
        }
    }
}
