import AppStoreWire
import Journal
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Mia is a child and asks before she buys, from 1 January 2026 on.
@Suite("Stories: purchases that somebody approves")
struct AskToBuyStories {
    static func world(
        _ backend: Backend, in environment: StoreEnvironment = .production,
        _ change: BuyingChange = BuyingChange(asksToBuy: true),
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws -> (world: World, mia: DeviceSession) {
        let world = try await World(backend, configure: configure)
        let mia = try await world.device("mia", in: environment)
        try await world.store.setBuying(change, account: "mia", in: environment)
        return (world, mia)
    }

    private func ask(
        _ product: String, _ world: World, by mia: DeviceSession, quantity: Int = 1,
        key: String? = nil
    ) async throws -> Int64 {
        let bought = try await world.store.buy(
            PurchaseRequest(productID: product, quantity: quantity, idempotencyKey: key), by: mia)
        #expect(bought.signedTransaction == nil && bought.pendingBill == nil)
        return try #require(bought.request)
    }

    private func unfinished(_ world: World, _ mia: DeviceSession) async throws -> [String] {
        try await world.store.transactions(for: mia, unfinishedOnly: true, after: 0, limit: 10)
            .map(\.productID)
    }

    @Test(
        "What waits is listed at what will be charged, offers included",
        arguments: Backend.available)
    func listedPrice(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        func listed() async throws -> [Int64?] {
            try await world.store.heldPurchases(for: mia).map { $0.price?.milliunits }
        }
        let trial = try await ask("silver.trial", world, by: mia)
        #expect(try await listed() == [0])
        try await world.store.approve(heldPurchase: trial, in: .production)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        // The introductory offer is used up; an upgrade costs what it costs, a downgrade waits.
        _ = try await ask("gold.monthly", world, by: mia)
        #expect(try await listed() == [19_990])
        _ = try await ask("bronze.monthly", world, by: mia)
        #expect(try await listed().first == 4_990)
        try await world.check()
    }

    @Test(
        "What waits for the end of a commitment is listed at what it costs there",
        arguments: Backend.available)
    func priceBehindCommitment(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: CommitmentStories.catalogue)
        let mia = try await world.device("mia", storefront: "DEU")
        _ = try await world.store.buy(
            PurchaseRequest(productID: "gold.year", billing: .monthly), by: mia)
        _ = try await world.store.advance(to: World.instant("2026-03-10"))
        try await world.store.setBuying(
            BuyingChange(asksToBuy: true), account: "mia", in: .production)
        _ = try await world.store.buy(
            PurchaseRequest(productID: "silver.year", billing: .monthly), by: mia)
        let waiting = try await world.store.heldPurchases(for: mia)
        #expect(waiting.map { $0.price?.milliunits } == [9_000])
        try await world.check()
    }

    @Test(
        "Nothing happens until it is approved, then the transaction comes up (ATB-1)",
        arguments: Backend.available)
    func approved(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        let request = try await ask("silver.monthly", world, by: mia)
        try await world.settle(telling: [])
        #expect(try await world.store.customer(account: "mia", in: .production).1.isEmpty)
        #expect(try await world.ledger("mia") == [])
        #expect(try await unfinished(world, mia) == [])
        #expect(try await world.store.heldPurchases(for: mia).map(\.request.id) == [request])
        try await world.advance(to: "2026-01-01T20:00:00Z", telling: [])
        let entry = try await world.store.approve(heldPurchase: request, in: .production)
        #expect(entry.request.state == .approved && entry.request.obstacle == nil)
        #expect(entry.request.decided == World.instant("2026-01-01T20:00:00Z"))
        #expect(entry.transactionID != nil)
        try await world.settle(
            telling: [
                """
                2026-01-01 20:00 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 \
                until 2026-02-01 20:00
                """
            ])
        #expect(try await unfinished(world, mia) == ["silver.monthly"])
        #expect(try await world.store.heldPurchases(for: mia).isEmpty)
        // What was approved renews without asking again.
        try await world.advance(
            to: "2026-02-02",
            telling: [
                "2026-02-01 20:00 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01 20:00"
            ])
        try await world.check()
    }

    @Test(
        "Of every kind of product, in the quantity and with the token that were asked for",
        arguments: Backend.available)
    func kinds(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        var requests: [Int64] = []
        for (product, quantity) in [("coins", 3), ("lifetime", 1), ("season", 1)] {
            let bought = try await world.store.buy(
                PurchaseRequest(
                    productID: product, quantity: quantity, appAccountToken: token), by: mia)
            requests.append(try #require(bought.request))
        }
        try await world.settle(telling: [])
        for id in requests.reversed() {
            try await world.store.approve(heldPurchase: id, in: .production)
        }
        try await world.settle(
            telling: [
                "2026-01-01 ONE_TIME_CHARGE season 14.99",
                "2026-01-01 ONE_TIME_CHARGE lifetime 49.99",
                "2026-01-01 ONE_TIME_CHARGE coins 2.97 × 3",
            ])
        let history = try await world.history(
            String(
                try #require(
                    try await world.store.heldPurchase(requests[0], in: .production).transactionID))
        )
        #expect(history.allSatisfy { $0.appAccountToken == token })
        // What is owned is delivered again without asking anybody.
        let again = try await world.store.buy(PurchaseRequest(productID: "lifetime"), by: mia)
        #expect(again.isDeliveredAgain && again.request == nil)
        try await world.check()
    }

