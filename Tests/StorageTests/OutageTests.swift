import Storage
import StoragePostgres
import TestFloor
import Testing

/// A server of PostgreSQL that goes away, in the ways in which one does.
@Suite(.serialized, .enabled(if: Backend.available.contains(.postgres)))
struct OutageTests {
    /// Nothing here waits long for a server that says nothing.
    private static let limits: DatabaseLimits = {
        var limits = DatabaseLimits()
        limits.silence = .seconds(1)
        limits.answer = .seconds(5)
        limits.connecting = .seconds(5)
        limits.turn = .seconds(600)
        return limits
    }()

    private func withServer(
        connections: Int = 2, _ body: (PostgresServer, PostgresDatabase) async throws -> Void
    ) async throws {
        let server = try PostgresServer()
        defer { server.close() }
        let database = try PostgresDatabase(
            url: server.url, connections: connections, limits: Self.limits)
        do {
            try await database.migrate([accounts])
            try await body(server, database)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    /// Asks until the database is there; the time limit of the test ends it otherwise.
    private func waitUntilThere(_ database: PostgresDatabase) async {
        while (try? await database.check()) == nil { await Task.yield() }
    }

    @Test(
        "Of a server that hangs everybody hears who waits, and it is used again when it goes on",
        .timeLimit(.minutes(30)))
    func hangs() async throws {
        try await withServer { server, database in
            try await database.write { try $0.open(0, "Ada") }
            try server.pause()
            let codes = await withTaskGroup(of: StorageError.Code?.self) { group in
                for id in 1...40 {
                    group.addTask {
                        do {
                            if id.isMultiple(of: 2) {
                                try await database.write { try $0.open(id, "\(id)") }
                            } else {
                                _ = try await database.read { try $0.accountCount() }
                            }
                            return nil
                        } catch {
                            return (error as? StorageError)?.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .connectionLost, count: 40))
            let error = await storageError { try await database.check() }
            #expect(error?.code == .connectionLost)
            let load = database.load
            #expect((load.size, load.inUse, load.waiting, load.refused) == (2, 0, 0, 0))
            // The other one was never made.
            #expect(load.lost == 1)

            try server.goOn()
            await waitUntilThere(database)
            try await database.write { try $0.open(1, "Bob") }
            // Nothing of what was refused was done.
            #expect(try await database.read { try $0.accountCount() } == 2)
        }
    }

    @Test(
        "A server that hangs at COMMIT leaves the outcome unknown, and it is not tried again",
        .timeLimit(.minutes(30)))
    func hangsAtCommit() async throws {
        try await withServer { server, database in
            let attempts = Counter()
            let error = await storageError {
                try await database.write { session in
                    _ = attempts.next()
                    try session.open(1, "Ada")
                    try server.pause()
                }
            }
            #expect(error?.code == .connectionLost)
            #expect(error?.message.contains("unknown") == true)
            #expect(attempts.next() == 2)
            try server.goOn()
            await waitUntilThere(database)
            let count = try await database.read { try $0.accountCount() }
            #expect([0, 1].contains(count))
        }
    }

    @Test(
        "A server that was killed is answered at once, and is used again when it is back",
        .timeLimit(.minutes(30)))
    func killed() async throws {
        try await withServer { server, database in
            try await database.write { try $0.open(1, "Ada") }
            for id in 2...3 {
                try server.kill()
                for _ in 1...3 {
                    let write = await storageError {
                        try await database.write { try $0.open(9, "Zoe") }
                    }
                    #expect(write?.code == .connectionLost)
                    let check = await storageError { try await database.check() }
                    #expect(check?.code == .connectionLost)
                }
                try server.restart()
                try await database.write { try $0.open(id, "\(id)") }
            }
            #expect(try await database.read { try $0.accountCount() } == 3)
        }
    }

    @Test("A statement that takes longer than a server may be silent is waited for")
    func takesLong() async throws {
        var limits = Self.limits
        limits.silence = .milliseconds(20)
        limits.answer = .seconds(60)
        let database = try await Backend.postgres.makeDatabase(limits: limits)
        let row = try await database.read { try $0.row("SELECT 5::bigint, pg_sleep(1)") }
        #expect(try row?.int(0) == 5)
        #expect(database.load.lost == 0)
        await database.close()
    }
}

/// The limits that the server keeps.
@Suite(.enabled(if: Backend.available.contains(.postgres)))
struct ServerLimitTests {
    private static let sleepy: SQL = "SELECT pg_sleep(6)"

    /// A database with limits, and one without on the same tables: what it takes to look at them
    /// is not to be limited.
    private func database(
        _ change: (inout DatabaseLimits) -> Void
    ) async throws -> (any Database, patient: any Database) {
        var limits = Backend.patience
        change(&limits)
        let (url, patient) = try await Backend.makeServed()
        try await patient.migrate([accounts])
        return (try PostgresDatabase(url: url, connections: 2, limits: limits), patient)
    }

    @Test("A statement that takes too long is busy, and nothing of its transaction is kept")
    func statement() async throws {
        let (database, patient) = try await database { $0.statement = .seconds(3) }
        let error = await storageError {
            try await database.write { session in
                try session.open(1, "Ada")
                _ = try session.rows(Self.sleepy)
            }
        }
        #expect(error?.code == .busy)
        #expect(try await patient.read { try $0.accountCount() } == 0)
        await database.close()
        await patient.close()
    }

    @Test("A transaction may lift the limits, for itself alone")
    func lifted() async throws {
        let (database, patient) = try await database { $0.statement = .seconds(3) }
        try await database.write { session in
            try session.liftLimits()
            _ = try session.rows(Self.sleepy)
            try session.open(1, "Ada")
        }
        let error = await storageError { _ = try await database.read { try $0.rows(Self.sleepy) } }
        #expect(error?.code == .busy)
        #expect(try await patient.read { try $0.accountCount() } == 1)
        await database.close()
        await patient.close()
    }

    @Test("A migration takes as long as it needs")
    func migration() async throws {
        let (database, patient) = try await database { $0.statement = .seconds(3) }
        let long = Migration("long") { _ in ["CREATE TABLE slow AS SELECT pg_sleep(6)::text"] }
        try await database.migrate([accounts, long])
        await database.close()
        await patient.close()
    }

    @Test("A lock that another one holds too long is busy")
    func lock() async throws {
        let (database, patient) = try await database { $0.lock = .milliseconds(50) }
        try await patient.write { try $0.open(1, "Ada") }
        let (start, started) = AsyncStream.makeStream(of: Void.self)
        let mayEnd = Flag()
        async let holding: Void = patient.write { session in
            try session.execute("UPDATE account SET balance = 1")
            started.yield()
            mayEnd.wait()
        }
        for await _ in start { break }
        let error = await storageError {
            try await database.write { _ = try $0.execute("UPDATE account SET balance = 2") }
        }
        #expect(error?.code == .busy)
        mayEnd.set()
        try await holding
        #expect(try await patient.read { try $0.balance(1) } == 1)
        await database.close()
        await patient.close()
    }

    @Test("What the URL says of the server's settings counts more than the limits")
    func ownOptions() async throws {
        let url = try await Backend.makePostgresURL() + "%20-cstatement_timeout%3D0"
        var limits = Backend.patience
        limits.statement = .seconds(3)
        let database = try PostgresDatabase(url: url, limits: limits)
        _ = try await database.read { try $0.rows(Self.sleepy) }
        await database.close()
    }
}
