import AppStoreWire
import Journal
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Several transactions pay for one cycle of a merchant's plan: what of it ends when one of them is
/// given back, and what comes back when that is reversed (ACM-7, REF-9).
@Suite("Stories: refunds of a merchant's plan that are reversed")
struct MerchantReversalStories {
    private typealias Its = MerchantWorld

    @Test(
        "What the bank takes back ends what was paid with it, and brings it back without renewing",
        arguments: Backend.available)
    func bank(_ backend: Backend) async throws {
        let (world, first, _) = try await Its.paper(backend)
        _ = try await world.store.answer(bill: first, .reversed, in: .production)
        try await world.settle(expecting: ["REFUND"])
        #expect(try await Its.standing(of: first, in: world) == (["sport"], ["sport"]))
        try await world.advance(to: "2026-01-20", expecting: [])
        _ = try await world.store.answer(bill: first, .restored, in: .production)
        try await world.settle(expecting: ["REFUND_REVERSED"])
        #expect(
            try await Its.standing(of: first, in: world) == (["sport", "news", "chess"], ["sport"]))
        // Given back once more, it goes once more.
        _ = try await world.store.answer(bill: first, .reversed, in: .production)
        try await world.settle(expecting: ["REFUND"])
        #expect(try await Its.standing(of: first, in: world) == (["sport"], ["sport"]))
        _ = try await world.store.answer(bill: first, .restored, in: .production)
        try await world.settle(expecting: ["REFUND_REVERSED"])
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        #expect(try await Its.standing(of: first, in: world) == (["sport"], ["sport"]))
        let ledger = try await world.store.ledger(after: 0, limit: 99, in: .production)
        let booked: Int64 = ledger.map(\.entry.customer).reduce(0, +)
        #expect(booked == -23_490)
        try await world.check()
    }

    @Test(
        "What is bought anew meanwhile, or for later, is not brought back a second time",
        arguments: Backend.available)
    func boughtAnew(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await Its.giveBack(2_000, ["news", "chess"], of: first, in: world)
        try await world.settle(expecting: ["REFUND"])
        let ada = try await world.device()
        let newest = try await Its.transaction("\(second)", in: world)
        _ = try await world.store.buy(
            Its.modify(3, newest) { $0.addItems = [Its.added("chess", 3_100)] }, by: ada)
        _ = try await world.store.buy(
            Its.modify(4, newest) {
                $0.changeItems = [Its.changed("sport", to: "maps", 990, .nextBillCycle)]
            }, by: ada)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        try await world.advance(to: "2026-01-20", expecting: [])
        try await Its.reverse(first, in: world)
        #expect(
            try await Its.standing(of: first, in: world)
                == (["sport", "chess", "news"], ["maps", "chess"]))
        let timeline = try await world.store.timeline(subscription: first, after: 0, limit: 99)
        #expect(timeline.filter(\.isTransactionRevoked).map(\.kind) == [.itemsWereRefunded])
        #expect(timeline.compactMap(\.takenAgain) == [13_090])
        // What has come back can be made to renew again.
        _ = try await world.store.buy(Its.reactivate(5, newest, ["news"]), by: ada)
        #expect(
            try await Its.standing(of: first, in: world)
                == (["sport", "chess", "news"], ["maps", "chess", "news"]))
        try await world.check()
    }

    @Test("What went back before is not brought back with the rest", arguments: Backend.available)
    func before(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await Its.giveBack(3, ["sport"], of: second, in: world)
        try await world.advance(to: "2026-01-15", expecting: ["REFUND"])
        try await world.store.refund(transaction: first, .full, reason: .other, in: .production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        #expect(try await Its.standing(of: first, in: world) == ([], []))
        try await world.advance(to: "2026-01-20", expecting: [])
        try await Its.reverse(first, in: world)
        #expect(try await Its.standing(of: first, in: world) == (["news", "chess"], []))
        let timeline = try await world.store.timeline(subscription: first, after: 0, limit: 99)
        #expect(timeline.compactMap(\.revoked) == [false, true, false])
        try await world.check()
    }

    @Test(
        "Of one payment the reversal brings back what went with that refund, and not before",
        arguments: Backend.available)
    func inSteps(_ backend: Backend) async throws {
        let (world, first, _) = try await Its.paper(backend)
        try await Its.giveBack(3, ["chess"], of: first, in: world)
        try await world.advance(to: "2026-01-15", expecting: ["REFUND"])
        try await world.store.refund(transaction: first, .full, reason: .other, in: .production)
        try await world.settle(expecting: ["REFUND"])
        #expect(try await Its.standing(of: first, in: world) == (["sport"], ["sport"]))
        try await world.advance(to: "2026-01-20", expecting: [])
        try await Its.reverse(first, in: world)
        #expect(try await Its.standing(of: first, in: world) == (["sport", "news"], ["sport"]))
        try await world.check()
    }

    @Test(
        "Where an item was given back at the same moment as the rest, the rest alone comes back",
        arguments: Backend.available)
    func oneMoment(_ backend: Backend) async throws {
        let (world, first, _) = try await Its.paper(backend)
        try await Its.giveBack(3, ["chess"], of: first, in: world)
        try await world.settle(expecting: ["REFUND"])
        try await world.store.refund(transaction: first, .full, reason: .other, in: .production)
        try await world.settle(expecting: ["REFUND"])
        #expect(try await Its.standing(of: first, in: world) == (["sport"], ["sport"]))
        try await Its.reverse(first, in: world)
        #expect(try await Its.standing(of: first, in: world) == (["sport", "news"], ["sport"]))
        let ledger = try await world.store.ledger(after: 0, limit: 99, in: .production)
        #expect(ledger.reduce(0) { $0 + $1.entry.customer } == -(9_990 + 4_200))
        try await world.check()
    }

    @Test(
        "A change that the bank has not answered is given up for what comes back",
        arguments: Backend.available)
    func unpaidChange(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await world.store.refund(transaction: first, .full, reason: .other, in: .production)
        try await world.settle(expecting: ["REFUND"])
        try await world.store.setPaymentMethod(
            .answersLater(after: .hours(12), isPaid: true), account: "ada", in: .production)
        let newest = try await Its.transaction("\(second)", in: world)
        let ada = try await world.device()
        _ = try await world.store.buy(
            Its.modify(3, newest) { $0.addItems = [Its.added("maps", 990)] }, by: ada)
        try await world.store.reverseRefund(transaction: first, in: .production)
        try await world.advance(to: "2026-01-13", expecting: ["REFUND_REVERSED"])
        #expect(
            try await Its.standing(of: first, in: world) == (["sport", "news", "chess"], ["sport"]))
        try await world.check()
    }

    @Test(
        "Where the last items ended in retry, their payment leaves it over and not refunded",
        arguments: Backend.available)
    func inRetry(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await Its.giveBack(3, ["sport"], of: second, in: world)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        try await world.advance(to: "2026-02-02", expecting: ["REFUND", "DID_FAIL_TO_RENEW"])
        _ = try await world.store.answer(bill: first, .reversed, in: .production)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY", "REFUND",
            ])
        #expect(try await world.status("\(first)").status == .revoked)
        try await world.advance(to: "2026-02-03", expecting: [])
        _ = try await world.store.answer(bill: first, .restored, in: .production)
        try await world.settle(expecting: ["REFUND_REVERSED"])
        #expect(try await world.status("\(first)").status == .expired)
        try await world.check()
    }

    @Test("Nothing comes back into another cycle, and what was extended to its longer end")
    func otherCycles() async throws {
        for isNewCycle in [true, false] {
            let (world, first, second) = try await Its.paper(.sqlite)
            try await world.store.refund(
                transaction: first, .full, reason: .other, in: .production)
            try await world.settle(expecting: ["REFUND"])
            if isNewCycle {
                let ada = try await world.device()
                let newest = try await Its.transaction("\(second)", in: world)
                _ = try await world.store.buy(
                    Its.modify(3, newest, keepsCycle: false) {
                        $0.addItems = [Its.added("maps", 990)]
                    }, by: ada)
            } else {
                _ = try await world.store.extend(
                    subscription: first, ExtensionRequest(days: 30, reasonCode: 1),
                    requestIdentifier: "one", in: .production)
            }
            try await world.store.reverseRefund(transaction: first, in: .production)
            #expect(
                try await Its.standing(of: first, in: world)
                    == (isNewCycle
                        ? (["sport", "maps"], ["sport", "maps"])
                        : (["sport", "news", "chess"], ["sport"])))
            _ = try await world.store.advance(to: World.instant("2026-03-02"))
            #expect(
                try await Its.standing(of: first, in: world).runs
                    == (isNewCycle ? ["sport", "maps"] : ["sport", "news", "chess"]))
            try await world.check()
        }
    }

    @Test("No item is called as one that may come back", arguments: Backend.available)
    func names(_ backend: Backend) async throws {
        let (world, first, _) = try await Its.paper(backend)
        try await world.store.refund(transaction: first, .full, reason: .other, in: .production)
        try await world.settle(expecting: ["REFUND"])
        await Its.expect(APIError.AdvancedCommerce.invalidProductChanges) {
            _ = try await world.store.changeMetadata(
                transaction: first,
                AdvancedCommerceSubscriptionChangeMetadataRequest(
                    requestInfo: Its.reference(3),
                    items: [
                        .init(currentSKU: "sport", effective: .immediately, sku: "chess")
                    ]), for: Its.production)
        }
    }

    @Test("Nor one that came after it had ended", arguments: Backend.available)
    func namesOfLater(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await world.store.refund(transaction: first, .full, reason: .other, in: .production)
        let newest = try await Its.transaction("\(second)", in: world)
        _ = try await Its.buy(
            Its.modify(3, newest) { $0.addItems = [Its.added("maps", 990)] },
            by: try await world.device(), in: world)
        try await world.settle(expecting: ["REFUND", "DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        func call(_ number: Int, _ sku: String) async throws {
            _ = try await world.store.changeMetadata(
                transaction: first,
                AdvancedCommerceSubscriptionChangeMetadataRequest(
                    requestInfo: Its.reference(number),
                    items: [.init(currentSKU: "maps", effective: .immediately, sku: sku)]),
                for: Its.production)
        }
        await Its.expect(APIError.AdvancedCommerce.invalidProductChanges) {
            try await call(4, "chess")
        }
        try await call(5, "atlas")
        try await world.settle(expecting: ["METADATA_UPDATE"])
        try await Its.reverse(first, in: world)
        #expect(
            try await Its.standing(of: first, in: world).runs == [
                "sport", "atlas", "news", "chess",
            ])
    }
}
