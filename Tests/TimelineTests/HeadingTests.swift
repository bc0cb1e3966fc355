import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("What stands above the drawing of a life")
struct HeadingTests {
    @Test(
        "The condition of a subscription says what comes next",
        arguments: [
            ("active", true, "active, renews 2026-02-28 00:00 as flowers.monthly"),
            ("active", false, "active, ends 2026-02-28 00:00"),
            ("awaitingPayment", true, "payment awaited, was due 2026-02-28 00:00"),
            ("grace", true, "in grace, was due 2026-02-28 00:00"),
            ("retrying", true, "in billing retry since 2026-02-28 00:00"),
            ("expired", false, "expired 2026-02-28 00:00"), ("paused", true, "paused"),
        ])
    func conditions(state: String, renews: Bool, words: String) {
        var life = Lives.life(
            [], expires: Lives.moment("2026-02-28"), now: Lives.moment("2026-02-01"))
        life.state = state
        life.renewsAutomatically = renews
        life.nextProductID = Lives.flowers
        #expect(life.condition == words)
    }

    @Test("Where Sandbox renews no further it says so, and nothing is drawn ahead")
    func limit() throws {
        var life = Lives.fiveYears
        #expect(try #require(LifeSketch(life)).ahead != nil)
        life.reachedLimit = 12
        #expect(life.condition.hasSuffix("00:00: Sandbox allows 12 renewals"), "\(life.condition)")
        #expect(life.condition.hasPrefix("active, ends "))
        #expect(try #require(LifeSketch(life)).ahead == nil)
    }

    @Test(
        "The price of the newest period says when it is an offer's",
        arguments: [
            (nil, "9.99 USD"), (.freeTrial, "free trial"),
            (.payUpFront, "9.99 USD by an offer"),
        ] as [(Offer.Mode?, String)])
    func prices(offer: Offer.Mode?, words: String) {
        var life = Lives.life(
            [], expires: Lives.moment("2026-02-28"), now: Lives.moment("2026-02-01"))
        life.offerMode = offer
        #expect(life.priceText == words)
        life.offer = NamedOffer(kind: .promotional, id: "spring")
        let name = " by the promotional offer spring"
        #expect(
            life.priceText
                == (offer == nil ? words : words.replacing(" by an offer", with: "") + name))
    }
}
