import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What is foretold of the next bill is held against what is charged when its moment has come.
@Suite("The next bill")
struct NextBillTests {
    private typealias Its = MerchantWorld

    /// Foretells, lets the time come, and compares with what was charged or why it ended.
    @discardableResult
    private func comesTrue(
        _ id: Int64, in world: World, _ place: SourceLocation = #_sourceLocation
    ) async throws -> NextBill {
        let forecast = try await world.store.nextBill(subscription: id, in: .production)
        let next = try #require(forecast.next, sourceLocation: place)
        let at = try #require(next.at, sourceLocation: place)
        let before = forecast.subscription.newestPeriod.transactionID
        // Just before nothing of it has happened.
        _ = try await world.store.advance(to: at - Span(milliseconds: 1))
        #expect(
            try await world.store.subscription(id).1.newestPeriod.transactionID == before,
            sourceLocation: place)
        #expect(
            try await world.store.nextBill(subscription: id, in: .production).next == next,
            "it is foretold as before", sourceLocation: place)
        _ = try await world.store.advance(to: at)
        let after = try await world.store.subscription(id).1
        switch next.outcome {
        case .charge(let bill):
            #expect(after.newestPeriod.transactionID != before, sourceLocation: place)
            #expect(after.newestPeriod.charges == bill.charges, sourceLocation: place)
            #expect(after.plan.lines.map(\.sku) == bill.plan.lines.map(\.sku))
            #expect(after.newestPeriod.start == next.period?.start, sourceLocation: place)
            #expect(after.newestPeriod.end == next.period?.end, sourceLocation: place)
            #expect(after.newestPeriod.instalment == next.period?.instalment)
        case .end(let reason):
            #expect(after.state == .expired(reason, at: at), sourceLocation: place)
        case .pending: Issue.record("it waits for the bank", sourceLocation: place)
        }
        return next
    }

    private func amount(_ next: NextBill) -> Int64? {
        if case .charge(let bill) = next.outcome { bill.amount.milliunits } else { nil }
    }

    @Test(
        "Of a product it is the price, the offer while one runs, and then the price",
        arguments: Backend.available)
    func offers(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.intro", by: ada)
        var amounts: [Int64?] = []
        for _ in 0..<4 { amounts.append(amount(try await comesTrue(id, in: world))) }
        #expect(amounts == [1_990, 1_990, 9_990, 9_990])
        let trial = try await world.subscribe("silver.trial", by: try await world.device("bob"))
        #expect(amount(try await comesTrue(trial, in: world)) == 9_990)
    }

    @Test(
        "A plan that waits, a price that is scheduled and renewal that is off are foretold",
        arguments: Backend.available)
    func waiting(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        let id = try await world.subscribe("gold.monthly", by: ada)
        _ = try await world.store.change(
            subscription: id, [.product("bronze.monthly", nil)], by: ada)
        #expect(amount(try await comesTrue(id, in: world)) == 4_990)
        // A lower price is live by then; a higher one of which nobody was told is not charged.
        try await world.schedule("bronze.monthly", 3_990, live: "2026-03-01", .preserve)
        #expect(amount(try await comesTrue(id, in: world)) == 3_990)
        try await world.schedule("bronze.monthly", 4_490, live: "2026-03-20", .apply)
        var amounts: [Int64?] = []
        for _ in 0..<3 { amounts.append(amount(try await comesTrue(id, in: world))) }
        #expect(amounts.first == 3_990 && amounts.last == 4_490)
        _ = try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        let end = try await comesTrue(id, in: world)
        #expect(end.outcome == .end(.voluntary) && end.period == nil)
        #expect(try await world.store.nextBill(subscription: id, in: .production).next == nil)
    }

    @Test(
        "A renewal that failed is foretold as its next attempt, and given up in the end",
        arguments: Backend.available)
    func retry(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-02-03"))
        let next = try #require(
            try await world.store.nextBill(subscription: id, in: .production).next)
        guard case .charge(let bill) = next.outcome else {
            Issue.record("\(next.outcome)")
            return
        }
        #expect(bill.purpose == .recovery && bill.amount.milliunits == 9_990)
        try await world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        _ = try await world.store.advance(to: next.at ?? World.instant("2026-02-03"))
        #expect(try await world.store.subscription(id).1.state == .active)
    }

    @Test(
        "An instalment is foretold with its month, also where renewal is off",
        arguments: Backend.available)
    func commitment(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-01")
        // In the USA nothing is billed monthly.
        let ada = try await world.device(storefront: "DEU")
        try await world.store.setMonthlyBilling(
            price: 9_990, isEnabled: true, product: "silver.yearly", bundleID: World.bundleID)
        let id = try await world.subscribe("silver.yearly", .monthly, by: ada)
        _ = try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        var months: [Int?] = []
        for _ in 0..<11 { months.append(try await comesTrue(id, in: world).period?.instalment) }
        #expect(months == Array(2...12))
        #expect(try await comesTrue(id, in: world).outcome == .end(.voluntary))
    }

    @Test(
        "Of a merchant's plan every item is foretold, and what is not agreed to ends",
        arguments: Backend.available)
    func items(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(
                1, [Its.item("news", 9_990), Its.item("chess", 3_100), Its.item("go", 1_000)]),
            by: ada, in: world)
        let id = try #require(Int64(first.transactionId))
        #expect(amount(try await comesTrue(id, in: world)) == 14_090)
        // More than half as much again needs consent, and with chess ends go.
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("chess", 9_990)], dependents: ["go"]),
            for: Its.production)
        let refused = try #require(
            try await world.store.nextBill(subscription: id, in: .production).next)
        #expect(amount(refused) == 9_990, "nobody has agreed")
        // Whoever agrees pays the new price, and keeps what depends on it.
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        _ = try await world.store.change(
            subscription: id, [.priceIncrease(agrees: true)], by: ada)
        #expect(amount(try await comesTrue(id, in: world)) == 20_980)
        _ = try await world.store.changePrices(
            transaction: id, Its.change(3, [("chess", 29_990)], dependents: ["go"]),
            for: Its.production)
        var amounts: [Int64?] = []
        for _ in 0..<3 { amounts.append(amount(try await comesTrue(id, in: world))) }
        #expect(amounts.last == 9_990)
        // By SKU the sums are in the proceeds.
        let lines = try await world.store.proceeds(
            bundleID: World.bundleID, from: nil, to: nil, in: .production)
        let january = lines.filter { $0.month == "2026-01" }
        #expect(january.map(\.productID) == ["chess", "go", "news"])
        #expect(january.map(\.paid) == [3_100, 1_000, 9_990])
        #expect(Set(lines.map(\.productID)) == ["chess", "go", "news"])
    }
}
