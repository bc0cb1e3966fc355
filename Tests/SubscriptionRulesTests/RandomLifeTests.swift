import SubscriptionRules
import TestFloor
import Testing

/// A life drawn from a seed: the same one each time.
struct RandomLife: Sendable, CustomTestStringConvertible {
    /// What kinds of life there are; each leaves out what a known issue would spoil.
    enum Kind: String, CaseIterable, Sendable {
        case real, weekly, pacific, sandbox
    }

    /// What happens, and how long after what came before.
    struct Step: Sendable {
        var delay: Span
        var happening: Happening
    }

    enum Happening: Sendable {
        case event(Event)
        case bankDeclinesNext(Int)
        case bankDeclinesFor(Span)
        case gracePeriod(GracePeriod?)
        case speed(SandboxSpeed)
        case sale(Bool)
        case refund(fully: Bool)
    }

    var kind: Kind
    var seed: UInt64
    private(set) var first: Plan
    private(set) var offer: AppliedOffer?
    private(set) var terms: Conditions
    private(set) var steps: [Step] = []

    var testDescription: String { "\(kind.rawValue) \(seed)" }

    init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        self.seed = seed
        var chance = SeededGenerator(seed: seed)
        terms = Conditions(
            graceScope: GraceScope.allCases.randomElement(using: &chance)!,
            upgradeInTrial: UpgradeInTrial.allCases.randomElement(using: &chance)!)
        if kind == .pacific { terms.zone = .pacific }
        if kind == .sandbox {
            terms.tempo = .sandbox(SandboxSpeed.allCases.randomElement(using: &chance)!)
            terms.renewalLimit = 12
        } else {
            terms.gracePeriod = Self.graces(kind).randomElement(using: &chance)!
        }
        first = Self.plans(kind).randomElement(using: &chance)!
        offer = Self.offers.randomElement(using: &chance)!
        for _ in 0..<60 {
            steps.append(
                Step(delay: delay(&chance), happening: Self.happening(kind, using: &chance)))
        }
    }

    private static func plans(_ kind: Kind) -> [Plan] {
        [
            SamplePlans.gold, SamplePlans.silver, SamplePlans.silverTwin, SamplePlans.silverYearly,
            SamplePlans.bronze,
        ] + (kind == .weekly ? [SamplePlans.silverWeekly] : [])
    }

    private static func graces(_ kind: Kind) -> [GracePeriod?] {
        kind == .weekly ? [nil, .threeDays] : [nil, .threeDays, .sixteenDays, .twentyEightDays]
    }

    private static let offers: [AppliedOffer?] = [
        nil, SamplePlans.trial(.week), SamplePlans.trial(.month),
        SamplePlans.payAsYouGo(3, .month, 1_990),
        SamplePlans.payUpFront(CalendarPeriod(3, .month), 9_990),
        promotion(.freeTrial), promotion(.payAsYouGo, count: 2),
    ]

    private static func promotion(_ mode: Offer.Mode, count: Int = 1) -> AppliedOffer {
        AppliedOffer(
            Offer(
                kind: .promotional, id: "spring", mode: mode, period: .month, periodCount: count,
                basePrice: 990), in: .usa)
    }

    private func delay(_ chance: inout SeededGenerator) -> Span {
        let minutes: Int
        switch (kind, Int.random(in: 0..<10, using: &chance)) {
        case (_, 0): minutes = 0
        case (.sandbox, _): minutes = Int.random(in: 0...40, using: &chance)
        case (_, 1): minutes = Int.random(in: 0...200, using: &chance) * 1440
        case (_, _): minutes = Int.random(in: 0...(20 * 1440), using: &chance)
        }
        return .minutes(minutes)
    }

    private static func happening(_ kind: Kind, using chance: inout SeededGenerator) -> Happening {
        switch Int.random(in: 0..<40, using: &chance) {
        case 0: return .event(.wasEnded)
        case 26..<28:
            let product = ["silver", "gold", "bronze"].randomElement(using: &chance)!
            return .event(
                .priceWasChanged(
                    of: product, to: Int64.random(in: 1...30, using: &chance) * 1_000))
        case 28: return .event(.answeredPriceIncrease(agrees: Bool.random(using: &chance)))
        case 29:
            let days = Int.random(in: 1...90, using: &chance)
            return .event(.wasExtended(try! ExtensionRequest(days: days, reasonCode: 0)))
        case 30: return .refund(fully: Bool.random(using: &chance))
        case 1..<5: return .event(.turnedRenewalOff)
        case 5..<9: return .event(.turnedRenewalOn)
        case 9..<13: return .event(.changedPaymentMethod)
        case 13..<17: return .bankDeclinesNext(Int.random(in: 1...3, using: &chance))
        case 17..<21:
            let minutes = Int.random(in: 0...(kind == .sandbox ? 60 : 100_000), using: &chance)
            return .bankDeclinesFor(.minutes(minutes))
        case 21 where kind == .sandbox:
            return .speed(SandboxSpeed.allCases.randomElement(using: &chance)!)
        case 21: return .gracePeriod(graces(kind).randomElement(using: &chance)!)
        case 22: return .sale(false)
        case 23..<26: return .sale(true)
        default:
            return .event(
                chose(
                    plans(kind).randomElement(using: &chance)!,
                    offers.randomElement(using: &chance)!))
        }
    }

    /// Lives it. With small steps, time stops at other moments in between, where nothing is due.
    func lived(inSmallSteps: Bool, checking: Bool) -> LifecycleWorld {
        var world = LifecycleWorld(buying: first, offer: offer, at: "2026-01-31", under: terms)
        for step in steps {
            let end = world.now + step.delay
            if inSmallSteps {
                for part in 1...4 {
                    let pause = Span(milliseconds: step.delay.milliseconds * Int64(part) / 5)
                    world.refuse(
                        .becameDue(forSale: true), at: text(end - step.delay + pause), .notDue)
                }
            }
            world.advance(to: end)
            Self.apply(step.happening, to: &world, at: end)
            if checking { Self.checkPresent(of: world, "\(testDescription) at \(text(end))") }
        }
        return world
    }

    private static func apply(
        _ happening: Happening, to world: inout LifecycleWorld, at time: Instant
    ) {
        switch happening {
        case .event(let event):
            // A refusal is as good as a success here; the world checks that it changed nothing.
            try? world.send(event, at: time)
        case .bankDeclinesNext(let count): world.declinesNext = count
        case .bankDeclinesFor(let span): world.declinesUntil = time + span
        case .gracePeriod(let gracePeriod): world.terms.gracePeriod = gracePeriod
        case .speed(let speed): world.terms.tempo = .sandbox(speed)
        case .sale(let isForSale): world.isForSale = isForSale
        case .refund(let fully):
            let id = world.subscription.newestPeriod.transactionID
            try? world.send(.wasRefunded(transactionID: id, fully: fully), at: time)
        }
    }

    /// What is true at every moment.
    private static func checkPresent(of world: LifecycleWorld, _ life: String) {
        let subscription = world.subscription
        switch subscription.state {
        case .new:
            Issue.record("\(life): nothing was ever paid")
        case .active, .awaitingPayment, .grace, .retrying:
            #expect(subscription.nextChange.map { $0 > world.now } == true, "\(life)")
        case .expired:
            #expect(subscription.nextChange == nil, "\(life)")
            #expect(subscription.nextPlan == nil, "\(life)")
        case .revoked:
            // What waits comes back where the refund is taken back.
            #expect(subscription.nextChange == nil, "\(life)")
        }
        // A second, naive model: what the notices alone tell.
        var (isEntitled, renews) = (false, false)
        for notice in world.notices {
            switch notice {
            case .subscribed: (isEntitled, renews) = (true, true)
            case .didRenew, .didChangeRenewalPreference(.upgrade), .offerRedeemed(.upgrade):
                isEntitled = true
            case .didChangeRenewalPreference(.downgrade), .didChangeRenewalPreference(.withdrawn),
                .offerRedeemed:
                break
            case .didFailToRenew(let inGracePeriod): isEntitled = inGracePeriod
            case .gracePeriodExpired: isEntitled = false
            case .didChangeRenewalStatus(let enabled): renews = enabled
            case .expired: (isEntitled, renews) = (false, false)
            // Only the newest period is ever refunded here.
            case .refunded: isEntitled = false
            case .priceIncrease, .priceChanged, .metadataUpdated, .migrated, .renewalExtended,
                .renewalExtensionFailed, .consumptionRequested, .refundDeclined, .refundReversed:
                break
            }
        }
        #expect(isEntitled == subscription.isEntitled, "\(life)")
        #expect(renews == subscription.renewsAutomatically, "\(life)")
    }
}

