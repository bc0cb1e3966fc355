import SubscriptionRules
import Testing

@Suite("A change of plan: the two tables")
struct PlanChangeTests {
    @Test(
        "Only the level decides upgrade and downgrade; duration splits the crossgrades",
        arguments: [
            (SamplePlans.silver, SamplePlans.gold, PlanChange.upgrade),
            (SamplePlans.silverYearly, SamplePlans.gold, .upgrade),
            (SamplePlans.silver, SamplePlans.silverTwin, .crossgradeOfSameDuration),
            (SamplePlans.silver, SamplePlans.silverYearly, .crossgradeOfOtherDuration),
            (SamplePlans.silverYearly, SamplePlans.silverWeekly, .crossgradeOfOtherDuration),
            (SamplePlans.silver, SamplePlans.bronze, .downgrade),
            (SamplePlans.gold, SamplePlans.silverYearly, .downgrade),
            // Price plays no part: a dearer plan of a lower level is a downgrade (GRP-4).
            (SamplePlans.gold, SamplePlans.plan("dear", level: 2, .month, 99_990), .downgrade),
        ] as [(Plan, Plan, PlanChange)])
    func classifies(_ old: Plan, _ new: Plan, _ expected: PlanChange) {
        #expect(PlanChange(from: old, to: new) == expected)
    }

    @Test(
        "When a change takes effect (TAB-2.2, TAB-2.3)",
        arguments: [
            (PlanChange.Phase.paidPeriod, [true, true, false, false]),
            (.discountedPayAsYouGo, [true, true, false, false]),
            (.discountedPayUpFront, [true, true, false, false]),
            (.freeTrial, [true, true, false, false]),
            (.grace, [true, true, true, true]),
            (.retry, [true, true, true, true]),
        ])
    func moments(_ phase: PlanChange.Phase, _ isNow: [Bool]) {
        // `allCases` is upgrade, crossgrade of same, of other duration, downgrade.
        for (change, isNow) in zip(PlanChange.allCases, isNow) {
            #expect(change.moment(in: phase) == (isNow ? .now : .nextRenewal), "\(change)")
        }
    }

    @Test(
        "From which date the new period counts, whatever is read into a trial",
        arguments: PlanChange.Phase.allCases, UpgradeInTrial.allCases)
    func starts(_ phase: PlanChange.Phase, _ trial: UpgradeInTrial) {
        let now: PlanChange.Start =
            phase == .freeTrial && trial == .keepsTrial ? .runningTrial : .change
        let later: PlanChange.Start = phase == .grace || phase == .retry ? .change : .renewal
        let expected: [PlanChange: PlanChange.Start] = [
            .upgrade: now, .crossgradeOfSameDuration: now, .crossgradeOfOtherDuration: later,
            .downgrade: later,
        ]
        for change in PlanChange.allCases {
            #expect(change.start(in: phase, trial: trial) == expected[change], "\(change)")
        }
    }

    @Test(
        "The unused share of what was paid goes back, rounded half up (CHG-2, CHG-3)",
        arguments: [
            ("2026-03-01", "2026-04-01", "2026-03-11", Int64(9_990), Int64(6_770)),
            ("2026-03-01", "2026-04-01", "2026-03-01", 9_990, 9_990),
            ("2026-03-01", "2026-04-01", "2026-04-01", 9_990, 0),
            ("2026-03-01", "2026-04-01", "2026-04-03", 9_990, 0),
            ("2026-03-01", "2026-04-01", "2026-02-20", 9_990, 9_990),
            ("2026-03-01", "2026-03-01", "2026-03-01", 9_990, 0),
            // Half a cent up: 0.01 of which half is left, and just less than half.
            ("2026-03-01", "2026-03-03", "2026-03-02", 10, 10),
            ("2026-03-01", "2026-03-03", "2026-03-02 00:00:01", 10, 0),
            // A price that overflows a plain 64-bit product.
            ("2026-03-01", "2027-03-01", "2026-03-01 00:00:01", 999_999_999_990, 999_999_968_280),
        ] as [(String, String, String, Int64, Int64)])
    func proration(
        _ start: String, _ end: String, _ change: String, _ paid: Int64, _ expected: Int64
    ) {
        let refund = prorationRefund(
            of: Money(milliunits: paid, SamplePlans.dollars), start: moment(start),
            end: moment(end), change: moment(change))
        #expect(refund == Money(milliunits: expected, SamplePlans.dollars))
    }

