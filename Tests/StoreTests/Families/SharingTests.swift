import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What a purchaser chooses, and what a catalogue allows.
@Suite("Sharing with a family")
struct SharingTests {
    private func world(
        _ backend: Backend
    ) async throws -> (world: World, ada: DeviceSession, bea: DeviceSession) {
        let world = try await World.shareable(backend)
        let (ada, bea) = (try await world.device("ada"), try await world.device("bea"))
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        return (world, ada, bea)
    }

    @Test("Sharing is turned off and on again for one subscription", arguments: Backend.available)
    func choice(_ backend: Backend) async throws {
        let (world, ada, bea) = try await world(backend)
        let id = try await world.subscribe("family.monthly", by: ada)
        let lifetime = try await world.buyOnce("lifetime", by: ada)
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        try await world.store.setSharing(.off, originalTransaction: id, by: ada)
        try await world.told([
            "bea 2026-01-01 REVOKE 5 family.monthly 0.00 until 2026-02-01 FAMILY_REVOKE 2026-01-01"
        ])
        #expect(try await world.has(bea) == ["lifetime*"])
        _ = try await world.store.advance(to: World.instant("2026-02-15"))
        try await world.told([
            "ada 2026-02-01 DID_RENEW 1 family.monthly 9.99 until 2026-03-01"
        ])
        try await world.store.setSharing(.on, originalTransaction: id, in: .production)
        try await world.store.setSharing(.on, originalTransaction: id, in: .production)
        try await world.told([
            "bea 2026-02-15 SUBSCRIBED/RESUBSCRIBE 1 family.monthly 0.00 until 2026-03-01"
        ])
        #expect(try await world.has(bea) == ["family.monthly*", "lifetime*"])
        _ = lifetime
        try await world.check()
    }

    @Test("The default counts for what is bought from then on", arguments: Backend.available)
    func sharesNew(_ backend: Backend) async throws {
        let (world, ada, bea) = try await world(backend)
        _ = try await world.subscribe("family.monthly", by: ada)
        try await world.store.setSharesNewPurchases(false, by: ada)
        let lifetime = try await world.buyOnce("lifetime", by: ada)
        #expect(try await world.has(bea) == ["family.monthly*"])
        try await world.store.setSharesNewPurchases(
            true, account: "ada", in: .production)
        // What was kept stays kept until it is shared itself.
        #expect(try await world.has(bea) == ["family.monthly*"])
        try await world.store.setSharing(.on, originalTransaction: lifetime, by: ada)
        #expect(try await world.has(bea) == ["family.monthly*", "lifetime*"])
        try await world.check()
    }

