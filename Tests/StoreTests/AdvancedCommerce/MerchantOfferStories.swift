import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// How long offers of a merchant's items last: each ends with a billing cycle, or all items have
/// one alike. What is paid is said before the clock moves.
@Suite("Stories: offers of a merchant's items")
struct MerchantOfferStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    private func offer(
        _ period: AdvancedCommerceOfferPeriod, _ price: Int64, count: Int = 1
    ) -> AdvancedCommerceOffer {
        AdvancedCommerceOffer(
            period: period, periodCount: count, price: price, reason: .acquisition)
    }

    /// What each billing event of a subscription charged, and until when, the first one first.
    private func periods(
        of first: JWSTransactionDecodedPayload, in world: World
    ) async throws -> [String] {
        try await world.history(first.transactionId).map { transaction in
            let end = Instant(milliseconds: transaction.expiresDate ?? 0).iso8601
            return "\(transaction.price ?? 0) until \(end.prefix(10))"
        }
    }

    @Test(
        "An offer that all items have alike is as long as it is (CAL-12)",
        arguments: [
            (
                AdvancedCommercePeriod.oneYear, AdvancedCommerceOfferPeriod.oneWeek, 0, 1,
                ["0 until 2026-01-08", "20000 until 2027-01-08"]
            ),
            (
                .oneMonth, .threeMonths, 0, 1,
                ["0 until 2026-04-01", "20000 until 2026-05-01"]
            ),
            (
                .threeMonths, .oneMonth, 1_000, 2,
                ["2000 until 2026-02-01", "2000 until 2026-03-01", "20000 until 2026-06-01"]
            ),
        ] as [(AdvancedCommercePeriod, AdvancedCommerceOfferPeriod, Int64, Int, [String])])
    func alike(
        _ period: AdvancedCommercePeriod, _ length: AdvancedCommerceOfferPeriod, _ price: Int64,
        _ count: Int, _ expected: [String]
    ) async throws {
        let world = try await Its.world(.sqlite, at: "2026-01-01")
        let ada = try await world.device()
        let given = offer(length, price, count: count)
        let first = try await Its.buy(
            Its.create(
                1,
                [Its.item("news", 9_990, offer: given), Its.item("chess", 10_010, offer: given)],
                period: period), by: ada, in: world)
        let renewals = expected.count - 1
        try await world.advance(
            to: expected[renewals - 1].suffix(10) + "T12:00:00Z",
            expecting: ["SUBSCRIBED/INITIAL_BUY"]
                + Array(repeating: "DID_RENEW", count: renewals))
        #expect(try await periods(of: first, in: world) == expected)
        try await world.check()
    }

    @Test(
        "One that would end within a cycle, or go on where another's is over, is refused (4000147)",
        arguments: [
            [("news", AdvancedCommerceOfferPeriod.oneWeek, 0, 1)],
            [("news", .threeMonths, 0, 1)],
            [("news", .oneWeek, 0, 1), ("chess", .twoWeeks, 0, 1)],
            [("news", .oneWeek, 990, 2), ("chess", .oneWeek, 990, 3)],
        ] as [[(String, AdvancedCommerceOfferPeriod, Int64, Int)]])
    func misaligned(
        _ offers: [(sku: String, period: AdvancedCommerceOfferPeriod, price: Int64, count: Int)]
    ) async throws {
        let world = try await Its.world(.sqlite, at: "2026-01-01")
        let ada = try await world.device()
        let items = ["news", "chess"].map { sku in
            let given = offers.first { $0.sku == sku }
            return Its.item(
                sku, 9_990, offer: given.map { offer($0.period, $0.price, count: $0.count) })
        }
        await Its.expect(Errors.misalignedBillingCycle) {
            _ = try await world.store.buy(Its.create(1, items), by: ada)
        }
        try await world.settle(expecting: [])
        // Offers of the plan's own period run out each by itself (LIN-2).
        let monthly = [
            Its.item("news", 9_990, offer: offer(.oneMonth, 990, count: 2)),
            Its.item("chess", 10_010, offer: offer(.oneMonth, 0)),
        ]
        let first = try await Its.buy(Its.create(2, monthly), by: ada, in: world)
        try await world.advance(
            to: "2026-03-02", expecting: ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW"])
        #expect(
            try await periods(of: first, in: world) == [
                "990 until 2026-02-01", "11000 until 2026-03-01", "20000 until 2026-04-01",
            ])
    }

    @Test(
        "Beside an item in a trial of another length nothing comes in the cycle",
        arguments: Backend.available)
    func beside(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 9_990, offer: offer(.oneWeek, 0))]), by: ada,
            in: world)
        try await world.advance(to: "2026-01-04", expecting: ["SUBSCRIBED/INITIAL_BUY"])
        // Half a week would cost half a month.
        await Its.expect(Errors.misalignedBillingCycle) {
            _ = try await world.store.buy(
                Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada)
        }
        await Its.expect(Errors.misalignedBillingCycle) {
            _ = try await world.store.buy(
                Its.modify(3, first) {
                    $0.changeItems = [
                        Its.changed("news", to: "news", 9_990, offer: offer(.twoWeeks, 0, count: 1))
                    ]
                    $0.addItems = [Its.added("sport", 6_200)]
                    $0.retainBillingCycle = false
                }, by: ada)
        }
        // A new cycle has no trial that goes on beside.
        _ = try await Its.buy(
            Its.modify(4, first, keepsCycle: false) {
                $0.changeItems = [Its.changed("news", to: "daily", 9_990)]
                $0.addItems = [Its.added("sport", 6_200)]
            }, by: ada, in: world)
        try await world.advance(
            to: "2026-02-05", expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_RENEW"])
        let paid = try await periods(of: first, in: world).sorted()
        #expect(paid == ["0 until 2026-01-08", "16190 until 2026-02-04", "16190 until 2026-03-04"])
        try await world.check()
    }
}
