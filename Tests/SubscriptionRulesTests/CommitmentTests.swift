import SubscriptionRules
import Testing

/// A year that is billed monthly under a commitment to its twelve months (CMT-1).
@Suite("Years that are billed monthly")
struct CommitmentTests {
    private static let monthly = SamplePlans.billedMonthly("silver.yearly", level: 2, 9_000)
    private static let renewed = ServerNotification.didRenew(afterBillingProblem: false)

    private func world(
        _ offer: AppliedOffer? = nil, under terms: Conditions = Conditions()
    ) -> LifecycleWorld {
        LifecycleWorld(buying: Self.monthly, offer: offer, at: "2026-01-01", under: terms)
    }

    private func instalments(_ world: LifecycleWorld) -> [Int?] {
        world.opened.map(\.newestPeriod.instalment)
    }

    private func commitmentEnd(_ world: LifecycleWorld) -> String? {
        world.subscription.commitmentEnd(in: .utc).map(text)
    }

    @Test("Twelve months are charged, each from the anchor, and then twelve more")
    func months() {
        var world = LifecycleWorld(buying: Self.monthly, at: "2026-01-31")
        world.advance(
            to: "2027-02-01", expecting: Array(repeating: Self.renewed, count: 12))
        #expect(
            world.ledger.prefix(3).map { $0.split(separator: " ")[1] } == [
                "2026-01-31…2026-02-28", "2026-02-28…2026-03-31", "2026-03-31…2026-04-30",
            ])
        #expect(instalments(world) == Array(1...12) + [1])
        #expect(commitmentEnd(world) == "2028-01-31")
    }

    @Test("Turned off in the third month, it is charged to the twelfth and ends there")
    func cancelled() throws {
        var world = world()
        try world.send(
            .turnedRenewalOff, at: "2026-03-10",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        #expect(world.subscription.isRenewing)
        world.advance(to: "2026-12-31", expecting: Array(repeating: Self.renewed, count: 9))
        #expect(!world.subscription.isRenewing && !world.subscription.owesInstalment)
        world.advance(to: "2027-01-01", expecting: [.expired(.voluntary)])
        #expect(instalments(world) == Array(1...12))
        #expect(world.opened.map(\.newestPeriod.price) == Array(repeating: 9_000, count: 12))
    }

    @Test("What is off sale, and Sandbox's last renewal, end it only with the commitment")
    func offSale() {
        var world = world()
        world.isForSale = false
        world.advance(to: "2026-12-31", expecting: Array(repeating: Self.renewed, count: 11))
        world.advance(to: "2027-01-01", expecting: [.expired(.notForSale)])
        var limited = self.world(under: Conditions(renewalLimit: 3))
        limited.advance(to: "2026-12-31", expecting: Array(repeating: Self.renewed, count: 11))
        limited.advance(
            to: "2027-01-01",
            expecting: [.didChangeRenewalStatus(enabled: false), .expired(.voluntary)])
    }

    @Test(
        "A downgrade, and another way of paying the same, wait for the end of the commitment",
        arguments: [SamplePlans.bronze, SamplePlans.silverYearly, SamplePlans.silver])
    func waits(other: Plan) throws {
        var world = world()
        try world.send(
            chose(other), at: "2026-03-10", expecting: [.didChangeRenewalPreference(.downgrade)])
        #expect(world.subscription.renewalPlan == Self.monthly)
        #expect(world.subscription.planOfNextTerm(in: .utc) == other)
        world.advance(to: "2026-12-31", expecting: Array(repeating: Self.renewed, count: 9))
        #expect(world.subscription.plan == Self.monthly)
        world.advance(to: "2027-01-01", expecting: [Self.renewed])
        #expect(world.subscription.plan == other)
        #expect(world.opened.last?.newestPeriod.instalment == nil)
        #expect(world.opened.last?.newestPeriod.price == other.price.milliunits)
        #expect(commitmentEnd(world) == nil)
    }

    @Test("The running plan takes a change back that waits for the end of the commitment")
    func takenBack() throws {
        var world = world()
        try world.send(
            chose(SamplePlans.bronze), at: "2026-03-10",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        try world.send(
            chose(Self.monthly), at: "2026-05-10",
            expecting: [.didChangeRenewalPreference(.withdrawn)])
        world.advance(to: moment("2027-01-01"))
        #expect(world.subscription.plan == Self.monthly)
        #expect(world.subscription.newestPeriod.instalment == 1)
    }

    @Test(
        "An upgrade, and a crossgrade that is billed alike, end it now and give the rest back",
        arguments: [
            SamplePlans.gold, SamplePlans.billedMonthly("silver.other", level: 2, 8_000),
            SamplePlans.billedMonthly("gold.yearly", level: 1, 18_000),
        ])
    func endsNow(other: Plan) throws {
        var world = world()
        try world.send(
            chose(other), at: "2026-03-11", expecting: [.didChangeRenewalPreference(.upgrade)])
        // 21 of the 31 days of March were not used.
        #expect(world.refunds == [3: 6_100])
        #expect(world.opened.last?.newestPeriod.instalment == (other.billing == .monthly ? 1 : nil))
        world.advance(to: "2026-04-11", expecting: [Self.renewed])
        #expect(world.subscription.plan == other)
    }

    @Test("From a year paid at once monthly billing begins with the next renewal")
    func fromUpFront() throws {
        var world = LifecycleWorld(buying: SamplePlans.silverYearly, at: "2026-01-01")
        try world.send(
            chose(Self.monthly), at: "2026-03-10",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        world.advance(to: "2027-01-01", expecting: [Self.renewed])
        #expect(world.subscription.newestPeriod.instalment == 1)
        #expect(commitmentEnd(world) == "2028-01-01")
    }

    @Test("A failed month has no grace; recovered late it counts on, and the commitment ends later")
    func recovered() throws {
        var world = world(under: Conditions(gracePeriod: .sixteenDays))
        world.advance(to: "2026-04-15", expecting: Array(repeating: Self.renewed, count: 3))
        world.declinesUntil = moment("2026-05-10 12:00")
        world.advance(to: "2026-05-02", expecting: [.didFailToRenew(inGracePeriod: false)])
        #expect(!world.subscription.isEntitled)
        // Renewal that is turned off ends nothing that is owed.
        try world.send(
            .turnedRenewalOff, at: "2026-05-03",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        world.advance(to: "2026-05-11", expecting: [.didRenew(afterBillingProblem: true)])
        #expect(world.subscription.newestPeriod.instalment == 5)
        #expect(world.ledger.last == "silver.yearly 2026-05-11…2026-06-11 9000")
        #expect(commitmentEnd(world) == "2027-01-11")
        world.advance(
            to: "2027-01-11",
            expecting: Array(repeating: Self.renewed, count: 7) + [.expired(.voluntary)])
        #expect(instalments(world) == Array(1...12))
    }

    @Test("What cannot be collected ends it after the retry period")
    func givenUp() {
        var world = world()
        world.advance(to: "2026-04-15", expecting: Array(repeating: Self.renewed, count: 3))
        world.declinesUntil = .latest
        world.isForSale = false
        world.advance(
            to: "2026-06-30",
            expecting: [.didFailToRenew(inGracePeriod: false), .expired(.billingError)])
        #expect(commitmentEnd(world) == nil)
    }

    @Test("Bought by hand during billing retry, a new commitment begins")
    func boughtAgain() throws {
        var world = world()
        world.advance(to: moment("2026-04-15"))
        world.declinesUntil = moment("2026-05-10")
        world.advance(to: moment("2026-05-02"))
        world.declinesUntil = nil
        try world.send(
            chose(Self.monthly), at: "2026-05-02 12:00",
            expecting: [.didRenew(afterBillingProblem: true)])
        #expect(world.subscription.newestPeriod.instalment == 1)
        #expect(commitmentEnd(world) == "2027-05-02 12:00")
    }

    @Test("A trial and an offer paid up front come before it, a discounted month is one of it")
    func offers() {
        var trial = world(SamplePlans.trial(.month))
        #expect(commitmentEnd(trial) == nil)
        trial.advance(to: moment("2026-03-01"))
        #expect(instalments(trial) == [nil, 1, 2])
        #expect(commitmentEnd(trial) == "2027-02-01")
        var upFront = world(SamplePlans.payUpFront(CalendarPeriod(3, .month), 20_000))
        upFront.advance(to: moment("2026-04-01"))
        #expect(instalments(upFront) == [nil, 1])
        var discounted = world(SamplePlans.payAsYouGo(2, .month, 5_000))
        discounted.advance(to: moment("2026-03-01"))
        #expect(instalments(discounted) == [1, 2, 3])
        #expect(discounted.opened.map(\.newestPeriod.price) == [5_000, 5_000, 9_000])
        #expect(commitmentEnd(discounted) == "2027-01-01")
    }

    @Test("Redeemed inside it, discounted months begin at once and a free one waits for its end")
    func redeemed() throws {
        var world = world()
        try world.send(
            chose(Self.monthly, SamplePlans.promotion(.payAsYouGo, 2, 5_000)), at: "2026-03-10",
            expecting: [.offerRedeemed(nil)])
        world.advance(to: moment("2026-06-15"))
        #expect(world.opened.suffix(3).map(\.newestPeriod.price) == [5_000, 5_000, 9_000])
        try world.send(
            chose(Self.monthly, SamplePlans.promotion(.freeTrial, 1, 0)), at: "2026-06-20",
            expecting: [.offerRedeemed(nil)])
        world.advance(to: moment("2027-02-01"))
        #expect(instalments(world) == Array(1...12) + [nil, 1])
        #expect(world.opened.suffix(3).map(\.newestPeriod.price) == [9_000, 0, 9_000])
    }

    @Test("An extension moves the end of the commitment")
    func extended() throws {
        var world = world()
        try world.send(
            .wasExtended(try ExtensionRequest(days: 10, reasonCode: 0)), at: "2026-03-10",
            expecting: [.renewalExtended])
        #expect(commitmentEnd(world) == "2027-01-11")
        world.advance(to: "2027-01-10", expecting: Array(repeating: Self.renewed, count: 9))
        #expect(world.subscription.newestPeriod.instalment == 12)
    }

    @Test("A refund of the running month ends it; reversed, what is owed is charged again")
    func refunded() throws {
        var world = world()
        world.advance(to: moment("2026-03-10"))
        try world.send(
            .wasRefunded(transactionID: 3, fully: true), at: "2026-03-10",
            expecting: [.didChangeRenewalStatus(enabled: false), .refunded])
        #expect(!world.subscription.owesInstalment && commitmentEnd(world) == nil)
        #expect(world.subscription.nextChange == nil)
        try world.send(
            .refundWasReversed(
                transactionID: 3, refunded: moment("2026-03-10"), isNewestGivenBack: false),
            at: "2026-03-20", expecting: [.refundReversed])
        world.advance(to: "2026-04-02", expecting: [Self.renewed])
        #expect(world.subscription.newestPeriod.instalment == 4)
    }

    @Test("A refund ends what the bank has not answered, too")
    func refundedWhilePending() throws {
        var world = world()
        world.advance(to: moment("2026-03-10"))
        world.bank.answersLater = true
        world.advance(to: moment("2026-04-02"))
        _ = world.takeNotices()
        #expect(world.subscription.outstanding != nil)
        try world.send(
            .wasRefunded(transactionID: 3, fully: true), at: "2026-04-03",
            expecting: [
                .didChangeRenewalStatus(enabled: false), .expired(.voluntary), .refunded,
            ])
        #expect(world.subscription.isOver)
    }

    @Test("In Sandbox its months are short, and its end is twelve of them away")
    func sandbox() {
        var world = world(under: Conditions(tempo: .sandbox(.fiveMinutes), renewalLimit: 12))
        #expect(commitmentEnd(world) == "2026-01-01 01:00")
        world.advance(to: moment("2026-01-01 00:12"))
        #expect(world.subscription.newestPeriod.instalment == 3)
        #expect(commitmentEnd(world) == "2026-01-01 01:00")
        world.advance(to: moment("2026-01-02"))
        // After twelve renewals it ends with the commitment that runs.
        #expect(instalments(world) == Array(1...12) + Array(1...12))
    }

    @Test("Whoever comes back after a commitment keeps no price of the other billing plan")
    func comesBack() throws {
        var world = world()
        try world.send(.wasEnded, at: "2026-03-10", expecting: [.expired(.other)])
        let now = moment("2026-03-12")
        let back = world.subscription.returning(
            to: SamplePlans.silverYearly, at: now, under: world.terms)
        #expect(back == SamplePlans.silverYearly)
        let dearer = SamplePlans.billedMonthly("silver.yearly", level: 2, 9_900)
        #expect(
            world.subscription.returning(to: dearer, at: now, under: world.terms).price.milliunits
                == 9_000)
    }
}

/// New prices of what is billed monthly.
@Suite("Prices of years that are billed monthly")
struct CommitmentPriceTests {
    private static let monthly = SamplePlans.billedMonthly("silver.yearly", level: 2, 9_000)
    private static let renewed = ServerNotification.didRenew(afterBillingProblem: false)

    private func raised(to price: Int64, at day: String) throws -> LifecycleWorld {
        var world = LifecycleWorld(buying: Self.monthly, at: "2026-01-01")
        try world.send(
            .priceWasChanged(of: "silver.yearly", to: price, billed: .monthly), at: day,
            expecting: [])
        return world
    }

    @Test("A higher price is told before the end of the commitment and charged from there on")
    func told() throws {
        var world = try raised(to: 9_900, at: "2026-03-10")
        world.advance(to: "2026-12-04", expecting: Array(repeating: Self.renewed, count: 9))
        world.advance(to: "2026-12-05", expecting: [.priceIncrease(isAccepted: true)])
        #expect(world.subscription.renewalPlan.price.milliunits == 9_900)
        world.advance(to: "2027-02-01", expecting: [Self.renewed, Self.renewed])
        #expect(
            world.opened.map(\.newestPeriod.price)
                == Array(repeating: 9_000, count: 12) + [9_900, 9_900])
        #expect(world.subscription.increase == nil)
    }

    @Test("What needs consent is asked 60 days before the end, and ends there without it")
    func asked() throws {
        var world = try raised(to: 18_000, at: "2026-03-10")
        world.advance(to: moment("2026-11-01"))
        _ = world.takeNotices()
        world.advance(to: "2026-11-02", expecting: [.priceIncrease(isAccepted: false)])
        #expect(world.subscription.renewalPlan.price.milliunits == 9_000)
        #expect(world.subscription.planOfNextTerm(in: .utc).price.milliunits == 18_000)
        var agreed = world
        world.advance(to: "2026-12-31", expecting: [Self.renewed])
        world.advance(to: "2027-01-01", expecting: [.expired(.priceIncrease)])
        try agreed.send(
            .answeredPriceIncrease(agrees: true), at: "2026-12-20",
            expecting: [.priceIncrease(isAccepted: true)])
        agreed.advance(to: "2027-01-01", expecting: [Self.renewed])
        #expect(agreed.opened.last?.newestPeriod.price == 18_000)
    }

    @Test("A price too late for this commitment is charged from the one after the next")
    func late() throws {
        var world = try raised(to: 9_900, at: "2026-12-20")
        world.advance(to: moment("2028-01-01"))
        #expect(
            world.opened.map(\.newestPeriod.price)
                == Array(repeating: 9_000, count: 24) + [9_900])
    }

    @Test("A lower price holds from the next month on, and the up-front price is another one")
    func lowered() throws {
        var world = try raised(to: 8_000, at: "2026-03-10")
        try world.send(
            .priceWasChanged(of: "silver.yearly", to: 5_000), at: "2026-03-11", expecting: [])
        world.advance(to: moment("2026-05-01"))
        #expect(world.opened.map(\.newestPeriod.price) == [9_000, 9_000, 9_000, 8_000, 8_000])
    }

    @Test("A recovery moves the end of the commitment, and with it what is told")
    func recovered() throws {
        var world = try raised(to: 9_900, at: "2026-03-10")
        world.advance(to: moment("2026-04-15"))
        world.declinesUntil = moment("2026-05-10 12:00")
        world.advance(to: moment("2026-05-11"))
        _ = world.takeNotices()
        world.advance(to: "2026-12-14", expecting: Array(repeating: Self.renewed, count: 7))
        world.advance(to: "2026-12-15", expecting: [.priceIncrease(isAccepted: true)])
        world.advance(to: "2027-01-11", expecting: [Self.renewed])
        #expect(world.opened.last?.newestPeriod.price == 9_900)
    }

    @Test("After a commitment that an offer began, the next one costs what was shown")
    func offer() throws {
        var world = LifecycleWorld(
            buying: Self.monthly, offer: SamplePlans.trial(.month), at: "2026-01-01")
        try world.send(
            .priceWasChanged(of: "silver.yearly", to: 9_900, billed: .monthly), at: "2026-01-10",
            expecting: [])
        world.advance(to: moment("2027-02-01"))
        // The trial, twelve months at the price of the sign-up, and then the new one.
        #expect(
            world.opened.map(\.newestPeriod.price)
                == [0] + Array(repeating: 9_000, count: 12) + [9_900])
    }
}

extension SamplePlans {
    /// A year that is billed monthly.
    static func billedMonthly(_ id: String, level: Int, _ price: Int64) -> Plan {
        Plan(
            productID: id, level: level, period: .month, billing: .monthly,
            price: Money(milliunits: price, dollars))
    }

    /// An offer for those who subscribe.
    static func promotion(_ mode: Offer.Mode, _ count: Int, _ price: Int64) -> AppliedOffer {
        AppliedOffer(
            Offer(
                kind: .promotional, id: "spring", mode: mode, period: .month, periodCount: count,
                basePrice: price), in: .usa)
    }
}
