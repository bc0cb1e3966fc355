import SubscriptionRules
import TestFloor
import Testing

@Suite("Commission")
struct CommissionTests {
    private let usd = Storefront.usa.currency

    @Test(
        "The store keeps 30 or 15 per cent; what cannot be divided goes to the developer (COM-1)",
        arguments: [
            (CommissionRate.standard, 9_990, 2_997, 6_993),
            (.reduced, 9_990, 1_498, 8_492),  // 1498.5 and 8491.5
            (.standard, 990, 297, 693),
            (.reduced, 990, 148, 842),  // 148.5 and 841.5
            (.standard, 0, 0, 0),
            (.reduced, 1, 0, 1),
            (.standard, 5_900_000, 1_770_000, 4_130_000),
            (.reduced, 5_900_000, 885_000, 5_015_000),
            (.standard, .max, 2_767_011_611_056_432_742, 6_456_360_425_798_343_065),
        ] as [(CommissionRate, Int64, Int64, Int64)])
    func split(rate: CommissionRate, amount: Int64, commission: Int64, proceeds: Int64) {
        let split = rate.split(Money(milliunits: amount, usd))
        #expect(split.commission.milliunits == commission)
        #expect(split.proceeds.milliunits == proceeds)
        #expect(split.total.milliunits == amount)
    }

    @Test("Commission and proceeds always make the price")
    func adding() {
        var chance = SeededGenerator(seed: 12)
        for _ in 0..<5000 {
            let shift = Int.random(in: 0..<60, using: &chance)
            let amount = Int64.random(in: 0...Int64.max, using: &chance) >> shift
            for rate in CommissionRate.allCases {
                let split = rate.split(Money(milliunits: amount, usd))
                #expect(split.total.milliunits == amount)
                #expect(split.commission.milliunits >= 0)
                let exact = Double(amount) * Double(rate.rawValue) / 100
                #expect(abs(Double(split.commission.milliunits) - exact) <= 1 + exact * 1e-15)
            }
        }
    }

    @Test("A charge refunded in any steps leaves nothing on either side")
    func refunds() {
        var chance = SeededGenerator(seed: 13)
        for _ in 0..<2000 {
            let rate = CommissionRate.allCases.randomElement(using: &chance)!
            let charge = Money(milliunits: Int64.random(in: 1...50_000, using: &chance), usd)
            let booked = rate.split(charge)
            var (commission, proceeds) = (booked.commission.milliunits, booked.proceeds.milliunits)
            var refunded: Int64 = 0
            while refunded < charge.milliunits {
                let part = Int64.random(in: 1...(charge.milliunits - refunded), using: &chance)
                let split = rate.split(
                    refund: Money(milliunits: part, usd), of: charge, refundedBefore: refunded)
                #expect(split.total.milliunits == part)
                #expect(split.commission.milliunits >= 0 && split.proceeds.milliunits >= 0)
                commission -= split.commission.milliunits
                proceeds -= split.proceeds.milliunits
                refunded += part
            }
            #expect(commission == 0 && proceeds == 0)
        }
    }

    @Test(
        "The Small Business Program holds up to a million a year, last year and this (COM-5)",
        arguments: [
            (0, 0, true), (1_000_000_000, 1_000_000_000, true), (1_000_000_001, 0, false),
            (0, 1_000_000_001, false),
        ] as [(Int64, Int64, Bool)])
    func smallBusiness(lastYear: Int64, thisYear: Int64, applies: Bool) {
        #expect(
            SmallBusinessProgram.applies(
                proceedsLastYear: lastYear, proceedsThisYear: thisYear) == applies)
    }
}
