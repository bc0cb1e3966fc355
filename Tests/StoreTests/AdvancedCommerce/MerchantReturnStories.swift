import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Items that go and come back, what is sent twice, and what customers had before; what must happen
/// is said before the clock moves.
@Suite("Stories: merchants' items that go and come back")
struct MerchantReturnStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    private func bundle(
        _ backend: Backend
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        let world = try await Its.world(backend, at: "2026-01-15")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 9_990), Its.item("chess", 2_990)]), by: ada, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        return (world, ada, first, try #require(Int64(first.transactionId)))
    }

    @Test("What goes already is not removed again, nor everything", arguments: Backend.available)
    func removedTwice(_ backend: Backend) async throws {
        let (world, ada, first, _) = try await bundle(backend)
        _ = try await world.store.buy(
            Its.modify(2, first) { $0.removeItems = Its.removed("chess") }, by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        await Its.expect(Errors.removeItemNotFound) {
            _ = try await world.store.buy(
                Its.modify(3, first) { $0.removeItems = Its.removed("chess") }, by: ada)
        }
        // Whatever comes in its place: of what renews nothing would be left.
        for (number, skus) in [(4, ["news"]), (5, ["news", "chess"])] {
            await Its.expect(
                number == 4 ? Errors.removalAllNotAllowed : Errors.removeItemNotFound
            ) {
                _ = try await world.store.buy(
                    Its.modify(number, first) {
                        $0.removeItems = skus.map { .init(sku: $0) }
                        $0.addItems = [Its.added("sport", 990)]
                    }, by: ada)
            }
        }
        try await world.settle(expecting: [])
        // A new cycle lets it go at once, and what was paid for it goes back.
        let now = try await Its.buy(
            Its.modify(6, first, keepsCycle: false) {
                $0.removeItems = Its.removed("chess")
                $0.addItems = [Its.added("sport", 990)]
            }, by: ada, in: world)
        #expect(now.advancedCommerceInfo?.items.map(\.sku) == ["news", "sport"])
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        await Its.expect(Errors.removalAllNotAllowed) {
            _ = try await world.store.buy(
                Its.modify(7, first, keepsCycle: false) {
                    $0.removeItems = Its.removed("news", "sport")
                    $0.addItems = [Its.added("go", 990)]
                }, by: ada)
        }
        try await world.check()
    }

    @Test("The same change that waits is no news", arguments: [Backend.sqlite])
    func waitsAlready(_ backend: Backend) async throws {
        let (world, ada, first, _) = try await bundle(backend)
        for (number, told) in [(2, ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"]), (3, [])] {
            _ = try await world.store.buy(
                Its.modify(number, first) {
                    $0.changeItems = [Its.changed("news", to: "brief", 4_990, .nextBillCycle)]
                }, by: ada)
            try await world.settle(expecting: told)
        }
        #expect(try await world.status(first.transactionId).renewal.renewalPrice == 7_980)
    }

    @Test("Who renews is reactivated for what was to go, and nothing else goes")
    func reactivatedWhileOn() async throws {
        let (world, ada, first, _) = try await bundle(.sqlite)
        for skus in [["news"], ["news", "chess"], nil] {
            await Its.expect(Errors.subscriptionAlreadyActive) {
                _ = try await world.store.buy(
                    Its.reactivate(2 + (skus?.count ?? 0), first, skus), by: ada)
            }
        }
        _ = try await world.store.buy(
            Its.modify(6, first) { $0.removeItems = Its.removed("chess") }, by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        await Its.expect(Errors.subscriptionAlreadyActive) {
            _ = try await world.store.buy(Its.reactivate(7, first, ["news"]), by: ada)
        }
        _ = try await world.store.buy(Its.reactivate(8, first, ["chess"]), by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF"])
        await Its.expect(Errors.subscriptionAlreadyActive) {
            _ = try await world.store.buy(Its.reactivate(9, first), by: ada)
        }
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 12_980)
    }

    @Test(
        "What was asked stays asked when it is refused, and who comes back agrees (ACS-5)",
        arguments: Backend.available)
    func refusedAndBack(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("chess", 9_990)]), for: Its.production)
        try await world.advance(
            to: "2026-01-20", expecting: ["PRICE_CHANGE", "PRICE_INCREASE/PENDING"])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: false)], by: ada)
        try await world.settle(expecting: [])
        let refused = try await world.status(first.transactionId).renewal
        #expect(
            refused.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.status) == [nil, .pending])
        #expect(refused.priceIncreaseStatus == .pending && refused.autoRenewStatus == .on)
        _ = try await world.store.buy(Its.reactivate(3, first, ["chess"]), by: ada)
        try await world.settle(expecting: ["PRICE_INCREASE/ACCEPTED"])
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        #expect(
            try await world.status(first.transactionId).renewal.advancedCommerceInfo?.items
                .map(\.priceIncreaseInfo?.status) == [nil, .accepted])
        // What is not named ends with the period, and its higher price with it.
        _ = try await world.store.buy(Its.reactivate(4, first, ["news"]), by: ada)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
                "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
            ])
        _ = try await world.store.buy(Its.reactivate(5, first, ["chess"]), by: ada)
        try await world.advance(
            to: "2026-02-16", expecting: ["DID_CHANGE_RENEWAL_PREF", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 12_980)
        try await world.check()
    }

    @Test("An offer on what renews anyhow is no downgrade", arguments: [Backend.sqlite])
    func offerOnTheSame(_ backend: Backend) async throws {
        let (world, ada, first, _) = try await bundle(backend)
        let offer = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 990, reason: .retention)
        _ = try await world.store.buy(
            Its.modify(2, first) {
                $0.changeItems = [
                    Its.changed("news", to: "news", 9_990, offer: offer, .nextBillCycle)
                ]
            }, by: ada)
        try await world.settle(expecting: ["OFFER_REDEEMED"])
        _ = try await Its.buy(
            Its.modify(3, first) {
                $0.changeItems = [Its.changed("chess", to: "chess", 2_990, offer: offer)]
            }, by: ada, in: world)
        try await world.settle(expecting: ["OFFER_REDEEMED"])
        #expect(try await world.status(first.transactionId).renewal.renewalPrice == 3_980)
    }

    @Test("Nothing is called as the whole is, whichever of them changes")
    func names() async throws {
        let (world, ada, first, id) = try await bundle(.sqlite)
        let before = try await Tables(world.database)
        func change(
            _ number: Int,
            _ descriptors: AdvancedCommerceSubscriptionChangeMetadataDescriptors?,
            _ items: [AdvancedCommerceSubscriptionChangeMetadataItem]?
        ) async {
            await Its.expect(Errors.invalidDisplayName) {
                _ = try await world.store.changeMetadata(
                    transaction: id,
                    AdvancedCommerceSubscriptionChangeMetadataRequest(
                        requestInfo: Its.reference(number), descriptors: descriptors, items: items),
                    for: Its.production)
            }
        }
        for effective in [AdvancedCommerceEffective.immediately, .nextBillCycle] {
            await change(2, .init(effective: effective, displayName: "The chess"), nil)
            await change(
                3, nil,
                [.init(currentSKU: "news", effective: effective, displayName: "The paper")])
        }
        await Its.expect(Errors.invalidDisplayName) {
            _ = try await world.store.buy(
                Its.modify(4, first) {
                    $0.descriptors = .init(effective: .immediately, displayName: "The news")
                }, by: ada)
        }
        #expect(
            try await Tables(world.database).differences(from: before) == ["offer_signature"])
    }

    @Test("Who had a subscription that is over subscribes again (EXP-6)")
    func again() async throws {
        let (world, ada, first, id) = try await bundle(.sqlite)
        // Beside one that runs another one is the customer's first of its kind.
        _ = try await Its.buy(Its.create(2, [Its.item("go", 990)]), by: ada, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.advance(
            to: "2026-02-16",
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY", "DID_RENEW",
            ])
        let again = try await Its.buy(
            Its.create(3, [Its.item("news", 9_990)]), by: ada, in: world)
        #expect(again.originalTransactionId != first.originalTransactionId)
        try await world.settle(expecting: ["SUBSCRIBED/RESUBSCRIBE"])
        let bob = try await world.device("bob")
        _ = try await Its.buy(Its.create(4, [Its.item("news", 9_990)]), by: bob, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
    }

    @Test("A server may name any transaction of the chain (ACP-1)", arguments: Backend.available)
    func laterTransaction(_ backend: Backend) async throws {
        let (world, _, first, _) = try await bundle(backend)
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        let later = try await Its.newest(of: first, in: world)
        #expect(later.transactionId != first.transactionId)
        let request = Its.change(2, [("news", 8_990)])
        for id in [later.transactionId, first.transactionId] {
            let answer = try await world.store.changePrices(
                transaction: try #require(Int64(id)), request, for: Its.production)
            let signed: JWSTransactionDecodedPayload = try JWSText.decode(answer.transaction)
            #expect(signed.transactionId == later.transactionId)
        }
        // The same request by another transaction is the same request.
        try await world.advance(to: "2026-03-16", expecting: ["PRICE_CHANGE", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 11_980)
    }
}
