import SubscriptionRules
import TestFloor
import Testing

@Suite("Properties of every calendar")
struct CalendarPropertyTests {
    /// A calendar of chance, and what it was made from.
    struct Sample {
        let outlook: RenewalOutlook
        let live: Instant
        let calendar: CommunicationCalendar
        let decision: ConsentDecision

        init(_ chance: inout SeededGenerator) {
            let period = CalendarPeriod.billing.randomElement(using: &chance)!
            let isSandbox = Int.random(in: 0..<4, using: &chance) == 0
            let tempo: Tempo =
                isSandbox ? .sandbox(SandboxSpeed.allCases.randomElement(using: &chance)!) : .real
            let zone = BillingZone.allCases.randomElement(using: &chance)!
            let offers: [AppliedOffer?] = [
                nil, nil, SamplePlans.trial(.week), SamplePlans.trial(.month),
                SamplePlans.payAsYouGo(3, period, 990), SamplePlans.payUpFront(.month, 990),
            ]
            let anchor = text(
                moment("2024-01-01") + .minutes(Int.random(in: 0..<1_500_000, using: &chance)))
            var outlook = RenewalOutlook.since(
                anchor, renewals: Int.random(in: 0..<20, using: &chance), period,
                offer: offers.randomElement(using: &chance)!, tempo: tempo, zone: zone)
            let reach = outlook.cycle.end(in: zone).since(outlook.periodStart).milliseconds * 3
            let live =
                outlook.periodStart
                + Span(milliseconds: Int64.random(in: 0..<reach, using: &chance))
            let later = live + Span(milliseconds: Int64.random(in: -reach..<reach, using: &chance))
            switch Int.random(in: 0..<6, using: &chance) {
            case 0: outlook.expectation = .recovered(at: later)
            case 1: outlook.expectation = .turnedOnAgain(at: later)
            default: break
            }
            self.outlook = outlook
            self.live = live
            let change = dollars(9_990, [8_990, 10_990, 20_000].randomElement(using: &chance)!)
            let explanation = PriceIncreaseExplanation(
                change, for: .init(storefront: "USA", outlook: outlook),
                route: PriceChangeRoute.allCases.randomElement(using: &chance)!, live: live)
            calendar = explanation.calendar
            decision = explanation.decision
        }
    }

    @Test("Nothing is sent before the change or after R, nor on one channel twice a week")
    func sends() throws {
        var chance = SeededGenerator(seed: 6_1)
        for index in 0..<1500 {
            let sample = Sample(&chance)
            let (calendar, outlook) = (sample.calendar, sample.outlook)
            let renewal = try #require(calendar.firstRenewal, "sample \(index)")
            #expect(renewal >= sample.live, "sample \(index)")
            let week = outlook.tempo.span(days: 7, of: outlook.period)
            #expect(calendar.messages.isEmpty == (calendar.path == .none), "sample \(index)")
            for message in calendar.messages {
                #expect(message.moment >= sample.live, "sample \(index)")
                #expect(message.moment < calendar.answerBy ?? renewal, "sample \(index)")
            }
            for channel in PriceMessage.Channel.allCases {
                let moments = calendar.messages.filter { $0.channel == channel }.map(\.moment)
                for (earlier, later) in zip(moments, moments.dropFirst()) {
                    #expect(later.since(earlier) >= week, "sample \(index)")
                }
            }
        }
    }

    @Test("Each renewal from the change to R charges the old price for a reason, R is one of them")
    func renewals() throws {
        var chance = SeededGenerator(seed: 6_2)
        for index in 0..<1500 {
            let sample = Sample(&chance)
            let renewal = try #require(sample.calendar.firstRenewal, "sample \(index)")
            let expected = sample.outlook.renewals.lazy.map(\.moment)
                .filter { $0 >= sample.live }.prefix { $0 <= renewal }
            #expect(
                Array(expected) == sample.calendar.oldPriceRenewals.map(\.moment) + [renewal],
                "sample \(index)")
        }
    }

    @Test("A consent path never raises the price without an answer in time; others always do")
    func outcomes() throws {
        var chance = SeededGenerator(seed: 6_3)
        for index in 0..<1500 {
            let calendar = Sample(&chance).calendar
            let renewal = try #require(calendar.firstRenewal, "sample \(index)")
            let isAsked = calendar.path == .consent
            #expect((calendar.outcome(agreed: nil) == .newPrice) != isAsked, "sample \(index)")
            #expect(
                (calendar.outcome(agreed: renewal) == .newPrice) != isAsked, "sample \(index)")
            guard isAsked, let first = calendar.firstMessage else { continue }
            #expect(calendar.outcome(agreed: first) == .newPrice, "sample \(index)")
        }
    }

    @Test("A weekly notice without an offer comes before exactly four renewals")
    func fourth() throws {
        var chance = SeededGenerator(seed: 6_4)
        var count = 0
        while count < 60 {
            let sample = Sample(&chance)
            guard sample.outlook.period == .week, sample.calendar.path == .notice,
                sample.outlook.offer == nil, sample.outlook.zone == .utc,
                sample.outlook.tempo == .real
            else { continue }
            count += 1
            let told = try #require(sample.calendar.firstMessage)
            let renewal = try #require(sample.calendar.firstRenewal)
            let between = sample.outlook.renewals.prefix { $0.moment <= renewal }
                .filter { $0.moment > told }
            #expect(between.count == 4)
            #expect(renewal.since(told) == .days(27))
        }
    }

    @Test("A call window is never empty and lets the call take effect at R (ACP-2)")
    func calls() throws {
        var chance = SeededGenerator(seed: 6_5)
        for index in 0..<1500 {
            let sample = Sample(&chance)
            guard sample.calendar.route == .merchantManaged else { continue }
            let window = try #require(sample.calendar.callWindow, "sample \(index)")
            let renewal = try #require(sample.calendar.firstRenewal, "sample \(index)")
            #expect(window.opens <= window.closes, "sample \(index)")
            #expect(window.opens >= sample.live, "sample \(index)")
            let day = sample.outlook.tempo.span(days: 1, of: sample.outlook.period)
            #expect(window.closes == renewal - day, "sample \(index)")
        }
    }
}
