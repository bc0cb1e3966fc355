import SubscriptionRules
import Testing

@Suite("Family Sharing")
struct FamilySharingTests {
    private func isShared(
        _ type: ProductType = .nonConsumable, isOn: Bool = true, isOlder: Bool = false,
        choice: Bool? = nil, sharesNew: Bool = true
    ) -> Bool {
        let terms = SubscriptionTerms(groupID: "club", level: 1, period: .month)
        return FamilySharing.isShared(
            Product(
                id: "one", type: type, isFamilyShareable: isOn, basePrice: 1,
                subscription: type == .autoRenewableSubscription ? terms : nil),
            isOlder: isOlder, choice: choice, sharesNew: sharesNew)
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
        #expect(isShared())
        #expect(!isShared(isOlder: true))
        #expect(isShared(isOlder: true, choice: true))
        #expect(!isShared(sharesNew: false))
    }
}
