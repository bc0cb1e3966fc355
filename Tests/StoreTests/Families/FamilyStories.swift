import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Lives of families: what the developer is told of whom, and who has access.
@Suite("Stories: families")
struct FamilyStories {
    @Test(
        "What one buys the other has, through a renewal, until leaving (FAM-2, FAM-5, FAM-6)",
        arguments: Backend.available)
    func two(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        let id = try #require(
            try await world.store.purchase(PurchaseRequest(productID: "family.monthly"), by: ada)
        )
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(id)
        try await world.told([
            "ada 2026-01-01 SUBSCRIBED/INITIAL_BUY 1 family.monthly 9.99 until 2026-02-01",
            "bea 2026-01-01 SUBSCRIBED/INITIAL_BUY 1 family.monthly 0.00 until 2026-02-01",
        ])
        #expect(try await world.has(ada) == ["family.monthly"])
        #expect(try await world.has(bea) == ["family.monthly*"])

        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        try await world.told([
            "ada 2026-02-01 DID_RENEW 1 family.monthly 9.99 until 2026-03-01",
            "bea 2026-02-01 DID_RENEW 1 family.monthly 0.00 until 2026-03-01",
        ])
        let shared = try #require(try await world.store.subscriptions(for: bea).first)
        #expect(shared.isShared && shared.isEntitled && shared.status == .active)
        #expect("\(shared.originalTransactionID)" != bought.originalTransactionId)
        #expect(
            try await world.shows(shared.originalTransactionID)
                == ["1 family.monthly on 2026-03-01"])

        try await world.store.leave(account: "bea", in: .production)
        try await world.told([
            """
            bea 2026-02-10 REVOKE 5 family.monthly 0.00 until 2026-03-01 \
            FAMILY_REVOKE 2026-02-10
            """
        ])
        #expect(try await world.has(bea) == [])
        #expect(try await world.has(ada) == ["family.monthly"])
        _ = try await world.store.advance(to: World.instant("2026-03-10"))
        try await world.told([
            "ada 2026-03-01 DID_RENEW 1 family.monthly 9.99 until 2026-04-01"
        ])
        // Nothing of it is money.
        #expect(try await world.books().count == 3)
        try await world.check()
    }
}
