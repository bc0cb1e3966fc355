import SubscriptionRules
import Testing

@Suite("Explanation of a price increase")
struct PriceIncreaseExplanationTests {
    private func explain(
        _ change: PriceChange, _ outlook: RenewalOutlook, live: String,
        storefront: String = "USA", previous: String? = nil,
        route: PriceChangeRoute = .appStoreConnect
    ) -> PriceIncreaseExplanation {
        PriceIncreaseExplanation(
            change,
            for: .init(
                storefront: storefront, outlook: outlook,
                previousIncrease: previous.map { moment($0) }),
            route: route, live: moment(live))
    }

    @Test("A notice is explained line by line")
    func notice() {
        let outlook = RenewalOutlook.since("2026-01-15", renewals: 2, .month)
        let explanation = explain(dollars(9_990, 14_980), outlook, live: "2026-04-01")
        #expect(
            explanation.lines == [
                "9.99 USD → 14.98 USD (+49.95 %), P1M, storefront USA, live 2026-04-01 00:00",
                "Path: notice: the subscriber is told and need not answer.",
                "Why:",
                "    -      USA does not demand consent for every increase.",
                "    -      The increase of 4.99 USD is 49.95 %, not more than 50 %, and not more "
                    + "than 5.00 USD a period.",
                "    -      There was no earlier increase of this subscription.",
                "Old price: 2026-04-15 00:00. Only 14 days of notice are left of the 27 days "
                    + "needed.",
                "New price: from the renewal on 2026-05-15 00:00.",
                "Messages:",
                "  2026-04-18 00:00  mail; sheet, at the first launch of the app from then on",
                "  2026-05-08 00:00  push, only if the sheet was not seen",
            ])
        #expect(explanation.firstRenewalAtNewPrice == moment("2026-05-15"))
    }

    @Test("A request in mode M names the last moments to answer and to call")
    func merchant() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        let explanation = explain(
            dollars(10_000, 15_010), outlook, live: "2026-01-15", route: .merchantManaged)
        #expect(explanation.decision.path == .consent)
        let lines = explanation.lines
        #expect(lines.contains("Path: consent: the price rises only if the subscriber agrees."))
        #expect(
            lines.contains(
                "Answer: up to 2026-02-14 00:00; otherwise the renewal charges the old price."))
        #expect(lines.contains("Call: from 2026-01-19 00:00 to 2026-02-14 00:00."))
    }

    @Test("A decrease and a subscriber who leaves have no messages")
    func silent() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        let lower = explain(dollars(9_990, 8_990), outlook, live: "2026-01-20")
        #expect(
            lower.lines.suffix(2).first == "New price: from the renewal on 2026-02-15 00:00.")
        #expect(lower.lines.last == "Messages: none.")
        var leaving = outlook
        leaving.standing = .willNotRenew
        let none = explain(dollars(9_990, 10_990), leaving, live: "2026-01-20")
        #expect(none.firstRenewalAtNewPrice == nil)
        #expect(none.lines.contains("New price: not planned."))
    }

    @Test("The frequency is judged at the earliest renewal that could charge the new price")
    func frequency() {
        let outlook = RenewalOutlook.since("2026-01-15", renewals: 2, .month)
        // R is 15 May: 12 months and a day after the last increase, while 15 April was within.
        let explanation = explain(
            dollars(9_990, 10_090), outlook, live: "2026-04-01", previous: "2025-05-14")
        #expect(explanation.decision.path == .notice)
        let within = explain(
            dollars(9_990, 10_090), outlook, live: "2026-04-01", previous: "2025-05-15")
        #expect(within.decision.path == .consent)
        #expect(within.firstRenewalAtNewPrice == moment("2026-05-15"))
    }

    @Test("In Korea an offer's end is explained besides the increase (KOR-9)")
    func korea() throws {
        let won = try #require(Currency(code: "KRW"))
        let trial = SamplePlans.trial(CalendarPeriod(2, .month))
        let outlook = RenewalOutlook.since("2025-03-01 12:00", .month, offer: trial)
        let explanation = explain(
            PriceChange(from: 5_900_000, to: 6_900_000, in: won), outlook, live: "2025-03-10",
            storefront: "KOR")
        #expect(explanation.decision.path == .notice)
        #expect(explanation.firstRenewalAtNewPrice == moment("2025-06-01 12:00"))
        let line = try #require(explanation.lines.first { $0.hasPrefix("Korea:") })
        #expect(line.contains("2025-04-01 to 2025-04-30 in Seoul"))
        // Two questions: the price's, which needs no answer, and the offer's.
        #expect(explanation.lines[1].contains("need not answer. That is about the price;"))
        #expect(explanation.lines.last?.hasPrefix("Note: the store explains this consent") == true)
    }

    @Test(
        "A change that lies far from the running period is remarked on",
        arguments: [
            ("2026-02-10", nil), ("2026-02-15", nil),
            ("2026-02-15 00:01", CalendarRemark.renewalsBefore(1)),
            ("2027-02-10", .renewalsBefore(12)), ("2025-12-19 00:01", nil),
            ("2025-12-18 23:59", .couldBeCharged(since: moment("2026-01-15"))),
        ] as [(String, CalendarRemark?)])
    func distance(_ live: String, _ remark: CalendarRemark?) {
        let outlook = RenewalOutlook.since("2025-06-15", renewals: 7, .month)
        #expect(outlook.periodStart == moment("2026-01-15"))
        let far = explain(dollars(9_990, 10_990), outlook, live: live).calendar.remarks
            .filter { remark in
                switch remark {
                case .renewalsBefore, .couldBeCharged: true
                default: false
                }
            }
        #expect(far == (remark.map { [$0] } ?? []))
    }

    @Test("Every reason, every remark and every path has a sentence")
    func sentences() {
        let now = moment("2026-01-01")
        let remarks: [CalendarRemark] = [
            .willNotRenew, .inBillingRetry, .neverReached, .renewalsBefore(1),
            .renewalsBefore(2), .couldBeCharged(since: now), .recovered(at: now),
            .turnedOnAgain(at: now), .shortenedLead(usual: now), .fourthRenewal, .sandbox,
        ]
        let reasons: [OldPriceReason] = [
            .offerGoesOn, .firstAfterOffer, .tooNear(notice: .minutes(100), needed: .days(27)),
            .calledTooLate, .sandbox,
        ]
        for sentence in remarks.map(\.sentence) + reasons.map(\.sentence) {
            #expect(sentence.hasSuffix("."))
        }
        #expect(reasons[2].sentence.hasPrefix("Only 1 h 40 min of notice"))
    }
}
