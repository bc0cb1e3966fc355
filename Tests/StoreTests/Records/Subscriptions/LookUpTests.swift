import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Look-ups")
struct LookUpTests {
    private static let token = "0a1b2c3d-0000-4000-8000-000000000001"
    private static let other = "0a1b2c3d-0000-4000-8000-000000000002"

    @Test(
        "Any transaction of a customer leads to everything, the app's too",
        arguments: Backend.available)
    func anyTransaction(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let coins = try await world.subscribe("coins", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        let history = try await world.history("\(id)")
        let copy = try #require(history.first?.appTransactionId)
        let shown = try await world.shows(id)
        for one in [Int64(history[2].transactionId)!, coins, Int64(copy)!] {
            #expect(try await world.shows(one) == shown)
            #expect(try await world.history("\(one)").count == 3)
            let app: AppTransaction = try JWSText.decode(
                try await world.store.appTransactionInfo(
                    anyTransaction: one, for: world.caller()))
            #expect(app.appTransactionId == copy)
        }
        let caller = world.caller()
        #expect(try await world.store.isAppTransaction(Int64(copy)!, for: caller))
        #expect(try await !world.store.isAppTransaction(id, for: caller))
        // Of what is in the other environment nothing is told.
        #expect(
            try await !world.store.isAppTransaction(Int64(copy)!, for: world.caller(.sandbox)))
    }

    @Test("A request reads once, in as few statements as it needs", arguments: Backend.available)
    func statements(_ backend: Backend) async throws {
        let database = FaultyDatabase(try await backend.borrowDatabase())
        let world = try await World(database: database, isListening: false)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.subscribe("coins", by: ada)
        let shown = try #require(try await world.history("\(id)").first?.appTransactionId)
        let copy = try #require(Int64(shown))
        let (store, caller) = (world.store, world.caller())
        func count(_ ask: () async throws -> Void) async throws -> [Int] {
            database.arm(nil)
            try await ask()
            #expect(database.counts.changes == 0)
            return [database.reads, database.counts.statements]
        }
        // The world, and the transaction with the customer's copy of the app.
        let info = try await count { _ = try await store.transactionInfo(id, for: caller) }
        #expect(info == [1, 2])
        // The world, the customer with the copy, and what they have.
        let statuses = try await count {
            _ = try await store.statuses(anyTransaction: id, [], for: caller)
        }
        #expect(statuses == [1, 3])
        let history = try await count {
            _ = try await store.history(
                anyTransaction: id, HistoryFilter(), revision: nil, for: caller)
        }
        #expect(history == [1, 3])
        // By the app transaction it is one more: it is no transaction's number.
        let byCopy = try await count {
            _ = try await store.statuses(anyTransaction: copy, [], for: caller)
        }
        #expect(byCopy == [1, 4])
    }

