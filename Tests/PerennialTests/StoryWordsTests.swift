import AppStoreWire
import ConnectAnswers
import SubscriptionRules
import Testing
import Timeline

@testable import perennial

@Suite("The life of a purchase at the merchant, in words and drawn")
struct StoryWordsTests {
    private static func answer(_ json: String) throws -> Answer {
        Answer(value: try JSONValue(parsing: Array(json.utf8)), source: "a test")
    }

    /// An event on a day of 2026.
    private static func event(
        _ kind: String, _ day: String, until: String? = nil, more: String = ""
    ) throws -> Answer {
        let end = until.map { ",\"until\":\"2026-\($0)T00:00:00Z\"" } ?? ""
        return try answer(
            """
            {"event":"\(kind)","at":"2026-\(day)T00:00:00Z","transactionId":"1",
            "productId":"plus","isReversed":false,"needsConsent":false,
            "notifications":[]\(end)\(more)}
            """)
    }

    @Test(
        "Each event says no more than is known",
        arguments: [
            ("unknown", "", "no news until 2026-03-01 00:00"),
            ("refunded", "", "plus was refunded"),
            ("refunded", ",\"refundedShare\":50000", "50 % of plus was refunded"),
            ("recoveredInGrace", "", "renewed plus in the grace period until 2026-03-01 00:00"),
            (
                "awaitingRenewal", "",
                "the period ended, and the renewal may be on its way: access until "
                    + "2026-03-01 00:00"
            ),
            ("willRenew", "", "will renew"),
        ] as [(String, String, String)])
    func sentences(kind: String, more: String, sentence: String) throws {
        let event = try Self.event(kind, "02-01", until: "03-01", more: more)
        #expect(try StoryWords.sentence(event) == sentence)
    }

    @Test("A reversed refund and a renewal that needs consent say so")
    func flags() throws {
        let refund = try Self.answer(
            #"{"event":"refunded","productId":"plus","isReversed":true}"#)
        #expect(
            try StoryWords.sentence(refund) == "plus was refunded, which was reversed later")
        let next = try Self.answer(
            """
            {"event":"willRenew","productId":"plus","needsConsent":true,
            "at":"2026-03-01T00:00:00Z"}
            """)
        #expect(
            try StoryWords.sentence(next)
                == "will renew: needs consent to a price increase by 2026-03-01 00:00")
    }

    @Test("The leeway is drawn as running, and has no mark of an end")
    func leeway() throws {
        let now = try #require(Instant(iso8601: "2026-02-01T12:00:00Z"))
        let events = try [
            Self.event("bought", "01-01", until: "02-01"),
            Self.event("awaitingRenewal", "02-01", until: "02-02"),
        ]
        let sketch = try #require(try StorySketch(events, at: now).sketch)
        #expect(sketch.access.map(\.kind) == [.paid, .awaited])
        #expect(sketch.marks.map(\.kind) == [.now])
    }

    @Test("A refund after a lapse leaves the drawing at its end; a hole is drawn as one")
    func lapse() throws {
        let now = try #require(Instant(iso8601: "2026-05-01T00:00:00Z"))
        let lapsed = try [
            Self.event("bought", "01-01", until: "02-01"), Self.event("ended", "02-01"),
            Self.event("refunded", "03-01"),
        ]
        let sketch = try #require(try StorySketch(lapsed, at: now).sketch)
        #expect(sketch.access.map(\.kind) == [.paid, .expired])
        #expect(sketch.marks.map(\.kind) == [.end, .refund, .now])
        let hole = try [
            Self.event("bought", "01-01", until: "02-01"),
            Self.event("unknown", "02-01", until: "04-01"),
            Self.event("renewed", "04-01", until: "05-02"),
        ]
        let holed = try #require(try StorySketch(hole, at: now).sketch)
        #expect(holed.access.map(\.kind) == [.paid, .unknown, .paid])
    }

    @Test("What is consumed is told with its time and its notification")
    func counted() throws {
        let notice = #"{"notificationUUID":"n-1","type":"ONE_TIME_CHARGE"}"#
        let purchase = try Self.answer(
            """
            {"productId":"coins","granted":true,"transactionId":"1","environment":"Production",
            "notifications":[],"story":[{"event":"bought","at":"2026-01-01T00:00:00Z",
            "productId":"coins","notifications":[\(notice)]}]}
            """)
        #expect(
            try MerchantWhyCommand.counted(purchase, Style(columns: 100)) == [
                "coins: counted", "  transaction 1, Production",
                "  2026-01-01 00:00  bought coins", "    ONE_TIME_CHARGE  n-1",
            ])
    }

    @Test("What unlocks nothing of what was asked for says what there is")
    func nothing() throws {
        let purchases = try [
            Self.answer(#"{"entitlements":["club"]}"#), Self.answer(#"{"entitlements":[]}"#),
        ]
        #expect(
            StoryWords.nothing(of: "life", unlocks: "gold", among: purchases)
                == "None of life's purchases unlocks gold: they unlock club.")
        #expect(
            StoryWords.nothing(of: "life", unlocks: "gold", among: [purchases[1]])
                == "None of life's purchases unlocks gold: they are counted, and unlock nothing.")
        #expect(
            StoryWords.nothing(of: "life", unlocks: "gold", among: [])
                == "The merchant knows of no purchase of life's.")
    }

    @Test("Transfers are told in order, and those of accounts that were merged by their names")
    func transfers() throws {
        func lines(_ transfers: [String]) throws -> [String] {
            let list = transfers.joined(separator: ",")
            let answer = try Self.answer(#"{"account":"ada","transfers":[\#(list)]}"#)
            return try StoryWords.transfers(in: answer, Style(columns: 100))
        }
        func transfer(
            _ kind: String, _ day: String, of account: String = "ada", _ other: String? = "ben",
            how: String = "restore"
        ) -> String {
            let name = other.map { #","other":"\#($0)""# } ?? ""
            return #"{"kind":"\#(kind)","at":"2026-01-\#(day)T00:00:00Z","account":"\#(account)","#
                + #""originalTransactionId":"7","how":"\#(how)"\#(name)}"#
        }
        #expect(try lines([]) == [])
        #expect(
            try lines([
                transfer("merged", "05", "cleo", how: "merge"),
                transfer("merged", "05", of: "cleo", "ada", how: "merge"),
                // Dora had become cleo before cleo became ada.
                transfer("merged", "05", of: "cleo", "dora", how: "merge"),
                transfer("merged", "05", of: "dora", "cleo", how: "merge"),
                transfer("transferredHere", "04", of: "cleo", nil, how: "order"),
                transfer("unshared", "03"), transfer("shared", "02", how: "app"),
                transfer("transferredAway", "01", how: "support"),
            ]) == [
                "Transfers:",
                "  2026-01-01 00:00  lost 7 to ben, moved by support",
                "  2026-01-02 00:00  shared 7 with ben, sent by the app",
                "  2026-01-03 00:00  stopped sharing 7: it went to ben alone, restored",
                "  2026-01-04 00:00  cleo got 7 from an account that was erased since, claimed "
                    + "with the order's number",
                "  2026-01-05 00:00  cleo was merged with dora",
                "  2026-01-05 00:00  was merged with cleo",
            ])
    }
}
