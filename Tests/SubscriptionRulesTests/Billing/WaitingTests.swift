import SubscriptionRules
import Testing

/// A bank that answers later: the table of `docs/decisions/0016-bills.md`, row by row.
@Suite("While a bill has no answer")
struct WaitingTests {
    static let renewed = ServerNotification.didRenew(afterBillingProblem: false)
    static let recovered = ServerNotification.didRenew(afterBillingProblem: true)
    static let failed = ServerNotification.didFailToRenew(inGracePeriod: false)
    static let off = ServerNotification.didChangeRenewalStatus(enabled: false)

    /// Silver, bought on 1 March, whose renewal on 1 April is pending.
    static func awaiting(
        _ terms: Conditions = Conditions(), plan: Plan = SamplePlans.silver
    ) -> LifecycleWorld {
        var world = LifecycleWorld(buying: plan, at: "2026-03-01", under: terms)
        world.bank.answersLater = true
        world.advance(to: world.subscription.newestPeriod.end)
        #expect(world.subscription.outstanding?.bill.purpose == .renewal)
        _ = world.takeNotices()
        return world
    }

    /// The bank pays, declines or voids what is outstanding.
    static func paid(_ world: LifecycleWorld) -> Event {
        .billWasPaid(world.subscription.outstanding?.bill.id ?? 0)
    }

    static func declined(_ world: LifecycleWorld) -> Event {
        .billWasDeclined(world.subscription.outstanding?.bill.id ?? 0)
    }

    static func voided(_ world: LifecycleWorld) -> Event {
        .billWasVoided(world.subscription.outstanding?.bill.id ?? 0, forSale: true)
    }

    // MARK: A renewal

    @Test("A renewal that is pending keeps access for six days, and nobody is told")
    func access() {
        var world = Self.awaiting()
        #expect(world.subscription.state == .awaitingPayment(until: moment("2026-04-07")))
        #expect(world.subscription.isEntitled)
        world.advance(to: "2026-04-06 23:59", expecting: [])
        #expect(world.subscription.isEntitled)
        world.advance(to: "2026-04-07", expecting: [Self.failed])
        #expect(!world.subscription.isEntitled)
        #expect(world.subscription.outstanding != nil)
    }

    @Test(
        "How long access lasts is a setting, and a longer grace period holds instead",
        arguments: [
            (0, nil, nil), (1, nil, "2026-04-02"), (28, nil, "2026-04-29"),
            (6, .threeDays, "2026-04-07"), (6, .sixteenDays, "2026-04-17"),
            (0, .threeDays, "2026-04-04"),
        ] as [(Int, GracePeriod?, String?)])
    func setting(_ days: Int, _ grace: GracePeriod?, _ until: String?) {
        let world = Self.awaiting(Conditions(gracePeriod: grace, pendingRenewalDays: days))
        if let until {
            #expect(world.subscription.state == .awaitingPayment(until: moment(until)))
        } else {
            #expect(!world.subscription.isEntitled)
        }
    }

    @Test("Access never outlasts the period that is being paid for")
    func weekly() {
        let world = Self.awaiting(
            Conditions(pendingRenewalDays: 28), plan: SamplePlans.silverWeekly)
        #expect(world.subscription.state == .awaitingPayment(until: moment("2026-03-15")))
    }

    @Test("Paid while it is awaited, the period counts from the day that was due")
    func paidInTime() throws {
        var world = Self.awaiting()
        try world.send(Self.paid(world), at: "2026-04-05 10:00", expecting: [Self.renewed])
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 9990")
        #expect(world.opened.last?.newestPeriod.purchased == moment("2026-04-05 10:00"))
        #expect(world.subscription.state == .active && world.subscription.outstanding == nil)
    }

    @Test("Paid when access had stopped, it is a recovery that counts from then")
    func paidLate() throws {
        var world = Self.awaiting()
        try world.send(Self.paid(world), at: "2026-04-20 10:00", expecting: [Self.recovered])
        #expect(world.ledger.last == "silver 2026-04-20 10:00…2026-05-20 10:00 9990")
        #expect(world.anchor == "2026-04-20 10:00")
    }

    @Test("Declined while it is awaited, it fails as if it had failed when it was due")
    func declinedInTime() throws {
        var world = Self.awaiting()
        try world.send(Self.declined(world), at: "2026-04-05", expecting: [Self.failed])
        guard case .retrying(let retry, graceEnded: nil) = world.subscription.state else {
            Issue.record("it is not in billing retry")
            return
        }
        #expect(retry.since == moment("2026-04-01"))
        #expect(retry.givesUpAt == moment("2026-05-31"))
        #expect(retry.nextAttempt == moment("2026-04-06"))
    }

