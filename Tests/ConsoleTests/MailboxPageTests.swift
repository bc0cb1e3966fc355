import HTTPTypes
import Letters
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: the mailbox")
struct MailboxPageTests {
    /// Writes what would do harm if it were taken for a part of the console.
    private struct HostileWriter: LetterWriter {
        static let html = """
            <!doctype html><html><body onload="alert(1)"><script>alert(2)</script>
            <form action="/console/clock/step" method="post"></form></body></html>
            """

        func write(_ letter: Letter) -> WrittenLetter {
            WrittenLetter(
                subject: "</title><script>alert(3)</script>\u{2066}",
                text: "Go to https://shop.example/a?b=\"><script>alert(4)</script> now",
                html: Self.html, language: "en")
        }

        func short(_ letter: Letter) -> ShortLetter? { nil }
    }

    private func frameOptions(_ sight: Sight) -> String? {
        HTTPField.Name("X-Frame-Options").flatMap { sight.fields[$0] }
    }

    @Test(
        "A mail is found by its customer, its kind and how it stands, and read as it was written",
        arguments: Backend.available)
    func read(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        let id = try await world.subscribe("anna@example.com")
        try await world.subscribe("ben@example.com", to: "gold.monthly")
        try await world.subscribe("cy", to: "gold.monthly")
        try await world.signedIn { browser in
            let all = try await browser.get("/console/mailbox")
            let mails = all.links.filter { $0.hasPrefix("/console/mailbox/") }
            // A welcome and a receipt for each of the two.
            #expect(mails.count == 4)
            let asked = "/console/mailbox?account=anna%40example.com&kind=receipt&state=waiting"
            let found = try await browser.get(asked)
            let one = try #require(found.links.last { $0.hasPrefix("/console/mailbox/") })
            #expect(found.links.count { $0.hasPrefix("/console/mailbox/") } == 1)
            #expect(found.words.contains("perennial mailbox --account anna@example.com"))
            let none = try await browser.get("/console/mailbox?state=refused")
            #expect(none.words.contains("No mails match these conditions."))
            let cy = try await browser.get("/console/mailbox?account=cy")
            #expect(cy.words.contains("there is no address to send to"))
            let mail = try await browser.get(one)
            #expect(mail.status == 200)
            for words in ["$9.99", "anna@example.com", "waiting", "has not been handed over yet"] {
                #expect(mail.words.contains(words), "\(words)")
            }
            #expect(mail.links.contains("/console/subscriptions/\(id)"))
            #expect(mail.links.contains("/console/customers/anna%40example.com"))
            let own = try await browser.get("/console/subscriptions/\(id)")
            #expect(
                own.links.contains(
                    "/console/mailbox?account=anna%40example.com&subscription=\(id)"))
            let about = try await browser.get(
                "/console/mailbox?account=anna%40example.com&subscription=\(id)")
            #expect(about.links.contains(one))
            #expect(about.links.count { $0.hasPrefix("/console/mailbox/") } == 2)
            let customer = try await browser.get("/console/customers/anna%40example.com")
            #expect(customer.links.contains("/console/mailbox?account=anna%40example.com"))
            let message = try await browser.get("\(one)/message.eml")
            let same = try await browser.call(
                .get, "\(one.replacing("/console/", with: "/connect/v1/"))/message.eml")
            #expect(message.status == 200)
            #expect(message.text == same.text)
            #expect(message.fields[.contentType] == "message/rfc822")
            #expect(message.fields[.contentDisposition]?.hasPrefix("attachment; ") == true)
            expectSafe(message)
        }
    }

    @Test("Somebody who is not there is said to be none beside the field")
    func unknownCustomer() async throws {
        try await ConsoleWorld().signedIn { browser in
            let sight = try await browser.get("/console/mailbox?account=nobody")
            #expect(sight.status == 404)
            #expect(sight.text.contains("id=\"filter-account-problem\""))
            #expect(sight.text.contains("value=\"nobody\""))
            expectSafe(sight)
            for path in ["/console/mailbox/1", "/console/mailbox/x", "/console/mailbox/1/sheet"] {
                #expect(try await browser.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test("A list of many mails goes on behind its last one, with the same conditions")
    func paged() async throws {
        let world = try await ConsoleWorld()
        for number in 1...30 { try await world.subscribe("n\(number)@example.com") }
        try await world.signedIn { browser in
            let first = try await browser.get("/console/mailbox?account=&kind=&state=waiting")
            let more = try #require(
                first.links.first { $0.hasPrefix("/console/mailbox?") && $0.contains("before=") })
            #expect(more.contains("state=waiting"))
            let rest = try await browser.get(more)
            let seen = [first, rest].map { sight in
                Set(sight.links.filter { $0.hasPrefix("/console/mailbox/") })
            }
            #expect(seen.map(\.count) == [50, 10])
            #expect(seen[0].isDisjoint(with: seen[1]))
        }
    }

    @Test("What a mail says is never a part of the console")
    func hostile() async throws {
        let world = try await ConsoleWorld(writer: HostileWriter())
        try await world.subscribe("eve@example.com")
        try await world.signedIn { browser in
            let list = try await browser.get("/console/mailbox")
            expectSafe(list)
            let one = try #require(list.links.last { $0.hasPrefix("/console/mailbox/") })
            let page = try await browser.get(one)
            expectSafe(page)
            #expect(page.words.contains("</title><script>alert(3)</script>"))
            #expect(
                page.fields[.contentSecurityPolicy]?.hasSuffix("; frame-src 'self'") == true)
            #expect(frameOptions(page) == "DENY")
            let frames = page.markup.filter { $0.name == "iframe" }
            #expect(frames.map { $0.attributes["src"] } == ["\(one)/sheet"])
            #expect(frames.map { $0.attributes["sandbox"] } == [""])
            // The document itself is written by whoever wrote the mail: the browser is told that it
            // may nothing, also where somebody opens it by itself.
            let sheet = try await browser.get("\(one)/sheet")
            #expect(sheet.text == HostileWriter.html)
            let policy = try #require(sheet.fields[.contentSecurityPolicy])
            #expect(policy.hasSuffix("; sandbox"))
            #expect(
                policy.hasPrefix("default-src 'none'; style-src 'unsafe-inline'; img-src data:"))
            #expect(!policy.contains("script") && !policy.contains("allow"))
            #expect(frameOptions(sheet) == "SAMEORIGIN")
            #expect(sheet.fields[.cacheControl] == "no-store")
            // Nobody else's page may frame anything.
            let other = try await browser.get("/console/customers")
            #expect(other.fields[.contentSecurityPolicy]?.contains("frame-src") == false)
        }
    }
}
