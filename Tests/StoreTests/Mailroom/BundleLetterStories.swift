import AppStoreWire
import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A merchant's bundle whose items get dearer, or whose offers end: whatever is on its way is named
/// to the customer, each item with its price.
@Suite("Stories: letters about a bundle's prices")
struct BundleLetterStories {
    private typealias Its = MerchantWorld

    /// Ada has x for 10 dollars, y for 4.99, z for 2 and what goes with x for 1, since 1 January.
    private func bundle(
        _ backend: Backend, period: AdvancedCommercePeriod = .oneMonth
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        let world = try await Its.world(backend, at: "2026-01-01", mailroom: .lines())
        let ada = try await world.device("ada@example.com")
        let first = try await Its.buy(
            Its.create(
                1,
                [
                    Its.item("x", 10_000), Its.item("y", 4_990), Its.item("z", 2_000),
                    Its.item("replay", 1_000),
                ], period: period), by: ada, in: world)
        return (world, ada, first, try #require(Int64(first.transactionId)))
    }

    private func call(
        _ number: Int, _ id: Int64, _ items: (sku: String, price: Int64, with: [String]?)...,
        in world: World
    ) async throws {
        _ = try await world.store.changePrices(
            transaction: id,
            AdvancedCommerceSubscriptionPriceChangeRequest(
                requestInfo: Its.reference(number), currency: "USD",
                items: items.map {
                    AdvancedCommerceSubscriptionPriceChangeItem(
                        sku: $0.sku, price: $0.price, dependentSKUs: $0.with)
                }), for: Its.production)
    }

    private func everyWay(_ day: String, _ what: String) -> [String] {
        ["mail", "inApp", "push"].map { "\(day) ada \($0) \(what)" }
    }

    @Test(
        "What needs consent is asked together, with what ends besides (ACC-5, ACS-2, ACS-3)",
        arguments: Backend.available, [true, false])
    func together(_ backend: Backend, _ isOneCall: Bool) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        if isOneCall {
            try await call(2, id, ("x", 15_010, ["replay"]), ("y", 10_000, nil), in: world)
        } else {
            try await call(2, id, ("x", 15_010, ["replay"]), in: world)
            try await call(3, id, ("y", 10_000, nil), in: world)
        }
        _ = try await world.store.advance(to: World.instant("2026-01-20"))
        let asked =
            "agree? The x 10000 to 15010, The y 4990 to 10000 on 2026-02-01, with The replay, "
            + "the rest stays"
        #expect(try await world.store.inAppMessages(for: ada).map(\.title) == [asked])
        _ = try await world.store.advance(to: World.instant("2026-02-02"))
        #expect(
            try await world.letters(.priceIncreaseConsent, .priceIncreaseNotice)
                == ["2026-01-05", "2026-01-12", "2026-01-19", "2026-01-26"].flatMap {
                    everyWay($0, asked)
                })
        let rest = try await Its.newest(of: first, in: world)
        #expect(rest.advancedCommerceInfo?.items.map(\.sku) == ["z"])
        try await world.check()
    }

    @Test(
        "What is asked later goes out at once, and what was asked before waits for its week",
        arguments: Backend.available)
    func later(_ backend: Backend) async throws {
        let (world, _, _, id) = try await bundle(backend)
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        try await call(2, id, ("x", 15_010, nil), in: world)
        _ = try await world.store.advance(to: World.instant("2026-01-06"))
        _ = try await world.store.extend(
            subscription: id, ExtensionRequest(days: 30, reasonCode: 1),
            requestIdentifier: "one", in: .production)
        try await call(3, id, ("y", 10_000, nil), in: world)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        let x = "agree? The x 10000 to 15010 on 2026-0"
        let both = "agree? The x 10000 to 15010, The y 4990 to 10000 on 2026-03-03, the rest stays"
        #expect(
            try await world.letters(.priceIncreaseConsent)
                == everyWay("2026-01-05", x + "2-01, the rest stays")
                + ["2026-01-12", "2026-01-19", "2026-01-26", "2026-02-02"].flatMap {
                    everyWay($0, x + "3-03, the rest stays")
                }
                + ["2026-02-04", "2026-02-11", "2026-02-18", "2026-02-25"].flatMap {
                    everyWay($0, both)
                })
    }

    @Test(
        "An item that goes leaves the letters about the others (ACS-4)",
        arguments: Backend.available)
    func removed(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        try await call(2, id, ("x", 15_010, nil), ("y", 10_000, nil), in: world)
        _ = try await world.store.advance(to: World.instant("2026-01-06"))
        _ = try await world.store.buy(
            Its.modify(3, first) { $0.removeItems = Its.removed("y") }, by: ada)
        let left = "agree? The x 10000 to 15010 on 2026-02-01, the rest stays"
        #expect(try await world.store.inAppMessages(for: ada).map(\.title) == [left])
        _ = try await world.store.advance(to: World.instant("2026-01-13"))
        #expect(
            try await world.letters(.priceIncreaseConsent).suffix(3)
                == everyWay("2026-01-12", left)[...])
    }

    @Test(
        "Notices of two renewals are both mailed, shown and pushed (ACC-4)",
        arguments: Backend.available)
    func notices(_ backend: Backend) async throws {
        let (world, ada, _, id) = try await bundle(backend, period: .oneWeek)
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        try await call(2, id, ("x", 10_500, nil), ("z", 2_500, nil), in: world)
        _ = try await world.store.advance(to: World.instant("2026-01-09"))
        try await call(3, id, ("y", 5_990, nil), in: world)
        _ = try await world.store.advance(to: World.instant("2026-01-20"))
        let told = try await world.store.inAppMessages(for: ada)
        #expect(told.map(\.kind) == [.priceIncreaseNotice, .priceIncreaseNotice])
        try await world.store.seeInAppMessage(try #require(told.last).id, by: ada)
        #expect(try await world.store.inAppMessages(for: ada).map(\.id) == [told[0].id])
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        let letters = try await world.letters(.priceIncreaseNotice, .priceIncreaseConsent)
        let (xz, y) = ("The x 10000 to 10500, The z 2000 to 2500", "The y 4990 to 5990")
        #expect(letters.count { $0.contains(" mail increase \(xz) on ") } == 1)
        #expect(letters.count { $0.contains(" push increase \(xz) on ") } == 1)
        #expect(letters.count { $0.contains(" mail increase \(y) on ") } == 1)
        // It was seen in the app.
        #expect(letters.count { $0.contains(" push increase \(y) on ") } == 0)
        #expect(letters.count == 5)
    }

    @Test(
        "In Korea the customer is asked about the items whose offers end (KOR-3, ACS-2)",
        arguments: Backend.available)
    func korea(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-15", mailroom: .lines())
        let ada = try await world.device("ada@example.com", storefront: "KOR")
        let trial = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 0, reason: .acquisition)
        let half = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 500_000, reason: .acquisition)
        _ = try await Its.buy(
            Its.create(
                1,
                [
                    Its.item("news", 1_000_000, offer: trial), Its.item("chess", 3_000_000),
                    Its.item("maps", 2_000_000, offer: half),
                ], currency: "KRW"), by: ada, in: world)
        _ = try await world.store.advance(to: World.instant("2026-01-17"))
        let asked = "agree? The news 1000000, The maps 2000000 on 2026-02-15, the rest stays"
        #expect(try await world.store.inAppMessages(for: ada).map(\.title) == [asked])
        let messages = try await world.store.priceIncreaseMessages(for: ada)
        #expect(messages.map(\.productID) == ["news", "maps"])
        #expect(messages.map(\.change.old) == [0, 500_000])
        #expect(messages.map(\.change.new) == [1_000_000, 2_000_000])
        _ = try await world.store.advance(to: World.instant("2026-02-16"))
        let letters = try await world.letters(.koreanConversion)
        #expect(letters.count == 15)
        #expect(letters.allSatisfy { $0.hasSuffix(asked) })
    }
}