    @Test("A currency without decimals gives back whole units")
    func prorationInYen() throws {
        let yen = try #require(Storefront(code: "JPN")).currency
        let refund = prorationRefund(
            of: Money(milliunits: 1_000_000, yen), start: moment("2026-04-01"),
            end: moment("2026-05-01"), change: moment("2026-04-20 12:00"))
        #expect(refund == Money(milliunits: 350_000, yen))
    }
}

/// One cell of TAB-2.2 or TAB-2.3, with the renewal that follows it.
struct PlanChangeCell: Sendable, CustomTestStringConvertible {
    var phase: Phase
    var plan: Plan
    var notices: [ServerNotification]
    /// What the transaction that is cut short gives back; nil when none is cut.
    var refund: Int64?
    /// The last line of the ledger after the change.
    var current: String
    /// The last line after the next renewal.
    var renewed: String
    var anchor: String

    /// What the customer is in on 11 March 2026, always with the silver plan.
    enum Phase: String, CaseIterable {
        case paid, payAsYouGo, payUpFront, trial, trialThatGoesOn, promotion, code, cancelled
        case grace, retry
    }

    var testDescription: String { "\(phase.rawValue) → \(plan.productID)" }

    init(
        _ phase: Phase, _ plan: Plan, _ notices: [ServerNotification], _ refund: Int64?,
        _ current: String, _ renewed: String, _ anchor: String = "2026-03-01"
    ) {
        self.phase = phase
        self.plan = plan
        self.notices = notices
        self.refund = refund
        self.current = current
        self.renewed = renewed
        self.anchor = anchor
    }

    func world() -> LifecycleWorld {
        let silver = SamplePlans.silver
        let start = "2026-03-01"
        switch phase {
        case .paid: return LifecycleWorld(buying: silver, at: start)
        case .payAsYouGo:
            let offer = SamplePlans.payAsYouGo(3, .month, 4_990)
            return LifecycleWorld(buying: silver, offer: offer, at: start)
        case .payUpFront:
            let offer = SamplePlans.payUpFront(CalendarPeriod(3, .month), 19_990)
            return LifecycleWorld(buying: silver, offer: offer, at: start)
        case .trial: return LifecycleWorld(buying: silver, offer: Self.trial, at: start)
        case .trialThatGoesOn:
            return LifecycleWorld(
                buying: silver, offer: Self.trial, at: start,
                under: Conditions(upgradeInTrial: .keepsTrial))
        case .promotion: return Self.discounted(.promotional)
        case .code: return Self.discounted(.offerCode)
        case .cancelled:
            var world = LifecycleWorld(buying: silver, at: start)
            #expect(throws: Never.self) {
                try world.send(
                    .turnedRenewalOff, at: "2026-03-05",
                    expecting: [.didChangeRenewalStatus(enabled: false)])
            }
            return world
        case .grace: return Self.failed(under: Conditions(gracePeriod: .sixteenDays))
        case .retry: return Self.failed(under: Conditions())
        }
    }

    private static let trial = SamplePlans.trial(.month)

    /// Half price for three months, as an offer that is not introductory.
    private static func discounted(_ kind: Offer.Kind) -> LifecycleWorld {
        let offer = Offer(
            kind: kind, id: "half", mode: .payAsYouGo, period: .month, periodCount: 3,
            basePrice: 4_990)
        return LifecycleWorld(
            buying: SamplePlans.silver, offer: AppliedOffer(offer, in: .usa),
            at: "2026-03-01")
    }

    /// Bought in February, failed on 1 March; the bank is content again on 11 March, after the
    /// attempt of that day.
    private static func failed(under terms: Conditions) -> LifecycleWorld {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-02-01", under: terms)
        world.declinesUntil = .latest
        world.advance(
            to: "2026-03-11",
            expecting: [.didFailToRenew(inGracePeriod: terms.gracePeriod != nil)])
        world.declinesUntil = nil
        return world
    }
}

