import SubscriptionRules
import Testing

@Suite("Conversion of an offer in Korea")
struct KoreanConversionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let offer: AppliedOffer
        let bought: String
        let converts: String
        let window: String
        var testDescription: String { "\(offer.wholePeriod.iso8601) from \(bought)" }

        init(
            _ offer: AppliedOffer, _ bought: String, _ converts: String, _ window: String
        ) {
            (self.offer, self.bought, self.converts, self.window) = (
                offer, bought, converts, window
            )
        }
    }

    static let halfYear = SamplePlans.payUpFront(CalendarPeriod(6, .month), 20_000)

    /// The table of TAB-7.5.
    static let table = [
        Row(
            SamplePlans.trial(CalendarPeriod(2, .month)), "2025-03-01", "2025-05-01",
            "2025-04-01…2025-04-30"),
        Row(
            SamplePlans.trial(.month), "2025-02-01", "2025-03-01", "2025-02-01…2025-02-28"),
        Row(halfYear, "2024-09-01", "2025-03-01", "2025-01-30…2025-02-28"),
        Row(halfYear, "2027-09-01", "2028-03-01", "2028-01-31…2028-02-29"),
        Row(
            SamplePlans.payUpFront(.year, 40_000), "2028-02-29", "2029-02-28",
            "2029-01-29…2029-02-27"),
        Row(
            SamplePlans.payAsYouGo(3, .month, 990), "2026-01-15", "2026-04-15",
            "2026-03-16…2026-04-14"),
        Row(
            SamplePlans.trial(CalendarPeriod(2, .month)), "2026-01-31", "2026-03-31",
            "2026-03-01…2026-03-30"),
        Row(halfYear, "2025-07-01", "2026-01-01", "2025-12-02…2025-12-31"),
        Row(
            SamplePlans.trial(.month), "2027-01-31", "2027-02-28", "2027-01-31…2027-02-27"),
        Row(
            SamplePlans.trial(.week), "2026-06-10", "2026-06-17", "2026-06-10…2026-06-16"),
        Row(
            SamplePlans.trial(CalendarPeriod(3, .day)), "2026-06-10", "2026-06-13",
            "2026-06-10…2026-06-12"),
    ]

    @Test("The table of TAB-7.5 comes out, for plans of every length", arguments: table)
    func windows(row: Row) throws {
        for plan in CalendarPeriod.billing {
            // Noon in UTC is the same day in Seoul.
            let outlook = RenewalOutlook.since(row.bought + " 12:00", plan, offer: row.offer)
            let conversion = try #require(KoreanConversion(outlook))
            #expect(text(conversion.moment) == row.converts + " 12:00")
            let days = try #require(conversion.days)
            #expect("\(days.lowerBound.iso8601)…\(days.upperBound.iso8601)" == row.window)
            #expect(
                conversion.kind == (row.offer.price == 0 ? .freeTrialToPaid : .discountToStandard))
        }
    }

    @Test("The conversion day itself is outside, the day before it inside (KOR-2)")
    func edges() {
        // 1 May 00:30 in Seoul is 30 April 15:30 in UTC.
        let conversion = KoreanConversion(
            .freeTrialToPaid, bought: moment("2025-02-28 15:30"),
            converts: moment("2025-04-30 15:30"))
        #expect(text(conversion.opens) == "2025-03-31 15:00")
        #expect(text(conversion.closes) == "2025-04-30 15:00")
        let early = moment("2025-03-31 14:59:59")
        #expect(!conversion.converts(agreed: early))
        #expect(conversion.converts(agreed: moment("2025-03-31 15:00")))
        #expect(conversion.converts(agreed: moment("2025-04-30 14:59:59")))
        #expect(!conversion.converts(agreed: moment("2025-04-30 15:00")))
        #expect(!conversion.converts(agreed: nil))
        #expect(conversion.days?.upperBound.iso8601 == "2025-04-30")
    }

    @Test("Every way of asking is used at once, then weekly, inside the window (KOR-3)")
    func messages() {
        let conversion = KoreanConversion(
            .freeTrialToPaid, bought: moment("2025-03-01"), converts: moment("2025-05-01"))
        #expect(conversion.messages.count == 15)
        #expect(conversion.messages.prefix(3).map(\.channel) == PriceMessage.Channel.allCases)
        #expect(conversion.messages.allSatisfy { conversion.accepts(at: $0.moment) })
    }

    @Test("Without an offer there is no conversion")
    func noOffer() {
        #expect(KoreanConversion(.since("2026-01-15", .month)) == nil)
    }

    @Test("A later period of an offer still counts from the purchase (KOR-8)")
    func laterPeriod() throws {
        let offer = try #require(SamplePlans.payAsYouGo(2, .week, 990).next)
        let outlook = RenewalOutlook.since("2026-06-17 12:00", .week, offer: offer)
        let conversion = try #require(
            KoreanConversion(outlook, bought: moment("2026-06-10 12:00")))
        #expect(text(conversion.moment) == "2026-06-24 12:00")
        #expect(conversion.days?.lowerBound.iso8601 == "2026-06-10")
    }

    @Test("In Sandbox the window is a shortened 30 days and ends a shortened day before")
    func sandbox() throws {
        let trial = SamplePlans.trial(CalendarPeriod(2, .month))
        let outlook = RenewalOutlook.since(
            "2026-01-01", .month, offer: trial, tempo: .sandbox(.fiveMinutes))
        let conversion = try #require(KoreanConversion(outlook))
        #expect(text(conversion.moment) == "2026-01-01 00:10")
        #expect(text(conversion.opens) == "2026-01-01 00:05")
        #expect(text(conversion.closes) == "2026-01-01 00:09:50")
        #expect(conversion.messages.allSatisfy { $0.channel == .sheet })
    }
}