    @Test("Without the copy of the app nothing is presented", arguments: Backend.available)
    func missingCopy(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.database.write { try $0.execute("DELETE FROM customer_app") }
        let (store, caller) = (world.store, world.caller())
        for ask in [
            { _ = try await store.transactionInfo(id, for: caller) },
            { _ = try await store.statuses(anyTransaction: id, [], for: caller) },
            {
                _ = try await store.history(
                    anyTransaction: id, HistoryFilter(), revision: nil, for: caller)
            },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: StorageError.self) { try await ask() }
            #expect(error?.code == .corrupt)
        }
    }

    @Test("Unknown identifiers are refused everywhere", arguments: Backend.available)
    func unknown(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        for unknown in [0, -1, 1, id + 1, Int64.max, Int64.min] {
            let error = StoreError.unknown(.transaction, "\(unknown)")
            await #expect(throws: error) {
                try await world.store.transactionInfo(unknown, for: world.caller())
            }
            await #expect(throws: error) {
                try await world.store.statuses(anyTransaction: unknown, [], for: world.caller())
            }
            await #expect(throws: error) {
                try await world.store.history(
                    anyTransaction: unknown, HistoryFilter(), revision: nil, for: world.caller())
            }
            await #expect(throws: error) {
                try await world.store.appTransactionInfo(
                    anyTransaction: unknown, for: world.caller())
            }
            await #expect(throws: StoreError.unknown(.originalTransaction, "\(unknown)")) {
                try await world.store.subscription(unknown)
            }
            await #expect(throws: StoreError.unknown(.originalTransaction, "\(unknown)")) {
                try await world.store.timeline(subscription: unknown, after: 0, limit: 1)
            }
        }
        let stranger = Caller(bundleID: "com.example.other", environment: .production)
        await #expect(throws: StoreError.unknown(.app, "com.example.other")) {
            try await world.store.transactionInfo(id, for: stranger)
        }
    }

    @Test("One app does not see another app's transactions", arguments: Backend.available)
    func otherApp(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.addApp(
            bundleID: "com.example.other", appleID: 2, settings: App.Settings(name: "Other"))
        try await world.store.importCatalogue(
            SampleCatalogue.all, bundleID: "com.example.other")
        let other = Caller(bundleID: "com.example.other", environment: .production)
        await #expect(throws: StoreError.unknown(.transaction, "\(id)")) {
            try await world.store.transactionInfo(id, for: other)
        }
        // The same customer, product and group, in another app: a subscription of its own.
        let there = try await world.store.signIn(
            SignInRequest(bundleID: "com.example.other", account: "ada"), in: .production,
            token: "there")
        let second = try await world.subscribe("silver.monthly", by: there)
        #expect(second != id)
        #expect(try await world.store.entitlements(for: ada).map(\.id) == [id])
        #expect(try await world.store.entitlements(for: there).map(\.id) == [second])
    }

    @Test("The statuses filter leaves others out", arguments: Backend.available)
    func statuses(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.subscribe("news.monthly", by: ada)
        try await world.store.end(subscription: id)
        func groups(_ wanted: Set<Status>) async throws -> [String] {
            try await world.store.statuses(anyTransaction: id, wanted, for: world.caller())
                .data.map(\.subscriptionGroupIdentifier)
        }
        #expect(try await groups([]) == ["club", "news"])
        #expect(try await groups([.active]) == ["news"])
        #expect(try await groups([.expired]) == ["club"])
        #expect(try await groups([.expired, .active]) == ["club", "news"])
        #expect(try await groups([.billingRetry, .billingGracePeriod, .revoked]) == [])
        let response = try await world.store.statuses(
            anyTransaction: id, [], for: world.caller())
        #expect(response.bundleId == World.bundleID)
        #expect(response.appAppleId == World.appleID)
        #expect(response.environment == .production)
    }

    @Test("An order on a receipt leads to its transaction", arguments: Backend.available)
    func orders(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let queue = try await world.store.transactions(
            for: ada, unfinishedOnly: true, after: 0, limit: 10)
        let order = try #require(queue.first?.orderID)
        let found = try await world.store.transactions(ofOrder: order, for: world.caller())
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(
            try #require(found.first))
        #expect(found.count == 1)
        #expect(transaction.transactionId == "\(id)")
        for wrong in [
            "", "M", "X1", order + "0", order.lowercased(), "M-1", "M0\(order.dropFirst())",
        ] {
            #expect(try await world.store.transactions(ofOrder: wrong, for: world.caller()) == [])
        }
    }

    @Test(
        "A token that was set holds for the newest transaction and all later ones",
        arguments: Backend.available)
    func appAccountToken(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "silver.monthly", appAccountToken: Self.token), by: ada)
        let id = try #require(try await world.store.subscriptions(for: ada).first)
            .originalTransactionID
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        try await world.store.setAppAccountToken(
            Self.other, originalTransaction: id, bundleID: World.bundleID, in: .production)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        let history = try await world.history("\(id)")
        #expect(history.map(\.appAccountToken) == [Self.token, Self.other, Self.other])
        #expect(try await world.status("\(id)").renewal.appAccountToken == Self.other)
        await #expect(
            throws: StoreError.subscription(.notAnOriginalTransaction(history[1].transactionId))
        ) {
            try await world.store.setAppAccountToken(
                Self.token, originalTransaction: Int64(history[1].transactionId)!,
                bundleID: World.bundleID, in: .production)
        }
    }

    @Test("A token can be set on a purchase that is no subscription", arguments: Backend.available)
    func tokenOnCoins(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("coins", by: ada)
        try await world.store.setAppAccountToken(
            Self.token, originalTransaction: id, bundleID: World.bundleID, in: .production)
        #expect(try await world.history("\(id)").map(\.appAccountToken) == [Self.token])
    }

    @Test("The timeline tells a subscription's life in pages", arguments: Backend.available)
    func timeline(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-11"))
        _ = try await world.store.purchase(PurchaseRequest(productID: "gold.monthly"), by: ada)
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        let all = try await world.store.timeline(subscription: id, after: 0, limit: 100)
        #expect(
            all.map { "\(World.text($0.at)) \($0.name) \($0.notices.joined(separator: " "))" } == [
                "2026-01-01 chosePlan SUBSCRIBED/INITIAL_BUY",
                "2026-01-11 chosePlan DID_CHANGE_RENEWAL_PREF/UPGRADE",
                "2026-01-11 turnedRenewalOff DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "2026-02-11 becameDue EXPIRED/VOLUNTARY",
            ])
        #expect(all.map(\.amount) == [9_990, 19_990, nil, nil])
        #expect(all.map(\.refunded) == [nil, 6_770, nil, nil])
        #expect(all.allSatisfy { $0.currency == "USD" })
        var paged: [TimelineEntry] = []
        while true {
            let page = try await world.store.timeline(
                subscription: id, after: paged.last?.sequence ?? 0, limit: 3)
            if page.isEmpty { break }
            paged += page
        }
        #expect(paged == all)
    }
}