@Suite("Random lives, each from its seed")
struct RandomLifeTests {
    private static let lives = RandomLife.Kind.allCases.flatMap { kind in
        (1...40).map { RandomLife(kind, seed: $0) }
    }

    @Test("Periods never overlap, money adds up, and the notices tell the state", arguments: lives)
    func invariants(_ life: RandomLife) {
        let world = life.lived(inSmallSteps: false, checking: true)
        for (earlier, later) in zip(world.opened, world.opened.dropFirst()) {
            #expect((earlier.cutAt ?? earlier.newestPeriod.end) <= later.newestPeriod.start)
        }
        #expect(world.opened.allSatisfy { $0.newestPeriod.start <= $0.newestPeriod.end })
        #expect(world.opened.allSatisfy { $0.newestPeriod.start <= $0.newestPeriod.purchased })
        // Every paid charge opens one period at its price, and every period was paid.
        let paid = world.charges.filter(\.wasPaid)
        #expect(paid.map(\.bill.amount.milliunits) == world.opened.map(\.newestPeriod.price))
        #expect(Set(world.opened.map(\.newestPeriod.transactionID)).count == world.opened.count)
        // Each period is followed by one first attempt and one success at most.
        let first = world.charges.filter { $0.bill.purpose == .renewal }.map(\.after)
        #expect(Set(first).count == first.count)
        #expect(Set(paid.map(\.after)).count == paid.count)
        // Money goes back only on what an upgrade cut, and never more than was paid.
        for (transactionID, refund) in world.refunds {
            let opened = world.opened.first { $0.newestPeriod.transactionID == transactionID }
            #expect(world.superseded.contains(transactionID))
            #expect(opened.map { refund > 0 && refund <= $0.newestPeriod.price } == true)
        }
        // One introductory offer in a life (TAB-5.2), which may be a run of periods.
        let introductory = world.charges.filter {
            $0.wasPaid && $0.bill.purpose == .purchase
                && $0.bill.plan.onlyOffer?.kind == .introductory
        }
        #expect(introductory.count <= 1)
        #expect(world.notices.count { $0 == .subscribed(.initialBuy) } == 1)
    }

