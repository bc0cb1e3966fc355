import SubscriptionRules
import Testing
import Wording

@Suite("A price increase in sentences")
struct ExplanationTextTests {
    private static func moment(_ text: String) throws -> Instant {
        try #require(Instant(iso8601: text))
    }

    /// A monthly subscriber since an anchor, some renewals later.
    private static func monthly(
        since anchor: String, renewals: Int = 0, offer: AppliedOffer? = nil
    ) throws -> RenewalOutlook {
        var cycle = BillingCycle(anchor: try moment(anchor))
        for _ in 0..<renewals { cycle.advance(by: .month, tempo: .real, zone: .utc) }
        let start = cycle.end(in: .utc)
        cycle.advance(by: offer?.runningLength ?? .month, tempo: .real, zone: .utc)
        return RenewalOutlook(
            periodStart: start, cycle: cycle, period: .month, offer: offer, expectation: .renews,
            tempo: .real, zone: .utc)
    }

    private static func lines(
        _ change: (old: Int64, new: Int64), _ outlook: RenewalOutlook, live: String,
        storefront code: String = "USA", route: PriceChangeRoute = .appStoreConnect
    ) throws -> [String] {
        let storefront = try #require(Storefront(code: code))
        return Wording.english.lines(
            PriceIncreaseExplanation(
                PriceChange(from: change.old, to: change.new, in: storefront.currency),
                for: .init(storefront: code, outlook: outlook), route: route,
                live: try moment(live)))
    }

    @Test("A notice is told line by line")
    func notice() throws {
        let lines = try Self.lines(
            (9_990, 14_980), Self.monthly(since: "2026-01-15", renewals: 2), live: "2026-04-01")
        #expect(
            lines == [
                "9.99 USD → 14.98 USD (+49.95 %), P1M, storefront USA, live 2026-04-01 00:00",
                "Path: notice: the subscriber is told and need not answer.",
                "Why:",
                "    -      USA does not demand consent for every increase.",
                "    -      The increase of 4.99 USD is 49.95 %, not more than 50 %, and not more "
                    + "than 5.00 USD a period.",
                "    -      There was no earlier increase.",
                "Old price: still at the renewal on 2026-04-15 00:00. Only 14 days of notice are "
                    + "left of the 27 days needed.",
                "New price: from the renewal on 2026-05-15 00:00.",
                "Messages:",
                "  2026-04-18 00:00  mail; sheet, at the first launch of the app from then on",
                "  2026-05-08 00:00  push, only if the sheet was not seen",
            ])
    }

    @Test("A request in mode M names the last moments to answer and to call")
    func merchant() throws {
        let lines = try Self.lines(
            (10_000, 15_010), Self.monthly(since: "2026-01-15"), live: "2026-01-15",
            route: .merchantManaged)
        #expect(lines.contains("Path: consent: the price rises only if the subscriber agrees."))
        #expect(
            lines.contains(
                "Answer: up to 2026-02-14 00:00; otherwise the renewal charges the old price."))
        #expect(lines.contains("Call: from 2026-01-19 00:00 to 2026-02-14 00:00."))
    }

    @Test("A request of the store says that the subscription expires without an answer")
    func store() throws {
        let lines = try Self.lines(
            (10_000, 15_010), Self.monthly(since: "2026-01-15"), live: "2026-01-15")
        #expect(
            lines.contains {
                $0.hasPrefix("Answer: before ")
                    && $0.hasSuffix("; otherwise the subscription expires at the renewal.")
            })
    }

    @Test("A decrease and a subscriber who leaves have no messages")
    func silent() throws {
        let outlook = try Self.monthly(since: "2026-01-15")
        let lower = try Self.lines((9_990, 8_990), outlook, live: "2026-01-20")
        #expect(lower.contains("Why:"))
        #expect(
            lower.suffix(2) == [
                "New price: from the renewal on 2026-02-15 00:00.", "Messages: none.",
            ])
        var leaving = outlook
        leaving.expectation = .willNotRenew
        let none = try Self.lines((9_990, 10_990), leaving, live: "2026-01-20")
        #expect(none.contains("New price: not planned."))
        #expect(none.contains("Note: Renewal is off: nobody is told anything."))
    }

    @Test(
        "What Advanced Commerce does not take is said, and nothing is planned",
        arguments: [PriceChangeRoute.merchantManaged, .storeManaged])
    func india(_ route: PriceChangeRoute) throws {
        let lines = try Self.lines(
            (299_000, 349_000), Self.monthly(since: "2026-01-15"), live: "2026-01-16",
            storefront: "IND", route: route)
        #expect(
            lines.dropFirst() == [
                "Path: not available: the store refuses such an increase.", "Why:",
                "    -      Advanced Commerce takes no price increase in IND.",
                "New price: not planned.", "Messages: none.",
            ])
    }

    @Test("In Korea the offer's end is a question of its own")
    func korea() throws {
        let twoMonths = CalendarPeriod(2, .month)
        let trial = AppliedOffer(
            kind: .introductory, id: "", mode: .freeTrial, period: twoMonths,
            wholePeriod: twoMonths, price: 0, periodsLeft: 0)
        let lines = try Self.lines(
            (5_900_000, 6_900_000), Self.monthly(since: "2025-03-01T12:00:00Z", offer: trial),
            live: "2025-03-10", storefront: "KOR")
        #expect(lines[1].contains("need not answer. That is about the price;"))
        let line = try #require(lines.first { $0.hasPrefix("Korea:") })
        #expect(line.contains("2025-04-01 to 2025-04-30 in Seoul"))
    }

    @Test(
        "Every size of an increase has a sentence with its figures",
        arguments: [
            (9_990, 14_980, "4.99 USD is 49.95 %, not more than 50 %, and not more than 5.00 USD"),
            (20_000, 29_990, "9.99 USD is 49.95 %, not more than 50 %, and more than 5.00 USD"),
            (990, 4_990, "4.00 USD is 404.04 %, more than 50 %, and not more than 5.00 USD"),
            (10_000, 15_010, "5.01 USD is 50.10 %, more than 50 %, and more than 5.00 USD"),
            (0, 4_990, "from nothing counts as more than 50 %, and is not more than 5.00 USD"),
            (0, 9_990, "from nothing counts as more than 50 %, and is more than 5.00 USD"),
        ] as [(Int64, Int64, String)])
    func sizes(_ old: Int64, _ new: Int64, _ part: String) throws {
        let lines = try Self.lines(
            (old, new), Self.monthly(since: "2026-01-15"), live: "2026-01-16")
        #expect(lines.contains { $0.contains(part + " a period.") })
    }
}
