import DueWork
import Storage
import SubscriptionRules
import TestFloor
import Testing

@Suite("Processes that share a database", .timeLimit(.minutes(15)))
struct MembershipTests {
    private static let moving = Claim("moving")

    private func database(_ backend: Backend) async throws -> any Database {
        let database = try await backend.makeDatabase(connections: 4)
        try await database.migrate([
            Migration("processes") { Claim.table($0) + ProcessRecord.table($0) }
        ])
        return database
    }

    private func member(
        _ name: String, of database: any Database, _ stopwatch: ManualStopwatch = ManualStopwatch()
    ) -> Membership {
        Membership(in: database, name: name, version: "1", claimTime: .minutes(10)) {
            stopwatch.reading
        }
    }

    @Test("One at a time has a claim, whoever asks", arguments: Backend.available)
    func oneAtATime(_ backend: Backend) async throws {
        let database = try await database(backend)
        let within = Gate()
        let goesOn = Gate()
        let (one, two) = (member("one", of: database), member("two", of: database))
        let first = Task {
            try await one.holding(Self.moving) {
                within.open()
                await goesOn.wait()
            }
        }
        await within.wait()
        #expect(one.holds(Self.moving))
        await #expect(throws: ClaimIsTaken.self) {
            try await two.holding(Self.moving, patience: .milliseconds(40)) {}
        }
        #expect(!two.has(Self.moving))
        goesOn.open()
        try await first.value
        #expect(!one.has(Self.moving))
        #expect(try await two.holding(Self.moving) { 7 } == 7)
    }

    private struct Failure: Error {}

    @Test("Who fails or is stopped lets go", arguments: Backend.available)
    func letsGo(_ backend: Backend) async throws {
        let database = try await database(backend)
        let (one, two) = (member("one", of: database), member("two", of: database))
        await #expect(throws: Failure.self) {
            try await one.holding(Self.moving) { throw Failure() }
        }
        let within = Gate()
        let stopped = Task {
            try await one.holding(Self.moving) {
                within.open()
                await Gate().wait()
                try Task.checkCancellation()
            }
        }
        await within.wait()
        stopped.cancel()
        await #expect(throws: CancellationError.self) { try await stopped.value }
        try await two.holding(Self.moving, patience: .zero) {}
    }

    @Test(
        "What is not heard of is lost, and known to be lost without asking",
        arguments: Backend.available)
    func lost(_ backend: Backend) async throws {
        let database = try await database(backend)
        let stopwatch = ManualStopwatch()
        let one = member("one", of: database, stopwatch)
        let two = member("two", of: database)
        try await one.holding(Self.moving) {
            stopwatch.reading = .seconds(599)
            #expect(one.holds(Self.moving))
            try await one.beat()
            stopwatch.reading = .seconds(1198)
            #expect(one.holds(Self.moving))
            stopwatch.reading = .seconds(1200)
            #expect(!one.holds(Self.moving))
            #expect(one.has(Self.moving))
            try await database.write { session in
                try session.execute("UPDATE claim SET held_until = 0")
            }
            try await two.holding(Self.moving, patience: .zero) {
                // Too late to keep it.
                try await one.beat()
                #expect(!one.holds(Self.moving))
                let all = try await database.read { session in
                    try ProcessRecord.all(holding: .minutes(10), in: session)
                }
                #expect(all.map(\.name) == ["one"])
                #expect(all.first?.claims.isEmpty == true)
            }
        }
    }

    @Test(
        "Who has lost something lets go of nothing that is another's", arguments: Backend.available)
    func lostMeanwhile(_ backend: Backend) async throws {
        let database = try await database(backend)
        let (one, two) = (member("one", of: database), member("two", of: database))
        let three = member("three", of: database)
        let within = Gate()
        let goesOn = Gate()
        let first = Task {
            try await one.holding(Self.moving) {
                within.open()
                await goesOn.wait()
            }
        }
        await within.wait()
        try await database.write { session in
            try session.execute("UPDATE claim SET held_until = 0")
        }
        try await two.holding(Self.moving, patience: .zero) {
            goesOn.open()
            try await first.value
            await #expect(throws: ClaimIsTaken.self) {
                try await three.holding(Self.moving, patience: .zero) {}
            }
        }
    }

    @Test(
        "How long something is kept counts from when it was asked for, not from the answer",
        arguments: Backend.available)
    func slowBeat(_ backend: Backend) async throws {
        let stopwatch = ManualStopwatch()
        let one = member("one", of: try await database(backend), stopwatch)
        try await one.holding(Self.moving) {
            try await one.beat { _ in stopwatch.reading = .seconds(5) }
            stopwatch.reading = .seconds(599)
            #expect(one.holds(Self.moving))
            stopwatch.reading = .seconds(600)
            #expect(!one.holds(Self.moving))
            // What it lets go of meanwhile is not its own again.
            try await one.beat { _ in one.forget(Self.moving) }
            #expect(!one.has(Self.moving))
        }
    }

    @Test(
        "Who leaves lets go of all that it has, and of nothing else", arguments: Backend.available)
    func leaving(_ backend: Backend) async throws {
        let database = try await database(backend)
        let (one, two) = (member("one", of: database), member("two", of: database))
        try await one.beat()
        try await one.holding(Self.moving) {
            func claims() async throws -> [[Claim]] {
                try await database.read { session in
                    try ProcessRecord.all(holding: .minutes(10), in: session)
                        .map { $0.claims.map(\.claim) }
                }
            }
            try await two.leave()
            #expect(try await claims() == [[Self.moving]])
            await #expect(throws: ClaimIsTaken.self) {
                try await two.holding(Self.moving, patience: .zero) {}
            }
            try await one.leave()
            try await two.holding(Self.moving, patience: .zero) {}
            // What has ended is nobody's.
            try await one.beat()
            try await database.write { [id = one.id] session in
                try session.execute(
                    "INSERT INTO claim (name, process, held_until) VALUES ('moving', \(id), 1)")
            }
            #expect(try await claims() == [[]])
        }
    }

    @Test(
        "Processes join, are heard of, leave, and count what they did", arguments: Backend.available
    )
    func comeAndGo(_ backend: Backend) async throws {
        let database = try await database(backend)
        let (one, two) = (member("one", of: database), member("two", of: database))
        try await one.beat()
        try await database.write { session in try two.count(3, in: session) }
        try await database.write { session in try two.count(4, in: session) }
        let counts = try await database.read { session in
            try ProcessRecord.counts(except: one.id, in: session)
        }
        #expect(counts == [two.id: 7])
        try await one.leave()
        let names = try await database.read { session in
            try ProcessRecord.all(holding: .minutes(10), in: session).map(\.name)
        }
        #expect(names == ["two"])
    }

    @Test("What a database is served by is put back as it was", arguments: Backend.available)
    func serving(_ backend: Backend) async throws {
        let database = try await database(backend)
        let one = member("one", of: database)
        try await one.beat()
        try await one.holding(Self.moving) {
            let before = try await Tables(database, named: ["process", "claim"])
            #expect(before.counts == ["process": 1, "claim": 1])
            try await database.write { session in
                let rows = try ServingRows(of: session)
                try ServingRows.remove(from: session)
                #expect(try !session.exists("SELECT 1 FROM process"))
                try rows.replace(in: session)
            }
            #expect(try await Tables(database, named: ["process", "claim"]) == before)
        }
    }
}
