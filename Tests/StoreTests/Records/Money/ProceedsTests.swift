import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("What an app brought, and its pages")
struct ProceedsTests {
    /// Twelve customers in four currencies pay for two years, one of them days later each time,
    /// upgrade, get money back and pay it again.
    private static func busy(_ backend: Backend) async throws -> TestSupport.World {
        let world = try await World(backend, at: "2026-01-31T22:00:00Z", isListening: false)
        let places = ["USA", "JPN", "DEU", "GBR"]
        for number in 0..<12 {
            let device = try await world.device(
                "customer \(number)", storefront: places[number % 4])
            _ = try await world.store.purchase(
                PurchaseRequest(productID: number < 6 ? "bronze.weekly" : "silver.monthly"),
                by: device)
            guard number == 8 else { continue }
            _ = try await world.store.advance(to: World.instant("2026-02-10"))
            // An upgrade gives the unused share back.
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "gold.monthly"), by: device)
        }
        _ = try await world.store.setPaymentMethod(
            .answersLater(after: .days(3), isPaid: true), account: "customer 3", in: .production)
        _ = try await world.store.advance(to: World.instant("2027-12-31T23:59:59Z"))
        let (_, subscriptions, _) = try await world.store.customer(
            account: "customer 9", in: .production)
        let newest = subscriptions[0].newestPeriod.transactionID
        _ = try await world.store.refund(
            transaction: newest, .prorated, reason: .other, in: .production)
        _ = try await world.store.advance(to: World.instant("2028-01-02"))
        _ = try await world.store.reverseRefund(transaction: newest, in: .production)
        return world
    }

    private struct Key: Hashable {
        let month: String
        let product: String
        let currency: String
    }

    private struct Sum: Hashable {
        var (charges, refunds): (Int64, Int64) = (0, 0)
        var (paid, refunded, commission, proceeds): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    }

    @Test(
        "An account's pages hold what is about it, be it booked at once or later",
        arguments: Backend.available)
    func accounts(_ backend: Backend) async throws {
        let world = try await Self.busy(backend)
        func sequences(of account: String?, newestFirst: Bool = false) async throws -> [Int64] {
            var (found, after): ([Int64], Int64?) = ([], nil)
            while true {
                let page = try await world.store.ledger(
                    of: account, newestFirst: newestFirst, after: after, limit: 37,
                    in: .production)
                guard let last = page.last else { return found }
                found += page.map(\.entry.sequence)
                after = last.entry.sequence
            }
        }
        var together: [Int64] = []
        for number in 0..<12 {
            let own = try await sequences(of: "customer \(number)")
            #expect(own.count > 20)
            #expect(own == own.sorted())
            #expect(
                try await sequences(of: "customer \(number)", newestFirst: true)
                    == own.reversed())
            together += own
        }
        #expect(together.sorted() == (try await sequences(of: nil)))
    }

    @Test("Sums of many rows are those of the ledger's entries", arguments: Backend.available)
    func sums(_ backend: Backend) async throws {
        let world = try await Self.busy(backend)
        var expected: [Key: Sum] = [:]
        var (after, count): (Int64?, Int) = (nil, 0)
        while true {
            let page = try await world.store.ledger(after: after, limit: 100, in: .production)
            for line in page {
                let entry = line.entry
                let key = Key(
                    month: String(entry.at.iso8601.prefix(7)), product: line.productID,
                    currency: line.currency.code)
                var sum = expected[key] ?? Sum()
                switch entry.kind {
                case .charge: (sum.charges, sum.paid) = (sum.charges + 1, sum.paid - entry.customer)
                case .proration, .refund:
                    (sum.refunds, sum.refunded) = (sum.refunds + 1, sum.refunded + entry.customer)
                case .reversal:
                    (sum.refunds, sum.refunded) = (sum.refunds - 1, sum.refunded + entry.customer)
                }
                sum.commission += entry.store
                sum.proceeds += entry.developer
                expected[key] = sum
            }
            count += page.count
            guard let last = page.last else { break }
            after = last.entry.sequence
        }
        #expect(count > 700)
        let lines = try await world.store.proceeds(
            bundleID: World.bundleID, from: nil, to: nil, in: .production)
        let found = Dictionary(
            uniqueKeysWithValues: lines.map { line in
                (
                    Key(
                        month: line.month, product: line.productID, currency: line.currency.code),
                    Sum(
                        charges: line.charges, refunds: line.refunds, paid: line.paid,
                        refunded: line.refunded, commission: line.commission,
                        proceeds: line.proceeds)
                )
            })
        #expect(found == expected)
        #expect(Set(lines.map(\.currency.code)) == ["USD", "JPY", "EUR", "GBP"])
        #expect(lines.map(\.month) == lines.map(\.month).sorted())
        #expect(lines.first?.month == "2026-01")
        #expect(lines.last?.month == "2028-01")
    }

    @Test("A report takes as many statements however long the ledger", arguments: Backend.available)
    func statements(_ backend: Backend) async throws {
        let database = FaultyDatabase(try await backend.borrowDatabase())
        let world = try await World(database: database, isListening: false)
        _ = try await world.buy("silver.monthly", by: world.device(), expecting: [])
        func count() async throws -> Int {
            database.arm(nil)
            _ = try await world.store.proceeds(
                bundleID: World.bundleID, from: nil, to: nil, in: .production)
            return database.counts.statements
        }
        let few = try await count()
        try await world.advance(by: "P3Y", expecting: [])
        #expect(try await count() == few)
    }

    @Test("Money beyond 64 bits is an error that says so", arguments: Backend.available)
    func overflow(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        _ = try await world.buy("silver.monthly", by: world.device(), expecting: [])
        try await world.database.write { session in
            let most: Int64 = 9_000_000_000_000_000_000
            for sequence: Int64 in [900_001, 900_002] {
                try session.execute(
                    """
                    INSERT INTO ledger
                        (sequence, at, kind, transaction_id, customer, developer, store)
                    SELECT \(sequence), at, kind, transaction_id, \(-most), \(most), 0
                    FROM ledger WHERE sequence < 900000
                    """)
            }
        }
        let error = await #expect(throws: StorageError.self) {
            _ = try await world.store.proceeds(
                bundleID: World.bundleID, from: nil, to: nil, in: .production)
        }
        #expect(error?.code == .overflow)
        // Nothing else is concerned.
        #expect(try await world.store.clockReading().now == World.instant("2026-01-01"))
    }

    @Test("Pages are found by indexes", arguments: [Backend.sqlite])
    func indexes(_ backend: Backend) async throws {
        let plans = Plans(try await backend.makeDatabase())
        let world = try await World(database: plans, isListening: false)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.requestRefund(transaction: id, .other, by: ada)
        plans.watch()
        for newestFirst in [false, true] {
            let own = try await world.store.ledger(
                of: "ada", newestFirst: newestFirst, after: nil, limit: 10, in: .production)
            #expect(own.count == 1)
        }
        for state in [nil, RefundRequest.State.open] {
            let page = try await world.store.refundRequests(
                state, before: nil, limit: 10, in: .production)
            #expect(page.count == 1)
        }
        #expect(plans.scans == [])
    }

    @Test("A page of refund requests is one query", arguments: Backend.available)
    func refundRequests(_ backend: Backend) async throws {
        let database = FaultyDatabase(try await backend.borrowDatabase())
        let world = try await World(database: database, isListening: false) {
            $0.refundPolicy = .operatorDecides
        }
        var asked: [String] = []
        for number in 1...5 {
            let device = try await world.device("customer \(number)", storefront: "JPN")
            let bought = try await world.buy("coins", by: device, expecting: [])
            let id = try #require(bought.flatMap { Int64($0.transactionId) })
            try await world.store.requestRefund(transaction: id, .other, by: device)
            asked.insert("customer \(number) coins \(id) JPY", at: 0)
        }
        func page(_ limit: Int) async throws -> (texts: [String], statements: Int) {
            database.arm(nil)
            let found = try await world.store.refundRequests(
                .open, before: nil, limit: limit, in: .production)
            let texts = found.map { entry in
                "\(entry.account) \(entry.productID) \(entry.originalTransactionID) "
                    + entry.price.currency.code
            }
            return (texts, database.counts.statements)
        }
        let (one, all) = (try await page(1), try await page(5))
        #expect(all.texts == asked)
        #expect(one.texts == Array(all.texts.prefix(1)))
        // The world, and the page.
        #expect(one.statements == all.statements)
        #expect(all.statements == 2)
    }
}
