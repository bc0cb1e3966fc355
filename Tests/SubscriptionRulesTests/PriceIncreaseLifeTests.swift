import SubscriptionRules
import Testing

@Suite("Price increases in the life of a subscription")
struct PriceIncreaseLifeTests {
    @Test("The renewal that charges more stays the same one when the billing zone changes")
    func zone() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-15")
        try world.send(.priceWasChanged(to: 10_990), at: "2026-01-20", expecting: [])
        world.terms.zone = .pacific
        // Told 27 days before 15 March; in Pacific time that renewal comes an hour earlier.
        let renewed = Notice.didRenew(afterBillingProblem: false)
        world.advance(
            to: "2026-04-01", expecting: [renewed, .priceIncrease(isAccepted: true), renewed])
        #expect(world.opened.map(\.term.price) == [9_990, 9_990, 10_990])
        #expect(world.subscription.increase == nil)
    }
}
