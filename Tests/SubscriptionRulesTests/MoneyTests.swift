import SubscriptionRules
import Testing

@Suite("Money")
struct MoneyTests {
    private let start = Instant(iso8601: "2026-03-01")!
    private let end = Instant(iso8601: "2026-04-01")!

    private func currency(_ storefront: String) throws -> Currency {
        try #require(Storefront(code: storefront)).currency
    }

    private func refund(_ milliunits: Int64, at change: String) throws -> Int64 {
        let paid = Money(milliunits: milliunits, try currency("USA"))
        let change = try #require(Instant(iso8601: change))
        return prorationRefund(of: paid, start: start, end: end, change: change).milliunits
    }

    @Test(
        "An upgrade gives back the unused share of 9.99 (CHG-2, CHG-3, TAB-21)",
        arguments: [
            ("2026-03-11", 6770),
            ("2026-03-01", 9990),
            ("2026-02-27", 9990),
            ("2026-04-01", 0),
            ("2026-04-03", 0),
            ("2026-03-31T23:59:59.999Z", 0),
            ("2026-03-01T00:00:00.001Z", 9990),
            ("2026-03-16T12:00:00Z", 5000),
        ] as [(String, Int64)])
    func proration(change: String, refunded: Int64) throws {
        #expect(try refund(9990, at: change) == refunded)
    }

    @Test("JPY 1000 with 10.5 of 30 days left gives back JPY 350 (TAB-21)")
    func prorationInYen() throws {
        let paid = Money(milliunits: 1_000_000, try currency("JPN"))
        let end = start + .days(30)
        let refund = prorationRefund(of: paid, start: start, end: end, change: end - .hours(252))
        #expect(refund == Money(milliunits: 350_000, paid.currency))
    }

    @Test("Exact halves round up, less than a half rounds down, in both currencies")
    func halves() throws {
        let usd = try currency("USA")
        let end = start + .days(2)
        let middle = start + .days(1)
        // Half of 9.99 is 4.995, half of 9.97 is 4.985.
        for (paid, expected) in [(9990, 5000), (9970, 4990), (9980, 4990), (10, 10)]
            as [(Int64, Int64)]
        {
            let money = Money(milliunits: paid, usd)
            let refund = prorationRefund(of: money, start: start, end: end, change: middle)
            #expect(refund.milliunits == expected)
        }
        // 501 yen halved are 250.5.
        let yen = Money(milliunits: 501_000, try currency("JPN"))
        let refund = prorationRefund(of: yen, start: start, end: end, change: middle)
        #expect(refund.milliunits == 251_000)
        // A moment later a little less than a half is left.
        let later = prorationRefund(
            of: yen, start: start, end: end, change: middle + Span(milliseconds: 1))
        #expect(later.milliunits == 250_000)
    }

    @Test("A refund is never more than what was paid, nor less than nothing (CHG-3)")
    func clamped() throws {
        let usd = try currency("USA")
        // 0.005 USD would round up to 0.01, more than was paid.
        let odd = Money(milliunits: 5, usd)
        let moment = Span(milliseconds: 1)
        #expect(
            prorationRefund(of: odd, start: start, end: end, change: start + moment).milliunits
                <= 5)
        for milliunits in [0, 10, 9990] as [Int64] {
            for hour in stride(from: -48, through: 33 * 24, by: 7) {
                let paid = Money(milliunits: milliunits, usd)
                let refund = prorationRefund(
                    of: paid, start: start, end: end, change: start + .hours(hour))
                #expect((0...milliunits).contains(refund.milliunits))
                #expect(usd.allows(refund.milliunits))
            }
        }
    }

    @Test("An empty or reversed period gives nothing back")
    func emptyPeriod() throws {
        let paid = Money(milliunits: 9990, try currency("USA"))
        for change in [start - .days(1), start, start + .days(1)] {
            #expect(
                prorationRefund(of: paid, start: start, end: start, change: change).milliunits
                    == 0)
            #expect(
                prorationRefund(of: paid, start: end, end: start, change: change).milliunits == 0)
        }
    }

    @Test("Amounts whose product with the time exceeds 64 bits still come out exactly")
    func largeAmounts() throws {
        let usd = try currency("USA")
        let huge = Money(milliunits: 9_000_000_000_000_000_000, usd)
        let end = start + .days(30)
        let third = prorationRefund(of: huge, start: start, end: end, change: start + .days(20))
        #expect(third.milliunits == 3_000_000_000_000_000_000)
        let whole = prorationRefund(of: huge, start: start, end: end, change: start)
        #expect(whole == huge)
    }

    @Test(
        "Rounding is half up to the currency's decimals",
        arguments: [
            ("USA", 1994, 1990), ("USA", 1995, 2000), ("USA", 1990, 1990), ("USA", 0, 0),
            ("USA", 4, 0), ("USA", 5, 10), ("USA", -5, 0), ("USA", -6, -10),
            ("JPN", 499, 0), ("JPN", 500, 1000), ("JPN", 1990, 2000), ("JPN", 9_490, 9000),
            ("JPN", -500, 0), ("JPN", -501, -1000), ("HKG", 7_750, 8000),
        ] as [(String, Int64, Int64)])
    func rounding(storefront: String, exact: Int64, rounded: Int64) throws {
        let currency = try currency(storefront)
        #expect(currency.rounded(exact) == rounded)
        #expect(currency.allows(rounded))
        #expect(currency.allows(exact) == (exact == rounded))
    }

    @Test("A base price is the same number elsewhere, rounded, until one is set there")
    func prices() throws {
        let product = Product(
            id: "com.example.seeds", type: .consumable, basePrice: 1990, prices: ["DEU": 2290])
        #expect(product.price(in: .usa) == Money(milliunits: 1990, try currency("USA")))
        let japan = try #require(Storefront(code: "JPN"))
        #expect(product.price(in: japan) == Money(milliunits: 2000, japan.currency))
        let germany = try #require(Storefront(code: "DEU"))
        #expect(product.price(in: germany) == Money(milliunits: 2290, germany.currency))
    }
}
