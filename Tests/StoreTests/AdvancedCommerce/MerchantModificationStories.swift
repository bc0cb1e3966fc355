import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A merchant's plans become others, by requests to which the customer agrees; what must happen,
/// and what is paid, is said before the clock moves.
@Suite("Stories: what merchants change of their own plans")
struct MerchantModificationStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    private func bundle(
        _ backend: Backend
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload) {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 9_990), Its.item("chess", 3_100)]), by: ada, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        return (world, ada, first)
    }

    @Test(
        "An item comes and one changes in the middle of the cycle", arguments: Backend.available)
    func inTheCycle(_ backend: Backend) async throws {
        let (world, ada, first) = try await bundle(backend)
        try await world.advance(to: "2026-01-11", expecting: [])
        // 21 of 31 days are left: of 6.20 for a month they are 4.20.
        let added = try await Its.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada, in: world)
        #expect(added.price == 4_200 && added.expiresDate == first.expiresDate)
        #expect(added.originalTransactionId == first.transactionId)
        #expect(added.transactionReason == .purchase)
        #expect(added.advancedCommerceInfo?.items.map(\.sku) == ["news", "chess", "sport"])
        #expect(added.advancedCommerceInfo?.items.map(\.price) == [9_990, 3_100, 6_200])
        #expect(
            added.advancedCommerceInfo?.requestReferenceId == Its.reference(2).requestReferenceId)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let renewal = try await world.status(first.transactionId).renewal
        #expect(renewal.renewalPrice == 19_290)
        #expect(renewal.autoRenewStatus == .on)

        // Ten days are left: 2.00 for the better one, and 1.00 of the 3.10 goes back.
        try await world.advance(to: "2026-01-22", expecting: [])
        let changed = try await Its.buy(
            Its.modify(3, first) { $0.changeItems = [Its.changed("chess", to: "go", 6_200)] },
            by: ada, in: world)
        #expect(changed.price == 2_000 && changed.expiresDate == first.expiresDate)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let paid = try await Its.transaction(first.transactionId, in: world)
        #expect(paid.isUpgraded == nil && paid.revocationDate == nil)
        #expect(
            paid.advancedCommerceInfo?.items.map(\.refunds) == [
                nil,
                [
                    AdvancedCommerceRefund(
                        refundAmount: 1_000,
                        refundDate: World.instant("2026-01-22").milliseconds,
                        refundReason: .modifyItemsRefund, refundType: .prorated)
                ],
            ])
        let ledger = try await world.store.ledger(after: 0, limit: 99, in: .production)
            .map(\.entry)
        #expect(ledger.map(\.sku) == ["news", "chess", "sport", "chess", "go"])
        #expect(ledger.map(\.customer) == [-9_990, -3_100, -4_200, 1_000, -2_000])
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.price == 22_390)
        #expect(newest.advancedCommerceInfo?.items.map(\.sku) == ["news", "go", "sport"])
        try await world.check()
    }

    @Test("A new cycle gives back what is left of the old one", arguments: Backend.available)
    func newCycle(_ backend: Backend) async throws {
        let (world, ada, first) = try await bundle(backend)
        try await world.advance(to: "2026-01-11", expecting: [])
        _ = try await Its.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200, prorated: 2_100)] },
            by: ada, in: world)
        // Ten of 31 days of what was paid on 1 January, and ten of 21 of the 2.10 of the 11th.
        try await world.advance(
            to: "2026-01-22", expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let yearly = try await Its.buy(
            Its.modify(3, first, keepsCycle: false) {
                $0.periodChange = .init(effective: .immediately, period: .oneYear)
                $0.changeItems = [
                    Its.changed("news", to: "news.year", 99_990),
                    Its.changed("sport", to: "sport.year", 62_000),
                ]
                $0.removeItems = Its.removed("chess")
            }, by: ada, in: world)
        #expect(yearly.price == 161_990)
        #expect(yearly.expiresDate == World.instant("2027-01-22").milliseconds)
        #expect(yearly.advancedCommerceInfo?.period == .oneYear)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let ledger = try await world.store.ledger(after: 0, limit: 99, in: .production)
            .map(\.entry)
        #expect(
            ledger.map(\.customer) == [
                -9_990, -3_100, -2_100, 3_220, 1_000, 1_000, -99_990, -62_000,
            ])
        #expect(try await Its.transaction(first.transactionId, in: world).isUpgraded == true)
        #expect(try await world.status(first.transactionId).renewal.renewalPrice == 161_990)
        try await world.check()
    }

    @Test("What waits for the renewal is paid with it", arguments: Backend.available)
    func nextCycle(_ backend: Backend) async throws {
        let (world, ada, first) = try await bundle(backend)
        let waits = try await world.store.buy(
            Its.modify(2, first) {
                $0.changeItems = [Its.changed("news", to: "brief", 4_990, .nextBillCycle)]
                $0.descriptors = .init(effective: .nextBillCycle, displayName: "The small paper")
            }, by: ada)
        #expect(waits.signedTransaction == nil && waits.pendingBill == nil)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        let renewal = try await world.status(first.transactionId).renewal
        #expect(renewal.renewalPrice == 8_090)
        #expect(renewal.advancedCommerceInfo?.items.map(\.sku) == ["brief", "chess"])
        #expect(renewal.advancedCommerceInfo?.descriptors.displayName == "The small paper")
        // Another change leaves it waiting; removed items go with the renewal as well.
        _ = try await Its.buy(
            Its.modify(3, first) {
                $0.addItems = [Its.added("sport", 6_200, prorated: 0)]
                $0.removeItems = Its.removed("chess")
            }, by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let now = try await Its.newest(of: first, in: world)
        #expect(now.price == 0)
        #expect(now.advancedCommerceInfo?.items.map(\.sku) == ["news", "chess", "sport"])
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.price == 11_190)
        #expect(newest.advancedCommerceInfo?.items.map(\.sku) == ["brief", "sport"])
        #expect(newest.advancedCommerceInfo?.descriptors?.displayName == "The small paper")
        try await world.check()
    }

    @Test("Renewal is on again, for the items that are named", arguments: Backend.available)
    func reactivated(_ backend: Backend) async throws {
        let (world, ada, first) = try await bundle(backend)
        await Its.expect(Errors.subscriptionAlreadyActive) {
            _ = try await world.store.buy(Its.reactivate(2, first), by: ada)
        }
        let id = try #require(Int64(first.transactionId))
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        await Its.expect(Errors.changeItemNotFound) {
            _ = try await world.store.buy(Its.reactivate(3, first, ["sport"]), by: ada)
        }
        _ = try await world.store.buy(Its.reactivate(4, first, ["chess"]), by: ada)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
                "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
            ])
        #expect(try await world.status(first.transactionId).renewal.renewalPrice == 3_100)
        _ = try await world.store.buy(Its.reactivate(5, first), by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF"])
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 13_090)
    }

    @Test("What a modification must not be is refused", arguments: [Backend.sqlite])
    func refused(_ backend: Backend) async throws {
        let (world, ada, first) = try await bundle(backend)
        let trial = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 0, reason: .acquisition)
        _ = try await Its.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200, offer: trial)] },
            by: ada, in: world)
        try await world.settle(expecting: ["OFFER_REDEEMED/UPGRADE"])
        let before = try await Tables(world.database)
        var number = 10
        func refuse(
            _ error: APIError, keepsCycle: Bool = true,
            _ place: SourceLocation = #_sourceLocation,
            _ fill: (inout AdvancedCommerceSubscriptionModifyInAppRequest) -> Void
        ) async {
            number += 1
            let request = Its.modify(number, first, keepsCycle: keepsCycle, fill)
            await Its.expect(error, { _ = try await world.store.buy(request, by: ada) }, place)
        }
        await refuse(Errors.changeItemNotFound) {
            $0.changeItems = [Its.changed("golf", to: "go", 990)]
        }
        await refuse(Errors.removeItemNotFound) { $0.removeItems = Its.removed("golf") }
        await refuse(Errors.removalAllNotAllowed) {
            $0.removeItems = Its.removed("news", "chess", "sport")
        }
        await refuse(Errors.productAlreadyExists) { $0.addItems = [Its.added("chess", 990)] }
        await refuse(Errors.priceChangeNotSupportedThroughModifyItems) {
            $0.changeItems = [Its.changed("chess", to: "chess", 3_990)]
        }
        await refuse(Errors.offerPreventsItemMidCycleChange) {
            $0.changeItems = [Its.changed("sport", to: "sport.pro", 9_990)]
        }
        await refuse(Errors.missingUpdatedItemsWithPeriodChange, keepsCycle: false) {
            $0.periodChange = .init(effective: .immediately, period: .oneYear)
            $0.changeItems = [Its.changed("news", to: "news.year", 99_990)]
        }
        await refuse(Errors.itemLimitExceeded) {
            $0.addItems = (0..<98).map { Its.added("extra \($0)", 990) }
        }
        await refuse(Errors.invalidAmount) { $0.addItems = [Its.added("golf", 995)] }
        await refuse(Errors.invalidAmount) {
            $0.addItems = [Its.added("golf", 990, prorated: 995)]
        }
        await refuse(Errors.invalidSKU) { $0.addItems = [Its.added("gold.monthly", 990)] }
        await refuse(Errors.invalidCurrency) {
            $0.currency = "EUR"
            $0.addItems = [Its.added("golf", 990)]
        }
        await refuse(Errors.transactionIdNotFound) {
            $0.transactionId = "99"
            $0.addItems = [Its.added("golf", 990)]
        }
        #expect(
            try await Tables(world.database).differences(from: before) == ["offer_signature"])
    }
}
