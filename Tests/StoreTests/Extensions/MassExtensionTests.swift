import AppStoreWire
import Journal
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

@Suite("Mass extensions")
struct MassExtensionTests {
    private static let identifier = "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a"

    private static func order(
        _ product: String = "silver.monthly", storefronts: [String]? = nil,
        _ identifier: String = identifier
    ) throws -> MassExtensionOrder {
        MassExtensionOrder(
            productID: product, storefronts: storefronts?.map { Storefront(code: $0)! },
            request: try ExtensionRequest(days: 10, reasonCode: 3),
            requestIdentifier: identifier)
    }

    @Test(
        "Every subscription of the product gets a result, then the summary comes",
        arguments: Backend.available)
    func results(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        for account in ["ada", "bob"] {
            _ = try await world.subscribe("silver.monthly", by: world.device(account))
        }
        _ = try await world.subscribe(
            "silver.monthly", by: world.device("dora", storefront: "DEU"))
        let eve = try await world.device("eve")
        let over = try await world.subscribe("silver.monthly", by: eve)
        try await world.store.end(subscription: over)
        try await world.settle(expecting: ["EXPIRED"])
        let fay = try await world.device("fay")
        _ = try await world.subscribe("silver.monthly", by: fay)
        _ = try await world.subscribe("bronze.monthly", by: world.device("gil"))
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "fay", in: .production)
        try await world.advance(
            to: "2026-02-15",
            expecting: [
                "DID_RENEW", "DID_RENEW", "DID_RENEW", "DID_FAIL_TO_RENEW", "DID_RENEW",
            ])
        try await world.store.massExtend(try Self.order(), for: world.caller())
        let waiting = try await world.store.massExtensionStatus(
            productID: "silver.monthly", requestIdentifier: Self.identifier, for: world.caller())
        #expect(!waiting.complete)
        try await world.settle(
            telling: [
                "2026-02-15 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-25",
                "2026-02-15 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-25",
                "2026-02-15 RENEWAL_EXTENDED 1 silver.monthly 9.99 EUR until 2026-03-25",
                "2026-02-15 RENEWAL_EXTENSION/FAILURE 3 silver.monthly 9.99 until 2026-02-15",
                "2026-02-15 RENEWAL_EXTENSION/SUMMARY",
            ])
        let status = try await world.store.massExtensionStatus(
            productID: "silver.monthly", requestIdentifier: Self.identifier, for: world.caller())
        #expect(status.complete)
        #expect([status.succeededCount, status.failedCount] == [3, 1])
        #expect(status.completeDate == World.instant("2026-02-15").milliseconds)
        // The same identifier again is no second run.
        try await world.store.massExtend(try Self.order(), for: world.caller())
        try await world.settle(expecting: [])
    }

    @Test(
        "Who is in grace cannot be extended, and the developer is told so (EXT-4, GRA-9)",
        arguments: Backend.available)
    func grace(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15") { $0.gracePeriod = .sixteenDays }
        let ada = try await world.subscribe("silver.monthly", by: world.device("ada"))
        _ = try await world.subscribe("silver.monthly", by: world.device("bob"))
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        try await world.advance(
            to: "2026-02-16", expecting: ["DID_FAIL_TO_RENEW/GRACE_PERIOD", "DID_RENEW"])
        try await world.store.massExtend(try Self.order(), for: world.caller())
        try await world.settle(
            telling: [
                "2026-02-16 RENEWAL_EXTENSION/FAILURE 4 silver.monthly 9.99 until 2026-02-15",
                "2026-02-16 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-25",
                "2026-02-16 RENEWAL_EXTENSION/SUMMARY",
            ])
        let status = try await world.store.massExtensionStatus(
            productID: "silver.monthly", requestIdentifier: Self.identifier, for: world.caller())
        #expect([status.succeededCount, status.failedCount] == [1, 1])
        #expect(
            try await world.shows(ada) == [
                "4 silver.monthly on 2026-02-15 9.99 intent 2 retrying grace 2026-03-03"
            ])
    }

    @Test(
        "An order larger than a batch extends everybody once",
        arguments: Backend.available, [999, 1000, 1001])
    func batches(_ backend: Backend, _ count: Int) async throws {
        let world = try await World(backend, at: "2026-01-15", isListening: false)
        let first = try await world.subscribe("silver.monthly", by: world.device())
        try await Self.multiply(first, to: count, in: world.database)
        try await world.store.massExtend(try Self.order(), for: world.caller())
        try await world.store.settle()
        let status = try await world.store.massExtensionStatus(
            productID: "silver.monthly", requestIdentifier: Self.identifier, for: world.caller())
        #expect(status.complete)
        #expect([status.succeededCount, status.failedCount] == [Int64(count), 0])
        let ends = try await world.database.read { session in
            try session.rows("SELECT term_end, COUNT(*) FROM subscription GROUP BY term_end").map {
                [try $0.integer(0), try $0.integer(1)]
            }
        }
        #expect(ends == [[World.instant("2026-02-25").milliseconds, Int64(count)]])
    }

    /// Copies a subscription, its customer and its transaction until there are so many.
    private static func multiply(
        _ first: Int64, to count: Int, in database: any Database
    ) async throws {
        try await database.write { session in
            let one = try #require(try SubscriptionRecord.find(first, in: session))
            func copy(
                _ table: String, _ id: Int64, _ columns: [String], _ changed: [String: String]
            ) throws {
                try session.execute(
                    """
                    INSERT INTO \(raw: table) (\(raw: columns.joined(separator: ", ")))
                    WITH RECURSIVE numbers (n) AS (
                        SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count - 1))
                    SELECT \(raw: columns.map { changed[$0] ?? $0 }.joined(separator: ", "))
                    FROM \(raw: table), numbers WHERE id = \(id)
                    """)
            }
            let ids = ["id", "customer", "original_id", "subscription", "term_transaction"]
            var changed = Dictionary(uniqueKeysWithValues: ids.map { ($0, "\($0) + 1000 * n") })
            changed["account"] = "account || n"
            changed["modification"] = "modification + 1000 * n"
            try copy("customer", one.customer, names(Customer.columns), changed)
            try copy("subscription", first, one.allColumns.columns.map(\.name), changed)
            try copy("store_transaction", first, names(TransactionRecord.columns), changed)
        }
    }

    private static func names(_ columns: String) -> [String] {
        columns.split(separator: ", ").map { String($0.drop { $0 != "." }.dropFirst()) }
    }

    @Test("Storefronts narrow it, and the summary names them", arguments: Backend.available)
    func storefronts(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        _ = try await world.subscribe("silver.monthly", by: world.device("ada"))
        _ = try await world.subscribe(
            "silver.monthly", by: world.device("dora", storefront: "DEU"))
        try await world.store.massExtend(
            try Self.order(storefronts: ["DEU", "FRA"]), for: world.caller())
        try await world.store.settle()
        let arrivals = world.listener.takeArrivals()
        #expect(arrivals.map(\.name) == ["RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY"])
        let summary = try #require(arrivals.last?.notification.summary)
        #expect(summary.requestIdentifier == Self.identifier)
        #expect(summary.storefrontCountryCodes == ["DEU", "FRA"])
        #expect(summary.appAppleId == World.appleID)
        #expect([summary.succeededCount, summary.failedCount] == [1, 0])
        #expect(arrivals.last?.notification.data == nil)
    }

    @Test("Failures can be provoked, and retried one by one", arguments: Backend.available)
    func provoked(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15") { $0.failingExtensions = 100 }
        let id = try await world.subscribe("silver.monthly", by: world.device())
        try await world.store.massExtend(try Self.order(), for: world.caller())
        try await world.settle(
            telling: [
                "2026-01-15 RENEWAL_EXTENSION/FAILURE 1 silver.monthly 9.99 until 2026-02-15",
                "2026-01-15 RENEWAL_EXTENSION/SUMMARY",
            ])
        let extended = try await world.store.extend(
            originalTransaction: id, try ExtensionRequest(days: 10, reasonCode: 3),
            requestIdentifier: "retry", for: world.caller())
        #expect(extended.effective == World.instant("2026-02-25"))
        try await world.settle(expecting: ["RENEWAL_EXTENDED"])
    }

    @Test("What is not there changes nothing", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.unknown(.product, "none")) {
            try await world.store.massExtend(try Self.order("none"), for: world.caller())
        }
        await #expect(throws: StoreError.subscription(.notASubscription("coins"))) {
            try await world.store.massExtend(try Self.order("coins"), for: world.caller())
        }
        await #expect(throws: StoreError.unknown(.massExtension, "x")) {
            _ = try await world.store.massExtensionStatus(
                productID: "silver.monthly", requestIdentifier: "x", for: world.caller())
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }
}