extension PlanChangeCell {
    private static let upgrade = ServerNotification.didChangeRenewalPreference(.upgrade)
    private static let downgrade = ServerNotification.didChangeRenewalPreference(.downgrade)
    private static let renewalOn = ServerNotification.didChangeRenewalStatus(enabled: true)

    /// Changes at once: the same new period whatever came before; only the refund differs.
    static let immediate: [PlanChangeCell] = {
        let refunds: [(Phase, Int64?)] = [
            (.paid, 6_770), (.payAsYouGo, 3_380), (.payUpFront, 17_820), (.trial, 0),
            (.promotion, 3_380), (.code, 3_380), (.cancelled, 6_770),
        ]
        return refunds.flatMap { phase, refund in
            let notices = phase == .cancelled ? [renewalOn, upgrade] : [upgrade]
            return [
                PlanChangeCell(
                    phase, SamplePlans.gold, notices, refund,
                    "gold 2026-03-11…2026-04-11 19990", "gold 2026-04-11…2026-05-11 19990",
                    "2026-03-11"),
                PlanChangeCell(
                    phase, SamplePlans.silverTwin, notices, refund,
                    "silver.twin 2026-03-11…2026-04-11 10990",
                    "silver.twin 2026-04-11…2026-05-11 10990", "2026-03-11"),
            ]
        }
    }()

    /// Changes that wait: nothing but a notice now, another plan at the next renewal.
    static let waiting: [PlanChangeCell] = {
        let current: [(Phase, String)] = [
            (.paid, "silver 2026-03-01…2026-04-01 9990"),
            (.payAsYouGo, "silver 2026-03-01…2026-04-01 4990"),
            (.trial, "silver 2026-03-01…2026-04-01 0"),
            (.trialThatGoesOn, "silver 2026-03-01…2026-04-01 0"),
            (.promotion, "silver 2026-03-01…2026-04-01 4990"),
            (.code, "silver 2026-03-01…2026-04-01 4990"),
            (.cancelled, "silver 2026-03-01…2026-04-01 9990"),
        ]
        let cells = current.flatMap { phase, line in
            let notices = phase == .cancelled ? [renewalOn, downgrade] : [downgrade]
            return [
                PlanChangeCell(
                    phase, SamplePlans.silverYearly, notices, nil, line,
                    "silver.yearly 2026-04-01…2027-04-01 99990"),
                PlanChangeCell(
                    phase, SamplePlans.bronze, notices, nil, line,
                    "bronze 2026-04-01…2026-05-01 4990"),
            ]
        }
        let paidUpFront = "silver 2026-03-01…2026-06-01 19990"
        return cells + [
            PlanChangeCell(
                .payUpFront, SamplePlans.silverYearly, [downgrade], nil, paidUpFront,
                "silver.yearly 2026-06-01…2027-06-01 99990"),
            PlanChangeCell(
                .payUpFront, SamplePlans.bronze, [downgrade], nil, paidUpFront,
                "bronze 2026-06-01…2026-07-01 4990"),
        ]
    }()

