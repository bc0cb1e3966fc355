import SubscriptionRules
import Testing

@Suite("Calendar of a price increase, Advanced Commerce route")
struct AdvancedCommerceCalendarTests {
    static let routes: [PriceChangeRoute] = [.merchantManaged, .storeManaged]

    private func plan(
        _ path: ConsentDecision.Path, _ route: PriceChangeRoute = .merchantManaged, live: String,
        _ outlook: RenewalOutlook, lastSent: [PriceMessage.Channel: Instant] = [:]
    ) -> CommunicationCalendar {
        CommunicationCalendar(
            path, route: route, live: moment(live), outlook: outlook, lastSent: lastSent)
    }

    @Test(
        "An increase in India is not available, and nothing is planned (ACP-5)", arguments: routes)
    func india(_ route: PriceChangeRoute) throws {
        let rupees = try #require(Currency(code: "INR"))
        func explain(
            to price: Int64, in storefront: String, _ route: PriceChangeRoute
        ) -> PriceIncreaseExplanation {
            PriceIncreaseExplanation(
                PriceChange(from: 299_000, to: price, in: rupees),
                for: .init(storefront: storefront, outlook: .since("2026-01-15", .month)),
                route: route, live: moment("2026-01-16"))
        }
        let explanation = explain(to: 349_000, in: "IND", route)
        #expect(explanation.decision.path == .unavailable)
        #expect(explanation.decision.reasons.map(\.rule) == ["ACP-5"])
        #expect(explanation.firstRenewalAtNewPrice == nil)
        #expect(explanation.calendar.callWindow == nil)
        #expect(explanation.calendar.messages == [])
        #expect(explanation.calendar.outcome(agreed: nil) == .oldPrice)
        // A lower price is taken, and App Store Connect raises prices in India as elsewhere.
        #expect(explain(to: 249_000, in: "IND", route).decision.path == .none)
        #expect(explain(to: 249_000, in: "IND", route).firstRenewalAtNewPrice != nil)
        #expect(explain(to: 349_000, in: "IND", .appStoreConnect).decision.path == .notice)
        #expect(explain(to: 349_000, in: "USA", route).decision.path != .unavailable)
    }

    struct WorkedDate: CustomTestStringConvertible, Sendable {
        let renewal: String
        let sixty: String
        let twentySeven: String
        let seven: String
        var testDescription: String { renewal }
    }

    /// The worked dates of TAB-7.3.
    static let workedDates = [
        WorkedDate(
            renewal: "2026-03-01", sixty: "2025-12-31", twentySeven: "2026-02-02",
            seven: "2026-02-22"),
        WorkedDate(
            renewal: "2026-03-31", sixty: "2026-01-30", twentySeven: "2026-03-04",
            seven: "2026-03-24"),
        WorkedDate(
            renewal: "2028-03-01", sixty: "2028-01-01", twentySeven: "2028-02-03",
            seven: "2028-02-23"),
        WorkedDate(
            renewal: "2026-01-15", sixty: "2025-11-16", twentySeven: "2025-12-19",
            seven: "2026-01-08"),
    ]

    @Test("The worked dates before a renewal come out (TAB-7.3)", arguments: workedDates)
    func dates(row: WorkedDate) {
        let renewal = moment(row.renewal)
        for route in Self.routes {
            for (period, first) in [
                (CalendarPeriod.year, row.sixty), (CalendarPeriod(6, .month), row.sixty),
                (CalendarPeriod(3, .month), row.sixty), (.month, row.twentySeven),
                (.week, row.seven),
            ] {
                // A period of the right length before the renewal.
                let months = BillingZone.utc.wallClock(at: renewal).date
                    .adding(months: -(period.months ?? 0))
                let start =
                    period == .week
                    ? renewal - .days(7) : BillingZone.utc.instant(of: months, milliseconds: 0)
                let outlook = RenewalOutlook(
                    periodStart: start, nextRenewal: renewal, period: period)
                let calendar = CommunicationCalendar(
                    .consent, route: route, live: start, outlook: outlook)
                #expect(calendar.firstRenewal == renewal)
                for channel in PriceMessage.Channel.allCases {
                    #expect(calendar.sends(channel).first == first)
                }
                guard period != .week else { continue }
                let notice = CommunicationCalendar(
                    .notice, route: route, live: start, outlook: outlook)
                #expect(notice.sends(.mail) == [row.twentySeven])
                #expect(notice.sends(.sheet) == [row.twentySeven])
                #expect(notice.sends(.push) == [row.seven])
            }
        }
    }

    @Test(
        "Requests repeat weekly on each channel until the renewal (ACC-1, ACC-12)",
        arguments: [
            (CalendarPeriod.year, [60, 53, 46, 39, 32, 25, 18, 11, 4]),
            (.month, [27, 20, 13, 6]), (.week, [7]),
        ])
    func repeats(period: CalendarPeriod, days: [Int]) {
        let outlook = RenewalOutlook.since("2026-01-15", .year)
        var other = outlook
        other.period = period
        other.periodStart = moment("2027-01-15") - .days(period == .week ? 7 : 366)
        for route in Self.routes {
            let calendar = plan(.consent, route, live: "2026-01-15", other)
            let expected = days.map { text(moment("2027-01-15") - .days($0)) }
            for channel in PriceMessage.Channel.allCases {
                #expect(calendar.sends(channel) == expected)
            }
            #expect(calendar.messages.allSatisfy { $0.condition == .untilAnswered })
        }
    }

