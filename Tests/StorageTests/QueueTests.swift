import Storage
import StoragePostgres
import Synchronization
import TestFloor
import Testing

/// Waiting for a turn: how long, how many, in which order.
@Suite struct QueueTests {
    /// A database with room for one change at a time, while something holds that room.
    private func whileHeld(
        _ backend: Backend, _ change: (inout DatabaseLimits) -> Void,
        _ body: (any Database, Flag) async throws -> Void
    ) async throws {
        var limits = Backend.patience
        change(&limits)
        let database = try await backend.makeDatabase(limits: limits, connections: 1)
        try await database.migrate([accounts])
        let (start, started) = AsyncStream.makeStream(of: Void.self)
        let mayEnd = Flag()
        async let holding: Void = database.write { session in
            try session.open(0, "first")
            started.yield()
            mayEnd.wait()
        }
        for await _ in start { break }
        do {
            try await body(database, mayEnd)
        } catch {
            mayEnd.set()
            throw error
        }
        mayEnd.set()
        try await holding
        await database.close()
    }

    @Test(
        "Who waits too long for a turn is busy and has changed nothing",
        arguments: Backend.available)
    func waitsTooLong(_ backend: Backend) async throws {
        try await whileHeld(backend, { $0.turn = .milliseconds(30) }) { database, mayEnd in
            let errors = await withTaskGroup(of: StorageError?.self) { group in
                for id in 1...3 {
                    group.addTask {
                        await storageError { try await database.write { try $0.open(id, "\(id)") } }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.map { $0?.code } == [.busy, .busy, .busy])
            let load = database.load
            #expect((load.size, load.inUse, load.waiting, load.refused) == (1, 1, 0, 3))
            mayEnd.set()
            while database.load.inUse > 0 { await Task.yield() }
            try await database.write { try $0.open(9, "last") }
            #expect(try await database.read { try $0.accountCount() } == 2)
        }
    }

    @Test("Who has a result finds a turn free", arguments: Backend.available)
    func free(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            for id in 1...200 {
                try await database.write { try $0.open(id, "\(id)") }
                #expect(database.load.inUse == 0)
            }
        }
    }

    @Test("A wait is one for a turn and one for what others hold, and statements have the time")
    func limits() {
        var limits = DatabaseLimits()
        limits.wait(.seconds(1))
        #expect((limits.turn, limits.lock) == (.seconds(1), .seconds(1)))
        #expect(limits.statement == .seconds(30))
        limits.wait(.seconds(60))
        #expect((limits.turn, limits.lock) == (.seconds(60), .seconds(60)))
        #expect(limits.statement == .seconds(120))
        limits.statement = nil
        limits.wait(.seconds(60))
        #expect(limits.statement == nil)
    }

    @Test(
        "Where as many wait as may, the next one is refused at once",
        arguments: Backend.available)
    func tooManyWait(_ backend: Backend) async throws {
        try await whileHeld(backend, { $0.waiting = 2 }) { database, mayEnd in
            async let first: Void = database.write { try $0.open(1, "1") }
            async let second: Void = database.write { try $0.open(2, "2") }
            while database.load.waiting < 2 { await Task.yield() }
            let error = await storageError { try await database.write { try $0.open(3, "3") } }
            #expect(error?.code == .busy)
            #expect(database.load.refused == 1)
            mayEnd.set()
            _ = try await (first, second)
            #expect(try await database.read { try $0.accountCount() } == 3)
        }
    }

    @Test(
        "Who is cancelled while waiting leaves the line, and nobody else",
        arguments: Backend.available)
    func cancelled(_ backend: Backend) async throws {
        try await whileHeld(backend, { _ in }) { database, mayEnd in
            let gone = Task { try await database.write { try $0.open(1, "1") } }
            while database.load.waiting < 1 { await Task.yield() }
            async let stays: Void = database.write { try $0.open(2, "2") }
            while database.load.waiting < 2 { await Task.yield() }
            gone.cancel()
            await #expect(throws: CancellationError.self) { try await gone.value }
            #expect(database.load.waiting == 1)
            mayEnd.set()
            try await stays
            let rows = try await database.read { try $0.rows("SELECT id FROM account ORDER BY id") }
            #expect(try rows.map { try $0.int(0) } == [0, 2])
        }
    }

    @Test("Turns come in the order of asking", arguments: Backend.available)
    func inOrder(_ backend: Backend) async throws {
        try await whileHeld(backend, { _ in }) { database, mayEnd in
            let order = Order()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 1...20 {
                    group.addTask {
                        try await database.write { session in
                            try session.open(id, "\(id)")
                            order.add(id)
                        }
                    }
                    while database.load.waiting < id { await Task.yield() }
                }
                mayEnd.set()
                try await group.waitForAll()
            }
            #expect(order.all == Array(1...20))
        }
    }

    @Test("A database that is closed answers those who wait", arguments: Backend.available)
    func closed(_ backend: Backend) async throws {
        try await whileHeld(backend, { _ in }) { database, mayEnd in
            let waiting = Task { try await database.write { try $0.open(1, "1") } }
            while database.load.waiting < 1 { await Task.yield() }
            async let closing: Void = database.close()
            // What SQLite has accepted it still does; PostgreSQL's waits for a connection.
            if backend == .postgres {
                let error = await storageError { try await waiting.value }
                #expect(error?.code == .connectionLost)
            }
            mayEnd.set()
            await closing
            _ = try? await waiting.value
            let error = await storageError { try await database.check() }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test(
        "Of 64 who change one hot row over eight connections none loses more than one race",
        .enabled(if: Backend.available.contains(.postgres)))
    func losesOneRace() async throws {
        // Two processes, as the database sees it.
        let url = try await Backend.makePostgresURL()
        let databases = try (1...2).map { _ in
            try PostgresDatabase(url: url, connections: 4, limits: Backend.patience)
        }
        try await databases[0].migrate([accounts])
        try await databases[0].write { try $0.open(1, "Ada") }
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask {
                    var most = 0
                    for _ in 1...5 {
                        let attempts = Counter()
                        try await databases[number % 2].write { session in
                            _ = attempts.next()
                            let balance = try session.balance(1) ?? 0
                            try session.execute(
                                "UPDATE account SET balance = \(balance + 1) WHERE id = 1")
                        }
                        most = max(most, attempts.next() - 1)
                    }
                    return most
                }
            }
            return try await group.reduce(0, max)
        }
        #expect(most <= 2)
        #expect(try await databases[1].read { try $0.balance(1) } == 320)
        for database in databases { await database.close() }
    }
}

/// Who came, in the order of coming.
final class Order: Sendable {
    private let ids = Mutex<[Int]>([])

    var all: [Int] { ids.withLock { $0 } }

    func add(_ id: Int) { ids.withLock { $0.append(id) } }
}
