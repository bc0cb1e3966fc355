import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Concurrency")
struct ConcurrencyTests {
    /// Does everything at once and counts the outcomes by their names.
    private func outcomes(
        _ jobs: [@Sendable () async throws -> String]
    ) async -> [String: Int] {
        await withTaskGroup(of: String.self) { group in
            for job in jobs {
                group.addTask {
                    do { return try await job() } catch { return "\(error)" }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    private func devices(_ world: World, _ count: Int) async throws -> [DeviceSession] {
        var devices: [DeviceSession] = []
        for number in 1...count { devices.append(try await world.device("customer\(number)")) }
        return devices
    }

    @Test(
        "Of 200 purchases that 50 customers make at once, none is charged twice",
        arguments: Backend.available)
    func withKeys(_ backend: Backend) async throws {
        let world = try await World(backend)
        let devices = try await devices(world, 50)
        let jobs = devices.flatMap { device in
            ["silver.monthly", "coins", "silver.monthly", "coins"].map { product in
                { @Sendable in
                    _ = try await world.store.purchase(
                        PurchaseRequest(productID: product, idempotencyKey: product), by: device)
                    return "bought"
                }
            }
        }
        do {
            #expect(await outcomes(jobs) == ["bought": 200])
            let counts = try await Tables(world.database).counts
            #expect(counts["subscription"] == 50)
            #expect(counts["store_transaction"] == 100)
            try await world.store.settle()
            let arrivals = world.listener.arrivals
            #expect(Set(arrivals.map(\.notification.notificationUUID)).count == 100)
        }
        for number in 1...50 {
            let ledger = try await world.ledger("customer\(number)")
            #expect(Set(ledger).count == ledger.count)
            #expect(Set(ledger).isSubset(of: ["2026-01-01 +0.99", "2026-01-01 +9.99"]))
        }
    }

    @Test("Of four purchases of one group at once, one succeeds", arguments: Backend.available)
    func withoutKeys(_ backend: Backend) async throws {
        let world = try await World(backend)
        let devices = try await devices(world, 50)
        let jobs = devices.flatMap { device in
            (1...4).map { _ in
                { @Sendable in
                    _ = try await world.store.purchase(
                        PurchaseRequest(productID: "silver.monthly"), by: device)
                    return "bought"
                }
            }
        }
        let outcomes = await outcomes(jobs)
        let refused = "\(StoreError.refused(.alreadySubscribed))"
        do { #expect(outcomes == ["bought": 50, refused: 150]) }
        #expect(try await Tables(world.database).counts["store_transaction"] == 50)
    }

    @Test(
        "Different plans of one group, bought at once, are one subscription",
        arguments: Backend.available)
    func differentPlans(_ backend: Backend) async throws {
        let world = try await World(backend)
        let devices = try await devices(world, 20)
        let jobs = devices.flatMap { device in
            ["gold.monthly", "silver.monthly", "bronze.monthly", "news.monthly"].map { product in
                { @Sendable in
                    _ = try await world.store.purchase(
                        PurchaseRequest(productID: product), by: device)
                    return "bought"
                }
            }
        }
        do {
            #expect(await outcomes(jobs) == ["bought": 80])
            #expect(try await Tables(world.database).counts["subscription"] == 40)
            for number in 1...20 {
                let (_, subscriptions, _) = try await world.store.customer(
                    account: "customer\(number)", in: .production)
                let club = try #require(subscriptions.first { $0.groupID == "club" })
                // Whatever came first, gold starts at once.
                #expect(club.plan.productID == "gold.monthly")
            }
        }
    }

    @Test("A sign-in by many devices at once makes one account", arguments: Backend.available)
    func signIns(_ backend: Backend) async throws {
        let world = try await World(backend)
        let jobs = (1...40).map { number in
            { @Sendable in
                _ = try await world.store.signIn(
                    SignInRequest(bundleID: World.bundleID, account: "ada"), in: .production,
                    token: "token\(number)")
                return "signed in"
            }
        }
        let outcomes = await outcomes(jobs)
        let counts = try await Tables(world.database).counts
        do {
            #expect(outcomes == ["signed in": 40])
            #expect(counts["sign_in"] == 40)
        }
        #expect(counts["customer"] == 1)
        #expect(counts["customer_app"] == 1)
    }

    @Test("Purchases go on while the clock moves", arguments: Backend.available)
    func whileAdvancing(_ backend: Backend) async throws {
        let world = try await World(backend)
        let devices = try await devices(world, 40)
        let buyers = devices.map { device in
            { @Sendable in
                _ = try await world.store.purchase(
                    PurchaseRequest(productID: "bronze.weekly"), by: device)
                return "bought"
            }
        }
        let mover = { @Sendable in
            _ = try await world.store.advance(to: World.instant("2026-03-01"))
            return "moved"
        }
        let outcomes = await outcomes(buyers + [mover])
        do { #expect(outcomes == ["bought": 40, "moved": 1]) }
        _ = try await world.store.advance(to: World.instant("2026-04-01"))
        for device in devices {
            guard let one = try await world.store.subscriptions(for: device).first else {
                continue
            }
            let history = try await world.history("\(one.originalTransactionID)")
            for (old, new) in zip(history, history.dropFirst()) {
                #expect(new.purchaseDate == old.expiresDate)
            }
            #expect(one.expires > World.instant("2026-04-01"))
        }
    }

    @Test(
        "Two processes that share a database do each thing once and tell everybody",
        arguments: [Backend.postgres].filter(Backend.available.contains))
    func twoProcesses(_ backend: Backend) async throws {
        let database = try await backend.borrowDatabase()
        let one = try await World(database: database, deliveriesAtOnce: 7)
        let two = try await World(database: database, deliveriesAtOnce: 7)
        for device in try await devices(one, 20) {
            _ = try await one.store.purchase(
                PurchaseRequest(productID: "bronze.weekly"), by: device)
        }
        let jobs = [one, two, one, two].map { world in
            { @Sendable in
                try await world.store.settle()
                return "settled"
            }
        }
        #expect(await outcomes(jobs) == ["settled": 4])
        // Both may carry the same one out, which its UUID tells; none is forgotten.
        let arrivals = one.listener.arrivals + two.listener.arrivals
        #expect(Set(arrivals.map(\.notification.notificationUUID)).count == 20)
        #expect(Set(arrivals.map(\.signedPayload)).count == 20)
    }
}