    @Test("A weekly notice raises the price at the fourth renewal (TAB-7.3, ACC-6)")
    func weekly() {
        let outlook = RenewalOutlook.since("2026-02-05", .week)
        for live in ["2026-02-05", "2026-02-06"] {
            let calendar = plan(.notice, live: live, outlook)
            #expect(calendar.sends(.mail) == ["2026-02-06"])
            #expect(calendar.oldPriceTexts == ["2026-02-12", "2026-02-19", "2026-02-26"])
            #expect(calendar.sends(.push) == ["2026-02-26"])
            #expect(calendar.firstRenewalText == "2026-03-05")
            #expect(calendar.callWindow?.opens == moment("2026-02-26"))
            #expect(calendar.callWindow?.closes == moment("2026-03-04"))
            #expect(calendar.remarks == [.fourthRenewal])
        }
        // Later than the first day of the period: the next period's first day.
        let later = plan(.notice, live: "2026-02-06 00:01", outlook)
        #expect(later.sends(.mail) == ["2026-02-13"])
        #expect(later.firstRenewalText == "2026-03-12")
    }

    @Test("A two-month period of 59 days is asked from its first day (ACC-9)")
    func shortPeriod() {
        let period = CalendarPeriod(2, .month)
        for (anchor, renewal) in [("2026-01-01", "2026-03-01"), ("2025-12-31", "2026-02-28")] {
            let outlook = RenewalOutlook.since(anchor, period)
            let calendar = plan(.consent, live: anchor, outlook)
            #expect(calendar.sends(.mail).first == anchor)
            #expect(calendar.firstRenewalText == renewal)
            #expect(
                calendar.remarks == [.shortenedLead(usual: moment(renewal) - .days(60))])
        }
        // One millisecond into the period there is no room for the full lead.
        let outlook = RenewalOutlook.since("2026-01-01", period)
        let late = CommunicationCalendar(
            .consent, route: .merchantManaged, live: moment("2026-01-01") + Span(milliseconds: 1),
            outlook: outlook)
        #expect(late.firstRenewalText == "2026-05-01")
        #expect(late.sends(.mail).first == "2026-03-02")
    }

    @Test("Without consent mode M keeps the old price, mode S lets it expire (ACP-10)")
    func unanswered() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        let merchant = plan(.consent, .merchantManaged, live: "2026-01-15", outlook)
        #expect(merchant.answerBy == moment("2026-02-14"))
        #expect(merchant.outcome(agreed: nil) == .oldPrice)
        #expect(merchant.outcome(agreed: moment("2026-02-14")) == .newPrice)
        // In the last 24 hours the call comes too late for this renewal (ACC-10).
        #expect(merchant.outcome(agreed: moment("2026-02-14 00:01")) == .oldPrice)
        #expect(merchant.callWindow?.opens == moment("2026-01-19"))
        #expect(merchant.callWindow?.closes == moment("2026-02-14"))
        let store = plan(.consent, .storeManaged, live: "2026-01-15", outlook)
        #expect(store.answerBy == moment("2026-02-15"))
        #expect(store.outcome(agreed: nil) == .expires)
        #expect(store.callWindow == nil)
    }

    @Test("A decrease reaches the renewal at least 24 hours after the call (ACP-2, ACP-12)")
    func decrease() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        for route in Self.routes {
            #expect(
                plan(.none, route, live: "2026-02-14", outlook).firstRenewalText == "2026-02-15")
            let late = plan(.none, route, live: "2026-02-14 00:01", outlook)
            #expect(late.oldPriceRenewals.map(\.reason) == [.calledTooLate])
            #expect(late.firstRenewalText == "2026-03-15")
        }
    }

    @Test("The whole lead must be left, or the increase waits for the next renewal")
    func wholeLead() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        for path in [ConsentDecision.Path.notice, .consent] {
            #expect(
                plan(path, live: "2026-01-19", outlook).firstRenewalText == "2026-02-15")
            #expect(
                plan(path, live: "2026-01-19 00:01", outlook).firstRenewalText == "2026-03-15")
        }
        let yearly = RenewalOutlook.since("2026-01-15", .year)
        #expect(
            plan(.consent, live: "2026-11-17", yearly).firstRenewalText == "2028-01-15")
    }

    @Test("Inside an offer nothing is announced; days count from its end (TAB-7.3, blocked)")
    func offer() {
        let trial = SamplePlans.trial(CalendarPeriod(1, .month))
        let outlook = RenewalOutlook.since("2026-01-01", .week, offer: trial)
        let calendar = plan(.notice, live: "2026-01-05", outlook)
        #expect(calendar.sends(.mail) == ["2026-02-02"])
        #expect(calendar.firstRenewalText == "2026-03-01")
    }

    @Test("Dates computed again repeat no notice, and keep a week between requests (ACC-11)")
    func again() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        let notice = plan(
            .notice, live: "2026-01-15", outlook, lastSent: [.mail: moment("2026-01-18")])
        #expect(notice.messages.map(\.channel) == [.sheet, .push])
        let consent = plan(
            .consent, live: "2026-01-15", outlook, lastSent: [.mail: moment("2026-01-18")])
        #expect(consent.sends(.mail) == ["2026-01-25", "2026-02-01", "2026-02-08"])
        #expect(consent.sends(.push).first == "2026-01-19")
    }

    @Test("In Sandbox the first renewal after the call keeps the old price (ACS-10)")
    func sandbox() {
        let outlook = RenewalOutlook.since(
            "2026-01-01", .month, tempo: .sandbox(.fiveMinutes))
        let calendar = plan(.consent, .storeManaged, live: "2026-01-01", outlook)
        #expect(calendar.oldPriceRenewals.map(\.reason) == [.sandbox])
        #expect(calendar.firstRenewalText == "2026-01-01 00:10")
        #expect(calendar.messages.allSatisfy { $0.channel == .sheet })
        #expect(calendar.sends(.sheet).first == "2026-01-01 00:05:30")
    }
}