    @Test("A grace period counts from the day that was due, whenever the bank declines")
    func declinedIntoGrace() throws {
        var world = Self.awaiting(Conditions(gracePeriod: .sixteenDays))
        try world.send(
            Self.declined(world), at: "2026-04-10",
            expecting: [.didFailToRenew(inGracePeriod: true)])
        world.bank.answersLater = false
        world.declinesUntil = moment("2026-06-01")
        world.advance(to: "2026-04-17", expecting: [.gracePeriodExpired])
    }

    @Test("Renewal turned off gives the bill up, and it is over at once (REN-3)")
    func turnedOff() throws {
        var world = Self.awaiting()
        try world.send(
            .turnedRenewalOff, at: "2026-04-03", expecting: [Self.off, .expired(.voluntary)])
        #expect(!world.subscription.isEntitled && world.subscription.outstanding == nil)
    }

    @Test("Where the bank cannot give it up any more, its answer decides")
    func turnedOffTooLate() throws {
        var world = Self.awaiting()
        world.bank.givesUp = false
        try world.send(.turnedRenewalOff, at: "2026-04-03", expecting: [Self.off])
        #expect(world.subscription.outstanding?.isBeingVoided == true)
        var declined = world
        try declined.send(
            Self.declined(declined), at: "2026-04-04", expecting: [.expired(.voluntary)])
        try world.send(Self.paid(world), at: "2026-04-04", expecting: [Self.renewed])
        #expect(!world.subscription.renewsAutomatically)
        world.advance(to: "2026-05-01", expecting: [.expired(.voluntary)])
    }

    @Test("A bill that the bank gives up by itself has failed")
    func givenUpByTheBank() throws {
        var world = Self.awaiting()
        try world.send(Self.voided(world), at: "2026-04-03", expecting: [Self.failed])
        #expect(world.subscription.outstanding == nil && !world.subscription.isEntitled)
    }

    @Test("A change of mind while the bank gives it up is charged anew")
    func turnedOnAgain() throws {
        var world = Self.awaiting()
        world.bank.givesUp = false
        try world.send(.turnedRenewalOff, at: "2026-04-03", expecting: [Self.off])
        try world.send(
            .turnedRenewalOn, at: "2026-04-03 12:00",
            expecting: [.didChangeRenewalStatus(enabled: true)])
        world.bank.answersLater = false
        try world.send(Self.voided(world), at: "2026-04-04", expecting: [Self.renewed])
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 9990")
    }

    @Test("Another payment method gives the old bill up and is charged with a new one (REN-2)")
    func otherMethod() throws {
        var world = Self.awaiting()
        let first = world.subscription.outstanding?.bill.id
        world.bank.answersLater = false
        try world.send(.changedPaymentMethod, at: "2026-04-03", expecting: [Self.renewed])
        #expect(world.subscription.newestPeriod.transactionID != first)
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 9990")
    }

    @Test("No other plan can be chosen meanwhile: there is never a second bill")
    func noSecondBill() {
        var world = Self.awaiting()
        for plan in [SamplePlans.silver, SamplePlans.gold, SamplePlans.bronze] {
            world.refuse(chose(plan), at: "2026-04-03", .paymentPending)
        }
    }

    @Test("Nothing is tried while an answer is outstanding, and it does not end before")
    func dayBySixty() throws {
        var world = Self.awaiting()
        world.bank.givesUp = false
        world.advance(to: "2026-05-30 23:59", expecting: [Self.failed])
        #expect(world.charges.count == 1)
        // Day 60 passes: it is to be given up, again and again, and no EXPIRED before an answer.
        world.advance(to: "2026-06-10", expecting: [])
        #expect(world.subscription.outstanding?.isBeingVoided == true)
        var paid = world
        try paid.send(Self.paid(paid), at: "2026-06-10", expecting: [Self.recovered])
        #expect(paid.ledger.last == "silver 2026-06-10…2026-07-10 9990")
        var voided = world
        try voided.send(
            Self.voided(voided), at: "2026-06-10", expecting: [.expired(.billingError)])
        try world.send(
            Self.declined(world), at: "2026-06-10", expecting: [.expired(.billingError)])
    }

    @Test("A bank that gives up on day 60 ends it then")
    func givenUpInTheEnd() {
        var world = Self.awaiting()
        world.advance(to: "2026-05-31", expecting: [Self.failed, .expired(.billingError)])
    }

