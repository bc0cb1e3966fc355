import SubscriptionRules
import Testing

/// Silver, a month for 9.99 USD, bought on 15 January 2026 in an app that lives by 2012.
@Suite("The ways of 2012")
struct EraTests {
    private func world() -> LifecycleWorld {
        var terms = Conditions()
        terms.era = .session2012
        return LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-15", under: terms)
    }

    private func raise(
        _ world: inout LifecycleWorld, to price: Int64 = 10_990, at day: String
    ) throws {
        try world.send(.priceWasChanged(of: "silver", to: price), at: day, expecting: [])
    }

    private let asked: [ServerNotification] = [
        .priceIncrease(isAccepted: false), .didChangeRenewalStatus(enabled: false),
    ]
    private let renewed = ServerNotification.didRenew(afterBillingProblem: false)

    @Test("Ten days before the end a higher price, however small, turns renewal off (TAB-19)")
    func tenDays() throws {
        var world = world()
        try raise(&world, at: "2026-01-20")
        world.advance(to: "2026-02-04 23:59", expecting: [])
        #expect(world.subscription.renewsAutomatically)
        world.advance(to: "2026-02-05", expecting: asked)
        #expect(!world.subscription.renewsAutomatically)
        world.advance(to: "2026-02-15", expecting: [.expired(.priceIncrease)])
        #expect(world.opened.map(\.newestPeriod.price) == [9_990])
    }

    @Test("Who agrees is back in business, and pays more from the renewal on")
    func agrees() throws {
        var world = world()
        try raise(&world, at: "2026-01-20")
        world.advance(to: "2026-02-05", expecting: asked)
        try world.send(
            .answeredPriceIncrease(agrees: true), at: "2026-02-08",
            expecting: [
                .didChangeRenewalStatus(enabled: true), .priceIncrease(isAccepted: true),
            ])
        world.advance(to: "2026-03-15", expecting: [renewed, renewed])
        #expect(world.opened.map(\.newestPeriod.price) == [9_990, 10_990, 10_990])
    }

    @Test("Turning renewal on again where subscriptions are managed is agreeing")
    func managing() throws {
        var world = world()
        try raise(&world, at: "2026-01-20")
        world.advance(to: "2026-02-05", expecting: asked)
        try world.send(
            .turnedRenewalOn, at: "2026-02-08",
            expecting: [
                .didChangeRenewalStatus(enabled: true), .priceIncrease(isAccepted: true),
            ])
        try world.send(
            .turnedRenewalOff, at: "2026-02-09",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        try world.send(
            .turnedRenewalOn, at: "2026-02-10",
            expecting: [.didChangeRenewalStatus(enabled: true)])
        world.advance(to: "2026-02-15", expecting: [renewed])
        #expect(world.opened.last?.newestPeriod.price == 10_990)
    }

    @Test("Who declines ends by choice")
    func declines() throws {
        var world = world()
        try raise(&world, at: "2026-01-20")
        world.advance(to: "2026-02-05", expecting: asked)
        try world.send(.answeredPriceIncrease(agrees: false), at: "2026-02-08", expecting: [])
        world.advance(to: "2026-02-15", expecting: [.expired(.voluntary)])
    }

    @Test("What rises within the ten days is found as it rises")
    func late() throws {
        var world = world()
        try raise(&world, at: "2026-02-12")
        world.advance(to: "2026-02-12", expecting: asked)
        world.advance(to: "2026-02-15", expecting: [.expired(.priceIncrease)])
    }

    @Test("What rises and falls back before the ten days nobody notices")
    func fallsBack() throws {
        var world = world()
        try raise(&world, at: "2026-01-20")
        try raise(&world, to: 9_990, at: "2026-01-25")
        world.advance(to: "2026-02-15", expecting: [renewed])
        #expect(world.opened.last?.newestPeriod.price == 9_990)
    }

    @Test("A lower price is charged at the renewal, and nobody is told")
    func lower() throws {
        var world = world()
        try raise(&world, to: 8_990, at: "2026-01-20")
        world.advance(to: "2026-02-15", expecting: [renewed])
        #expect(world.opened.last?.newestPeriod.price == 8_990)
    }

    @Test("Who has turned renewal off before is asked nothing")
    func off() throws {
        var world = world()
        try world.send(
            .turnedRenewalOff, at: "2026-01-16",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        try raise(&world, at: "2026-01-20")
        world.advance(to: "2026-02-15", expecting: [.expired(.voluntary)])
    }

    @Test(
        "A failed renewal is tried for a day, and then given up (REN-4)", arguments: [true, false])
    func givingUp(_ isPaidInTime: Bool) {
        var world = world()
        world.declinesUntil = moment(isPaidInTime ? "2026-02-15 12:00" : "2026-03-01")
        world.advance(to: "2026-02-15", expecting: [.didFailToRenew(inGracePeriod: false)])
        world.advance(
            to: "2026-02-16",
            expecting: [
                isPaidInTime ? .didRenew(afterBillingProblem: true) : .expired(.billingError)
            ])
    }

    @Test("A week's plan is asked about from the start of its period on")
    func week() throws {
        var terms = Conditions()
        terms.era = .session2012
        var world = LifecycleWorld(
            buying: SamplePlans.silverWeekly, at: "2026-01-15", under: terms)
        try world.send(
            .priceWasChanged(of: "silver.weekly", to: 3_990), at: "2026-01-16", expecting: [])
        world.advance(to: "2026-01-16", expecting: asked)
        world.advance(to: "2026-01-22", expecting: [.expired(.priceIncrease)])
    }
}
