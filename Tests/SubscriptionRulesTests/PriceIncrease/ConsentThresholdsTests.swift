import SubscriptionRules
import Testing

@Suite("Consent thresholds")
struct ConsentThresholdsTests {
    private let day = CivilDate(year: 2026, month: 10, day: 1)

    @Test("Each of the 175 storefronts has a row; the 109 in dollars have 5 and 50")
    func builtIn() {
        let rows = ConsentThresholds.standard.all
        #expect(rows.count == 175)
        let dollars = rows.filter { $0.currency.code == "USD" }
        #expect(dollars.count == 109)
        for row in rows {
            let isDollars = row.currency.code == "USD"
            #expect(row.nonAnnualAmount == (isDollars ? 5_000 : nil))
            #expect(row.annualAmount == (isDollars ? 50_000 : nil))
            #expect(row.origin == (isDollars ? .appleTable : .notFound))
        }
        #expect(rows.filter(\.alwaysConsent).map(\.storefront) == ["AUT", "DEU", "POL"])
    }

    @Test(
        "Only a year counts as annual: six months have the amount of a period (THR-3)",
        arguments: CalendarPeriod.billing)
    func annual(period: CalendarPeriod) throws {
        let row = try #require(ConsentThresholds.standard["USA"])
        #expect(row.amount(for: period) == (period == .year ? 50_000 : 5_000))
    }

    @Test(
        "A rate fills in the storefronts of its currency, rounded down to its decimals",
        arguments: [
            ("EUR", 92, 100, 4_600, 46_000),
            ("EUR", 92_345, 100_000, 4_610, 46_170),
            ("KRW", 1_350, 1, 6_750_000, 67_500_000),
            ("KRW", 13_501, 10, 6_750_000, 67_505_000),
            ("JPY", 14_999, 100, 749_000, 7_499_000),
            ("GBP", 1, 1_000_000, 0, 0),
        ] as [(String, Int64, Int64, Int64, Int64)])
    func rates(
        code: String, numerator: Int64, denominator: Int64, nonAnnual: Int64, annual: Int64
    ) throws {
        let currency = try #require(Currency(code: code))
        let rate = try #require(
            ExchangeRate(numerator, per: denominator, of: currency, asOf: day))
        var thresholds = ConsentThresholds.standard
        thresholds.apply(rate)
        for row in thresholds.all {
            let isFilled = row.currency == currency
            #expect((row.origin == .converted) == isFilled)
            guard isFilled else { continue }
            #expect(row.nonAnnualAmount == nonAnnual)
            #expect(row.annualAmount == annual)
            #expect(row.asOf == day)
        }
    }

    @Test("A rate changes neither Apple's amounts nor the operator's, but an older rate")
    func precedence() throws {
        let euro = try #require(Currency(code: "EUR"))
        var thresholds = ConsentThresholds.standard
        try thresholds.setAmounts(nonAnnual: 4_000, annual: nil, in: "FRA", asOf: day)
        thresholds.apply(try #require(ExchangeRate(1, per: 1, of: euro, asOf: day)))
        thresholds.apply(try #require(ExchangeRate(2, per: 1, of: euro, asOf: day)))
        let usd = Storefront.usa.currency
        thresholds.apply(try #require(ExchangeRate(2, per: 1, of: usd, asOf: day)))
        #expect(thresholds["FRA"]?.nonAnnualAmount == 4_000)
        #expect(thresholds["FRA"]?.annualAmount == nil)
        #expect(thresholds["FRA"]?.origin == .operator)
        #expect(thresholds["ITA"]?.nonAnnualAmount == 10_000)
        #expect(thresholds["USA"]?.nonAnnualAmount == 5_000)
    }

    @Test("A rate of nothing, of less, or beyond reason is none")
    func badRates() {
        let usd = Storefront.usa.currency
        for (numerator, denominator) in [(0, 1), (1, 0), (-1, 1), (1, -1), (.max, 1), (1, .max)]
            as [(Int64, Int64)]
        {
            #expect(ExchangeRate(numerator, per: denominator, of: usd, asOf: day) == nil)
        }
    }

    @Test("A largest rate still converts without overflow")
    func largestRate() throws {
        let won = try #require(Currency(code: "KRW"))
        var thresholds = ConsentThresholds.standard
        thresholds.apply(
            try #require(ExchangeRate(100_000_000_000_000, per: 1, of: won, asOf: day)))
        #expect(thresholds["KOR"]?.annualAmount == 5_000_000_000_000_000_000)
    }

    @Test("What is refused changes nothing")
    func refusals() {
        var thresholds = ConsentThresholds.standard
        #expect(throws: ThresholdRefusal.unknownStorefront("ZZZ")) {
            try thresholds.setAlwaysConsent(true, in: "ZZZ")
        }
        #expect(throws: ThresholdRefusal.unknownStorefront("usa")) {
            try thresholds.setAmounts(nonAnnual: 1, annual: 1, in: "usa", asOf: day)
        }
        #expect(throws: ThresholdRefusal.negativeAmount("USA")) {
            try thresholds.setAmounts(nonAnnual: 1, annual: -1, in: "USA", asOf: day)
        }
        #expect(thresholds == .standard)
    }
}
