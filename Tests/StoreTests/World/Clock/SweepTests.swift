import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Sweeps")
struct SweepTests {
    /// What a customer bought and when, for the naive expectation.
    private struct Purchase {
        let account: String
        let product: String
        let hour: Int
    }

    private static let start = World.instant("2026-01-31")
    private static let products = [
        "bronze.weekly", "silver.monthly", "gold.monthly", "silver.trial", "silver.yearly",
    ]
    private static let perHour = 100

    private func sell(_ world: World, hours: Int) async throws -> [Purchase] {
        var sold: [Purchase] = []
        for hour in 0..<hours {
            let batch = (0..<Self.perHour).map { place in
                Purchase(
                    account: "c\(hour)-\(place)", product: Self.products[place % 5], hour: hour)
            }
            for one in batch {
                let device = try await world.device(one.account)
                _ = try await world.store.purchase(
                    PurchaseRequest(productID: one.product), by: device)
            }
            sold += batch
            _ = try await world.store.advance(to: Self.start + .hours(hour + 1))
        }
        return sold
    }

    /// The moments at which a purchase is charged up to a moment, and for how much: written down
    /// without the engine.
    private func charges(_ purchase: Purchase, until end: Instant) -> [String] {
        let first = Self.start + .hours(purchase.hour)
        var charges: [String] = []
        func charge(_ moment: Instant, _ price: String) {
            if moment <= end { charges.append("\(World.text(moment)) +\(price)") }
        }
        func charge(monthsAfter anchor: Instant, from: Int, every step: Int, _ price: String) {
            let day = CivilDate(daysSinceEpoch: Int(anchor.milliseconds / 86_400_000))
            for month in stride(from: from, through: 12, by: step) {
                let date = day.adding(months: month).daysSinceEpoch
                let moment = Instant(
                    milliseconds: Int64(date) * 86_400_000 + anchor.milliseconds % 86_400_000)
                charge(moment, price)
            }
        }
        switch purchase.product {
        case "bronze.weekly":
            for week in 0...52 { charge(first + .days(7 * week), "0.99") }
        case "silver.monthly": charge(monthsAfter: first, from: 0, every: 1, "9.99")
        case "gold.monthly": charge(monthsAfter: first, from: 0, every: 1, "19.99")
        case "silver.yearly": charge(monthsAfter: first, from: 0, every: 12, "99.99")
        default:
            charge(first, "0.00")
            charge(monthsAfter: first + .days(7), from: 0, every: 1, "9.99")
        }
        return charges
    }

    @Test(
        "What is due at one moment happens in the order of identifiers, however small the batches",
        arguments: Backend.available, [1, 2, 3, 1000])
    func ties(_ backend: Backend, _ batchSize: Int) async throws {
        let world = try await World(
            backend, at: "2026-01-01", isListening: false, batchSize: batchSize)
        for account in ["ada", "bea"] {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"), by: world.device(account))
        }
        // Its fourth week ends with the month of the others.
        _ = try await world.store.advance(to: World.instant("2026-01-04"))
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "bronze.weekly"), by: world.device("cleo"))
        _ = try await world.store.advance(to: World.instant("2026-01-20"))
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        let order = try await world.database.read { session in
            try session.rows(
                """
                SELECT c.account FROM journal j JOIN customer c ON c.id = j.customer
                WHERE j.at = \(World.instant("2026-02-01")) ORDER BY j.sequence
                """
            ).map { try $0.text(0) }
        }
        #expect(order == ["ada", "bea", "cleo"])
    }

    @Test(
        "1,200 subscriptions due at different moments are charged as a naive model says",
        arguments: Backend.available)
    func many(_ backend: Backend) async throws {
        // More than fit into a batch, and than PostgreSQL hands over at once.
        let world = try await World(backend, at: "2026-01-31", isListening: false)
        let sold = try await sell(world, hours: 12)
        let end = World.instant("2026-04-05T12:00:00Z")
        let advance = try await world.store.advance(to: end)
        #expect(advance.now == end)

        let journal = try await world.database.read { session in
            try session.rows(
                """
                SELECT c.account, j.at, j.amount FROM journal j
                JOIN customer c ON c.id = j.customer WHERE j.amount IS NOT NULL
                ORDER BY j.sequence
                """)
        }
        var charged: [String: [String]] = [:]
        var last: Int64 = 0
        for row in journal {
            #expect(try row.integer(1) >= last, "the journal is in the order of moments")
            last = try row.integer(1)
            let moment = World.text(Instant(milliseconds: try row.integer(1)))
            let amount = World.units(try row.integer(2))
            charged[try row.text(0), default: []].append("\(moment) +\(amount)")
        }
        #expect(charged.count == sold.count)
        let wrong = sold.filter { charged[$0.account] != charges($0, until: end) }
        #expect(wrong.map(\.account) == [])
    }

    @Test(
        "Subscriptions that share a payment method are charged in the order of their moments",
        arguments: Backend.available, [true, false])
    func sharedPaymentMethod(_ backend: Backend, _ isListening: Bool) async throws {
        let world = try await World(backend, isListening: isListening)
        let ada = try await world.device()
        let news = try await world.subscribe("news.monthly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        let weekly = try await world.subscribe("bronze.weekly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-25"))
        // Due on 30 January (weekly), 31 January (its retry), 1 February (both), …
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: 3), account: "ada", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-02-03"))
        #expect(
            try await world.ledger().suffix(5) == [
                "2026-01-30 declined 0.99", "2026-01-31 declined 0.99", "2026-02-01 declined 2.99",
                "2026-02-01 +0.99", "2026-02-02 +2.99",
            ])
        #expect(
            try await world.shows(news) == [
                "1 news.monthly on 2026-03-02 2.99", "1 bronze.weekly on 2026-02-08 0.99",
            ])
        #expect(news < weekly)
    }
}
