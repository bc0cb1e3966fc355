import SubscriptionRules
import Testing

@Suite("Price increases in the life of a subscription")
struct PriceIncreaseLifeTests {
    @Test("The renewal that charges more stays the same one when the billing zone changes")
    func zone() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-15")
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: "2026-01-20", expecting: [])
        world.terms.zone = .pacific
        // Told 27 days before 15 March; in Pacific time that renewal comes an hour earlier.
        let renewed = Notice.didRenew(afterBillingProblem: false)
        world.advance(
            to: "2026-04-01", expecting: [renewed, .priceIncrease(isAccepted: true), renewed])
        #expect(world.opened.map(\.term.price) == [9_990, 9_990, 10_990])
        #expect(world.subscription.increase == nil)
    }

    @Test("The running period ends when its own zone said, also for an increase planned in another")
    func zoneBeforeIncrease() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-10-15 08:30")
        // In Pacific time the period would end an hour later, at 09:30.
        world.terms.zone = .pacific
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: "2026-10-16", expecting: [])
        world.advance(
            to: "2026-11-15 08:30",
            expecting: [
                .priceIncrease(isAccepted: true), .didRenew(afterBillingProblem: false),
            ])
        #expect(world.opened.map(\.term.price) == [9_990, 10_990])
        #expect(world.subscription.increase == nil)
    }
}
