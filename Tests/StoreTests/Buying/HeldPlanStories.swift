import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Mia subscribed to silver on 1 January 2026 and asks, is interrupted, or may not pay since.
@Suite("Stories: changes of plan that wait, interrupted purchases, accounts that may not pay")
struct HeldPlanStories {
    private func subscribed(
        _ backend: Backend, _ change: BuyingChange
    ) async throws -> (world: World, mia: DeviceSession, id: Int64) {
        let world = try await World(backend)
        let mia = try await world.device("mia")
        let id = try await world.subscribe("silver.monthly", by: mia)
        try await world.store.setBuying(change, account: "mia", in: .production)
        return (world, mia, id)
    }

    private static let downgrade =
        "2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.monthly 9.99 until 2026-02-01"

    @Test(
        "A change of plan waits, chosen on either screen", arguments: Backend.available,
        [
            true, false,
        ])
    func planChange(_ backend: Backend, _ byBuying: Bool) async throws {
        let (world, mia, id) = try await subscribed(backend, BuyingChange(asksToBuy: true))
        let request: Int64?
        if byBuying {
            request = try await world.store.buy(
                PurchaseRequest(productID: "gold.monthly"), by: mia
            ).request
        } else {
            request = try await world.store.change(
                subscription: id, [.product("gold.monthly")], by: mia)
        }
        try await world.settle(telling: [])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-01 9.99"])
        try await world.advance(to: "2026-01-01T12:00:00Z", telling: [])
        let entry = try await world.store.approve(
            heldPurchase: try #require(request), in: .production)
        #expect(entry.transactionID != nil)
        try await world.store.settle()
        #expect(
            world.listener.takeArrivals().map(\.name) == ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(
            try await world.shows(id) == ["1 gold.monthly on 2026-02-01 12:00 19.99"])
        try await world.check()
    }

    @Test(
        "What was approved and waits for the bank is asked of nobody again",
        arguments: Backend.available, [true, false])
    func pending(_ backend: Backend, _ byBuying: Bool) async throws {
        let (world, mia, id) = try await subscribed(backend, BuyingChange(asksToBuy: true))
        let change = [SubscriptionChange.product("gold.monthly")]
        let request = try #require(
            try await world.store.change(subscription: id, change, by: mia))
        try await world.store.setPaymentMethod(
            .answersLater(after: .hours(2), isPaid: true), account: "mia", in: .production)
        try await world.store.approve(heldPurchase: request, in: .production)
        if byBuying {
            let again = try await world.store.buy(
                PurchaseRequest(productID: "gold.monthly"), by: mia)
            #expect(again.request == nil)
        } else {
            #expect(try await world.store.change(subscription: id, change, by: mia) == nil)
        }
        let requests = try await world.store.heldPurchases(
            account: "mia", limit: 10, in: .production)
        #expect(requests.map(\.request.state) == [.approved])
        // Another plan is no more asked for than it can be had.
        await #expect(throws: StoreError.refused(.paymentPending)) {
            try await world.store.change(
                subscription: id, [.product("bronze.monthly")], by: mia)
        }
        try await world.advance(
            to: "2026-01-01T02:00:00Z",
            telling: [
                """
                2026-01-01 02:00 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 gold.monthly 19.99 until \
                2026-02-01 02:00
                """
            ])
        try await world.check()
    }

    @Test(
        "A downgrade that is approved waits for the renewal; withdrawing it asks nobody",
        arguments: Backend.available)
    func downgrade(_ backend: Backend) async throws {
        let (world, mia, id) = try await subscribed(backend, BuyingChange(asksToBuy: true))
        let request = try #require(
            try await world.store.change(
                subscription: id, [.renewal(isOn: false), .product("bronze.monthly")], by: mia))
        // What else was asked for happens at once.
        try await world.settle(
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.monthly 9.99 \
                until 2026-02-01
                """
            ])
        let entry = try await world.store.approve(heldPurchase: request, in: .production)
        #expect(entry.request.obstacle == nil && entry.request.bill == nil)
        try await world.settle(
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED 1 silver.monthly 9.99 \
                until 2026-02-01
                """, Self.downgrade,
            ])
        try await world.change(
            id, .product("silver.monthly"), by: mia,
            telling: ["2026-01-01 DID_CHANGE_RENEWAL_PREF 1 silver.monthly 9.99 until 2026-02-01"])
        #expect(try await world.store.heldPurchases(.waiting, limit: 9, in: .production).isEmpty)
        try await world.check()
    }

    @Test(
        "A change of plan of what is over by then is approved, and nothing comes of it",
        arguments: Backend.available)
    func overMeanwhile(_ backend: Backend) async throws {
        let (world, mia, id) = try await subscribed(backend, BuyingChange(asksToBuy: true))
        let request = try #require(
            try await world.store.change(
                subscription: id, [.product("gold.monthly")], by: mia))
        try await world.store.end(subscription: id)
        let entry = try await world.store.approve(heldPurchase: request, in: .production)
        #expect(entry.request.obstacle == .notActive)
    }

    @Test(
        "What is asked for again on the other screen is what was said last",
        arguments: Backend.available)
    func otherScreen(_ backend: Backend) async throws {
        let (world, mia, id) = try await subscribed(backend, BuyingChange(asksToBuy: true))
        let request = try #require(
            try await world.store.change(
                subscription: id, [.product("gold.monthly")], by: mia))
        let token = "00000000-0000-4000-8000-000000000001"
        let again = try await world.store.buy(
            PurchaseRequest(productID: "gold.monthly", appAccountToken: token), by: mia)
        #expect(again.request == request)
        // The subscription is over by then: as a purchase it is one all the same.
        try await world.store.end(subscription: id)
        let entry = try await world.store.approve(heldPurchase: request, in: .production)
        #expect(entry.request.obstacle == nil)
        let info = try await world.status("\(id)")
        #expect(info.renewal.autoRenewProductId == "gold.monthly")
        #expect(info.renewal.appAccountToken == token)
    }

    @Test(
        "An interrupted purchase fails, and its transaction comes once that is settled (INT-4)",
        arguments: Backend.available, StoreEnvironment.allCases)
    func interrupted(_ backend: Backend, _ environment: StoreEnvironment) async throws {
        let (world, mia) = try await AskToBuyStories.world(
            backend, in: environment, BuyingChange(interruptsPurchases: true))
        func buy() async throws -> Int64? {
            do {
                _ = try await world.store.buy(
                    PurchaseRequest(productID: "lifetime", idempotencyKey: "a"), by: mia)
                return nil
            } catch StoreError.purchase(.interrupted(let id)) {
                return id
            }
        }
        let request = try #require(try await buy())
        #expect(try await buy() == request)
        try await world.settle(telling: [])
        #expect(
            try await world.store.heldPurchases(for: mia).map(\.request.reason)
                == [.interrupted])
        let entry = try await world.store.approve(
            heldPurchase: request, by: mia, in: environment)
        #expect(entry.transactionID != nil)
        try await world.settle(telling: ["2026-01-01 ONE_TIME_CHARGE lifetime 49.99"])
        let queue = try await world.store.transactions(
            for: mia, unfinishedOnly: true, after: 0, limit: 9)
        #expect(queue.map(\.productID) == ["lifetime"])
        #expect(try await buy() == nil)
        try await world.check()
    }

    @Test("An interrupted change of plan fails as a whole", arguments: Backend.available)
    func interruptedPlan(_ backend: Backend) async throws {
        let (world, mia, id) = try await subscribed(
            backend, BuyingChange(interruptsPurchases: true))
        await #expect(throws: StoreError.self) {
            try await world.store.change(
                subscription: id, [.renewal(isOn: false), .product("gold.monthly")], by: mia)
        }
        try await world.settle(telling: [])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-01 9.99"])
        let request = try #require(
            try await world.store.heldPurchases(limit: 9, in: .production).first?.request)
        #expect(request.reason == .interrupted && request.subscription == id)
        await #expect(throws: StoreError.purchase(.interrupted(request.id))) {
            try await world.store.change(subscription: id, [.product("gold.monthly")], by: mia)
        }
    }

    @Test("A customer settles interruptions, and approves nothing", arguments: Backend.available)
    func ownRequests(_ backend: Backend) async throws {
        let (world, mia) = try await AskToBuyStories.world(backend)
        let request = try #require(
            try await world.store.buy(PurchaseRequest(productID: "coins"), by: mia).request)
        await #expect(throws: StoreError.purchase(.needsApproval(request))) {
            try await world.store.approve(heldPurchase: request, by: mia, in: .production)
        }
        let bea = try await world.device("bea")
        await #expect(throws: StoreError.unknown(.purchaseRequest, String(request))) {
            try await world.store.approve(heldPurchase: request, by: bea, in: .production)
        }
        #expect(try await world.store.heldPurchases(for: bea).isEmpty)
    }

    @Test(
        "Who may not pay buys nothing, changes no plan, and keeps what renews (CAN-1)",
        arguments: Backend.available)
    func mayNotPay(_ backend: Backend) async throws {
        let (world, mia, id) = try await subscribed(backend, BuyingChange(canMakePayments: false))
        for product in ["coins", "season", "news.monthly", "gold.monthly"] {
            await #expect(throws: StoreError.purchase(.paymentsNotAllowed)) {
                try await world.store.buy(PurchaseRequest(productID: product), by: mia)
            }
        }
        await #expect(throws: StoreError.purchase(.paymentsNotAllowed)) {
            try await world.store.change(subscription: id, [.product("gold.monthly")], by: mia)
        }
        #expect(try await world.store.products([], for: mia).canMakePayments == false)
        try await world.change(
            id, .renewal(isOn: false), by: mia,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.monthly 9.99 \
                until 2026-02-01
                """
            ])
        try await world.change(
            id, .renewal(isOn: true), by: mia,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED 1 silver.monthly 9.99 \
                until 2026-02-01
                """
            ])
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
        #expect(try await world.store.heldPurchases(limit: 9, in: .production).isEmpty)
    }
}
