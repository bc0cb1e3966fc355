import Storage
import StoragePostgres
import Synchronization
import TestFloor
import Testing

@Suite struct PostgresTests {
    @Test(
        "A URL that cannot be read is refused without being quoted",
        arguments: ["postgres://me:secret@[::1/x", "postgres://me:sec@ret@host/x", "secret"])
    func refusesURL(_ url: String) async {
        let error = await storageError { _ = try PostgresDatabase(url: url) }
        #expect(error?.code == .invalidStatement)
        #expect(error?.description.contains("ret") == false)
    }

    @Test("A server that cannot be reached is connectionLost, and the password does not show")
    func cannotConnect() async throws {
        // Port 1 of loopback is nobody's.
        let database = try PostgresDatabase(url: "postgres://me:s3cret@127.0.0.1:1/x")
        let error = await storageError { _ = try await database.read { try $0.rows("SELECT 1") } }
        #expect(error?.code == .connectionLost)
        #expect(error?.description.contains("s3cret") == false)
        await database.close()
    }
}

/// Behaviour of connections that only a server has.
@Suite(.enabled(if: Backend.available.contains(.postgres)))
struct PostgresConnectionTests {
    @Test("A connection that was lost while idle is made again")
    func reconnects() async throws {
        let other = try await Backend.postgres.makeDatabase()
        try await withDatabase(.postgres) { database in
            for _ in 1...3 {
                let row = try await database.read { try $0.row("SELECT pg_backend_pid()") }
                let process = try #require(row).int(0)
                try await other.write { session in
                    try session.execute("SELECT pg_terminate_backend(\(process)::integer)")
                }
                try await database.write { _ = try $0.accountCount() }
            }
        }
        await other.close()
    }

    @Test("A transaction that lost its connection before COMMIT runs again")
    func repeatsLost() async throws {
        try await withDatabase(.postgres) { database in
            let attempts = Counter()
            try await database.write { session in
                try session.open(1, "Ada")
                if attempts.next() == 1 {
                    try session.execute("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(attempts.next() == 3)
            let count = try await database.read { try $0.accountCount() }
            #expect(count == 1)
        }
    }

    @Test("Who goes together and is overtaken goes again, alone")
    func overtaken() async throws {
        try await withDatabase(.postgres) { database in
            let attempts = Counter()
            let flags = [Flag(), Flag()]
            // Each looks before the other has made the account, and both make it.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0...1 {
                    group.addTask {
                        try await database.write(.together) { session in
                            let isThere = try session.accountCount() == 1
                            if attempts.next() <= 2 {
                                flags[place].set()
                                flags[1 - place].wait()
                            }
                            guard isThere else { return try session.open(1, "Ada") }
                            try session.execute("UPDATE account SET balance = balance + 1")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(attempts.next() == 4)
            let balance = try await database.read { session in
                try session.row("SELECT balance FROM account")?.int(0)
            }
            #expect(balance == 1)
        }
    }

    @Test("Two that wait for each other both go on, one of them again and alone")
    func deadlock() async throws {
        try await withDatabase(.postgres) { database in
            try await database.write { session in
                for id in 0...1 { try session.open(id, "\(id)") }
            }
            let attempts = Counter()
            let flags = [Flag(), Flag()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0...1 {
                    group.addTask {
                        try await database.write(.together) { session in
                            let isEarly = attempts.next() <= 2
                            for id in [place, 1 - place] {
                                try session.execute(
                                    "UPDATE account SET balance = balance + 1 WHERE id = \(id)")
                                guard isEarly, id == place else { continue }
                                flags[place].set()
                                flags[1 - place].wait()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(attempts.next() == 4)
            let sum = try await database.read { session in
                try session.row("SELECT CAST(SUM(balance) AS BIGINT) FROM account")?.int(0)
            }
            #expect(sum == 4)
        }
    }

    @Test("What goes alone waits for those together, and those behind it wait")
    func alone() async throws {
        try await withDatabase(.postgres) { database in
            let (isIn, mayEnd) = (Flag(), Flag())
            let order = Order()
            async let first: Void = database.write(.together) { session in
                try session.open(1, "1")
                isIn.set()
                mayEnd.wait()
                order.add(1)
            }
            while !isIn.isUp { await Task.yield() }
            async let second: Void = database.write(.alone) { session in
                let count = try session.accountCount()
                #expect(count == 1)
                order.add(2)
            }
            mayEnd.set()
            _ = try await (first, second)
            #expect(order.all == [1, 2])
        }
    }

    @Test("A transaction that loses its connection each time is given up")
    func givesUp() async throws {
        try await withDatabase(.postgres) { database in
            let error = await storageError {
                try await database.write { session in
                    try session.open(1, "Ada")
                    try session.execute("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(error?.code == .connectionLost)
            let count = try await database.read { try $0.accountCount() }
            #expect(count == 0)
        }
    }

    @Test("A type that the seam does not know is refused with the advice to cast")
    func refusesTypes() async throws {
        try await withDatabase(.postgres) { database in
            let error = await storageError {
                _ = try await database.read { try $0.rows("SELECT SUM(id) FROM account") }
                _ = try await database.read { try $0.rows("SELECT SUM(5::bigint)") }
            }
            #expect(error?.code == .invalidStatement)
            #expect(error?.message.contains("cast") == true)
        }
    }

    @Test("More texts than a connection keeps prepared go on working")
    func forgetsStatements() async throws {
        try await withDatabase(.postgres) { database in
            for round in 0..<3 {
                try await database.write { session in
                    for number in 0..<400 {
                        let row = try session.row("SELECT \(raw: "\(number)") + \(round)")
                        #expect(try row?.int(0) == number + round)
                    }
                }
            }
        }
    }
}

final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int {
        count.add(1, ordering: .relaxed).newValue
    }
}