    @Test("Many small steps equal one large step", arguments: lives)
    func steps(_ life: RandomLife) {
        let large = life.lived(inSmallSteps: false, checking: false)
        let small = life.lived(inSmallSteps: true, checking: false)
        #expect(small.subscription == large.subscription)
        #expect(small.opened == large.opened)
        #expect(small.charges == large.charges)
        #expect(small.notices == large.notices)
        #expect(small.refunds == large.refunds)
    }

    @Test("The lives are varied: every state, notice and refusal of note comes up")
    func variety() {
        let worlds = Self.lives.map { $0.lived(inSmallSteps: false, checking: false) }
        let notices = Set(worlds.flatMap(\.notices))
        let expected: [ServerNotification] = [
            .subscribed(.resubscribe), .didRenew(afterBillingProblem: false),
            .didRenew(afterBillingProblem: true), .didFailToRenew(inGracePeriod: true),
            .didFailToRenew(inGracePeriod: false), .gracePeriodExpired,
            .didChangeRenewalPreference(.upgrade), .didChangeRenewalPreference(.downgrade),
            .didChangeRenewalPreference(.withdrawn), .expired(.voluntary), .expired(.billingError),
            .expired(.notForSale), .expired(.other),
        ]
        #expect(notices.isSuperset(of: expected))
        #expect(worlds.contains { !$0.refunds.isEmpty })
        #expect(worlds.map(\.opened.count).reduce(0, +) > 1_000)
    }
}