    @Test("The operator's end leaves the bill to nobody: a payment after it is refused")
    func ended() throws {
        var world = Self.awaiting()
        let paid = Self.paid(world)
        world.bank.givesUp = false
        try world.send(.wasEnded, at: "2026-04-03", expecting: [.expired(.other)])
        #expect(world.subscription.outstanding == nil)
        world.refuse(paid, at: "2026-04-04", .notBilled)
    }

    @Test("Only the bill that is outstanding can be answered, and once")
    func otherBill() throws {
        var world = Self.awaiting()
        let (paid, declined) = (Self.paid(world), Self.declined(world))
        for event in [
            Event.billWasPaid(999), .billWasDeclined(999), .billIsPending(999),
            .billWasVoided(999, forSale: true),
        ] {
            world.refuse(event, at: "2026-04-02", .notBilled)
        }
        try world.send(paid, at: "2026-04-02", expecting: [Self.renewed])
        for event in [paid, declined] { world.refuse(event, at: "2026-04-02", .notBilled) }
    }

    @Test("A price that falls meanwhile holds from the next bill on (PRC-4)")
    func cheaper() throws {
        var world = Self.awaiting()
        try world.send(.priceWasChanged(of: "silver", to: 4_990), at: "2026-04-03", expecting: [])
        try world.send(Self.paid(world), at: "2026-04-04", expecting: [Self.renewed])
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 9990")
        world.bank.answersLater = false
        world.advance(to: "2026-05-01", expecting: [Self.renewed])
        #expect(world.ledger.last == "silver 2026-05-01…2026-06-01 4990")
    }

