import SubscriptionRules
import Testing

@Suite("Consent to the end of an offer, in Korea")
struct KoreanConsentTests {
    private static let won = Storefront(code: "KOR")!

    private func world(
        _ offer: Offer, at start: String = "2025-03-01", storefront: String = "KOR"
    ) -> LifecycleWorld {
        let place = Storefront(code: storefront)!
        let plan = SamplePlans.plan("silver", level: 2, .month, 9_900_000, place.currency)
        return LifecycleWorld(
            buying: plan, offer: AppliedOffer(offer, in: place), at: start,
            under: Conditions(storefront: storefront))
    }

    private let twoMonths = Offer(
        kind: .introductory, mode: .freeTrial, period: CalendarPeriod(2, .month))
    private let asked = ServerNotification.priceIncrease(isAccepted: false)
    private let agreed = ServerNotification.priceIncrease(isAccepted: true)
    private let renewed = ServerNotification.didRenew(afterBillingProblem: false)

    @Test("It is asked for when the window opens, and with it the offer converts (KOR-4)")
    func agrees() throws {
        var world = world(twoMonths)
        // Midnight in Seoul is nine hours before midnight in UTC: 1 April there.
        world.advance(to: "2025-03-31 14:59", expecting: [])
        world.advance(to: "2025-03-31 15:00", expecting: [asked])
        #expect(world.subscription.agreesToIncreases == false)
        try world.send(
            .answeredPriceIncrease(agrees: true), at: "2025-04-10", expecting: [agreed])
        #expect(world.subscription.agreesToIncreases == true)
        world.advance(to: "2025-05-01", expecting: [renewed])
        #expect(world.subscription.conversion == nil)
        #expect(world.ledger.last == "silver 2025-05-01…2025-06-01 9900000")
    }

    @Test("Without it the subscription expires at the conversion, with intent 3 (KOR-5)")
    func ignores() {
        var world = world(twoMonths)
        world.advance(to: moment("2025-04-30"))
        _ = world.takeNotices()
        world.advance(to: "2025-05-01", expecting: [.expired(.priceIncrease)])
        #expect(world.charges.count == 1)
    }

    @Test("On the day of the conversion it is too late (KOR-2)")
    func tooLate() throws {
        var late = world(twoMonths)
        // The last day in Seoul ends at 15:00 UTC of 30 April.
        late.refuse(
            .answeredPriceIncrease(agrees: true), at: "2025-04-30 15:00", .noPriceIncrease)
        late.advance(to: moment("2025-05-01"))
        #expect(late.subscription.isOver)
        var early = world(twoMonths)
        early.refuse(.answeredPriceIncrease(agrees: true), at: "2025-03-15", .noPriceIncrease)
        var last = world(twoMonths)
        try last.send(
            .answeredPriceIncrease(agrees: true), at: "2025-04-30 14:59", expecting: [agreed])
        last.advance(to: "2025-05-01", expecting: [renewed])
    }

    @Test("Who declines turns renewal off, and may still change their mind")
    func declines() throws {
        var world = world(twoMonths)
        try world.send(
            .answeredPriceIncrease(agrees: false), at: "2025-04-10",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        try world.send(
            .answeredPriceIncrease(agrees: true), at: "2025-04-11",
            expecting: [.didChangeRenewalStatus(enabled: true), agreed])
        world.advance(to: "2025-05-01", expecting: [renewed])
        var gone = self.world(twoMonths)
        gone.advance(to: moment("2025-04-10"))
        try gone.send(.answeredPriceIncrease(agrees: false), at: moment("2025-04-10"))
        _ = gone.takeNotices()
        gone.advance(to: "2025-05-01", expecting: [.expired(.voluntary)])
    }

    @Test("Of several discounted periods only the last one's end is asked about (KOR-7)")
    func periods() throws {
        let offer = Offer(
            kind: .introductory, mode: .payAsYouGo, period: .month, periodCount: 3,
            basePrice: 4_900_000)
        var world = world(offer, at: "2026-01-15")
        world.advance(to: "2026-03-15 14:59", expecting: [renewed, renewed])
        world.advance(to: "2026-03-15 15:00", expecting: [asked])
    }

    @Test("A short offer is asked about when it is bought (KOR-8)")
    func short() throws {
        let trial = Offer(kind: .introductory, mode: .freeTrial, period: CalendarPeriod(3, .day))
        var world = world(trial, at: "2026-06-10")
        world.advance(to: "2026-06-10", expecting: [asked])
        try world.send(
            .answeredPriceIncrease(agrees: true), at: "2026-06-12", expecting: [agreed])
        world.advance(to: "2026-06-13", expecting: [renewed])
    }

    @Test("An offer that is redeemed puts the question off to its own end")
    func redeemed() throws {
        var world = world(twoMonths)
        world.advance(to: moment("2025-04-10"))
        try world.send(.answeredPriceIncrease(agrees: true), at: moment("2025-04-10"))
        let code = AppliedOffer(
            Offer(kind: .promotional, id: "x", mode: .freeTrial, period: .month), in: Self.won)
        let plan = world.subscription.plan.changingLines { line in
            (line.offer, line.nextOffer) = (code, nil)
        }
        _ = world.takeNotices()
        try world.send(.chosePlan(plan), at: moment("2025-04-11"))
        #expect(world.takeNotices() == [.offerRedeemed(nil)])
        #expect(world.subscription.agreesToIncreases == nil)
        // The window of 1 June opens on 2 May in Seoul.
        world.advance(to: "2025-05-01 15:00", expecting: [renewed, asked])
    }

    @Test("Another plan that was chosen needs none, and neither does another country")
    func none() throws {
        var world = world(twoMonths)
        let yearly = SamplePlans.plan(
            "yearly", level: 2, .year, 99_000_000, Self.won.currency)
        try world.send(.chosePlan(yearly), at: moment("2025-03-10"))
        _ = world.takeNotices()
        world.advance(to: "2025-05-01", expecting: [renewed])
        #expect(world.ledger.last == "yearly 2025-05-01…2026-05-01 99000000")
        var elsewhere = self.world(twoMonths, storefront: "JPN")
        elsewhere.advance(to: "2025-05-01", expecting: [renewed])
    }

    @Test("An extension moves the conversion: what was agreed to on an earlier day is asked again")
    func extended() throws {
        let upFront = Offer(
            kind: .introductory, mode: .payUpFront, period: CalendarPeriod(2, .month),
            basePrice: 9_900_000)
        var world = world(upFront)
        world.advance(to: moment("2025-04-10"))
        try world.send(.answeredPriceIncrease(agrees: true), at: moment("2025-04-10"))
        try world.send(
            .wasExtended(try! ExtensionRequest(days: 60, reasonCode: 0)), at: moment("2025-04-11"))
        _ = world.takeNotices()
        #expect(world.subscription.agreesToIncreases == nil)
        world.advance(to: "2025-06-29 14:00", expecting: [asked])
        world.advance(to: "2025-06-30", expecting: [.expired(.priceIncrease)])
    }
}
