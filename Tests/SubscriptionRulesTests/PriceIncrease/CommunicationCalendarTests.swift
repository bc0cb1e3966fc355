import SubscriptionRules
import Testing

@Suite("Calendar of a price increase, App Store Connect route")
struct CommunicationCalendarTests {
    private func plan(
        _ path: ConsentDecision.Path, live: String, _ outlook: RenewalOutlook
    ) -> CommunicationCalendar {
        CommunicationCalendar(
            path, route: .appStoreConnect, live: moment(live), outlook: outlook)
    }

    @Test("Live 14 days before a monthly renewal: once more at the old price (TAB-21)")
    func tooNear() {
        let outlook = RenewalOutlook.since("2026-01-15", renewals: 2, .month)
        let calendar = plan(.notice, live: "2026-04-01", outlook)
        #expect(calendar.oldPriceTexts == ["2026-04-15"])
        #expect(
            calendar.oldPriceRenewals.map(\.reason) == [
                .tooNear(notice: .days(14), needed: .days(27))
            ])
        #expect(calendar.sends(.mail) == ["2026-04-18"])
        #expect(calendar.sends(.sheet) == ["2026-04-18"])
        #expect(calendar.sends(.push) == ["2026-05-08"])
        #expect(
            calendar.messages.map(\.condition) == [.always, .atFirstLaunch, .unlessSheetWasSeen])
        #expect(calendar.firstRenewalText == "2026-05-15")
        #expect(calendar.answerBy == nil)
        #expect(calendar.outcome(agreed: nil) == .newPrice)
    }

    @Test("Live 36 days before a monthly renewal: that renewal charges the new price (TAB-21)")
    func farEnough() {
        let outlook = RenewalOutlook.since("2026-01-15", renewals: 1, .month)
        let calendar = plan(.notice, live: "2026-03-10", outlook)
        #expect(calendar.oldPriceTexts == ["2026-03-15"])
        #expect(calendar.sends(.mail) == ["2026-03-19"])
        #expect(calendar.firstRenewalText == "2026-04-15")
    }

    @Test("A yearly subscriber is asked from 60 days before; 26 are too few (TAB-21)")
    func yearly() {
        let outlook = RenewalOutlook.since("2025-12-31", .year)
        let calendar = plan(.consent, live: "2026-06-01", outlook)
        #expect(calendar.firstMessage == moment("2026-11-01"))
        #expect(calendar.firstRenewalText == "2026-12-31")
        #expect(calendar.answerBy == moment("2026-12-31"))

        let late = plan(.consent, live: "2026-12-05", outlook)
        #expect(late.oldPriceTexts == ["2026-12-31"])
        #expect(late.firstRenewalText == "2027-12-31")
        #expect(
            late.oldPriceRenewals.map(\.reason) == [
                .tooNear(notice: .days(26), needed: .days(30))
            ])
    }

    @Test("After a recovery days count from it, with one period at the old price (TAB-21)")
    func recovered() {
        let recovered = moment("2026-04-20")
        let outlook = RenewalOutlook.since(
            "2026-04-20", .month, expectation: .recovered(at: recovered))
        for path in [ConsentDecision.Path.notice, .consent] {
            let calendar = plan(path, live: "2026-03-01", outlook)
            #expect(calendar.firstMessage == moment("2026-04-23"))
            #expect(calendar.firstRenewalText == "2026-05-20")
            #expect(calendar.remarks == [.recovered(at: recovered)])
        }
    }

    @Test("After a recovery in grace too few days are left, so another period follows (INC-7)")
    func recoveredInGrace() {
        let outlook = RenewalOutlook.since(
            "2026-01-15", renewals: 3, .month, expectation: .recovered(at: moment("2026-04-20")))
        let calendar = plan(.consent, live: "2026-03-01", outlook)
        #expect(calendar.oldPriceTexts == ["2026-05-15"])
        #expect(calendar.firstRenewalText == "2026-06-15")
    }

    @Test("Renewal that was turned on again starts the notice in full (TAB-7.3, blocked)")
    func turnedOnAgain() {
        let outlook = RenewalOutlook.since(
            "2026-01-15", renewals: 3, .month, expectation: .turnedOnAgain(at: moment("2026-05-10"))
        )
        let calendar = plan(.notice, live: "2026-01-20", outlook)
        #expect(calendar.oldPriceTexts == ["2026-05-15"])
        #expect(calendar.sends(.mail) == ["2026-05-19"])
        #expect(calendar.remarks == [.turnedOnAgain(at: moment("2026-05-10"))])
    }

    @Test("While a renewal is retried, and when none will come, nobody is told (INC-8, ACC-11)")
    func silent() {
        for (expectation, remark) in [
            (RenewalOutlook.Expectation.willNotRenew, CalendarRemark.willNotRenew),
            (.inBillingRetry, .inBillingRetry),
        ] {
            let outlook = RenewalOutlook.since("2026-01-15", .month, expectation: expectation)
            for path in ConsentDecision.Path.allCases {
                let calendar = plan(path, live: "2026-01-20", outlook)
                #expect(calendar.messages.isEmpty)
                #expect(calendar.firstRenewal == nil)
                #expect(calendar.remarks == [remark])
                #expect(calendar.outcome(agreed: moment("2026-01-21")) == .oldPrice)
            }
        }
    }

    struct Boundary: CustomTestStringConvertible, Sendable {
        let path: ConsentDecision.Path
        let period: CalendarPeriod
        let days: Int
        var testDescription: String { "\(path) \(period.iso8601) \(days) days" }
    }

    /// INC-3 for consent; a weekly notice needs its 27 days (INC-5).
    static let boundaries: [Boundary] = CalendarPeriod.billing.flatMap { period in
        [ConsentDecision.Path.notice, .consent].map { path in
            let days =
                switch (period, path) {
                case (.week, .consent): 7
                case (.week, _), (.month, _): 27
                default: 30
                }
            return Boundary(path: path, period: period, days: days)
        }
    }

    @Test("Exactly the least notice is enough, a millisecond less is not", arguments: boundaries)
    func boundary(row: Boundary) throws {
        // So long before R that weekly renewals lie between.
        let short = RenewalOutlook(
            periodStart: moment("2026-05-28"), nextRenewal: moment("2026-06-18"),
            period: row.period)
        let renewal = try #require(
            short.renewals.first { $0.moment >= moment("2026-06-18") + .days(28) })
        let live = renewal.moment - .days(row.days)
        let exact = CommunicationCalendar(
            row.path, route: .appStoreConnect, live: live, outlook: short)
        let late = CommunicationCalendar(
            row.path, route: .appStoreConnect, live: live + Span(milliseconds: 1), outlook: short)
        #expect(exact.firstRenewal == renewal.moment)
        #expect(try #require(late.firstRenewal) > renewal.moment)
        #expect(try #require(late.oldPriceRenewals.last).moment == renewal.moment)
    }

    @Test("A yearly request that begins late begins when the change goes live")
    func lateRequest() {
        let outlook = RenewalOutlook.since("2025-12-31", .year)
        let calendar = plan(.consent, live: "2026-11-20", outlook)
        #expect(calendar.firstRenewalText == "2026-12-31")
        #expect(
            calendar.sends(.mail) == [
                "2026-11-20", "2026-11-27", "2026-12-04", "2026-12-11", "2026-12-18", "2026-12-25",
            ])
        #expect(calendar.remarks == [.shortenedLead(usual: moment("2026-11-01"))])
    }

    @Test("Who is in a trial renews once at the price shown at sign-up (INC-6)")
    func trial() {
        let trial = SamplePlans.trial(.month)
        let outlook = RenewalOutlook.since("2026-01-15", .month, offer: trial)
        let calendar = plan(.notice, live: "2026-01-16", outlook)
        #expect(calendar.oldPriceTexts == ["2026-02-15"])
        #expect(calendar.oldPriceRenewals.map(\.reason) == [.firstAfterOffer])
        #expect(calendar.firstRenewalText == "2026-03-15")
    }

    @Test("Discounted periods come first, then one at the old price (INC-6)")
    func payAsYouGo() {
        let offer = SamplePlans.payAsYouGo(3, .month, 990)
        let outlook = RenewalOutlook.since("2026-01-15", .month, offer: offer)
        let calendar = plan(.consent, live: "2026-01-20", outlook)
        #expect(calendar.oldPriceTexts == ["2026-02-15", "2026-03-15", "2026-04-15"])
        #expect(
            calendar.oldPriceRenewals.map(\.reason) == [
                .offerGoesOn, .offerGoesOn, .firstAfterOffer,
            ])
        #expect(calendar.firstRenewalText == "2026-05-15")
    }

    @Test("Who is in an offer has at least 30 days, a weekly plan too (INC-6)")
    func weeklyTrial() {
        let outlook = RenewalOutlook.since("2026-01-01", .week, offer: SamplePlans.trial(.week))
        let calendar = plan(.consent, live: "2026-01-02", outlook)
        #expect(calendar.firstRenewalText == "2026-02-05")
        // After the trial the ordinary 7 days are enough.
        let later = plan(.consent, live: "2026-01-09", outlook)
        #expect(later.firstRenewalText == "2026-01-22")
    }

    @Test("A decrease is silent and reaches the next renewal; an offer keeps its price (PRC-4)")
    func decrease() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        let calendar = plan(.none, live: "2026-02-14", outlook)
        #expect(calendar.firstRenewalText == "2026-02-15")
        #expect(calendar.messages.isEmpty)
        #expect(plan(.none, live: "2026-02-15", outlook).firstRenewalText == "2026-02-15")

        let offer = SamplePlans.payAsYouGo(2, .month, 990)
        let discounted = RenewalOutlook.since("2026-01-15", .month, offer: offer)
        let later = plan(.none, live: "2026-01-20", discounted)
        #expect(later.firstRenewalText == "2026-03-15")
        #expect(later.oldPriceRenewals.map(\.reason) == [.offerGoesOn])
    }

    @Test("Without consent by the renewal the subscription expires there (INC-4)")
    func unanswered() {
        let outlook = RenewalOutlook.since("2026-01-15", .month)
        let calendar = plan(.consent, live: "2026-01-15", outlook)
        #expect(calendar.sends(.push) == ["2026-01-19", "2026-01-26", "2026-02-02", "2026-02-09"])
        #expect(calendar.outcome(agreed: nil) == .expires)
        #expect(calendar.outcome(agreed: moment("2026-02-15")) == .expires)
        #expect(calendar.outcome(agreed: moment("2026-02-14 23:59")) == .newPrice)
    }

    @Test("Renewals are computed from the anchor, and in the billing zone")
    func anchored() {
        let outlook = RenewalOutlook.since("2026-01-31", .month)
        #expect(
            outlook.renewals.prefix(4).map { text($0.moment) } == [
                "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31",
            ])
        let pacific = RenewalOutlook.since("2026-02-15 20:00", .month, zone: .pacific)
        #expect(
            pacific.renewals.prefix(2).map { text($0.moment) } == [
                "2026-03-15 19:00", "2026-04-15 19:00",
            ])
    }

    @Test("A merchant who knows the anchor gets the true days, without it the next renewal's")
    func merchant() {
        let next = moment("2026-02-28")
        let blind = RenewalOutlook(
            periodStart: moment("2026-01-31"), nextRenewal: next, period: .month)
        #expect(blind.renewals.prefix(2).map { text($0.moment) } == ["2026-02-28", "2026-03-28"])
        let known = RenewalOutlook(
            periodStart: moment("2026-01-31"), nextRenewal: next, anchor: moment("2025-08-31"),
            period: .month)
        #expect(known.renewals.prefix(2).map { text($0.moment) } == ["2026-02-28", "2026-03-31"])
        // An anchor that does not lead to the next renewal is not used.
        let wrong = RenewalOutlook(
            periodStart: moment("2026-01-31"), nextRenewal: next,
            anchor: moment("2025-08-30 01:00"),
            period: .month)
        #expect(wrong == blind)
    }

    @Test("A change beyond the store's time is never reached")
    func beyond() {
        let outlook = RenewalOutlook.since("2026-01-15", .week)
        let calendar = CommunicationCalendar(
            .notice, route: .appStoreConnect, live: Instant(milliseconds: .max), outlook: outlook)
        #expect(calendar.firstRenewal == nil)
        #expect(calendar.remarks == [.neverReached])
    }

    @Test("In Sandbox days shorten with the period and only the sheet is shown (SBX-6)")
    func sandbox() {
        let tempo = Tempo.sandbox(.fiveMinutes)
        let outlook = RenewalOutlook.since("2026-01-01", .month, tempo: tempo)
        let calendar = plan(.notice, live: "2026-01-01", outlook)
        // 27 of 30 days are 4.5 of 5 minutes.
        #expect(calendar.firstRenewalText == "2026-01-01 00:05")
        #expect(calendar.sends(.sheet) == ["2026-01-01 00:00:30"])
        #expect(calendar.sends(.mail).isEmpty && calendar.sends(.push).isEmpty)
        #expect(calendar.remarks == [.sandbox])

        let weekly = RenewalOutlook.since("2026-01-01", .week, tempo: tempo)
        let fourth = plan(.notice, live: "2026-01-01", weekly)
        #expect(fourth.firstRenewalText == "2026-01-01 00:12")
        #expect(fourth.oldPriceTexts.count == 3)

        let yearly = RenewalOutlook.since("2026-01-01", .year, tempo: tempo)
        let asked = plan(.consent, live: "2026-01-01", yearly)
        // 60 days are two months: ten minutes before the renewal after an hour.
        #expect(asked.sends(.sheet).first == "2026-01-01 00:50")
        #expect(asked.sends(.sheet).count == 9)
    }

    @Test("A change years ahead is found among millions of shortened periods")
    func farAhead() {
        let outlook = RenewalOutlook.since("2026-01-01", .month, tempo: .sandbox(.fiveMinutes))
        let calendar = plan(.notice, live: "2090-01-01", outlook)
        #expect(calendar.oldPriceTexts == ["2090-01-01"])
        #expect(calendar.firstRenewalText == "2090-01-01 00:05")
        #expect(calendar.sends(.sheet) == ["2090-01-01 00:00:30"])
        let between = plan(.notice, live: "2090-01-01 00:01", outlook)
        #expect(between.firstRenewalText == "2090-01-01 00:10")
    }
}
