import Storage
import TestFloor
import Testing

/// Copies of a database as the store asks for them, on either one.
@Suite("Copies of a database")
struct CopyTests {
    private static let first = CopyPlace(.snapshot, "first")!
    private static let fork = CopyPlace(.fork, "trial-2")!

    private func make(
        _ database: any Database, _ place: CopyPlace = first,
        _ prepare: @escaping @Sendable (any Session) throws -> Void = { _ in }
    ) async throws {
        try await database.copies.make(place, progress: { _ in }, preparing: prepare)
    }

    private func putBack(
        _ database: any Database, _ place: CopyPlace = first,
        _ prepare: @escaping @Sendable (Int?, any Session) throws -> Void = { _, _ in }
    ) async throws {
        try await database.copies.putBack(
            place, progress: { _ in }, keeping: { try $0.accountCount() }, preparing: prepare)
    }

    @Test(
        "A name is a letter and then letters, digits and hyphens, 32 at most",
        arguments: [
            ("a", true), ("before-the-campaign", true), ("x2", true), ("a--", true),
            (String(repeating: "a", count: 32), true), (String(repeating: "a", count: 33), false),
            ("", false), ("2x", false), ("-a", false), ("A", false), ("a.b", false), ("a/b", false),
            ("..", false), ("a b", false), ("a\"", false), ("ä", false), ("a\u{0}", false),
            ("a_b", false), ("a;DROP", false),
        ])
    func names(_ name: String, _ isName: Bool) {
        #expect((CopyPlace(.snapshot, name) != nil) == isName)
        #expect((CopyPlace(.fork, name) != nil) == isName)
    }

