import SubscriptionRules
import Testing

/// A change of a US dollar price in milliunits.
func dollars(_ old: Int64, _ new: Int64) -> PriceChange {
    PriceChange(from: old, to: new, in: Storefront.usa.currency)
}

@Suite("Consent decision")
struct ConsentDecisionTests {
    static let halfYear = CalendarPeriod(6, .month)

    struct Row: CustomTestStringConvertible, Sendable {
        let old: Int64
        let new: Int64
        let period: CalendarPeriod
        let isHalf: Bool
        let isAmount: Bool
        let path: ConsentDecision.Path
        var testDescription: String { "\(period.iso8601) \(old) → \(new)" }

        init(
            _ old: Int64, _ new: Int64, _ period: CalendarPeriod, half: Bool, amount: Bool,
            _ path: ConsentDecision.Path
        ) {
            (self.old, self.new, self.period) = (old, new, period)
            (isHalf, isAmount, self.path) = (half, amount, path)
        }
    }

    /// The tables of TAB-7.2 and AMT-3, every row with figures.
    static let rows = [
        Row(9_990, 14_980, .month, half: false, amount: false, .notice),
        Row(10_000, 15_000, .month, half: false, amount: false, .notice),
        Row(10_000, 15_010, .month, half: true, amount: true, .consent),
        Row(4_990, 9_990, .month, half: true, amount: false, .notice),
        Row(4_990, 10_000, .month, half: true, amount: true, .consent),
        Row(12_000, 17_500, .month, half: false, amount: true, .notice),
        Row(20_000, 29_990, .month, half: false, amount: true, .notice),
        Row(990, 4_990, .week, half: true, amount: false, .notice),
        Row(59_990, 89_990, halfYear, half: true, amount: true, .consent),
        Row(99_990, 149_990, .year, half: true, amount: false, .notice),
        Row(99_990, 150_000, .year, half: true, amount: true, .consent),
        Row(39_990, 79_990, .year, half: true, amount: false, .notice),
        Row(1_990, 3_990, .month, half: true, amount: false, .notice),
        // Equality and one milliunit beyond it, and a price that was free (THR-4).
        Row(10_000, 15_001, .month, half: true, amount: true, .consent),
        Row(9_999, 14_999, .month, half: true, amount: false, .notice),
        Row(0, 5_000, .month, half: true, amount: false, .notice),
        Row(0, 5_010, .month, half: true, amount: true, .consent),
        Row(0, 10, .year, half: true, amount: false, .notice),
    ]

    private func decide(
        _ change: PriceChange, _ period: CalendarPeriod = .month, in storefront: String = "USA",
        previous: String? = nil, effective: String = "2026-06-15",
        conversion: OfferConversion? = nil, upi: Bool = false,
        thresholds: ConsentThresholds = .standard
    ) -> ConsentDecision {
        ConsentDecision(
            change, period: period, storefront: storefront,
            previousIncrease: previous.map { moment($0) }, effective: moment(effective),
            conversion: conversion, paysByUPIAutoPay: upi, thresholds: thresholds)
    }

    private func sizeTest(in decision: ConsentDecision) -> SizeTest? {
        for case .size(let test) in decision.reasons { return test }
        return nil
    }

    @Test("The worked tables of TAB-7.2 and of the thresholds come out", arguments: rows)
    func tables(row: Row) throws {
        let decision = decide(dollars(row.old, row.new), row.period)
        #expect(decision.path == row.path)
        let size = try #require(sizeTest(in: decision))
        #expect(size.isMoreThanHalf == row.isHalf)
        #expect(size.isMoreThanAmount == row.isAmount)
        #expect(decision.decidingReasons == (row.path == .consent ? [.size(size)] : []))
    }

    @Test("Every test that was made is kept, also those that demand nothing")
    func reasonsKept() {
        let decision = decide(dollars(10_000, 15_010), previous: "2024-01-01")
        #expect(decision.reasons.count == 3)
        #expect(decision.reasons.map(\.demandsConsent) == [false, true, false])
        #expect(decision.reasons.map(\.rule) == ["THR-1 a", "THR-1 b", "THR-1 c"])
    }

    @Test(
        "A decrease or an equal price needs nothing, ever (PRC-4)",
        arguments: ["USA", "DEU", "KOR", "IND", "ZZZ"])
    func decreases(storefront: String) {
        for change in [dollars(9_990, 9_980), dollars(9_990, 9_990), dollars(9_990, 0)] {
            let decision = decide(change, in: storefront, previous: "2026-06-01", upi: true)
            #expect(decision.path == .none)
            #expect(decision.decidingReasons.isEmpty)
            #expect(decision.reasons.first == .noIncrease(change))
        }
    }

    @Test(
        "Within 12 months of the last increase any increase needs consent, the last day included",
        arguments: [
            ("2025-07-15", "2026-06-15", true),  // 11 months ago
            ("2025-05-15", "2026-06-15", false),  // 13 months ago
            ("2025-06-15", "2026-06-15", true),  // the exact day
            ("2025-06-15 08:00", "2026-06-15 23:59:59", true),
            ("2025-06-15 08:00", "2026-06-16", false),
            ("2025-06-14", "2026-06-15", false),
            ("2024-02-29", "2025-02-28", true),  // 29 February a year on
            ("2024-02-29", "2025-03-01", false),
            ("2027-02-28", "2028-02-29", false),
        ] as [(String, String, Bool)])
    func frequency(previous: String, effective: String, demands: Bool) {
        let decision = decide(dollars(9_990, 10_090), previous: previous, effective: effective)
        #expect(decision.path == (demands ? .consent : .notice))
    }

