import SubscriptionRules
import Testing

@Suite("Eligibility for an extension")
struct ExtensionEligibilityTests {
    private let now = moment("2026-03-10")

    private func facts(
        _ status: ExtensionEligibility.Status = .active, expires: String = "2026-03-15",
        free: Bool = false, paid: Int = 1, extended: [String] = [], family: Bool = false
    ) -> ExtensionEligibility {
        ExtensionEligibility(
            status: status, expires: moment(expires), period: .month, isInFreeOffer: free,
            paidPeriods: paid, extensions: extended.map { moment($0) }, isFamilyMember: family)
    }

    @Test("An active, paid subscription is eligible, in its first paid period too (EXT-3)")
    func eligible() {
        #expect(facts().refusal(at: now) == nil)
        #expect(facts(paid: 20).refusal(at: now) == nil)
    }

    @Test("What the document excludes is refused, each with its own reason (EXT-4, EXT-6)")
    func refused() {
        let cases: [(ExtensionEligibility, ExtensionRefusal)] = [
            (facts(free: true, paid: 3), .inFreeOffer),
            (facts(.billingRetry, expires: "2026-03-01"), .inBillingRetry),
            (facts(.billingRetry, expires: "2026-03-20"), .inBillingRetry),
            (facts(.grace, expires: "2026-03-09"), .inGraceAfterExpiry),
            (facts(.grace, expires: "2026-03-10"), .inGraceAfterExpiry),
            (facts(extended: ["2025-06-01", "2025-09-01"]), .limitReached),
            (facts(.expired, expires: "2026-03-01"), .expired),
            (facts(.active, expires: "2026-03-10"), .expired),
            (facts(.revoked), .revoked),
            (facts(paid: 0), .neverPaid),
            (facts(family: true), .familyMember),
        ]
        for (facts, refusal) in cases { #expect(facts.refusal(at: now) == refusal) }
    }

    @Test("Grace whose expiry lies ahead, after an extension, is eligible (EXT-4)")
    func graceBeforeExpiry() {
        #expect(facts(.grace, expires: "2026-03-10 00:01").refusal(at: now) == nil)
    }

    @Test(
        "A third extension is refused within 365 days and allowed after (TAB-21, EXT-11)",
        arguments: [
            ("2026-02-28", ExtensionRefusal.limitReached),
            ("2026-02-28 23:59:59", .limitReached),
            ("2026-03-01", nil),  // exactly 365 days
            ("2026-03-02", nil),
        ])
    func limit(at time: String, refusal: ExtensionRefusal?) {
        let facts = facts(expires: "2026-03-15", extended: ["2025-03-01", "2025-09-01"])
        #expect(facts.refusal(at: moment(time)) == refusal)
    }

    @Test("Two extensions say from when on there may be another (EXT-11)")
    func nextAllowed() {
        let two = [moment("2025-09-01"), moment("2025-03-01")]
        #expect(ExtensionEligibility.nextAllowed(after: two) == moment("2026-03-01"))
        #expect(
            ExtensionEligibility.nextAllowed(after: two + [moment("2024-01-01")])
                == moment("2026-03-01"))
        #expect(ExtensionEligibility.nextAllowed(after: [moment("2025-09-01")]) == nil)
        let hour = [moment("2026-03-10"), moment("2026-03-10 00:30")]
        #expect(
            ExtensionEligibility.nextAllowed(after: hour, tempo: .sandbox(.fiveMinutes))
                == moment("2026-03-10 01:00"))
    }

    @Test("Both extensions may come on one day; the order of the list does not matter (EXT-11)")
    func sameDay() {
        #expect(facts(extended: ["2026-03-10"]).refusal(at: now) == nil)
        let both = facts(extended: ["2026-03-10", "2026-03-10"])
        #expect(both.refusal(at: now) == .limitReached)
        let mixed = facts(extended: ["2026-01-01", "2024-01-01", "2023-01-01"])
        #expect(mixed.refusal(at: now) == nil)
    }

    @Test("In Sandbox the 365 days are a shortened year")
    func sandbox() {
        let facts = facts(extended: ["2026-03-10", "2026-03-10 00:30"])
        let tempo = Tempo.sandbox(.fiveMinutes)
        #expect(facts.refusal(at: moment("2026-03-10 00:59"), tempo: tempo) == .limitReached)
        #expect(facts.refusal(at: moment("2026-03-10 01:00"), tempo: tempo) == nil)
    }

    @Test("Of several reasons the first in the order of the codes is given")
    func order() {
        let all = facts(
            .expired, expires: "2026-03-01", free: true, paid: 0,
            extended: ["2026-03-01", "2026-03-02"], family: true)
        #expect(all.refusal(at: now) == .familyMember)
        #expect(
            facts(free: true, paid: 0, extended: ["2026-03-01", "2026-03-02"]).refusal(at: now)
                == .inFreeOffer)
    }

    @Test("1 to 90 days with a reason code of 0 to 3 make a request (EXT-2)")
    func request() throws {
        for days in [1, 30, 90] {
            for code in 0...3 {
                let request = try ExtensionRequest(days: days, reasonCode: code)
                #expect(request.days == days)
                #expect(request.reason.rawValue == code)
            }
        }
        for days in [0, 91, -1, .max, .min] {
            #expect(throws: ExtensionRefusal.invalidDays) {
                try ExtensionRequest(days: days, reasonCode: 0)
            }
        }
        for code in [-1, 4, .max] {
            #expect(throws: ExtensionRefusal.invalidReason) {
                try ExtensionRequest(days: 1, reasonCode: code)
            }
        }
    }
}
