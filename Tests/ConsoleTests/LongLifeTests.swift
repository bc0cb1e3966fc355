import HTTPTypes
import Journal
import SubscriptionRules
import TestPages
import Testing
import Timeline

@testable import Console

@Suite("Console: long lives")
struct LongLifeTests {
    private static let start = Instant(iso8601: "2026-01-01T00:00:00Z")!

    /// A renewal of another product and price every thirty days, each third one a day late; and
    /// every fourth time an extension.
    private static func life(periods: Int) -> Life {
        var entries: [TimelineEntry] = []
        func add(_ kind: String, _ at: Instant, _ change: (inout JournalEvent) -> Void) {
            var event = JournalEvent(named: kind, at: at)
            event.notices = ["DID_RENEW"]
            change(&event)
            entries.append(TimelineEntry(sequence: Int64(entries.count + 1), event))
        }
        for period in 0..<periods {
            let due = start + .days(30 * period)
            let end = due + .days(30)
            if period % 3 == 2 {
                add("becameDue", due) { $0.declined = 9990 }
            }
            add(period == 0 ? "chosePlan" : "becameDue", due + .days(period % 3 == 2 ? 1 : 0)) {
                $0.transactionID = 400_000_000_000_000 + Int64(period)
                ($0.amount, $0.currency) = (9990 + Int64(period % 2), "USD")
                ($0.productID, $0.until) = ("club.\(period % 2)", end)
            }
            if period % 4 == 3 {
                add("wasExtended", due + .days(9)) { $0.until = end }
            }
        }
        let now = start + .days(30 * periods)
        return Life(
            id: "400000000000000", account: "anna", productID: "club.0", state: "active",
            renewsAutomatically: true, expires: now, price: 9990, currency: "USD",
            entries: entries, now: now)
    }

    @Test("A life of hundreds of events is a small drawing", arguments: [300, 1000])
    func small(periods: Int) {
        let drawings = Self.life(periods: periods).drawings
        #expect(drawings.count == 2)
        #expect(drawings.reduce(0) { $0 + $1.utf8.count } < 40_000)
    }

    @Test("All of it is seen, and marks stay within the drawing")
    func seen() throws {
        let long = try #require(Self.life(periods: 400).drawings.first)
        #expect(long.contains(#/<path d="M[^"]*" class="paid"\/>/#))
        let places = long.matches(of: #/[ "]x1?="(\d+)"/#).compactMap { Int($0.1) }
        #expect(places.allSatisfy { $0 <= 1100 })
        // Two marks for each change would be a heap at the end.
        #expect(Set(places).count > 50)
    }

    @Test("The legend names the dots, heaps of them, extensions and what is owed")
    func legend() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let page = "/console/subscriptions/\(id)"
            let keys = ["several within a short time", "extended", "price owed, not paid yet"]
            let young = try await browser.get(page)
            for words in ["charge", "notification to the developer", "now"] {
                #expect(young.text.contains("</svg> \(words)</li>"), "\(words)")
            }
            for words in keys { #expect(!young.words.contains(words), "\(words)") }
            for (method, path, body) in [
                (
                    .post, "subscriptions/\(id)/extend",
                    #"{"days":3,"requestIdentifier":"a"}"#
                ),
                (.put, "customers/ada/payment-method", #"{"behaviour":"decline"}"#),
                (.post, "clock/advance", #"{"by":"P40D"}"#),
            ] as [(HTTPRequest.Method, String, String)] {
                let sight = try await browser.call(method, "/connect/v1/\(path)", body)
                #expect(sight.status < 300, "\(sight.text)")
            }
            let old = try await browser.get(page)
            for words in keys { #expect(old.text.contains("</svg> \(words)</li>"), "\(words)") }
        }
    }

    @Test("A short life says what each of its parts is")
    func short() throws {
        let drawing = try #require(Self.life(periods: 3).drawings.first)
        #expect(drawing.matches(of: #/<rect[^>]*><title>/#).count >= 8)
        #expect(!drawing.contains(#"<path d="M"#) || drawing.contains(#"class="hatch""#))
        #expect(Life.nothing.drawings.isEmpty)
    }
}

extension Life {
    /// One in which nothing happened.
    fileprivate static var nothing: Life {
        Life(
            id: "1", account: "a", productID: "p", state: "active", renewsAutomatically: true,
            expires: nil, price: 0, currency: "USD", entries: [],
            now: Instant(milliseconds: 0))
    }
}
