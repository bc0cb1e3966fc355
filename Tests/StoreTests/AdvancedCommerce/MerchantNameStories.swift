import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Items of a merchant that are to be called something else, or to come, and their prices
/// meanwhile; what must happen is said before the clock moves.
@Suite("Stories: prices of merchants' items under names to come")
struct MerchantNameStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    /// News for 9.99, chess for 3.10 and maps for 1.00, monthly from 1 January.
    private func bundle(
        _ backend: Backend
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        try await Its.bundle(backend, ["news": 9_990, "chess": 3_100, "maps": 1_000])
    }

    private func call(
        _ number: Int, _ current: String, _ sku: String, _ id: Int64, in world: World,
        _ effective: AdvancedCommerceEffective = .nextBillCycle
    ) async throws {
        _ = try await world.store.changeMetadata(
            transaction: id,
            AdvancedCommerceSubscriptionChangeMetadataRequest(
                requestInfo: Its.reference(number),
                items: [.init(currentSKU: current, effective: effective, sku: sku)]),
            for: Its.production)
    }

    private func prices(
        _ number: Int, _ prices: [(String, Int64)], dependents: [String]? = nil, _ id: Int64,
        in world: World
    ) async throws {
        _ = try await world.store.changePrices(
            transaction: id, Its.change(number, prices, dependents: dependents),
            for: Its.production)
    }

    private func increases(
        _ first: JWSTransactionDecodedPayload, in world: World
    ) async throws -> [String: AdvancedCommercePriceIncreaseStatus] {
        let items = try await world.status(first.transactionId).renewal.advancedCommerceInfo?.items
        return Dictionary(
            uniqueKeysWithValues: (items ?? []).compactMap { item in
                item.priceIncreaseInfo.map { (item.sku, $0.status) }
            })
    }

    @Test(
        "An item that runs takes a price under the name that it will have (ACS-8)",
        arguments: Backend.available)
    func priceOfARenamedItem(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        try await call(2, "chess", "go", id, in: world)
        await Its.expect(Errors.invalidSKUProvidedMustBeCurrentSKUSetToRenew) {
            try await prices(3, [("chess", 9_990)], id, in: world)
        }
        try await prices(4, [("go", 9_990)], id, in: world)
        // The first renewal with the whole time to answer is that of 1 February.
        try await world.advance(
            to: "2026-01-10",
            expecting: ["METADATA_UPDATE", "PRICE_CHANGE", "PRICE_INCREASE/PENDING"])
        #expect(try await increases(first, in: world) == ["go": .pending])
        // What was told holds, under whatever name.
        await Its.expect(Errors.priceChangeCannotBeIssuedWhenAlreadyCommunicated) {
            try await prices(5, [("go", 8_990)], id, in: world)
        }
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.advance(
            to: "2026-02-02", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 20_980)
        try await world.check()
    }

    @Test(
        "What others come and go, and come back, leaves a renamed item its increase (ACS-4, ACS-8)",
        arguments: Backend.available)
    func besideOthers(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        try await prices(2, [("chess", 9_990)], id, in: world)
        try await call(3, "chess", "go", id, in: world)
        try await world.advance(
            to: "2026-01-10",
            expecting: ["PRICE_CHANGE", "METADATA_UPDATE", "PRICE_INCREASE/PENDING"])
        _ = try await Its.buy(
            Its.modify(4, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada, in: world)
        _ = try await world.store.buy(
            Its.modify(5, first) { $0.removeItems = Its.removed("news") }, by: ada)
        // Called something else from then on, chess does not go.
        await Its.expect(Errors.subscriptionAlreadyActive) {
            _ = try await world.store.buy(Its.reactivate(6, first, ["chess"]), by: ada)
        }
        _ = try await world.store.buy(Its.reactivate(7, first, ["news"]), by: ada)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
                "DID_CHANGE_RENEWAL_PREF",
            ])
        #expect(try await increases(first, in: world) == ["go": .pending])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.advance(
            to: "2026-02-02", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 27_180)
        try await world.check()
    }

    @Test(
        "The price of what was to come goes with it", arguments: Backend.available,
        [true, false])
    func goneBeforeItCame(_ backend: Backend, isGivenBack: Bool) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.buy(
            Its.modify(2, first) {
                $0.changeItems = [Its.changed("news", to: "brief", 5_990, .nextBillCycle)]
            }, by: ada)
        try await prices(3, [("brief", 59_990)], id, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "PRICE_CHANGE"])
        #expect(try await increases(first, in: world) == ["brief": .scheduled])
        if isGivenBack {
            _ = try await world.store.requestRefund(
                transaction: id,
                AdvancedCommerceRequestRefundRequest(
                    requestInfo: Its.reference(4),
                    items: [
                        AdvancedCommerceRequestRefundItem(
                            sku: "news", refundReason: .other, refundType: .full, revoke: true)
                    ], refundRiskingPreference: false), for: Its.production)
            try await world.advance(to: "2026-02-02", expecting: ["REFUND", "DID_RENEW"])
            #expect(try await Its.newest(of: first, in: world).price == 4_100)
        } else {
            try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
            try await world.advance(
                to: "2026-02-02",
                expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"])
        }
        #expect(try await increases(first, in: world) == [:])
        try await world.check()
    }

    @Test(
        "Nothing that only comes is called as something else that runs",
        arguments: Backend.available)
    func twoOfOneName(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.buy(
            Its.modify(2, first) {
                $0.changeItems = [Its.changed("news", to: "brief", 5_990, .nextBillCycle)]
                $0.removeItems = Its.removed("chess")
            }, by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        await Its.expect(Errors.invalidProductChanges) {
            try await call(3, "news", "brief", id, in: world, .immediately)
        }
        await Its.expect(Errors.invalidProductChanges) {
            try await call(4, "brief", "chess", id, in: world)
        }
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        // What ran is gone, so its name is free.
        try await call(5, "brief", "chess", id, in: world, .immediately)
        try await world.settle(expecting: ["METADATA_UPDATE"])
        try await world.check()
    }

    @Test(
        "What ends with an item without consent does so under its new name (ACS-3)",
        arguments: Backend.available)
    func dependent(_ backend: Backend) async throws {
        let (world, _, first, id) = try await bundle(backend)
        try await world.advance(to: "2026-01-20", expecting: [])
        // Too late for 1 February: asked from 2 February on, for 1 March.
        try await prices(2, [("news", 19_990)], dependents: ["chess"], id, in: world)
        try await call(3, "chess", "go", id, in: world)
        try await world.advance(
            to: "2026-02-03",
            expecting: [
                "PRICE_CHANGE", "METADATA_UPDATE", "DID_RENEW", "PRICE_INCREASE/PENDING",
            ])
        let info = try await world.status(first.transactionId).renewal.advancedCommerceInfo
        #expect(info?.items.first?.priceIncreaseInfo?.dependentSKUs == ["go"])
        try await world.advance(to: "2026-03-02", expecting: ["DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.advancedCommerceInfo?.items.map(\.sku) == ["maps"])
        try await world.check()
    }
}
