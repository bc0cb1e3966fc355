import AppStoreSigning
import AppStoreWire
import Foundation
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: receipts of what merchants describe", .timeLimit(.minutes(15)))
struct MerchantReceiptStories {
    private typealias Its = MerchantWorld

    /// Sends the receipt of one transaction, as devices had it until iOS 6: it has no flag.
    private func single(
        _ id: Int64, _ device: DeviceSession, _ world: World
    ) async throws -> String? {
        let receipt = try await world.store.receipt(ofTransaction: id, for: device)
        guard case .ofTransaction(let response) = try await world.reply(receipt.bytes) else {
            return nil
        }
        return (response.receipt?.transaction).map(World.told)
    }

    @Test(
        "A transaction ends when it is superseded, not when the next one is beside it",
        arguments: Backend.available)
    func beside(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await Its.bundle(backend, ["news": 9_990])
        _ = try await world.store.setSharedSecret(World.secret, of: World.bundleID)
        try await world.advance(to: "2026-01-11", expecting: [])
        _ = try await Its.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let old = "generic.subscription until 2026-02-01"
        #expect(try await world.verified(ada).latest == [old, old])
        #expect(try await single(id, ada, world) == old)

        try await world.advance(to: "2026-01-22", expecting: [])
        _ = try await Its.buy(
            Its.modify(3, first, keepsCycle: false) {
                $0.changeItems = [Its.changed("news", to: "brief", 4_990)]
            }, by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let superseded = old + " upgraded cancelled 2026-01-22"
        #expect(
            try await world.verified(ada).latest == [
                "generic.subscription until 2026-02-22", superseded, superseded,
            ])
        #expect(try await single(id, ada, world) == old + " cancelled 2026-01-22")
        try await world.check()
    }

    @Test(
        "An ordinary transaction of which nothing goes on any more ends then",
        arguments: Backend.available)
    func migrated(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        _ = try await world.store.setSharedSecret(World.secret, of: World.bundleID)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", expecting: [])
        let request = AdvancedCommerceSubscriptionMigrateRequest(
            requestInfo: Its.reference(1),
            descriptors: .init(displayName: "The paper", description: "News and more"),
            items: [.init(sku: "news", displayName: "The news", description: "All of it")],
            targetProductId: Its.generic, taxCode: "C003-00-1")
        let answer = try await world.store.migrate(transaction: id, request, for: Its.production)
        try await world.settle(expecting: ["MIGRATION"])
        let first: JWSTransactionDecodedPayload = try JWSText.decode(answer.transaction)
        let before = try #require(try await single(id, ada, world))
        #expect(!before.contains("cancelled"))

        try await world.advance(to: "2026-01-22", expecting: [])
        _ = try await Its.buy(
            Its.modify(2, first) { $0.changeItems = [Its.changed("news", to: "brief", 12_400)] },
            by: ada, in: world)
        #expect(try await single(id, ada, world) == before + " cancelled 2026-01-22")
        #expect(
            try await world.verified(ada).latest?.last
                == before + " upgraded cancelled 2026-01-22")
        try await world.check()
    }

    @Test(
        "What a family shares ends for its members when it is superseded",
        arguments: Backend.available)
    func shared(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        _ = try await world.store.setSharedSecret(World.secret, of: World.bundleID)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        _ = try await world.subscribe("family.monthly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-11"))
        _ = try await world.subscribe("family.plus", by: ada)
        #expect(
            try await world.verified(bea).latest == [
                "family.plus until 2026-02-11 shared",
                "family.monthly until 2026-02-01 upgraded cancelled 2026-01-11 shared",
            ])
    }
}