    @Test(
        "A copy stays as it is, and changing it changes nothing else", arguments: Backend.available)
    func apart(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { try $0.open(1, "Ada", balance: 3) }
            try await make(database, Self.fork) { try $0.open(7, "Prepared") }
            try await database.write { try $0.open(2, "Bob") }
            let copy = try await database.copies.open(Self.fork)
            try await copy.write { try $0.execute("UPDATE account SET balance = 99 WHERE id = 1") }
            #expect(try await copy.read { try ($0.accountCount(), $0.balance(1)) } == (2, 99))
            #expect(try await database.read { try ($0.accountCount(), $0.balance(1)) } == (2, 3))
            #expect(try await database.read { try $0.balance(7) } == nil)
            #expect(try await database.copies.read(Self.fork) { try $0.balance(7) } == 0)
            await copy.close()
        }
    }

    @Test("A copy refuses what the original refuses", arguments: Backend.available)
    func constraints(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { session in
                try session.open(1, "Ada")
                try session.execute("CREATE UNIQUE INDEX one_label ON holding (label)")
                try session.execute(
                    "CREATE INDEX by_balance ON account (balance) WHERE balance > 5")
                try session.execute(
                    "INSERT INTO holding (id, account_id, label) VALUES (1, 1, 'a')")
            }
            try await make(database, Self.fork)
            let copy = try await database.copies.open(Self.fork)
            // Once as it was copied, and once as it was put back.
            for one in [copy, database] {
                for (statement, code) in [
                    ("INSERT INTO account (id, name) VALUES (1, 'Eve')", .uniqueViolation),
                    ("INSERT INTO account (id, name) VALUES (2, 'Ada')", .uniqueViolation),
                    ("INSERT INTO account (id) VALUES (2)", .notNullViolation),
                    (
                        "INSERT INTO account (id, name, balance) VALUES (2, 'E', -1)",
                        .checkViolation
                    ),
                    ("INSERT INTO holding (id, account_id) VALUES (2, 9)", .foreignKeyViolation),
                    ("DELETE FROM account", .foreignKeyViolation),
                    (
                        "INSERT INTO holding (id, account_id, label) VALUES (2, 1, 'a')",
                        .uniqueViolation
                    ),
                ] as [(String, StorageError.Code)] {
                    let error = await storageError {
                        _ = try await one.write { try $0.execute(SQL(text: statement)) }
                    }
                    #expect(error?.code == code, "\(statement)")
                }
                // What has a usual value has it in the copy too.
                try await one.write {
                    try $0.execute("INSERT INTO account (id, name) VALUES (5, 'F')")
                }
                #expect(try await one.read { try $0.balance(5) } == 0)
                try await make(database)
                try await putBack(database)
                _ = try await database.copies.remove(Self.first)
                try await database.write { try $0.execute("DELETE FROM account WHERE id = 5") }
            }
            await copy.close()
        }
    }

    @Test(
        "A name is taken once, and is free again when its copy is gone",
        arguments: Backend.available)
    func twice(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await make(database)
            try await database.write { try $0.open(1, "Ada") }
            let error = await storageError { try await make(database) }
            #expect(error?.code == .uniqueViolation)
            #expect(try await database.copies.read(Self.first) { try $0.accountCount() } == 0)
            // The same name is free for a fork.
            try await make(database, CopyPlace(.fork, "first")!)
            #expect(try await database.copies.remove(Self.first))
            #expect(try await !database.copies.remove(Self.first))
            try await make(database)
            #expect(try await database.copies.read(Self.first) { try $0.accountCount() } == 1)
            #expect(try await database.copies.all(.snapshot).map(\.place.name) == ["first"])
            #expect(try await database.copies.all(.fork).map(\.place.name) == ["first"])
            #expect(try await database.copies.all(.fork)[0].size > 0)
        }
    }

    @Test("A copy that fails leaves nothing behind", arguments: Backend.available)
    func failed(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { try $0.open(1, "Ada") }
            for place in [Self.first, Self.fork] {
                await #expect(throws: ChangeOfMind()) {
                    try await make(database, place) { session in
                        try session.open(2, "Bob")
                        throw ChangeOfMind()
                    }
                }
                // An error of the database's that was caught is one all the same.
                let error = await storageError {
                    try await make(database, place) { _ = try? $0.open(1, "Ada") }
                }
                #expect(error?.code == .uniqueViolation)
                #expect(try await database.copies.all(place.kind).isEmpty)
                let missing = await storageError {
                    try await database.copies.read(place) { _ = try $0.accountCount() }
                }
                #expect(missing?.code == .other)
            }
            try await make(database)
            #expect(try await database.copies.read(Self.first) { try $0.accountCount() } == 1)
        }
    }

    @Test("A copy is one moment, whatever is written meanwhile", arguments: Backend.available)
    func oneMoment(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase(connections: 6)
        try await database.migrate([accounts])
        try await database.write { session in
            for id in 1...200 { try session.open(id, "account \(id)", balance: 100) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<16 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(writer))
                    while !Task.isCancelled {
                        await Task.yield()
                        let from = Int(random.next() % 200) + 1
                        let to = Int(random.next() % 200) + 1
                        try await database.write { session in
                            guard let left = try session.balance(from), left > 0 else { return }
                            try session.execute(
                                "UPDATE account SET balance = balance - 1 WHERE id = \(from)")
                            try session.execute(
                                "UPDATE account SET balance = balance + 1 WHERE id = \(to)")
                        }
                    }
                }
            }
            for number in 0..<6 {
                let place = CopyPlace(.snapshot, "s\(number)")!
                try await make(database, place)
                let sum = try await database.copies.read(place) { session in
                    try session.row("SELECT CAST(SUM(balance) AS BIGINT) FROM account")?.integer(0)
                }
                #expect(sum == 20_000)
            }
            try await putBack(database, CopyPlace(.snapshot, "s2")!)
            group.cancelAll()
        }
        let sum = try await database.read { session in
            try session.row("SELECT CAST(SUM(balance) AS BIGINT) FROM account")?.integer(0)
        }
        #expect(sum == 20_000)
        await database.close()
    }

    @Test("A copy that is put back takes the place of everything", arguments: Backend.available)
    func back(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { try $0.open(1, "Ada", balance: 1) }
            try await make(database)
            for round in 2...4 {
                try await database.write { session in
                    try session.open(round, "Bob", balance: round)
                    try session.execute("UPDATE account SET balance = 50 WHERE id = 1")
                }
                let before = try await database.read { try ($0.accountCount(), $0.balance(1)) }
                #expect(before == (2, 50))
                try await putBack(database) { kept, session in
                    try session.execute("UPDATE account SET balance = \(kept ?? 0) WHERE id = 1")
                }
                let after = try await database.read { try ($0.accountCount(), $0.balance(1)) }
                #expect(after == (1, 2))
                #expect(
                    try await database.copies.read(Self.first) {
                        try ($0.accountCount(), $0.balance(1))
                    } == (1, 1))
            }
            #expect(try await database.copies.all(.snapshot).count == 1)
        }
    }

    @Test("What cannot be put back leaves everything as it was", arguments: Backend.available)
    func notBack(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await make(database)
            try await database.write { try $0.open(1, "Ada", balance: 1) }
            await #expect(throws: ChangeOfMind()) {
                try await putBack(database) { _, session in
                    try session.open(9, "Eve")
                    throw ChangeOfMind()
                }
            }
            let error = await storageError {
                try await putBack(database, CopyPlace(.snapshot, "nothing")!)
            }
            #expect(error?.code == .other)
            #expect(try await database.read { try ($0.accountCount(), $0.balance(1)) } == (1, 1))
            try await database.write { try $0.open(2, "Bob") }
            // And the next time it works.
            try await putBack(database)
            #expect(try await database.read { try $0.accountCount() } == 0)
        }
    }

    @Test(
        "Who has begun to read before a copy comes reads to the end what was there",
        .enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(15)),
        // A snapshot and no table yet; a table behind others that a copy takes.
        arguments: ["SELECT 1", "SELECT COUNT(*) FROM holding"])
    func begun(_ beginning: String) async throws {
        let database = try await Backend.postgres.makeDatabase(connections: 3)
        try await database.migrate([accounts])
        try await database.write { try $0.open(1, "Ada") }
        try await make(database)
        try await database.write { try $0.open(2, "Bob") }
        let schema = try await database.read { session in
            try session.row(
                "SELECT relnamespace::bigint FROM pg_class WHERE oid = 'account'::regclass")?.int(0)
        }
        let other = try await Backend.postgres.makeDatabase()
        let (isReading, isBack, mayGoOn) = (Gate(), Gate(), Flag())
        async let seen = database.read { session in
            _ = try session.row(SQL(text: beginning))
            isReading.open()
            mayGoOn.wait()
            return try session.accountCount()
        }
        await isReading.wait()
        async let back: Void = {
            defer { isBack.open() }
            try await putBack(database)
        }()
        while !isBack.isOpen {
            let waits = try await other.read { session in
                try session.exists(
                    """
                    SELECT 1 FROM pg_locks JOIN pg_class c ON c.oid = relation
                    WHERE NOT granted AND c.relnamespace = \(schema)::bigint::oid
                    """)
            }
            if waits { break }
            await Task.yield()
        }
        mayGoOn.set()
        let count = try await seen
        try await back
        #expect(count == 2)
        #expect(try await database.read { try $0.accountCount() } == 1)
        await database.close()
        await other.close()
    }

    @Test(
        "Whoever reads meanwhile sees one of the two, never a mixture",
        arguments: Backend.available)
    func readers(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase(connections: 6)
        try await database.migrate([accounts])
        try await database.write { session in
            try session.open(1, "Ada", balance: 1)
            try session.execute("INSERT INTO holding (id, account_id) VALUES (1, 1)")
        }
        try await make(database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while !Task.isCancelled {
                        let seen = try await database.read { session in
                            (
                                try session.accountCount() ?? 0,
                                try session.row("SELECT COUNT(*) FROM holding")?.int(0) ?? 0
                            )
                        }
                        #expect(seen.0 == seen.1 && seen.0 >= 1)
                        // Reads of a file never wait, and would let nobody else run.
                        await Task.yield()
                    }
                }
            }
            for round in 2...9 {
                try await database.write { session in
                    try session.open(round, "Bob")
                    try session.execute(
                        "INSERT INTO holding (id, account_id) VALUES (\(round), \(round))")
                }
                try await putBack(database)
            }
            group.cancelAll()
        }
        await database.close()
    }

    @Test("Progress grows up to all of it", arguments: Backend.available)
    func progress(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { session in
                for id in 1...2000 { try session.open(id, "account number \(id)") }
            }
            let told = Told()
            try await database.copies.make(Self.first, progress: told.take) { _ in }
            let readings = told.readings
            #expect(!readings.isEmpty)
            #expect(readings == readings.sorted { $0.done < $1.done })
            #expect(readings.last?.done == readings.last?.total)
            try await database.copies.putBack(
                Self.first, progress: told.take, keeping: { _ in }, preparing: { _, _ in })
            #expect(told.readings.count > readings.count)
        }
    }
}
