import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing
import TimeAndChance

/// Several processes change one database beside each other: each of these stores stands for one,
/// with connections of its own. SQLite has one process.
@Suite(
    "Beside each other",
    .enabled(if: Backend.available.contains(.postgres), "there is no PostgreSQL server"),
    .timeLimit(.minutes(15)))
struct BesideTests {
    /// The stores of one world.
    private func stores(
        _ count: Int, mode: StoreClock.Mode = .frozen, machine: ManualClock? = nil,
        isListening: Bool = true, batchSize: Int = 1000
    ) async throws -> [World] {
        let databases = try await Backend.makeShared(count)
        var worlds: [World] = []
        for (number, database) in databases.enumerated() {
            worlds.append(
                try await World(
                    database: database, isListening: isListening, mode: mode, machine: machine,
                    batchSize: batchSize, processName: "store \(number)",
                    claimTime: .minutes(10)))
        }
        return worlds
    }

    /// Runs something at every store at once, several times at each.
    private func everywhere(
        _ worlds: [World], times: Int, _ body: @escaping @Sendable (World, Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for (place, world) in worlds.enumerated() {
                for time in 0..<times {
                    group.addTask { try await body(world, place * times + time) }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Who pages through a history while four write sees each purchase once, in order")
    func history() async throws {
        let worlds = try await stores(4, isListening: false)
        let reader = worlds[0]
        let ada = try await reader.device()
        let first = try #require(
            try await reader.store.purchase(PurchaseRequest(productID: "coins"), by: ada))
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(first)
        let id = try #require(Int64(transaction.transactionId))
        let (each, all) = (30, 1 + 4 * 30)
        async let writing: Void = everywhere(worlds, times: 1) { world, _ in
            for _ in 0..<each {
                _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
            }
        }
        var seen: [String] = []
        var revision: String?
        while seen.count < all {
            let page = try await reader.store.history(
                anyTransaction: id, HistoryFilter(), revision: revision, for: reader.caller())
            revision = page.revision
            for text in page.signedTransactions {
                let payload: JWSTransactionDecodedPayload = try JWSText.decode(text)
                seen.append(payload.transactionId)
            }
            if seen.count < all, page.signedTransactions.isEmpty { await Task.yield() }
        }
        try await writing
        #expect(Set(seen).count == all)
        // From the beginning it is the same, in the same order: nothing landed behind.
        var again: [String] = []
        for payload in try await reader.history("\(id)") { again.append(payload.transactionId) }
        #expect(again == seen)
        try await reader.check()
    }

    @Test("The clock is read, and numbers are drawn, once the customer is locked")
    func order() async throws {
        let log = StatementLog(try await Backend.makeShared(1)[0])
        let world = try await World(database: log, isListening: false)
        let ada = try await world.device()
        log.clear()
        _ = try await world.store.purchase(PurchaseRequest(productID: "bronze.weekly"), by: ada)
        let bought = try #require(log.place(of: "FROM customer WHERE id = $1 FOR NO KEY UPDATE"))
        #expect(try #require(log.place(of: "FROM world")) > bought)
        #expect(try #require(log.place(of: "nextval")) > bought)
        _ = try await world.store.advance(to: World.instant("2026-01-07"))
        log.clear()
        _ = try await world.store.advance(to: World.instant("2026-01-09"))
        let swept = try #require(log.place(of: "FOR NO KEY UPDATE OF c, s SKIP LOCKED"))
        #expect(try #require(log.place(of: "SELECT nextval")) > swept)
    }

    @Test("What a sequence counts is not counted in the world's row as well")
    func counting() async throws {
        let world = try await stores(1)[0]
        let counted = {
            try await world.database.read { session in
                try session.row("SELECT next_number FROM world")?.integer(0)
            }
        }
        let before = try await counted()
        _ = try await world.subscribe("silver.monthly", by: world.device())
        try await world.store.configure(bundleID: World.bundleID) { $0.name = "Renamed" }
        try await world.advance(to: "2026-03-15", expecting: ["DID_RENEW", "DID_RENEW"])
        #expect(try await counted() == before)
        try await world.check()
    }

    @Test("Who pages through the notifications while four write sees each once")
    func notifications() async throws {
        let worlds = try await stores(4)
        let reader = worlds[0]
        let all = 4 * 24
        let deliveries = worlds.map { world in
            Task { while !Task.isCancelled { _ = try? await world.store.settle() } }
        }
        async let writing: Void = everywhere(worlds, times: 4) { world, number in
            let device = try await world.device("customer \(number)")
            for _ in 0..<6 {
                _ = try await world.store.purchase(
                    PurchaseRequest(productID: "coins"), by: device)
            }
        }
        let moment = World.instant("2026-01-01")
        var (kept, last): ([String], [String]) = ([], [])
        var token: String?
        while kept.count + last.count < all {
            let page = try await reader.store.notificationHistory(
                NotificationFilter(start: moment, end: moment + .hours(1)), token: token,
                for: reader.caller())
            last = try page.notificationHistory.map { item in
                let body: ResponseBodyV2DecodedPayload = try JWSText.decode(item.signedPayload)
                return body.notificationUUID
            }
            guard page.hasMore else { continue }
            token = page.paginationToken
            kept += last
            last = []
        }
        try await writing
        for delivery in deliveries { delivery.cancel() }
        #expect(Set(kept + last).count == all)
        #expect((kept + last).count == all)
    }

    @Test("Buyers at all of them at once each get what they asked for, and pay for it once")
    func buyers() async throws {
        let worlds = try await stores(4, isListening: false)
        try await everywhere(worlds, times: 16) { world, number in
            // Two at once for each account, which is new.
            let device = try await world.device("customer \(number / 2)")
            let request = PurchaseRequest(productID: "silver.monthly", idempotencyKey: "once")
            let signed = try await world.store.purchase(request, by: device)
            #expect(signed != nil)
            try await world.store.change(
                subscription: try #require(
                    try await world.store.subscriptions(for: device).first
                ).originalTransactionID,
                [.product("bronze.monthly")], by: device)
        }
        let books = try await Books.transactions(in: worlds[0].database)
        #expect(books.count == 32)
        #expect(Set(books.map(\.customer)).count == 32)
        try await worlds[0].check()
    }

    @Test("Customers who go ahead of a mass extension at once are each counted in it")
    func ahead() async throws {
        let worlds = try await stores(4, isListening: false)
        try await everywhere(worlds, times: 12) { world, number in
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"),
                by: world.device("customer \(number)"))
        }
        let order = MassExtensionOrder(
            productID: "silver.monthly",
            request: try ExtensionRequest(days: 7, reasonCode: 3),
            requestIdentifier: "11111111-2222-4333-8444-555555555555")
        try await worlds[0].store.massExtend(order, for: worlds[0].caller())
        try await everywhere(worlds, times: 12) { world, number in
            let device = try await world.device("customer \(number)")
            let id = try #require(
                try await world.store.subscriptions(for: device).first
            ).originalTransactionID
            try await world.store.change(
                subscription: id, [.renewal(isOn: false)], by: device)
        }
        try await worlds[0].store.settle()
        let status = try await worlds[0].store.massExtensionStatus(
            productID: order.productID, requestIdentifier: order.requestIdentifier!,
            for: worlds[0].caller())
        #expect(status.succeededCount == 48)
        #expect(status.failedCount == 0)
        try await worlds[0].check()
    }

