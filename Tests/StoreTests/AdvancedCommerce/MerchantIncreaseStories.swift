import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What becomes of higher prices that are on their way while a merchant's plan is changed: what is
/// told, and what is paid, is said before the clock moves.
@Suite("Stories: higher prices of a merchant's plan that changes")
struct MerchantIncreaseStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    /// News for 9.99 and chess for 2.99, monthly from 15 January: news is to cost 10.99, of which
    /// the customer is told on 19 January, chess 9.99, which is asked then.
    private func raised(
        _ backend: Backend, until moment: String = "2026-01-20"
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload) {
        let world = try await Its.world(backend, at: "2026-01-15")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 9_990), Its.item("chess", 2_990)]), by: ada, in: world)
        _ = try await world.store.changePrices(
            transaction: try #require(Int64(first.transactionId)),
            Its.change(2, [("news", 10_990), ("chess", 9_990)]), for: Its.production)
        try await world.advance(
            to: moment,
            expecting: ["SUBSCRIBED/INITIAL_BUY", "PRICE_CHANGE"]
                + (moment > "2026-01-19"
                    ? ["PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED"] : []))
        return (world, ada, first)
    }

    @Test("In the cycle they go on, and are answered (ACS-4, ACS-6)", arguments: Backend.available)
    func inTheCycle(_ backend: Backend) async throws {
        let (world, ada, first) = try await raised(backend)
        let id = try #require(Int64(first.transactionId))
        _ = try await Its.buy(
            Its.modify(3, first) { $0.addItems = [Its.added("sport", 1_990, prorated: 990)] },
            by: ada, in: world)
        _ = try await world.store.buy(
            Its.modify(4, first) {
                $0.changeItems = [
                    Its.changed("sport", to: "sport.small", 990, .nextBillCycle)
                ]
            }, by: ada)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        let asked = try await world.status(first.transactionId).renewal
        #expect(
            asked.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.status)
                == [.accepted, .pending, nil])
        #expect(asked.advancedCommerceInfo?.items.map(\.price) == [9_990, 2_990, 990])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.advance(
            to: "2026-02-16", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        // 10.99, 9.99 and 0.99.
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.price == 21_970)
        #expect(newest.advancedCommerceInfo?.items.map(\.price) == [10_990, 9_990, 990])
        try await world.check()
    }

    @Test("Another product voids them; with an offer the higher price is sent (ACS-6)")
    func anotherProduct() async throws {
        let (world, ada, first) = try await raised(.sqlite)
        let offer = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 990, reason: .retention)
        await Its.expect(Errors.invalidPriceForChangeItemInPriceIncrease) {
            _ = try await world.store.buy(
                Its.modify(3, first) {
                    $0.changeItems = [
                        Its.changed("news", to: "news", 9_990, offer: offer, .nextBillCycle)
                    ]
                }, by: ada)
        }
        _ = try await world.store.buy(
            Its.modify(4, first) {
                $0.changeItems = [
                    Its.changed("news", to: "news", 10_990, offer: offer, .nextBillCycle),
                    Its.changed("chess", to: "go", 4_990, .nextBillCycle),
                ]
            }, by: ada)
        try await world.settle(expecting: ["OFFER_REDEEMED/DOWNGRADE"])
        let renewal = try await world.status(first.transactionId).renewal
        #expect(renewal.renewalPrice == 5_980)
        #expect(
            renewal.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.status) == [nil, nil])
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 5_980)
        try await world.advance(to: "2026-03-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 15_980)
    }

    @Test("A new cycle voids them but for what is sent at the higher price (ACS-7)")
    func newCycle() async throws {
        let (world, ada, first) = try await raised(.sqlite)
        let again = try await Its.buy(
            Its.modify(3, first, keepsCycle: false) {
                $0.changeItems = [Its.changed("news", to: "news", 10_990)]
            }, by: ada, in: world)
        #expect(again.price == 13_980)
        try await world.advance(
            to: "2026-02-21", expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 13_980)

        // Before anybody is told the higher price cannot be sent.
        let (early, bea, second) = try await raised(.sqlite, until: "2026-01-17")
        await Its.expect(Errors.priceChangeNotSupportedThroughModifyItems) {
            _ = try await early.store.buy(
                Its.modify(3, second, keepsCycle: false) {
                    $0.changeItems = [Its.changed("news", to: "news", 10_990)]
                }, by: bea)
        }
        _ = try await Its.buy(
            Its.modify(4, second, keepsCycle: false) {
                $0.addItems = [Its.added("sport", 1_990)]
            }, by: bea, in: early)
        try await early.advance(
            to: "2026-02-18", expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_RENEW"])
        #expect(try await Its.newest(of: second, in: early).price == 14_970)
    }

    @Test("Who comes back has agreed to what was told (ACS-5)")
    func reactivated() async throws {
        let (world, ada, first) = try await raised(.sqlite)
        let id = try #require(Int64(first.transactionId))
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.advance(
            to: "2026-01-25", expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        _ = try await world.store.buy(Its.reactivate(3, first), by: ada)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "PRICE_INCREASE/ACCEPTED",
            ])
        #expect(try await world.status(first.transactionId).renewal.renewalPrice == 20_980)
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 20_980)

        // Not told yet, the whole notice comes first: the renewal of 15 February is too near.
        let (late, bea, second) = try await raised(.sqlite, until: "2026-01-17")
        let other = try #require(Int64(second.transactionId))
        try await late.store.change(subscription: other, [.renewal(isOn: false)], by: bea)
        try await late.advance(
            to: "2026-02-01", expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        _ = try await late.store.buy(Its.reactivate(3, second), by: bea)
        try await late.advance(
            to: "2026-02-15T12:00:00Z",
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_RENEW"])
        #expect(try await Its.newest(of: second, in: late).price == 12_980)
    }

    @Test(
        "A price that stays what it is, or what it is to become, tells nobody and changes nothing",
        arguments: Backend.available, [PriceChangeRoute.storeManaged, .merchantManaged])
    func samePrice(_ backend: Backend, _ route: PriceChangeRoute) async throws {
        let world = try await Its.world(backend, at: "2026-01-15")
        try await world.store.configure(bundleID: World.bundleID) { $0.priceChangeRoute = route }
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 9_990), Its.item("chess", 2_990)]), by: ada, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let id = try #require(Int64(first.transactionId))
        func change(
            _ number: Int, _ prices: [(String, Int64)], _ dependents: [String]? = nil
        ) async throws -> AdvancedCommerceRenewalInfo? {
            let answer = try await world.store.changePrices(
                transaction: id, Its.change(number, prices, dependents: dependents),
                for: Its.production)
            let renewal: JWSRenewalInfoDecodedPayload = try JWSText.decode(
                try #require(answer.renewal))
            return renewal.advancedCommerceInfo
        }
        // Answered all the same, once and again.
        let before = try await world.status(first.transactionId).renewal.advancedCommerceInfo
        for _ in 0..<2 {
            let same = try await change(2, [("news", 9_990), ("chess", 2_990)])
            #expect(same == before)
        }
        try await world.settle(expecting: [])
        // One of two: it is told.
        let raised = try await change(3, [("news", 10_990), ("chess", 2_990)])
        #expect(raised?.items.map(\.priceIncreaseInfo?.price) == [10_990, nil])
        try await world.settle(expecting: ["PRICE_CHANGE"])
        // What is on its way already goes on as it is.
        try await world.advance(to: "2026-01-16", expecting: [])
        #expect(try await change(4, [("news", 10_990)]) == raised)
        try await world.settle(expecting: [])
        // What depends on it is something new, and so is the old price in the place of the new.
        let chained = try await change(5, [("news", 10_990)], ["chess"])
        #expect(chained?.items.first?.priceIncreaseInfo?.dependentSKUs == ["chess"])
        #expect(try await change(6, [("news", 9_990)]) == before)
        try await world.settle(expecting: ["PRICE_CHANGE", "PRICE_CHANGE"])
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 12_980)
    }

    @Test(
        "What is given back while an increase is asked for shows none, and shows it again (ACS-5)",
        arguments: Backend.available, [false, true])
    func givenBack(_ backend: Backend, isSwitched: Bool) async throws {
        // Of the news the customer was told and of the chess asked, or, a day earlier, neither.
        let (world, _, first) = try await raised(
            backend, until: isSwitched ? "2026-01-18" : "2026-01-20")
        if isSwitched {
            try await world.store.configure(bundleID: World.bundleID) {
                $0.priceChangeRoute = .merchantManaged
            }
        }
        let id = try #require(Int64(first.transactionId))
        _ = try await world.store.refund(
            transaction: id, .full, reason: .other, in: .production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        var shown = try await world.status(first.transactionId)
        #expect(shown.status == .revoked && shown.renewal.priceIncreaseStatus == nil)
        #expect(shown.renewal.advancedCommerceInfo?.items.map(\.price) == [9_990, 2_990])
        #expect(
            shown.renewal.advancedCommerceInfo?.items.map(\.priceIncreaseInfo) == [nil, nil])
        try await world.store.reverseRefund(transaction: id, in: .production)
        try await world.settle(expecting: ["REFUND_REVERSED"])
        shown = try await world.status(first.transactionId)
        #expect(shown.renewal.priceIncreaseStatus == (isSwitched ? .accepted : .pending))
        try await world.check()
    }
}