    @Test(
        "A product that is made shareable is shared by who buys it from then on (FAM-3)",
        arguments: Backend.available)
    func madeShareable(_ backend: Backend) async throws {
        let (world, ada, bea) = try await world(backend)
        let dora = try await world.device("dora")
        let id = try await world.subscribe("single.monthly", by: ada)
        var catalogue = FamilyCatalogue.all
        let place = try #require(
            catalogue.products.firstIndex { $0.id == "single.monthly" })
        catalogue.products[place].isFamilyShareable = true
        _ = try await world.store.advance(to: World.instant("2026-01-10"))
        try await world.store.importCatalogue(catalogue, bundleID: World.bundleID)
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        #expect(try await world.has(bea) == [])
        let family = try #require(
            try await world.store.families(in: .production, after: 0, limit: 1).first)
        _ = try await world.subscribe("single.monthly", by: dora)
        try await world.store.join(family: family.id, account: "dora", in: .production)
        #expect(try await world.has(bea) == ["single.monthly*"])
        try await world.store.setSharing(.on, originalTransaction: id, by: ada)
        #expect(try await world.has(bea) == ["single.monthly*", "single.monthly*"])

        // It can never be turned off.
        let refusal = StoreError.setting(
            .invalid(
                "single.monthly",
                reason: "Family Sharing that is on cannot be turned off, since families share "
                    + "it: leave it on, and take the product off sale instead"))
        await #expect(throws: refusal) {
            try await world.store.importCatalogue(
                FamilyCatalogue.all, bundleID: World.bundleID)
        }
        try await world.check()
    }

    @Test(
        "What was bought before at the very moment is no new purchase either (FAM-3)",
        arguments: Backend.available)
    func atTheMoment(_ backend: Backend) async throws {
        let (world, ada, bea) = try await world(backend)
        let id = try await world.subscribe("single.monthly", by: ada)
        let poster = try await world.buyOnce("poster", by: ada)
        var catalogue = FamilyCatalogue.all
        for place in catalogue.products.indices
        where ["single.monthly", "poster"].contains(catalogue.products[place].id) {
            catalogue.products[place].isFamilyShareable = true
        }
        // The clock stands still: nothing but their order tells the two apart.
        try await world.store.importCatalogue(catalogue, bundleID: World.bundleID)
        let family = try #require(
            try await world.store.families(in: .production, after: 0, limit: 1).first)
        func shared() async throws -> [String] {
            try await world.store.family(family.id, in: .production).1
                .filter(\.isShared).map { "\($0.purchaser) \($0.productID)" }
        }
        #expect(try await shared() == [])
        let dora = try await world.device("dora")
        try await world.store.join(family: family.id, account: "dora", in: .production)
        #expect(try await world.has(bea) == [])
        #expect(try await world.has(dora) == [])
        // Who buys after it at the same moment shares it.
        _ = try await world.subscribe("single.monthly", by: dora)
        #expect(try await shared() == ["dora single.monthly"])
        #expect(try await world.has(bea) == ["single.monthly*"])
        // A renewal is no new purchase.
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        #expect(try await shared() == ["dora single.monthly"])
        try await world.store.setSharing(.on, originalTransaction: id, by: ada)
        try await world.store.setSharing(.on, originalTransaction: poster, by: ada)
        #expect(
            try await world.has(bea) == ["poster*", "single.monthly*", "single.monthly*"])
        try await world.check()
    }

    @Test("A change of plan takes sharing with it, or ends it", arguments: Backend.available)
    func plans(_ backend: Backend) async throws {
        let (world, ada, bea) = try await world(backend)
        let id = try await world.subscribe("single.monthly", by: ada)
        #expect(try await world.has(bea) == [])
        // The same level: at once (FAM-8).
        try await world.store.change(subscription: id, [.product("family.monthly")], by: ada)
        try await world.told([
            """
            ada 2026-01-01 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 family.monthly 9.99 \
            until 2026-02-01
            """,
            "bea 2026-01-01 SUBSCRIBED/INITIAL_BUY 1 family.monthly 0.00 until 2026-02-01",
        ])
        try await world.store.change(subscription: id, [.product("family.plus")], by: ada)
        try await world.told([
            "ada 2026-01-01 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 family.plus 19.99 until 2026-02-01",
            "bea 2026-01-01 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 family.plus 0.00 until 2026-02-01",
        ])
        let shared = try #require(try await world.store.subscriptions(for: bea).first)
        #expect(
            try await world.historyLines(shared.originalTransactionID) == [
                "family.monthly 0.00 until 2026-02-01 upgraded",
                "family.plus 0.00 until 2026-02-01",
            ])
        try await world.store.change(subscription: id, [.product("single.monthly")], by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        try await world.told([
            "ada 2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 family.plus 19.99 until 2026-02-01",
            "bea 2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 family.plus 0.00 until 2026-02-01",
            "ada 2026-02-01 DID_RENEW 1 single.monthly 4.99 until 2026-03-01",
            "bea 2026-02-01 REVOKE 5 family.plus 0.00 until 2026-02-01 FAMILY_REVOKE 2026-02-01",
        ])
        #expect(try await world.has(bea) == [])
        try await world.check()
    }

    @Test(
        "A family's plan above a single person's is an upgrade like others",
        arguments: Backend.available)
    func upgrade(_ backend: Backend) async throws {
        let (world, ada, bea) = try await world(backend)
        let id = try await world.subscribe("single.monthly", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        try await world.store.change(subscription: id, [.product("family.plus")], by: ada)
        try await world.told([
            "ada 2026-01-11 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 family.plus 19.99 until 2026-02-11",
            "bea 2026-01-11 SUBSCRIBED/INITIAL_BUY 1 family.plus 0.00 until 2026-02-11",
        ])
        #expect(try await world.has(bea) == ["family.plus*"])
        #expect(try await world.ledger() == ["2026-01-01 +4.99", "2026-01-11 +19.99 -3.38"])
        try await world.check()
    }

    @Test("Sandbox has families of its own", arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada", in: .sandbox)
        let bea = try await world.device("bea", in: .sandbox)
        await #expect(throws: StoreError.unknown(.account, "ada")) {
            try await world.store.createFamily(organiser: "ada", in: .production)
        }
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .sandbox)
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "family.monthly"), by: ada)
        #expect(try await world.has(bea) == ["family.monthly*"])
        // Stopping to share is leaving, which for the organiser ends the family.
        try await world.store.leaveFamily(by: ada)
        #expect(try await world.has(bea) == [])
        #expect(try await world.store.families(in: .sandbox, after: 0, limit: 5).isEmpty)
        try await world.check()
    }

    @Test(
        "The first access can come later, and renewals never do (FAM-4)",
        arguments: Backend.available)
    func delayed(_ backend: Backend) async throws {
        let world = try await World.shareable(backend) { $0.sharingDelayMinutes = 45 }
        let (ada, bea) = (try await world.device("ada"), try await world.device("bea"))
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        _ = try await world.subscribe("family.monthly", by: ada)
        #expect(try await world.has(bea) == [])
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        try await world.told([
            "bea 2026-01-01 00:45 SUBSCRIBED/INITIAL_BUY 1 family.monthly 0.00 until 2026-02-01",
            "ada 2026-02-01 DID_RENEW 1 family.monthly 9.99 until 2026-03-01",
            "bea 2026-02-01 DID_RENEW 1 family.monthly 0.00 until 2026-03-01",
        ])
        try await world.check()
    }
}