    @Test("What is due happens once, whoever is free, and each says how much it was in all")
    func sweeping() async throws {
        let machine = ManualClock(World.instant("2026-01-01"))
        let worlds = try await stores(
            4, mode: .running, machine: machine, isListening: false, batchSize: 5)
        try await everywhere(worlds, times: 20) { world, number in
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "bronze.weekly"),
                by: world.device("customer \(number)"))
        }
        machine.set(World.instant("2026-01-30"))
        try await everywhere(worlds, times: 1) { world, _ in try await world.store.settle() }
        let books = try await Books.transactions(in: worlds[0].database)
        #expect(books.count == 80 * 5)
        for periods in Dictionary(grouping: books, by: \.subscription).values {
            #expect(Set(periods.map(\.purchased)).count == 5)
        }
        try await worlds[0].check()
    }

    @Test("A bill that another process makes while one looks for what is due is answered in turn")
    func billMadeMeanwhile() async throws {
        let machine = ManualClock(World.instant("2026-01-01"))
        let databases = try await Backend.makeShared(2)
        let world = try await World(
            database: databases[0], isListening: false, mode: .running, machine: machine)
        let late = StatementLog(databases[1])
        let other = try await World(
            database: late, isListening: false, mode: .running, machine: machine)
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "silver.monthly"), by: world.device())
        // The renewal of 1 February is answered after access has stopped, long before day 60.
        try await world.pays(.answersLater(after: .days(16), isPaid: true))
        machine.set(World.instant("2026-04-15"))
        // One process has found no job. The other one renews, and waits to answer the bill alone.
        let reached = late.hold(before: "FOR NO KEY UPDATE OF c, s SKIP LOCKED")
        async let settling = other.store.settle()
        await reached.wait()
        async let renewing = world.store.settle()
        while try await world.bills().isEmpty { await Task.yield() }
        late.release()
        _ = try await (settling, renewing)
        let first = try #require(try await world.bills().first)
        #expect(first.made == World.instant("2026-02-01"))
        #expect(first.state == .paid)
        #expect(first.changed == World.instant("2026-02-17"))
        try await world.check()
    }

    @Test("An advance that all carry out comes to what one makes of it")
    func advance() async throws {
        func year(_ count: Int) async throws -> (Tables, Int) {
            let worlds = try await stores(count, isListening: false, batchSize: 7)
            for number in 0..<40 {
                let device = try await worlds[0].device("customer \(number)")
                for product in ["silver.trial", "bronze.weekly"].prefix(1 + number % 2) {
                    _ = try await worlds[0].store.purchase(
                        PurchaseRequest(productID: product), by: device)
                }
            }
            try await worlds[0].schedule("silver.trial", 11_990, live: "2026-05-05")
            let helpers = worlds.dropFirst().map { world in
                Task { while !Task.isCancelled { _ = try? await world.store.settle() } }
            }
            let advance = try await worlds[0].store.advance(to: World.instant("2027-01-01"))
            for helper in helpers {
                helper.cancel()
                await helper.value
            }
            try await worlds[0].check()
            return (try await Tables.withoutNumbers(worlds[0].database), advance.changes)
        }
        let (alone, changes) = try await year(1)
        let (together, others) = try await year(3)
        #expect(together.differences(from: alone) == [])
        #expect(others == changes)
    }

    @Test("Advances of several processes take turns")
    func turns() async throws {
        let worlds = try await stores(3, isListening: false)
        _ = try await worlds[0].store.purchase(
            PurchaseRequest(productID: "bronze.weekly"), by: worlds[0].device())
        try await everywhere(worlds, times: 2) { world, _ in
            _ = try await world.store.advance(by: CalendarStep(iso8601: "P1M")!)
        }
        #expect(try await worlds[0].store.now() == World.instant("2026-07-01"))
        let processes = try await worlds[0].store.processes()
        #expect(processes.allSatisfy { !$0.movesClock })
    }

    @Test("Behind what the clock showed when one was heard of, it goes back for nobody")
    func heardOf() async throws {
        let machine = ManualClock(World.instant("2026-01-01"))
        let worlds = try await stores(2, mode: .running, machine: machine)
        machine.set(World.instant("2026-03-01"))
        try await worlds[0].store.beat()
        machine.set(World.instant("2026-02-01"))
        #expect(try await worlds[1].store.now() == World.instant("2026-03-01"))
    }

    @Test("The database's clock counts, whatever those of the machines show")
    func clock() async throws {
        let databases = try await Backend.makeShared(2)
        var stores: [Store] = []
        for (database, skew) in zip(databases, [Span.seconds(-50), .seconds(50)]) {
            stores.append(try await World.join(database, showing: SystemTime.now() + skew))
        }
        var latest = Instant.earliest
        for _ in 0..<20 {
            for store in stores {
                let now = try await store.now()
                #expect(now >= latest)
                latest = now
            }
        }
    }
}

extension World {
    /// Ada's bills that were not paid at once, oldest first.
    fileprivate func bills() async throws -> [BillRecord] {
        try await store.bills(nil, account: "ada", before: nil, limit: 100, in: .production)
            .map(\.bill).reversed()
    }
}
