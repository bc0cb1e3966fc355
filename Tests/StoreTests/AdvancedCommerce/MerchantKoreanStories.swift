import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A bundle in Korea of which one item is in a free month: the customer is asked about that item,
/// and nothing else hangs on the answer.
@Suite("Stories: offers of merchants' items that end in Korea")
struct MerchantKoreanStories {
    private typealias Its = MerchantWorld

    /// News at 1,000 won after a month for nothing, chess for 3,000 won, from 15 January.
    private func bundle(
        _ backend: Backend, _ items: [String] = ["news", "chess"]
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        let world = try await Its.world(backend, at: "2026-01-15")
        let ada = try await world.device(storefront: "KOR")
        let trial = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 0, reason: .acquisition)
        let all = [
            Its.item("news", 1_000_000, offer: trial), Its.item("chess", 3_000_000),
        ].filter { items.contains($0.sku) }
        let first = try await Its.buy(
            Its.create(1, all, currency: "KRW"), by: ada, in: world)
        try await world.advance(
            to: "2026-01-17", expecting: ["SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/PENDING"])
        return (world, ada, first, try #require(Int64(first.transactionId)))
    }

    private func statuses(
        _ first: JWSTransactionDecodedPayload, in world: World
    ) async throws -> [AdvancedCommercePriceIncreaseStatus?]? {
        try await world.status(first.transactionId).renewal.advancedCommerceInfo?.items
            .map(\.priceIncreaseInfo?.status)
    }

    @Test("Without an answer the item ends (KOR-5, ACS-2)", arguments: Backend.available)
    func unanswered(_ backend: Backend) async throws {
        let (world, _, first, _) = try await bundle(backend)
        #expect(try await statuses(first, in: world) == [.pending, nil])
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        let rest = try await Its.newest(of: first, in: world)
        #expect(rest.price == 3_000_000)
        #expect(rest.advancedCommerceInfo?.items.map(\.sku) == ["chess"])
        #expect(try await statuses(first, in: world) == [nil])
        try await world.check()
    }

    @Test(
        "Where the merchant asks, the store asks nothing and the offer converts (KOR-6)",
        arguments: Backend.available)
    func askedByMerchant(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-15")
        try await world.store.configure(bundleID: World.bundleID) {
            $0.priceChangeRoute = .merchantManaged
        }
        let ada = try await world.device(storefront: "KOR")
        let trial = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 0, reason: .acquisition)
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 1_000_000, offer: trial)], currency: "KRW"), by: ada,
            in: world)
        try await world.advance(to: "2026-01-17", expecting: ["SUBSCRIBED/INITIAL_BUY"])
        #expect(try await world.store.priceIncreaseMessages(for: ada).isEmpty)
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 1_000_000)
        try await world.check()
    }

    @Test("With one it goes on, without renewal being touched", arguments: Backend.available)
    func answered(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        try await world.store.change(subscription: id, [.priceIncrease(agrees: false)], by: ada)
        try await world.settle(expecting: [])
        #expect(try await statuses(first, in: world) == [.pending, nil])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.settle(expecting: ["PRICE_INCREASE/ACCEPTED"])
        #expect(try await statuses(first, in: world) == [.accepted, nil])
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 4_000_000)
        try await world.check()
    }

    @Test("What goes besides leaves the question open", arguments: [Backend.sqlite])
    func otherItemGoes(_ backend: Backend) async throws {
        let (world, ada, first, _) = try await bundle(backend)
        _ = try await world.store.buy(
            Its.modify(2, first) {
                $0.currency = "KRW"
                $0.removeItems = Its.removed("chess")
            }, by: ada)
        try await world.advance(
            to: "2026-02-16",
            expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "EXPIRED/PRICE_INCREASE"])
    }

    @Test("Where it is the only item the subscription ends", arguments: [Backend.sqlite])
    func onlyItem(_ backend: Backend) async throws {
        let (world, _, first, _) = try await bundle(backend, ["news"])
        try await world.advance(to: "2026-02-16", expecting: ["EXPIRED/PRICE_INCREASE"])
        let renewal = try await world.status(first.transactionId).renewal
        #expect(renewal.expirationIntent?.rawValue == 3)
        #expect(try await statuses(first, in: world) == [nil])
    }
}
