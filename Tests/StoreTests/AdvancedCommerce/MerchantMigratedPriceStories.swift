import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

private typealias World = TestSupport.World

/// What becomes of prices, and of what is owned, when a merchant's plan goes on for an ordinary
/// subscription; what must happen is said before the clock moves.
@Suite("Stories: prices of migrated subscriptions")
struct MerchantMigratedPriceStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    /// - Parameter renewing: whether a plan waits, for which the news go on as well.
    private func migration(
        _ number: Int, renewing: Bool = false
    ) -> AdvancedCommerceSubscriptionMigrateRequest {
        let news = AdvancedCommerceSubscriptionMigrateItem(
            sku: "news", displayName: "The news", description: "All of it")
        return AdvancedCommerceSubscriptionMigrateRequest(
            requestInfo: Its.reference(number),
            descriptors: .init(displayName: "The paper", description: "News and more"),
            items: [news],
            renewalItems: renewing
                ? [.init(sku: "news", displayName: "The news", description: "All of it")] : nil,
            targetProductId: Its.generic, taxCode: "C003-00-1")
    }

    /// The paper goes on for silver since 1 January, with the news for 9.99 a month; the yearly one
    /// for 99.99 waits for the renewal.
    private func migrated(
        _ backend: Backend
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload) {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.purchase(PurchaseRequest(productID: "silver.yearly"), by: ada)
        let answer = try await world.store.migrate(
            transaction: id, migration(1, renewing: true), for: Its.production)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "MIGRATION"])
        return (world, ada, try JWSText.decode(answer.transaction))
    }

    @Test(
        "A dearer plan that waited is agreed to, and is no increase a year later (PRC-9)",
        arguments: Backend.available)
    func waitingPlan(_ backend: Backend) async throws {
        let (world, _, first) = try await migrated(backend)
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.price == 99_990)
        // A second increase on the same day of the next year would need consent (THR-1 c).
        _ = try await world.store.changePrices(
            transaction: Int64(newest.transactionId)!, Its.change(2, [("news", 104_990)]),
            for: Its.production)
        try await world.advance(
            to: "2027-02-02", expecting: ["PRICE_CHANGE", "PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 104_990)
        try await world.check()
    }

    @Test(
        "Where another plan waits, the old one's increase is void, and the new one's comes along",
        arguments: Backend.available)
    func increases(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.purchase(PurchaseRequest(productID: "silver.yearly"), by: ada)
        for (product, price) in [("silver.monthly", 10_990), ("silver.yearly", 109_990)]
            as [(String, Int64)]
        {
            try await world.schedule(product, price, live: "2026-01-02")
        }
        // Before the 5th nobody is told of anything.
        try await world.advance(
            to: "2026-01-03", expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        let request = migration(1, renewing: true)
        let answer = try await world.store.migrate(transaction: id, request, for: Its.production)
        let first: JWSTransactionDecodedPayload = try JWSText.decode(answer.transaction)
        try await world.advance(to: "2026-02-02", expecting: ["MIGRATION", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 99_990)
        // 27 days before the end of the first year.
        try await world.advance(
            to: "2027-02-02", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 109_990)
        try await world.check()
    }

    @Test(
        "A price of the name to come takes the place of one that was asked for under that of now",
        arguments: Backend.available)
    func renamed(_ backend: Backend) async throws {
        let (world, ada, first) = try await migrated(backend)
        let number = try #require(Int64(first.transactionId))
        _ = try await world.store.changePrices(
            transaction: number, Its.change(2, [("news", 199_990)]), for: Its.production)
        _ = try await world.store.changeMetadata(
            transaction: number,
            AdvancedCommerceSubscriptionChangeMetadataRequest(
                requestInfo: Its.reference(3),
                items: [.init(currentSKU: "news", effective: .nextBillCycle, sku: "journal")]),
            for: Its.production)
        _ = try await world.store.changePrices(
            transaction: number, Its.change(4, [("journal", 179_990)]), for: Its.production)
        try await world.advance(
            to: "2026-02-02",
            expecting: [
                "PRICE_CHANGE", "METADATA_UPDATE", "PRICE_CHANGE", "DID_RENEW",
            ])
        // The first year costs what was shown; the second what is agreed to.
        #expect(try await Its.newest(of: first, in: world).price == 99_990)
        try await world.advance(to: "2026-12-10", expecting: ["PRICE_INCREASE/PENDING"])
        try await world.store.change(
            subscription: number, [.priceIncrease(agrees: true)], by: ada)
        try await world.advance(
            to: "2027-02-02", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 179_990)
        try await world.check()
    }

    @Test("A migration keeps the day of the last increase, and a new start its origin (THR-1 c)")
    func remembers() async throws {
        let world = try await Its.world(.sqlite, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.schedule("silver.monthly", 10_990, live: "2026-01-02")
        try await world.advance(
            to: "2026-02-10", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        let request = migration(1)
        let answer = try await world.store.migrate(transaction: id, request, for: Its.production)
        let first: JWSTransactionDecodedPayload = try JWSText.decode(answer.transaction)
        let number = try #require(Int64(first.transactionId))
        // A second one within twelve months is asked for.
        _ = try await world.store.changePrices(
            transaction: number, Its.change(2, [("news", 11_990)]), for: Its.production)
        try await world.advance(
            to: "2026-04-02",
            expecting: [
                "MIGRATION", "PRICE_CHANGE", "DID_RENEW", "PRICE_INCREASE/PENDING",
                "EXPIRED/PRICE_INCREASE",
            ])
        let again = try await Its.buy(
            Its.create(3, [Its.item("news", 11_990)], previous: first.transactionId), by: ada,
            in: world)
        #expect(again.originalTransactionId == first.originalTransactionId)
        #expect(again.previousOriginalTransactionId == String(id))
        try await world.check()
    }

    @Test("Nothing migrates to an item that the customer is to have already")
    func ownedAlready() async throws {
        let world = try await Its.world(.sqlite, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let first = try await Its.buy(Its.create(1, [Its.item("chess", 990)]), by: ada, in: world)
        _ = try await world.store.buy(
            Its.modify(2, first) {
                $0.changeItems = [Its.changed("chess", to: "news", 990, .nextBillCycle)]
            }, by: ada)
        let request = migration(3)
        await Its.expect(Errors.subscriptionAlreadyExists) {
            _ = try await world.store.migrate(transaction: id, request, for: Its.production)
        }
    }
}
