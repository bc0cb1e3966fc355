import SubscriptionRules
import TestFloor
import Testing

@Suite("Refunds")
struct RefundTests {
    private func period(
        _ milliunits: Int64 = 9_990, _ start: String = "2026-03-01", _ end: String = "2026-04-01",
        in storefront: String = "USA"
    ) -> RefundablePeriod {
        RefundablePeriod(
            start: moment(start), end: moment(end),
            paid: Money(milliunits: milliunits, Storefront(code: storefront)!.currency))
    }

    @Test("A full refund gives all back, at 100 % (REF-7)")
    func full() throws {
        var period = period()
        let revocation = try period.grant(
            .full, reason: .problemWithApp, at: moment("2026-03-20"))
        #expect(revocation.refunded.milliunits == 9_990)
        #expect(revocation.used.milliunits == 0)
        #expect(revocation.percentage == 100_000)
        #expect(revocation.kind.rawValue == "REFUND_FULL")
        #expect(revocation.reason?.rawValue == 1)
        #expect(period.revocation == revocation)
    }

    @Test(
        "A prorated refund gives back the unused share, rounded to the currency (CHG-2)",
        arguments: [
            ("USA", 9_990, "2026-03-11", 6_770, 67_768),
            ("USA", 9_990, "2026-03-16 12:00", 5_000, 50_050),
            ("JPN", 1_000_000, "2026-03-11", 677_000, 67_700),
            ("USA", 9_990, "2026-03-31 23:00", 10, 100),
        ] as [(String, Int64, String, Int64, Int)])
    func prorated(
        storefront: String, paid: Int64, at time: String, refunded: Int64, percentage: Int
    ) throws {
        var period = period(paid, in: storefront)
        let revocation = try period.grant(.prorated, reason: .other, at: moment(time))
        #expect(revocation.refunded.milliunits == refunded)
        #expect(revocation.used.milliunits == paid - refunded)
        #expect(revocation.percentage == percentage)
        #expect(revocation.kind.rawValue == "REFUND_PRORATED")
        #expect(revocation.reason?.rawValue == 0)
    }

    @Test("A prorated refund of the whole price is a full one")
    func proratedWhole() throws {
        var period = period()
        let revocation = try period.grant(.prorated, reason: .other, at: moment("2026-03-01"))
        #expect(revocation.kind == .refundFull)
        #expect(revocation.percentage == 100_000)
    }

    @Test("Service stops at the revocation, also when the period would go on (REF-8)")
    func serviceStops() throws {
        var period = period()
        let moment = moment("2026-03-20")
        #expect(period.serves(at: moment))
        try period.grant(.full, reason: .other, at: moment)
        #expect(period.serviceEnd == moment)
        #expect(!period.serves(at: moment))
        #expect(period.serves(at: moment - Span(milliseconds: 1)))
        #expect(period.end == SubscriptionRulesTests.moment("2026-04-01"))
    }

    @Test("A refund after the end takes back no service")
    func refundAfterEnd() throws {
        var period = period()
        try period.grant(.full, reason: .other, at: moment("2026-05-01"))
        #expect(period.serviceEnd == moment("2026-04-01"))
    }

    @Test("A reversed refund gives access back, with the end as it was (REF-9)")
    func reversed() throws {
        let before = period()
        var period = before
        try period.grant(.prorated, reason: .other, at: moment("2026-03-11"))
        let again = try period.reverse()
        #expect(again.milliunits == 6_770)
        #expect(period == before)
        #expect(period.serves(at: moment("2026-03-31")))
        // It can be refunded again.
        try period.grant(.full, reason: .other, at: moment("2026-03-12"))
        #expect(period.revocation?.percentage == 100_000)
    }

    @Test("Refunding an old period leaves the current one as it is (REF-10)")
    func oldPeriod() throws {
        var periods = [period(9_990, "2026-02-01", "2026-03-01"), period()]
        let now = moment("2026-03-10")
        try periods[0].grant(.full, reason: .other, at: now)
        #expect(periods.serve(at: now))
        #expect(periods[1].serviceEnd == moment("2026-04-01"))
        try periods[1].grant(.full, reason: .other, at: now)
        #expect(!periods.serve(at: now))
    }

    @Test("What cannot be refunded is refused and stays as it was")
    func refusals() throws {
        var free = period(0)
        var used = period()
        var refunded = period()
        try refunded.grant(.full, reason: .other, at: moment("2026-03-20"))
        let before = [free, used, refunded]
        let now = moment("2026-04-01")
        #expect(throws: RefundRefusal.nothingPaid) {
            try free.grant(.full, reason: .other, at: now)
        }
        #expect(throws: RefundRefusal.nothingLeft) {
            try used.grant(.prorated, reason: .other, at: now)
        }
        #expect(throws: RefundRefusal.notRefunded) { try used.reverse() }
        #expect(throws: RefundRefusal.alreadyRevoked) {
            try refunded.grant(.full, reason: .other, at: now)
        }
        #expect(throws: RefundRefusal.alreadyRevoked) {
            try refunded.revokeFromFamilyMember(at: now)
        }
        #expect([free, used, refunded] == before)
    }

    @Test("A family member loses access with no money and no percentage (REF-11)")
    func family() throws {
        var period = period()
        try period.revokeFromFamilyMember(at: moment("2026-03-20"))
        let revocation = try #require(period.revocation)
        #expect(revocation.kind.rawValue == "FAMILY_REVOKE")
        #expect(revocation.reason == nil)
        #expect(revocation.percentage == nil)
        #expect(revocation.refunded.milliunits == 0)
        #expect(!period.serves(at: moment("2026-03-21")))
        #expect(throws: RefundRefusal.notRefunded) { try period.reverse() }
    }

    @Test("Refund and used part always make the price, in the decimals of the currency")
    func adding() {
        var chance = SeededGenerator(seed: 9)
        for index in 0..<5000 {
            let storefront = Storefront.all.randomElement(using: &chance)!
            let currency = storefront.currency
            let price = Int64.random(in: 1...2_000_000, using: &chance) * currency.step
            let start = moment("2026-01-01")
            let length = Int64.random(in: 1...40_000_000_000, using: &chance)
            var period = RefundablePeriod(
                start: start, end: start + Span(milliseconds: length),
                paid: Money(milliunits: price, currency))
            let at =
                start
                + Span(milliseconds: Int64.random(in: -1000...(length + 1000), using: &chance))
            let extent = RefundablePeriod.Extent.allCases.randomElement(using: &chance)!
            guard let revocation = try? period.grant(extent, reason: .other, at: at) else {
                #expect(extent == .prorated, "sample \(index)")
                continue
            }
            let (refunded, used) = (revocation.refunded, revocation.used)
            #expect(refunded.milliunits + used.milliunits == price, "sample \(index)")
            #expect(refunded.milliunits > 0 && used.milliunits >= 0, "sample \(index)")
            #expect(currency.allows(refunded.milliunits), "sample \(index)")
            let percentage = revocation.percentage ?? -1
            #expect((1...100_000).contains(percentage), "sample \(index)")
            #expect((percentage == 100_000) == (used.milliunits == 0), "sample \(index)")
            #expect((revocation.kind == .refundFull) == (percentage == 100_000), "sample \(index)")
        }
    }
}
