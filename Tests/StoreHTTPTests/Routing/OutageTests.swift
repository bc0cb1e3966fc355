import AppStoreWire
import HTTPSurface
import HTTPTypes
import Storage
import StoragePostgres
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

@testable import StoreHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("While the database is away")
struct OutageTests {
    private static let purchases = "/storefront/v1/purchases"

    private func expect503(
        _ reply: Reply, _ code: String, after seconds: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(reply.status == 503, "\(reply.text)", sourceLocation: sourceLocation)
        #expect(reply.complaint == code, sourceLocation: sourceLocation)
        #expect(reply.fields[.retryAfter] == seconds, sourceLocation: sourceLocation)
    }

    /// What every surface answers while nothing can be had of the database.
    private func expectAway(_ client: Client, token: String) async throws {
        expect503(
            try await client.ours(
                .post, Self.purchases, #"{"productId":"coins"}"#, as: .bearer(token)),
            "databaseUnavailable", after: "5")
        expect503(
            try await client.ours(.get, "/connect/v1/apps"), "databaseUnavailable", after: "5")
        let api = try await client.api(.get, "/v1/transactions/1")
        expect(api, .generalInternalRetryable)
        let later = client.world.machine.now.milliseconds + 5_000
        #expect(api.fields[.retryAfter] == "\(later)")
        client.world.machine.uptime.withLock { $0 += .seconds(2) }
        expect503(
            try await client.ours(.get, "/health", as: .nothing), "databaseUnavailable",
            after: "5")
        let metrics = try await client.send(.get, "/metrics")
        #expect(metrics.status == 200)
        #expect(metrics.text.contains("perennial_store_clock_seconds{mode=\"frozen\"}"))
    }

    private static let limits: DatabaseLimits = {
        var limits = Backend.patience
        limits.silence = .seconds(1)
        limits.answer = .seconds(5)
        limits.connecting = .seconds(5)
        return limits
    }()

    @Test(
        "A server that hangs or was killed is 503 on every surface, until it is back",
        .enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(30)))
    func goesAndComes() async throws {
        let server = try PostgresServer()
        defer { server.close() }
        let database = try PostgresDatabase(url: server.url, connections: 2, limits: Self.limits)
        let world = HTTPWorld(try await World(database: database))
        let timekeeper = Task {
            try await Timekeeper(world.world.store, wait: { _ in await Task.yield() }).run()
        }
        try await world.with { client in
            let token = try await client.signIn()
            for round in 1...2 {
                _ = try await client.buy("coins", as: token)
                await world.world.listener.waitForArrivals(round)
                if round == 1 { try server.pause() } else { try server.kill() }
                try await expectAway(client, token: token)
                if round == 1 { try server.goOn() } else { try server.restart() }
                while try await client.send(.get, "/health").status != 200 {
                    world.machine.uptime.withLock { $0 += .seconds(2) }
                }
            }
            _ = try await client.buy("coins", as: token)
            let metrics = try await client.send(.get, "/metrics").text
            let lost = metrics.split(separator: "\n").first {
                $0.hasPrefix("perennial_database_connections_lost_total ")
            }
            #expect(lost.flatMap { Int($0.split(separator: " ")[1]) } ?? 0 > 0)
        }
        // Background work goes on by itself.
        await world.world.listener.waitForArrivals(3)
        timekeeper.cancel()
        try await timekeeper.value
        await database.close()
    }