    @Test(
        "It lapses after 24 hours, and a repeat joins it and begins the time anew (ATB-2)",
        arguments: Backend.available)
    func lapses(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        let first = try await ask("coins", world, by: mia)
        try await world.advance(to: "2026-01-01T18:00:00Z", telling: [])
        #expect(try await ask("coins", world, by: mia, quantity: 2) == first)
        let other = try await ask("season", world, by: mia)
        #expect(other != first)
        #expect(
            try await world.store.clockReading().nextEvent
                == World.instant("2026-01-02T18:00:00Z"))
        let advance = try await world.store.advance(to: World.instant("2026-01-02T17:59:59Z"))
        #expect(advance.changes == 0)
        #expect(
            try await world.store.heldPurchases(.waiting, limit: 9, in: .production).count == 2)
        #expect(try await world.store.advance(to: World.instant("2026-01-03")).changes == 2)
        let lapsed = try await world.store.heldPurchase(first, in: .production).request
        #expect(lapsed.state == .lapsed && lapsed.quantity == 2)
        #expect(lapsed.decided == World.instant("2026-01-02T18:00:00Z"))
        for act in [world.store.approve, Self.decline(world)] {
            await #expect(throws: StoreError.purchase(.requestClosed(first, .lapsed))) {
                _ = try await act(first, nil, .production)
            }
        }
        #expect(try await ask("coins", world, by: mia) != first)
        try await world.settle(telling: [])
        try await world.check()
    }

    private static func decline(
        _ world: World
    ) -> (Int64, DeviceSession?, StoreEnvironment) async throws -> HeldPurchaseEntry {
        { try await world.store.decline(heldPurchase: $0, in: $2) }
    }

    @Test(
        "Declined, nothing is bought, and it cannot be decided again",
        arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        let request = try await ask("lifetime", world, by: mia)
        let entry = try await world.store.decline(heldPurchase: request, in: .production)
        #expect(entry.request.state == .declined && entry.transactionID == nil)
        try await world.settle(telling: [])
        #expect(try await unfinished(world, mia) == [])
        await #expect(throws: StoreError.purchase(.requestClosed(request, .declined))) {
            try await world.store.approve(heldPurchase: request, in: .production)
        }
        await #expect(throws: StoreError.unknown(.purchaseRequest, String(request))) {
            try await world.store.approve(heldPurchase: request, in: .sandbox)
        }
        await #expect(throws: StoreError.unknown(.purchaseRequest, "5")) {
            try await world.store.decline(heldPurchase: 5, in: .production)
        }
        try await world.check()
    }

    @Test("It costs what it costs when it is approved", arguments: Backend.available)
    func price(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        let request = try await ask("silver.monthly", world, by: mia)
        try await world.schedule("silver.monthly", 12_990, live: "2026-01-01T06:00:00Z")
        try await world.advance(to: "2026-01-01T12:00:00Z", telling: [])
        #expect(
            try await world.store.heldPurchase(request, in: .production).price?.milliunits
                == 12_990)
        try await world.store.approve(heldPurchase: request, in: .production)
        #expect(try await world.ledger("mia") == ["2026-01-01 12:00 +12.99"])
    }

    @Test(
        "What refuses a purchase refuses it before anybody is asked",
        arguments: Backend.available)
    func refusedBefore(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend, BuyingChange())
        _ = try await world.subscribe("silver.monthly", by: mia)
        try await world.store.setBuying(
            BuyingChange(asksToBuy: true), account: "mia", in: .production)
        try await world.store.setAvailability(
            false, product: "coins", storefront: nil, bundleID: World.bundleID)
        for (product, quantity, error) in [
            ("nothing", 1, StoreError.unknown(.product, "nothing")),
            ("coins", 1, .purchase(.notForSale("coins"))),
            ("coins", 11, .purchase(.invalidQuantity(11, largest: 10))),
            ("silver.monthly", 1, .refused(.alreadySubscribed)),
        ] {
            await #expect(throws: error) {
                try await world.store.buy(
                    PurchaseRequest(productID: product, quantity: quantity), by: mia)
            }
        }
        #expect(try await world.store.heldPurchases(limit: 9, in: .production).isEmpty)
    }

    @Test(
        "What refuses a purchase by then is said, and nothing is bought",
        arguments: Backend.available)
    func obstacles(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        func outcome(
            of product: String, _ meanwhile: () async throws -> Void
        ) async throws -> HeldPurchase.Obstacle? {
            let request = try await ask(product, world, by: mia)
            try await meanwhile()
            let entry = try await world.store.approve(heldPurchase: request, in: .production)
            #expect(entry.request.state == .approved && entry.transactionID == nil)
            return entry.request.obstacle
        }
        #expect(
            try await outcome(of: "coins") {
                try await AvailabilityStories.remove("coins", .deleted, in: world)
            } == .notForSale)
        #expect(
            try await outcome(of: "season") {
                try await world.store.setPaymentMethod(
                    .declines(until: nil, left: 1), account: "mia", in: .production)
            } == .paymentDeclined)
        #expect(
            try await outcome(of: "lifetime") {
                try await world.store.setBuying(
                    BuyingChange(canMakePayments: false), account: "mia", in: .production)
            } == .paymentsNotAllowed)
        try await world.store.setBuying(
            BuyingChange(canMakePayments: true), account: "mia", in: .production)
        #expect(
            try await outcome(of: "silver.monthly") {
                try await world.store.setBuying(
                    BuyingChange(asksToBuy: false), account: "mia", in: .production)
                _ = try await world.store.buy(
                    PurchaseRequest(productID: "silver.monthly"), by: mia)
            } == .alreadySubscribed)
        try await world.settle(
            telling: ["2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01"])
        #expect(
            try await world.ledger("mia") == ["2026-01-01 declined 14.99", "2026-01-01 +9.99"])
        try await world.check()
    }

    @Test(
        "A pending payment makes an approved purchase pending too",
        arguments: Backend.available)
    func pendingPayment(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        let request = try await ask("coins", world, by: mia)
        try await world.pays(.answersLater(after: .hours(2), isPaid: true), account: "mia")
        let entry = try await world.store.approve(heldPurchase: request, in: .production)
        #expect(entry.request.bill != nil && entry.transactionID == nil)
        try await world.advance(
            to: "2026-01-02", telling: ["2026-01-01 02:00 ONE_TIME_CHARGE coins 0.99"])
        #expect(
            try await world.store.heldPurchase(request, in: .production).transactionID
                == entry.request.bill)
        try await world.check()
    }

    @Test("A repeated command finds what has become of its request", arguments: Backend.available)
    func idempotent(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        func again(_ product: String, _ key: String) async throws -> Bought {
            try await world.store.buy(
                PurchaseRequest(productID: product, idempotencyKey: key), by: mia)
        }
        let request = try await ask("coins", world, by: mia, key: "a")
        #expect(try await again("coins", "a").request == request)
        // Joined by another command, the time begins anew; repeated, it does not.
        try await world.advance(to: "2026-01-01T01:00:00Z", telling: [])
        #expect(try await again("coins", "b").request == request)
        try await world.advance(to: "2026-01-01T02:00:00Z", telling: [])
        #expect(try await again("coins", "a").request == request)
        #expect(
            try await world.store.heldPurchase(request, in: .production).request.lapses
                == World.instant("2026-01-02T01:00:00Z"))
        await #expect(throws: StoreError.request(.commandIDReused)) {
            try await again("season", "a")
        }
        try await world.store.approve(heldPurchase: request, in: .production)
        for key in ["a", "b"] {
            #expect(try await again("coins", key).signedTransaction != nil)
        }
        let second = try await ask("coins", world, by: mia, key: "c")
        try await world.store.decline(heldPurchase: second, in: .production)
        await #expect(throws: StoreError.purchase(.requestClosed(second, .declined))) {
            try await again("coins", "c")
        }
        #expect(try await again("coins", "a").signedTransaction != nil)
        try await world.settle(telling: ["2026-01-01 02:00 ONE_TIME_CHARGE coins 0.99"])
        #expect(try await world.ledger("mia") == ["2026-01-01 02:00 +0.99"])
    }

    @Test(
        "Sandbox can defer and not approve, unless the app is set so (ATB-3)",
        arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend, in: .sandbox)
        let request = try await ask("coins", world, by: mia)
        await #expect(throws: StoreError.setting(.sandboxCannotApprove)) {
            try await world.store.approve(heldPurchase: request, in: .sandbox)
        }
        try await world.store.configure(bundleID: World.bundleID) {
            $0.sandboxApprovesPurchases = true
        }
        try await world.store.approve(heldPurchase: request, in: .sandbox)
        try await world.settle(telling: ["2026-01-01 ONE_TIME_CHARGE coins 0.99"])
    }

    @Test("What would happen is told, and nothing is kept", arguments: Backend.available)
    func rehearsed(_ backend: Backend) async throws {
        let (world, mia) = try await Self.world(backend)
        let asking = try await Store.rehearsing {
            _ = try await world.store.buy(PurchaseRequest(productID: "coins"), by: mia)
        }
        #expect(asking.map(\.kind) == [.askedToBuy])
        #expect(try await world.store.heldPurchases(limit: 9, in: .production).isEmpty)
        let request = try await ask("coins", world, by: mia)
        let approving = try await Store.rehearsing {
            try await world.store.approve(heldPurchase: request, in: .production)
        }
        #expect(approving.map(\.kind) == [.bought, .approvedPurchase])
        let entry = try await world.store.heldPurchase(request, in: .production)
        #expect(entry.request.state == .waiting)
        try await world.settle(telling: [])
    }
}