    /// After a failed renewal every change is a purchase of a fresh period.
    static let afterFailure: [PlanChangeCell] = [Phase.grace, .retry].flatMap { phase in
        [
            (SamplePlans.gold, "2026-04-11", "2026-05-11"),
            (SamplePlans.silverTwin, "2026-04-11", "2026-05-11"),
            (SamplePlans.silverYearly, "2027-03-11", "2028-03-11"),
            (SamplePlans.bronze, "2026-04-11", "2026-05-11"),
        ].map { plan, end, next in
            let (id, price) = (plan.productID, plan.price.milliunits)
            return PlanChangeCell(
                phase, plan, [upgrade], nil, "\(id) 2026-03-11…\(end) \(price)",
                "\(id) \(end)…\(next) \(price)", "2026-03-11")
        }
    }

    /// The reading that keeps a trial: the new plan inherits its end, and nothing is charged.
    static let inheriting: [PlanChangeCell] = [SamplePlans.gold, SamplePlans.silverTwin].map {
        PlanChangeCell(
            .trialThatGoesOn, $0, [upgrade], 0, "\($0.productID) 2026-03-11…2026-04-01 0",
            "\($0.productID) 2026-04-01…2026-05-01 \($0.price.milliunits)")
    }
}

@Suite("A change of plan: every cell of TAB-2.2 and TAB-2.3")
struct PlanChangeCellTests {
    @Test(
        "Each cell: what is told, refunded, opened and renewed",
        arguments: PlanChangeCell.immediate + PlanChangeCell.waiting + PlanChangeCell.afterFailure
            + PlanChangeCell.inheriting)
    func cell(_ cell: PlanChangeCell) throws {
        var world = cell.world()
        let before = world.opened.count
        let old = world.subscription.newestPeriod
        try world.send(chose(cell.plan), at: "2026-03-11", expecting: cell.notices)

        #expect(world.superseded == (cell.refund == nil ? [] : [old.transactionID]))
        #expect(world.refunds[old.transactionID] == cell.refund.flatMap { $0 > 0 ? $0 : nil })
        #expect(world.ledger.last == cell.current)
        #expect(world.anchor == cell.anchor)
        #expect(world.subscription.renewsAutomatically)
        #expect(world.subscription.isEntitled)
        #expect(world.subscription.hasUsedIntroductoryOffer == cell.isIntroductory)
        let isWaiting = world.subscription.nextPlan != nil
        #expect(world.opened.count == before + (isWaiting ? 0 : 1))
        #expect(isWaiting || world.opened.last?.reason == .purchase)

        world.advance(
            to: text(world.subscription.newestPeriod.end),
            expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.last == cell.renewed)
        #expect(world.anchor == cell.anchor)
        #expect(world.opened.last?.reason == .renewal)
        #expect(world.subscription.plan == cell.plan)
        #expect(world.subscription.nextPlan == nil)
    }

    @Test(
        "A declined change leaves everything as it was, wherever it was asked for",
        arguments: PlanChangeCell.immediate + PlanChangeCell.afterFailure
            + PlanChangeCell.inheriting)
    func declined(_ cell: PlanChangeCell) {
        var world = cell.world()
        world.declinesUntil = moment("2026-03-12")
        world.decline(chose(cell.plan), at: "2026-03-11")
        #expect(world.superseded.isEmpty && world.refunds.isEmpty)
    }

    @Test("Every kind of change is tried from every phase")
    func isComplete() {
        let cells =
            PlanChangeCell.immediate + PlanChangeCell.waiting + PlanChangeCell.afterFailure
            + PlanChangeCell.inheriting
        let tried = Set(
            cells.map {
                "\($0.phase) \(PlanChange(from: SamplePlans.silver, to: $0.plan))"
            })
        #expect(tried.count == PlanChangeCell.Phase.allCases.count * PlanChange.allCases.count)
    }
}

extension PlanChangeCell {
    fileprivate var isIntroductory: Bool {
        switch phase {
        case .payAsYouGo, .payUpFront, .trial, .trialThatGoesOn: true
        case .paid, .promotion, .code, .cancelled, .grace, .retry: false
        }
    }
}