    @Test("A database that is closed is 503 on every surface", arguments: Backend.available)
    func closed(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend)
        try await world.with { client in
            let token = try await client.signIn()
            await world.world.database.close()
            try await expectAway(client, token: token)
        }
    }

    @Test(
        "Where nobody may wait any more a purchase is 503, and nothing of it is kept",
        arguments: Backend.available)
    func overloaded(_ backend: Backend) async throws {
        var limits = Backend.patience
        limits.waiting = 1
        let world = HTTPWorld(
            try await World(
                database: try await backend.makeDatabase(limits: limits, connections: 1)))
        try await world.with { client in
            let token = try await client.signIn()
            let mayEnd = Switch(false)
            let (start, started) = AsyncStream.makeStream(of: Void.self)
            async let holding: Void = world.world.database.write { session in
                started.yield()
                while !mayEnd.isOn { sched_yield() }
                _ = try session.rows("SELECT 1")
            }
            for await _ in start { break }
            async let second: Void = world.world.database.write { _ = try $0.rows("SELECT 2") }
            while world.world.database.load.waiting < 1 { await Task.yield() }
            let reply = try? await client.ours(
                .post, Self.purchases, #"{"productId":"coins"}"#, as: .bearer(token))
            mayEnd.isOn = true
            _ = try await (holding, second)
            expect503(try #require(reply), "busy", after: "1")
            let metrics = try await client.send(.get, "/metrics").text
            #expect(metrics.contains("perennial_database_refused_total 1\n"))
            let counts = try await Tables(world.world.database).counts
            #expect(counts["store_transaction"] == 0)
        }
    }

    @Test("However often health is asked for, the database is asked once a second")
    func health() async throws {
        let machine = HTTPWorld.Machine()
        let watch = HealthWatch(uptime: { machine.uptime.withLock { $0 } })
        let isThere = Switch(true)
        let asked = Tally()
        func ask() async -> Bool {
            await watch.isThere {
                asked.count.add(1, ordering: .relaxed)
                if !isThere.isOn { throw DatabaseIsAway() }
            }
        }
        for _ in 1...3 { #expect(await ask()) }
        isThere.isOn = false
        #expect(await ask())
        #expect(asked.count.load(ordering: .relaxed) == 1)
        machine.uptime.withLock { $0 += .seconds(1) }
        for _ in 1...3 { #expect(await !ask()) }
        #expect(asked.count.load(ordering: .relaxed) == 2)
        // Nobody waits to hear again that it is away; that it is back is known soon.
        machine.uptime.withLock { $0 += .seconds(1) }
        isThere.isOn = true
        #expect(await !ask())
        while await !ask() { await Task.yield() }
        #expect(asked.count.load(ordering: .relaxed) == 3)
    }
}

private final class Tally: Sendable {
    let count = Atomic(0)
}

private final class Switch: Sendable {
    private let value: Atomic<Bool>

    init(_ isOn: Bool) { value = Atomic(isOn) }

    var isOn: Bool {
        get { value.load(ordering: .acquiring) }
        set { value.store(newValue, ordering: .releasing) }
    }
}

@Suite("Many buyers at once")
struct ManyBuyersTests {
    @Test(
        "Of 64 buyers at once everybody buys, each as often as the others",
        arguments: Backend.available)
    func everybodyBuys(_ backend: Backend) async throws {
        let statuses = try await statuses(
            of: 64, each: 5,
            in: try await backend.makeDatabase(limits: Backend.patience, connections: 8))
        #expect(statuses == [200: 320])
    }

    @Test(
        "Of more buyers than may wait some are 503, and none is 500",
        arguments: Backend.available)
    func someAreRefused(_ backend: Backend) async throws {
        var limits = Backend.patience
        limits.waiting = 10
        let statuses = try await statuses(
            of: 64, each: 5, in: try await backend.makeDatabase(limits: limits, connections: 2))
        #expect(Set(statuses.keys).isSubset(of: [200, 503]))
        #expect(statuses.values.reduce(0, +) == 320)
        #expect(statuses[200, default: 0] > 0)
    }

    /// Lets buyers buy, each one thing after the other, and counts the answers by their status.
    private func statuses(
        of buyers: Int, each count: Int, in database: any Database
    ) async throws -> [Int: Int] {
        let world = HTTPWorld(try await World(database: database))
        let statuses = try await world.with { client -> [Int: Int] in
            var tokens: [String] = []
            for number in 0..<buyers { tokens.append(try await client.signIn("buyer-\(number)")) }
            return try await withThrowingTaskGroup(of: [Int].self) { group in
                for token in tokens {
                    group.addTask { try await buy(count, client, token) }
                }
                var counts: [Int: Int] = [:]
                for try await statuses in group {
                    for status in statuses { counts[status, default: 0] += 1 }
                }
                return counts
            }
        }
        await database.close()
        return statuses
    }

    private func buy(_ count: Int, _ client: Client, _ token: String) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count {
            let reply = try await client.ours(
                .post, "/storefront/v1/purchases", #"{"productId":"coins"}"#, as: .bearer(token))
            #expect((reply.fields[.retryAfter] != nil) == (reply.status == 503))
            statuses.append(reply.status)
        }
        return statuses
    }
}
