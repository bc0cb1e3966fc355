import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A developer in the Small Business Program, whose coins cost 999,990.00 USD: the developer's 85
/// per cent of two of them exceed the program's limit of a million a year.
@Suite("The limit of the Small Business Program (COM-5)")
struct SmallBusinessTests {
    private static func world(
        _ backend: Backend, heeding: Bool = true
    ) async throws -> TestSupport.World {
        let world = try await World(backend, isListening: false) { settings in
            settings.smallBusiness = true
            settings.heedsSmallBusinessLimit = heeding
        }
        try await world.store.setPrice(
            999_990_000, product: "coins", storefront: .usa, bundleID: World.bundleID)
        return world
    }

    private static func buyCoins(_ world: TestSupport.World, _ account: String = "ada") async throws
    {
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "coins"), by: world.device(account))
    }

    /// What the store kept of each charge, in per cent.
    private static func rates(_ world: TestSupport.World) async throws -> [Int64] {
        try await world.store.ledger(after: nil, limit: 100, in: .production)
            .filter { $0.entry.kind == .charge }
            .map { ($0.entry.store * 100 - $0.entry.customer / 2) / -$0.entry.customer }
    }

    @Test(
        "Whoever exceeds it pays the standard rate until a year within it is over",
        arguments: Backend.available)
    func exceeded(_ backend: Backend) async throws {
        let world = try await Self.world(backend)
        for _ in 1...3 { try await Self.buyCoins(world) }
        // The charge that goes beyond it still has the reduced rate.
        #expect(try await Self.rates(world) == [15, 15, 30])
        let standing = try await world.store.smallBusinessStanding()
        #expect(standing.year == 2026)
        #expect(standing.isExceeded)
        #expect(standing.proceedsThisYear == 2 * 849_991_500 + 699_993_000)
        #expect(standing.proceedsLastYear == 0)
        // The whole next year, though little is sold in it.
        try await world.store.setPrice(
            9_990, product: "coins", storefront: .usa, bundleID: World.bundleID)
        _ = try await world.store.advance(to: World.instant("2026-12-31T23:59:59.999Z"))
        try await Self.buyCoins(world)
        _ = try await world.store.advance(to: World.instant("2027-12-31T23:59:59Z"))
        try await Self.buyCoins(world)
        #expect(try await world.store.smallBusinessStanding().isExceeded)
        _ = try await world.store.advance(to: World.instant("2028-01-01"))
        #expect(try await !world.store.smallBusinessStanding().isExceeded)
        try await Self.buyCoins(world)
        #expect(try await Self.rates(world) == [15, 15, 30, 30, 30, 15])
    }

    @Test("In a batch of renewals it is exceeded between two of them", arguments: Backend.available)
    func batch(_ backend: Backend) async throws {
        let world = try await Self.world(backend)
        // 254,991.50 each: three are within the limit, four are not.
        try await world.store.setPrice(
            299_990_000, product: "silver.monthly", storefront: .usa, bundleID: World.bundleID)
        for account in ["ada", "bea", "cid"] {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"), by: world.device(account))
        }
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        #expect(try await Self.rates(world) == [15, 15, 15, 15, 30, 30])
        // Another process sums the same.
        let again = try await World(database: world.database, isListening: false)
        #expect(
            try await again.store.smallBusinessStanding()
                == world.store.smallBusinessStanding())
    }

    @Test("A refund takes back at the rate of its charge, and counts", arguments: Backend.available)
    func refunded(_ backend: Backend) async throws {
        let world = try await Self.world(backend)
        for _ in 1...2 { try await Self.buyCoins(world) }
        #expect(try await world.store.smallBusinessStanding().isExceeded)
        let newest = try #require(
            try await world.store.ledger(
                newestFirst: true, after: nil, limit: 1, in: .production
            ).first)
        try await world.store.refund(
            transaction: newest.entry.transactionID, .full, reason: .other, in: .production)
        let standing = try await world.store.smallBusinessStanding()
        #expect(standing.proceedsThisYear == 849_991_500)
        #expect(!standing.isExceeded)
        try await Self.buyCoins(world)
        #expect(try await Self.rates(world) == [15, 15, 15])
    }

    @Test("Where it is not heeded, the reduced rate stays", arguments: Backend.available)
    func notHeeded(_ backend: Backend) async throws {
        let world = try await Self.world(backend, heeding: false)
        for _ in 1...3 { try await Self.buyCoins(world) }
        #expect(try await Self.rates(world) == [15, 15, 15])
        #expect(try await world.store.smallBusinessStanding().isExceeded)
        try await world.store.configure(bundleID: World.bundleID) {
            $0.heedsSmallBusinessLimit = true
        }
        try await Self.buyCoins(world)
        try await world.store.configure(bundleID: World.bundleID) { $0.smallBusiness = false }
        try await Self.buyCoins(world)
        #expect(try await Self.rates(world) == [15, 15, 15, 30, 30])
    }

    @Test(
        "Other currencies are named and not counted, Sandbox is neither",
        arguments: Backend.available)
    func others(_ backend: Backend) async throws {
        let world = try await Self.world(backend)
        for code in ["JPN", "DEU"] {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "lifetime"),
                by: world.device("in \(code)", storefront: code))
        }
        for _ in 1...3 {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "coins"), by: world.device(in: .sandbox))
        }
        let standing = try await world.store.smallBusinessStanding()
        #expect(standing.proceedsThisYear == 0)
        #expect(standing.notCounted.map(\.code) == ["EUR", "JPY"])
        #expect(!standing.isExceeded)
    }

    @Test("A purchase that the bank declines uses up nothing", arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        let world = try await Self.world(backend)
        try await Self.buyCoins(world)
        let before = try await world.store.smallBusinessStanding()
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await Self.buyCoins(world)
        }
        #expect(try await world.store.smallBusinessStanding() == before)
    }
}
