import SubscriptionRules
import Testing

@Suite("Family Sharing")
struct FamilySharingTests {
    private static let turnedOn = Instant(iso8601: "2026-03-01T00:00:00Z")!
    private static let before = turnedOn - .days(1)

    private func isShared(
        _ type: ProductType = .nonConsumable, isOn: Bool = true, since: Instant? = nil,
        bought: Instant = before, choice: Bool? = nil, sharesNew: Bool = true
    ) -> Bool {
        let terms = SubscriptionTerms(groupID: "club", level: 1, period: .month)
        return FamilySharing.isShared(
            Product(
                id: "one", type: type, isFamilyShareable: isOn, basePrice: 1,
                subscription: type == .autoRenewableSubscription ? terms : nil),
            shareableSince: since, bought: bought, choice: choice, sharesNew: sharesNew)
    }

    @Test("Only what can be shared is, however it is asked for (FAM-1)")
    func types() {
        for type in ProductType.allCases {
            #expect(isShared(type, choice: true) == type.canBeShared)
            #expect(!isShared(type, isOn: false, choice: true))
        }
    }

    @Test("The purchaser's choice counts, and without one how new purchases are shared (FAM-3)")
    func choices() {
        for sharesNew in [false, true] {
            #expect(isShared(sharesNew: sharesNew) == sharesNew)
            #expect(isShared(choice: true, sharesNew: sharesNew))
            #expect(!isShared(choice: false, sharesNew: sharesNew))
        }
    }

    @Test("What was bought before its product could be shared waits for its purchaser (FAM-3)")
    func before() {
        #expect(!isShared(since: Self.turnedOn))
        #expect(isShared(since: Self.turnedOn, choice: true))
        #expect(isShared(since: Self.turnedOn, bought: Self.turnedOn))
        #expect(!isShared(since: Self.turnedOn, bought: Self.turnedOn, sharesNew: false))
    }
}