    @Test("An increase that was announced for it is charged, and its twelve months begin (THR-1)")
    func raised() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-01")
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: "2026-01-02", expecting: [])
        guard let renewal = world.subscription.increase?.schedule?.renewal else {
            Issue.record("no increase is planned")
            return
        }
        world.advance(to: renewal - .minutes(1))
        world.bank.answersLater = true
        world.advance(to: renewal)
        #expect(world.subscription.outstanding?.bill.amount.milliunits == 10_990)
        _ = world.takeNotices()
        try world.send(Self.paid(world), at: text(renewal + .days(2)), expecting: [Self.renewed])
        #expect(world.subscription.plan.price.milliunits == 10_990)
        #expect(world.subscription.lastIncrease == renewal && world.subscription.increase == nil)
    }

    // MARK: What the customer asked for

    @Test("A first purchase begins when it is paid")
    func firstPurchase() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, answeredLaterAt: "2026-03-01")
        #expect(world.subscription.state == .new && !world.subscription.isEntitled)
        #expect(world.opened.isEmpty && world.subscription.nextChange == nil)
        try world.send(
            Self.paid(world), at: "2026-03-02 08:00", expecting: [.subscribed(.initialBuy)])
        #expect(world.ledger == ["silver 2026-03-02 08:00…2026-04-02 08:00 9990"])
        #expect(world.subscription.serviceStart == moment("2026-03-02 08:00"))
        #expect(world.subscription.newestPeriod.transactionID == world.subscription.id)
    }

    @Test("A first purchase that is declined or given up leaves nothing behind", arguments: [0, 1])
    func firstPurchaseFails(_ way: Int) throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.trial(.week),
            answeredLaterAt: "2026-03-01")
        let answer = way == 0 ? Self.declined(world) : Self.voided(world)
        try world.send(answer, at: "2026-03-02", expecting: [])
        #expect(world.subscription.state == .new && world.subscription.outstanding == nil)
        #expect(!world.subscription.hasUsedIntroductoryOffer && world.opened.isEmpty)
    }

    /// Silver, bought on 1 March; gold was chosen on 11 March and is pending.
    static func upgrading() throws -> LifecycleWorld {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        world.bank.answersLater = true
        try world.send(chose(SamplePlans.gold), at: "2026-03-11", expecting: [])
        return world
    }

    @Test("An upgrade changes nothing until it is paid; its credit is that of the choice (CHG-2)")
    func upgrade() throws {
        var world = try Self.upgrading()
        #expect(world.subscription.plan == SamplePlans.silver && world.superseded.isEmpty)
        try world.send(
            Self.paid(world), at: "2026-03-15", expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.ledger.last == "gold 2026-03-15…2026-04-15 19990")
        var atOnce = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try atOnce.send(
            chose(SamplePlans.gold), at: "2026-03-11",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.refunds == atOnce.refunds && !world.refunds.isEmpty)
    }

    @Test("An upgrade that is declined or given up changes nothing", arguments: [0, 1, 2])
    func upgradeFails(_ way: Int) throws {
        var world = try Self.upgrading()
        let before = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01").subscription
        let event = [Self.declined(world), Self.voided(world), .gaveUpWaiting][way]
        try world.send(event, at: "2026-03-12", expecting: [])
        #expect(world.subscription == before)
    }

    @Test("Chosen again it is the same bill; another choice waits")
    func chosenAgain() throws {
        var world = try Self.upgrading()
        let bill = world.subscription.outstanding
        try world.send(chose(SamplePlans.gold), at: "2026-03-12", expecting: [])
        #expect(world.subscription.outstanding == bill)
        world.refuse(chose(SamplePlans.bronze), at: "2026-03-12", .paymentPending)
    }

    @Test("At the end of the period the upgrade is given up first, then the old plan renews")
    func periodEnds() throws {
        var world = try Self.upgrading()
        world.bank.givesUp = false
        world.advance(to: "2026-04-01", expecting: [])
        #expect(world.subscription.outstanding?.isBeingVoided == true)
        #expect(world.subscription.isEntitled)
        var voided = world
        voided.bank.answersLater = false
        try voided.send(Self.voided(voided), at: "2026-04-02", expecting: [Self.renewed])
        #expect(voided.ledger.last == "silver 2026-04-01…2026-05-01 9990")
        var declined = world
        declined.bank.answersLater = false
        try declined.send(Self.declined(declined), at: "2026-04-02", expecting: [Self.renewed])
        #expect(declined.ledger.last == "silver 2026-04-01…2026-05-01 9990")
        // Too late to give up: it was paid. The old period is over, so nothing goes back.
        try world.send(
            Self.paid(world), at: "2026-04-02", expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.ledger.last == "gold 2026-04-02…2026-05-02 19990")
        #expect(world.refunds.isEmpty && world.superseded.isEmpty)
    }

    @Test("A refund of the running period gives the upgrade up; paid all the same it is a purchase")
    func refundedMeanwhile() throws {
        var world = try Self.upgrading()
        world.bank.givesUp = false
        try world.send(
            .wasRefunded(transactionID: 1, fully: true), at: "2026-03-12",
            expecting: [Self.off, .refunded])
        #expect(world.subscription.outstanding?.isBeingVoided == true)
        try world.send(
            Self.paid(world), at: "2026-03-13", expecting: [.subscribed(.resubscribe)])
        #expect(world.refunds.isEmpty && world.superseded.isEmpty)
        #expect(world.ledger.last == "gold 2026-03-13…2026-04-13 19990")
    }

    @Test("A trial that ends while its upgrade is pending is not taken over")
    func trialIsOver() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.trial(.week), at: "2026-03-01",
            under: Conditions(upgradeInTrial: .keepsTrial))
        world.bank.answersLater = true
        world.bank.givesUp = false
        try world.send(chose(SamplePlans.gold), at: "2026-03-05", expecting: [])
        world.advance(to: "2026-03-08", expecting: [])
        try world.send(
            Self.paid(world), at: "2026-03-09", expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.subscription.newestPeriod.start == moment("2026-03-09"))
        #expect(world.subscription.newestPeriod.end > world.subscription.newestPeriod.start)
    }

    // MARK: A recovery

    @Test("While a recovery is pending grace ends as agreed, and the payment counts all the same")
    func recovery() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-03-01",
            under: Conditions(gracePeriod: .sixteenDays))
        world.declinesUntil = moment("2026-04-05")
        world.advance(to: "2026-04-04 12:00", expecting: [.didFailToRenew(inGracePeriod: true)])
        world.bank.answersLater = true
        world.advance(to: "2026-04-16 23:59", expecting: [])
        #expect(world.subscription.outstanding?.bill.purpose == .recovery)
        var inGrace = world
        try inGrace.send(Self.paid(inGrace), at: "2026-04-16 23:59", expecting: [Self.recovered])
        #expect(inGrace.ledger.last == "silver 2026-04-01…2026-05-01 9990")
        world.advance(to: "2026-04-17", expecting: [.gracePeriodExpired])
        try world.send(Self.paid(world), at: "2026-04-18", expecting: [Self.recovered])
        #expect(world.ledger.last == "silver 2026-04-18…2026-05-18 9990")
    }

    @Test("A recovery that is declined late is tried again on the next beat")
    func recoveryDeclined() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        world.declinesUntil = moment("2026-04-01 12:00")
        world.advance(to: moment("2026-04-01"))
        world.bank.answersLater = true
        world.advance(to: moment("2026-04-10"))
        try world.send(Self.declined(world), at: "2026-04-10 10:00", expecting: [])
        #expect(world.subscription.nextChange == moment("2026-04-11"))
    }
}
