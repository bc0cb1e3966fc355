import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What a merchant charges for items that only come with the next renewal; what is told, and what
/// is paid, is said before the clock moves.
@Suite("Stories: prices of merchants' items that are yet to come")
struct MerchantWaitingPriceStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    /// News for 9.99, monthly from 15 January, that become the brief for 5.99 with the renewal.
    private func waiting(
        _ backend: Backend, _ route: PriceChangeRoute = .storeManaged
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        let world = try await Its.world(backend, at: "2026-01-15")
        try await world.store.configure(bundleID: World.bundleID) { $0.priceChangeRoute = route }
        let ada = try await world.device()
        let first = try await Its.buy(Its.create(1, [Its.item("news", 9_990)]), by: ada, in: world)
        _ = try await world.store.buy(
            Its.modify(2, first) {
                $0.changeItems = [Its.changed("news", to: "brief", 5_990, .nextBillCycle)]
            }, by: ada)
        try await world.settle(
            expecting: ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        return (world, ada, first, try #require(Int64(first.transactionId)))
    }

    private func change(
        _ number: Int, to price: Int64, of sku: String = "brief", _ id: Int64, in world: World
    ) async throws {
        _ = try await world.store.changePrices(
            transaction: id, Its.change(number, [(sku, price)]), for: Its.production)
        try await world.settle(expecting: ["PRICE_CHANGE"])
    }

    private func item(
        _ first: JWSTransactionDecodedPayload, in world: World
    ) async throws -> AdvancedCommerceRenewalItem? {
        try await world.status(first.transactionId).renewal.advancedCommerceInfo?.items.first
    }

    @Test(
        "A higher one is asked for after the first period costs what was shown (ACS-1)",
        arguments: Backend.available)
    func raised(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await waiting(backend)
        try await change(3, to: 59_990, id, in: world)
        let scheduled = try await item(first, in: world)
        #expect(scheduled?.sku == "brief" && scheduled?.price == 5_990)
        #expect(scheduled?.priceIncreaseInfo?.status == .scheduled)
        #expect(scheduled?.priceIncreaseInfo?.price == 59_990)
        #expect(try await world.status(first.transactionId).renewal.renewalPrice == 5_990)
        // What is not there any more takes no price.
        await Its.expect(Errors.invalidSKUProvidedMustBeCurrentSKUSetToRenew) {
            try await change(4, to: 1_990, of: "news", id, in: world)
        }
        try await world.advance(to: "2026-02-15T12:00:00Z", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 5_990)
        // 27 days before 15 March the customer is asked.
        try await world.advance(to: "2026-02-17", expecting: ["PRICE_INCREASE/PENDING"])
        #expect(try await item(first, in: world)?.priceIncreaseInfo?.status == .pending)
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.advance(
            to: "2026-03-16", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 59_990)
        try await world.check()
    }

    @Test("Without an answer it is not charged", arguments: [Backend.sqlite])
    func unanswered(_ backend: Backend) async throws {
        let (world, _, first, id) = try await waiting(backend)
        try await change(3, to: 59_990, id, in: world)
        try await world.advance(
            to: "2026-03-16",
            expecting: ["DID_RENEW", "PRICE_INCREASE/PENDING", "EXPIRED/PRICE_INCREASE"])
        #expect(try await Its.newest(of: first, in: world).price == 5_990)
    }

    @Test(
        "A lower one holds from the start, where the renewal is a day away (ACP-2, ACP-12)",
        arguments: Backend.available)
    func lowered(_ backend: Backend) async throws {
        let (world, _, first, id) = try await waiting(backend)
        try await change(3, to: 2_990, id, in: world)
        #expect(try await item(first, in: world)?.priceIncreaseInfo == nil)
        #expect(try await item(first, in: world)?.price == 2_990)
        try await world.advance(to: "2026-02-14T12:00:00Z", expecting: [])
        try await change(4, to: 1_990, id, in: world)
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 2_990)
        try await world.advance(to: "2026-03-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 1_990)
        try await world.check()
    }

    @Test(
        "Where the merchant has told of it, a higher one holds likewise (ACP-10)",
        arguments: Backend.available)
    func merchantManaged(_ backend: Backend) async throws {
        let (world, _, first, id) = try await waiting(backend, .merchantManaged)
        try await change(3, to: 7_990, id, in: world)
        try await world.advance(to: "2026-02-14T12:00:00Z", expecting: [])
        try await change(4, to: 59_990, id, in: world)
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 7_990)
        try await world.advance(to: "2026-03-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 59_990)
    }

    @Test("Another choice voids it, another name does not (ACS-8)", arguments: Backend.available)
    func chosenAgain(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await waiting(backend)
        try await change(3, to: 59_990, id, in: world)
        _ = try await world.store.changeMetadata(
            transaction: id,
            AdvancedCommerceSubscriptionChangeMetadataRequest(
                requestInfo: Its.reference(4),
                items: [.init(currentSKU: "brief", effective: .nextBillCycle, sku: "short")]),
            for: Its.production)
        try await world.settle(expecting: ["METADATA_UPDATE"])
        #expect(try await item(first, in: world)?.sku == "short")
        #expect(try await item(first, in: world)?.priceIncreaseInfo?.price == 59_990)
        // What is added beside it leaves it waiting.
        _ = try await Its.buy(
            Its.modify(5, first) { $0.addItems = [Its.added("sport", 1_990, prorated: 0)] },
            by: ada, in: world)
        #expect(try await item(first, in: world)?.priceIncreaseInfo?.status == .scheduled)
        _ = try await world.store.buy(
            Its.modify(6, first) {
                $0.changeItems = [Its.changed("news", to: "brief", 4_990, .nextBillCycle)]
            }, by: ada)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        #expect(try await item(first, in: world)?.priceIncreaseInfo == nil)
        try await world.advance(to: "2026-03-16", expecting: ["DID_RENEW", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 6_980)
        try await world.check()
    }
}
