import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What customers answer to higher prices of a merchant's items, and what merchants may say of them
/// in several requests; what must happen is said before the clock moves.
@Suite("Stories: answers to a merchant's prices")
struct MerchantAnswerStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    private func change(
        _ number: Int, _ sku: String, _ price: Int64, dependents: [String]? = nil, of id: Int64,
        in world: World
    ) async throws {
        _ = try await world.store.changePrices(
            transaction: id, Its.change(number, [(sku, price)], dependents: dependents),
            for: Its.production)
    }

    @Test(
        "An agreement is taken back: the item ends, the others go on, and no more is shown (ACS-2)",
        arguments: Backend.available)
    func takenBack(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await Its.bundle(
            backend, ["news": 9_990, "chess": 3_100, "go": 1_000])
        try await change(2, "news", 19_990, dependents: ["go"], of: id, in: world)
        try await world.advance(
            to: "2026-01-10", expecting: ["PRICE_CHANGE", "PRICE_INCREASE/PENDING"])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.settle(expecting: ["PRICE_INCREASE/ACCEPTED"])
        #expect(try await world.status(first.transactionId).renewal.renewalPrice == 24_090)
        try await world.store.change(subscription: id, [.priceIncrease(agrees: false)], by: ada)
        try await world.settle(expecting: [])
        let refused = try await world.status(first.transactionId).renewal
        #expect(refused.autoRenewStatus == .on && refused.priceIncreaseStatus == .pending)
        // Without the news, and without what depends on them (INC-13).
        #expect(refused.renewalPrice == 3_100)
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.advancedCommerceInfo?.items.map(\.sku) == ["chess"])
        #expect(newest.price == 3_100)
        try await world.check()
    }

    @Test("Dependents are neither chained nor shared, be it in two requests (ACS-3)")
    func dependents() async throws {
        let (world, _, first, id) = try await Its.bundle(
            .sqlite, ["news": 9_990, "chess": 3_100, "go": 1_000, "maps": 2_000])
        try await change(2, "news", 10_990, dependents: ["chess"], of: id, in: world)
        let token = try await world.status(first.transactionId).renewal
            .advancedCommerceInfo?.consistencyToken
        await Its.expect(Errors.dependentSKUsCannotBeChained) {
            try await change(3, "chess", 3_990, dependents: ["go"], of: id, in: world)
        }
        await Its.expect(Errors.dependentSKUsCannotBeShared) {
            try await change(4, "maps", 2_990, dependents: ["chess"], of: id, in: world)
        }
        await Its.expect(Errors.dependentSKUsCannotBeChained) {
            try await change(5, "maps", 2_990, dependents: ["news"], of: id, in: world)
        }
        // Another dependent in its place leaves it free; who knows how things stood before knows
        // less than is so.
        try await change(6, "news", 10_990, dependents: ["go"], of: id, in: world)
        await Its.expect(Errors.invalidConsistencyToken) {
            _ = try await world.store.changePrices(
                transaction: id, Its.change(7, [("maps", 2_990)], token: token),
                for: Its.production)
        }
        try await change(8, "maps", 2_990, dependents: ["chess"], of: id, in: world)
        try await world.settle(expecting: ["PRICE_CHANGE", "PRICE_CHANGE", "PRICE_CHANGE"])
        try await world.check()
    }

    @Test("A request on a device that names how things stood before is refused (4000082)")
    func staleToken() async throws {
        let (world, ada, first, id) = try await Its.bundle(
            .sqlite, ["news": 9_990, "chess": 3_100])
        let token = try await world.status(first.transactionId).renewal
            .advancedCommerceInfo?.consistencyToken
        func request(_ number: Int) -> PurchaseRequest {
            Its.modify(number, first) { request in
                request.requestInfo.consistencyToken = token
                request.addItems = [Its.added("item\(number)", 1_000)]
            }
        }
        _ = try await Its.buy(request(2), by: ada, in: world)
        await Its.expect(Errors.invalidConsistencyToken) {
            _ = try await world.store.buy(request(3), by: ada)
        }
        try await change(4, "news", 10_990, of: id, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "PRICE_CHANGE"])
        try await world.check()
    }

    @Test(
        "Two items change names with the renewal, and one of them is refused (ACS-8)",
        arguments: Backend.available)
    func namesExchanged(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await Its.bundle(
            backend, ["news": 9_990, "chess": 3_100])
        try await change(2, "news", 19_990, of: id, in: world)
        let request = AdvancedCommerceSubscriptionChangeMetadataRequest(
            requestInfo: Its.reference(3),
            items: [
                .init(currentSKU: "news", effective: .nextBillCycle, sku: "chess"),
                .init(currentSKU: "chess", effective: .nextBillCycle, sku: "news"),
            ])
        _ = try await world.store.changeMetadata(transaction: id, request, for: Its.production)
        try await world.advance(
            to: "2026-01-10",
            expecting: ["PRICE_CHANGE", "METADATA_UPDATE", "PRICE_INCREASE/PENDING"])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: false)], by: ada)
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        // What was chess renews, called news.
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.advancedCommerceInfo?.items.map(\.sku) == ["news"])
        #expect(newest.price == 3_100)
        try await world.check()
    }
}
