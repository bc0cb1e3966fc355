import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: all rooms, in all languages")
struct RoomPageTests {
    private static let paths = [
        "/account/purchases", "/account/help", "/account/help/missing",
        "/account/help/questions", "/account/help/feedback", "/account/help/contact",
        "/account/terms", "/account/redeem", "/account/family", "/account/mailbox",
        "/account/sharing", "/account/buy/silver.trial", "/account/buy/lifetime",
    ]

    @Test(
        "Every room answers in the reader's language, and looking at it changes nothing",
        arguments: ["en", "de", "fr", "es", "ja", "ar"])
    func languages(language: String) async throws {
        let world = try await AccountWorld()
        try await world.subscribe()
        try await world.signedIn { browser in
            let before = try await world.tables()
            for path in Self.paths {
                let sight = try await browser.get(path, [.acceptLanguage: language])
                #expect(sight.status == 200, "\(path)")
                expectSafe(sight)
                let html = sight.markup.first { $0.name == "html" }
                #expect(html?.attributes["lang"] == language, "\(path)")
                #expect(html?.attributes["dir"] == (language == "ar" ? "rtl" : "ltr"))
            }
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("Whoever is not signed in is sent to sign in", arguments: paths)
    func closed(path: String) async throws {
        let world = try await AccountWorld()
        try await world.with { browser in
            let sight = try await browser.get(path)
            #expect(sight.status == 303)
            #expect(sight.location?.hasPrefix("/account/sign-in") == true)
        }
    }

    @Test("A mail that is not the customer's is unknown")
    func mails() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            for path in ["/account/mailbox/1", "/account/mailbox/1/sheet", "/account/mailbox/x"] {
                let status = try await browser.get(path).status
                #expect(status == 404, "\(path)")
            }
        }
    }

    @Test("What publishers do not ask for is not answered")
    func optIns() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let page = try await browser.get("/account/sharing")
            #expect(page.words.contains("No publisher asks you for anything."))
            let sight = try await browser.post(
                "/account/sharing/\(id)/yes", [("name", "Ada"), ("email", "ada@example.com")])
            #expect((400..<500).contains(sight.status))
        }
    }
}
