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

    @Test("A notice has its path, its dates and its renewal")
    func notice() {
        let outlook = RenewalOutlook.since("2026-01-15", renewals: 2, .month)
        let explanation = explain(dollars(9_990, 14_980), outlook, live: "2026-04-01")
        #expect(explanation.decision.path == .notice)
        #expect(explanation.calendar.oldPriceTexts == ["2026-04-15"])
        #expect(explanation.firstRenewalAtNewPrice == moment("2026-05-15"))
        #expect(explanation.calendar.sends(.mail) == ["2026-04-18"])
        #expect(explanation.calendar.sends(.sheet) == ["2026-04-18"])
        #expect(explanation.calendar.sends(.push) == ["2026-05-08"])
    }

    @Test("A request in mode M has the last moments to answer and to call")
    func merchant() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        let explanation = explain(
            dollars(10_000, 15_010), outlook, live: "2026-01-15", route: .merchantManaged)
        #expect(explanation.decision.path == .consent)
        #expect(explanation.calendar.answerBy == moment("2026-02-14"))
        #expect(explanation.calendar.outcome(agreed: nil) == .oldPrice)
        #expect(explanation.calendar.callWindow?.opens == moment("2026-01-19"))
        #expect(explanation.calendar.callWindow?.closes == moment("2026-02-14"))
    }

    @Test("A decrease and a subscriber who leaves have no messages")
    func silent() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        let lower = explain(dollars(9_990, 8_990), outlook, live: "2026-01-20")
        #expect(lower.firstRenewalAtNewPrice == moment("2026-02-15"))
        #expect(lower.calendar.messages.isEmpty)
        var leaving = outlook
        leaving.expectation = .willNotRenew
        let none = explain(dollars(9_990, 10_990), leaving, live: "2026-01-20")
        #expect(none.firstRenewalAtNewPrice == nil)
        #expect(none.calendar.messages.isEmpty)
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
        // Two questions: the price's, which needs no answer, and the offer's.
        let conversion = try #require(explanation.koreanConversion)
        #expect(conversion.days?.lowerBound.iso8601 == "2025-04-01")
        #expect(conversion.days?.upperBound.iso8601 == "2025-04-30")
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
}
