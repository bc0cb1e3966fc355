import SubscriptionRules
import Testing

@Suite("What is sent before a price rises, as data")
struct CommunicationTimetableTests {
    private static func days(
        _ occasion: CommunicationTimetable.Occasion, _ period: CalendarPeriod
    ) -> [Int] {
        CommunicationTimetable(occasion, for: period).rows.map(\.daysBefore)
    }

    @Test("Consent is asked for 60, 27 or 7 days ahead, on every channel (TAB-7.3)")
    func consent() {
        for months in [2, 3, 6, 12] {
            #expect(Self.days(.consent, CalendarPeriod(months, .month)) == [60, 60, 60])
        }
        #expect(Self.days(.consent, .year) == [60, 60, 60])
        #expect(Self.days(.consent, .month) == [27, 27, 27])
        #expect(Self.days(.consent, .week) == [7, 7, 7])
        for row in CommunicationTimetable(.consent, for: .month).rows {
            #expect(row.condition == .untilAnswered)
            #expect(row.repeatsAfterDays == 7)
            #expect(row.withdrawnBy.contains(.answered))
            #expect(!row.withdrawnBy.contains(.sheetSeen))
        }
    }

    @Test("A notice is mailed once 27 days ahead, and pushed to who has not seen the sheet (ACC-3)")
    func notice() {
        for period in CalendarPeriod.billing {
            let rows = CommunicationTimetable(.notice, for: period).rows
            #expect(rows.map(\.channel) == [.mail, .sheet, .push])
            #expect(rows.map(\.daysBefore) == [27, 27, 7])
            #expect(rows.map(\.condition) == [.always, .atFirstLaunch, .unlessSheetWasSeen])
            #expect(rows.allSatisfy { $0.repeatsAfterDays == nil })
            #expect(rows.map { $0.withdrawnBy.contains(.sheetSeen) } == [false, true, true])
            #expect(!rows.contains { $0.withdrawnBy.contains(.answered) })
        }
    }

    @Test("In Korea the end of an offer is asked about within 30 days, whatever the plan (KOR-3)")
    func korea() {
        for period in CalendarPeriod.billing {
            #expect(Self.days(.koreanConversion, period) == [30, 30, 30])
        }
    }

    @Test("Whoever turns renewal off, leaves or is refunded is sent nothing more (ACC-11)")
    func withdrawn() {
        let always: Set<MessageWithdrawal> = [
            .renewalTurnedOff, .planChanged, .refunded, .ended, .priceWithdrawn, .billingRetry,
        ]
        for row in CommunicationTimetable.all.flatMap(\.rows) {
            #expect(always.isSubset(of: row.withdrawnBy))
        }
    }

    @Test("The timetable and the calendars that are planned agree")
    func planned() {
        for period in CalendarPeriod.billing {
            for path in [ConsentDecision.Path.notice, .consent] {
                let renews = moment("2026-06-15")
                let subscriber = ImaginedSubscriber(
                    storefront: "USA", period: period, renews: renews)
                let outlook = RenewalOutlook(
                    periodStart: renews - .days(period == .week ? 7 : 28), nextRenewal: renews,
                    period: subscriber.period)
                let calendar = CommunicationCalendar(
                    path, route: .storeManaged, live: renews - .days(400), outlook: outlook)
                guard let first = calendar.firstRenewal,
                    let timetable = CommunicationTimetable(of: path, for: period)
                else {
                    Issue.record("nothing is planned for \(period)")
                    continue
                }
                for row in timetable.rows {
                    let sent = calendar.messages.filter { $0.channel == row.channel }
                    let early = path == .consent && sent.first?.moment == outlook.periodStart
                    #expect(early || sent.first?.moment == first - .days(row.daysBefore))
                    #expect(sent.allSatisfy { $0.condition == row.condition })
                    let gaps = zip(sent, sent.dropFirst()).map { $1.moment.since($0.moment) }
                    #expect(gaps.allSatisfy { $0 == row.repeatsAfterDays.map(Span.days) })
                }
            }
        }
    }
}
