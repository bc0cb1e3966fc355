import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: win-back offers in families")
struct WinBackShareStories {
    private static let catalogue: Catalogue = {
        var catalogue = FamilyCatalogue.all
        for place in catalogue.products.indices
        where catalogue.products[place].id == "family.monthly" {
            var offer = Offer(kind: .winBack, id: "back", mode: .freeTrial, period: .month)
            offer.winBack = WinBackTerms(paidMonths: 1)
            catalogue.products[place].subscription?.offers = [offer]
        }
        return catalogue
    }()

    @Test(
        "Who has a subscription of the group by Family Sharing is not won back (WIN-1)",
        arguments: Backend.available)
    func shared(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let (ada, bea) = (try await world.device("ada"), try await world.device("bea"))
        let id = try await world.subscribe("family.monthly", by: bea)
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: bea)
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        func named() async throws -> [String]? {
            try await world.status("\(id)").renewal.eligibleWinBackOfferIds
        }
        #expect(try await named() == ["back"])
        _ = try await world.subscribe("family.monthly", by: ada)
        #expect(try await named() == ["back"])
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        #expect(try await world.has(bea) == ["family.monthly*"])
        #expect(try await named() == nil)
        func winBack() async throws {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "family.monthly", offer: .winBack(id: "back")), by: bea)
        }
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.purchase(.offer(.refused(.hasSharedAccess)))) {
            try await winBack()
        }
        #expect(try await Tables(world.database) == before)
        // Without it there is no active subscription any more.
        try await world.store.leave(account: "bea", in: .production)
        #expect(try await named() == ["back"])
        try await winBack()
        #expect(try await world.has(bea) == ["family.monthly"])
        try await world.check()
    }
}