    @Test("Who never had an increase is not held back by the frequency")
    func firstIncrease() {
        #expect(decide(dollars(9_990, 10_090)).path == .notice)
    }

    @Test("In Sandbox 12 months are shortened ones")
    func sandboxFrequency() {
        let effective = moment("2026-06-15 01:00")
        for (previous, path) in [
            (effective - .minutes(60), ConsentDecision.Path.consent),
            (effective - .minutes(61), .notice),
        ] {
            let decision = ConsentDecision(
                dollars(9_990, 10_090), period: .month, storefront: "USA",
                previousIncrease: previous, effective: effective, tempo: .sandbox(.fiveMinutes))
            #expect(decision.path == path)
        }
    }

    @Test("Germany, Austria and Poland need consent for one cent, unless switched off (THR-1 a)")
    func regions() throws {
        var thresholds = ConsentThresholds.standard
        for code in ["DEU", "AUT", "POL"] {
            let currency = try #require(Storefront(code: code)).currency
            let change = PriceChange(from: 9_990, to: 10_000, in: currency)
            #expect(decide(change, in: code).path == .consent)
            try thresholds.setAlwaysConsent(false, in: code)
            #expect(decide(change, in: code, thresholds: thresholds).path == .notice)
        }
        let euros = try #require(Currency(code: "EUR"))
        let change = PriceChange(from: 9_990, to: 10_090, in: euros)
        #expect(decide(change, in: "DEU").path == .consent)
        #expect(decide(change, in: "FRA").path == .notice)
    }

    @Test("An unknown storefront needs consent for every increase")
    func unknownStorefront() {
        let decision = decide(dollars(9_990, 10_000), in: "ZZZ")
        #expect(decision.path == .consent)
        #expect(decision.decidingReasons == [.region(storefront: "ZZZ", .unknown)])
    }

    @Test("Where no amount is known, half decides alone")
    func unknownAmount() throws {
        let won = try #require(Currency(code: "KRW"))
        let large = PriceChange(from: 5_900_000, to: 9_900_000, in: won)
        #expect(decide(large, in: "KOR").path == .consent)
        let half = PriceChange(from: 6_000_000, to: 9_000_000, in: won)
        #expect(decide(half, in: "KOR").path == .notice)
        #expect(sizeTest(in: decide(half, in: "KOR"))?.isMoreThanAmount == nil)
    }

    @Test("With an amount the same increase in Korea is compared with it")
    func koreanAmount() throws {
        let won = try #require(Currency(code: "KRW"))
        let change = PriceChange(from: 5_900_000, to: 9_900_000, in: won)
        var thresholds = ConsentThresholds.standard
        let day = CivilDate(year: 2026, month: 10, day: 1)
        try thresholds.setAmounts(
            nonAnnual: 4_000_000, annual: nil, in: "KOR", asOf: day)
        #expect(decide(change, in: "KOR", thresholds: thresholds).path == .notice)
        try thresholds.setAmounts(
            nonAnnual: 3_999_000, annual: nil, in: "KOR", asOf: day)
        #expect(decide(change, in: "KOR", thresholds: thresholds).path == .consent)
    }

    @Test("A price in another currency than the storefront's is compared with no amount")
    func otherCurrency() throws {
        let euros = try #require(Currency(code: "EUR"))
        let change = PriceChange(from: 1_000, to: 1_510, in: euros)
        #expect(decide(change, in: "USA").path == .consent)
    }

    @Test(
        "The end of an offer needs consent in Korea, whatever the list price does (KOR-1)",
        arguments: OfferConversion.allCases)
    func conversion(kind: OfferConversion) throws {
        let won = try #require(Currency(code: "KRW"))
        for new in [4_900_000, 5_000_000, 5_900_000] as [Int64] {
            let change = PriceChange(from: 5_000_000, to: new, in: won)
            let decision = decide(change, in: "KOR", conversion: kind)
            #expect(decision.path == .consent)
            #expect(decision.decidingReasons == [.koreanConversion(kind)])
        }
        #expect(decide(dollars(5_000, 5_100), conversion: kind).path == .notice)
    }

    @Test("UPI AutoPay subscribers in India must consent, others there need not (INC-9)")
    func india() throws {
        let rupees = try #require(Currency(code: "INR"))
        let change = PriceChange(from: 99_000, to: 109_000, in: rupees)
        #expect(decide(change, in: "IND", upi: true).decidingReasons == [.upiAutoPay(true)])
        #expect(decide(change, in: "IND", upi: true).path == .consent)
        #expect(decide(change, in: "IND").path == .notice)
        #expect(decide(dollars(9_900, 10_900), upi: true).path == .notice)
    }

    @Test("Prices at the edge of what integers hold neither overflow nor surprise")
    func largePrices() {
        let huge = dollars(0, .max)
        #expect(decide(huge).path == .consent)
        #expect(decide(dollars(.max - 1, .max)).path == .notice)
        #expect(decide(dollars(.max, 0)).path == .none)
    }

    @Test("A change between two currencies is none")
    func currencies() throws {
        let euros = Money(milliunits: 1, try #require(Currency(code: "EUR")))
        let dollar = Money(milliunits: 1, Storefront.usa.currency)
        #expect(PriceChange(from: dollar, to: euros) == nil)
        #expect(PriceChange(from: dollar, to: dollar)?.difference == 0)
    }
}
