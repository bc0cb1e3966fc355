import Journal
import SubscriptionRules
import Testing

@testable import Timeline

@Suite("Offers in a timeline")
struct OfferWordsTests {
    private static let spring = NamedOffer(kind: .promotional, id: "spring")
    private static let summer = NamedOffer(kind: .offerCode, id: "summer")

    private func entry(
        _ at: String, _ event: String, opens: String? = nil, amount: Int64? = nil,
        under offer: NamedOffer? = nil, waiting next: NamedOffer? = nil
    ) -> TimelineEntry {
        var entry = Lives.entry(
            at, event, opens: opens.map(Lives.moment), amount: amount,
            offer: offer == nil ? nil : .payAsYouGo)
        entry.until = Lives.moment(opens ?? "2026-03-01")
        (entry.offer, entry.nextOffer) = (offer, next)
        return entry
    }

    private func notes(_ entries: [TimelineEntry]) -> [[String]] {
        Lives.life(
            entries, expires: Lives.moment("2026-03-01"), now: Lives.moment("2026-02-10")
        ).events.map { $0.notes.map(\.text) }
    }

    @Test("The offer that runs, the one that waits and the one it replaces have names")
    func named() {
        let told = notes([
            entry("2026-01-01", "chosePlan", opens: "2026-02-01", amount: 9_990),
            entry("2026-01-05", "chosePlan", waiting: Self.spring),
            entry("2026-01-06", "chosePlan", waiting: Self.summer),
            entry("2026-01-07", "turnedRenewalOn", waiting: Self.summer),
            entry(
                "2026-02-01", "becameDue", opens: "2026-03-01", amount: 990, under: Self.summer),
        ])
        #expect(told[0].isEmpty)
        #expect(told[1].contains("the promotional offer spring waits for a renewal"))
        #expect(
            told[2].contains(
                "the offer summer of a code waits for a renewal in the place of the promotional "
                    + "offer spring"))
        #expect(!told[3].contains { $0.contains("waits") }, "said before: \(told[3])")
        #expect(told[4].contains("at the price of the offer summer of a code"))
        #expect(!told[4].contains { $0.contains("waits") }, "it has begun: \(told[4])")
    }

    @Test("An offer that is lost is said, and what says nothing of offers loses none")
    func lost() {
        var token = Lives.entry("2026-01-06", "setAppAccountToken")
        token.until = nil
        let told = notes([
            entry("2026-01-05", "chosePlan", waiting: Self.spring), token,
            entry("2026-01-07", "chosePlan"),
        ])
        #expect(told[1].isEmpty)
        #expect(told[2].contains("the promotional offer spring no longer waits"))
    }
}
