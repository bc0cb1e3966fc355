import Storage
import TestFloor
import Testing

@Suite struct TransactionTests {
    @Test("A violated constraint has a code and nothing changes", arguments: Backend.available)
    func constraintsHaveCodes(_ backend: Backend) async throws {
        let refused: [(StorageError.Code, SQL)] = [
            (.uniqueViolation, "INSERT INTO account (id, name) VALUES (2, 'Ada')"),
            (.uniqueViolation, "INSERT INTO account (id, name) VALUES (1, 'Bob')"),
            (.checkViolation, "UPDATE account SET balance = -1 WHERE id = 1"),
            (.notNullViolation, "INSERT INTO account (id, name) VALUES (2, NULL)"),
            (.foreignKeyViolation, "INSERT INTO holding (id, account_id) VALUES (2, 9)"),
            (.foreignKeyViolation, "DELETE FROM account WHERE id = 1"),
        ]
        try await withDatabase(backend) { database in
            try await database.write { session in
                try session.open(1, "Ada", balance: 5)
                try session.execute("INSERT INTO holding (id, account_id) VALUES (1, 1)")
            }
            for (code, sql) in refused {
                let error = await storageError {
                    try await database.write { session in
                        try session.execute("UPDATE account SET balance = 7")
                        try session.execute(sql)
                    }
                }
                #expect(error?.code == code, "\(sql.text)")
                #expect(error?.statement == sql.text)
                if code == .checkViolation {
                    #expect(error?.constraint == "balance_is_not_negative")
                }
            }
            let state = try await database.read { try ($0.accountCount(), $0.balance(1)) }
            #expect(state == (1, 5))
        }
    }

    @Test("A thrown error undoes the transaction and comes through", arguments: Backend.available)
    func rollsBack(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            await #expect(throws: ChangeOfMind.self) {
                try await database.write { session in
                    try session.open(1, "Ada")
                    throw ChangeOfMind()
                }
            }
            let count = try await database.read { try $0.accountCount() }
            #expect(count == 0)
        }
    }

    @Test(
        "After an error a session refuses all else, and nothing is kept even if it is caught",
        arguments: Backend.available)
    func refusesAfterError(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let error = await storageError {
                try await database.write { session in
                    try session.open(1, "Ada")
                    _ = try? session.open(1, "Bob")
                    #expect(throws: StorageError.self) { try session.open(3, "Cleo") }
                    #expect(throws: StorageError.self) { _ = try session.accountCount() }
                    #expect(throws: StorageError.self) {
                        try session.executeMany("DELETE FROM account", [[]])
                    }
                    #expect(throws: StorageError.self) {
                        try session.forEachRow("SELECT 1") { _ in }
                    }
                }
            }
            #expect(error?.code == .uniqueViolation)
            let count = try await database.read { try $0.accountCount() }
            #expect(count == 0)
        }
    }

    @Test("A conflict that the statement itself expects is no error", arguments: Backend.available)
    func expectsConflict(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let changed = try await database.write { session in
                let sql: SQL = """
                    INSERT INTO account (id, name) VALUES (1, 'Ada') ON CONFLICT DO NOTHING
                    """
                return try [session.execute(sql), session.execute(sql)]
            }
            #expect(changed == [1, 0])
        }
    }

    @Test(
        "Rows changed are counted, without those of earlier statements",
        arguments: Backend.available)
    func countsChanges(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let counts = try await database.write { session in
                for id in 1...5 { try session.open(id, "\(id)") }
                return try [
                    session.execute("UPDATE account SET balance = 1 WHERE id < \(4)"),
                    session.execute("UPDATE account SET balance = 1 WHERE id > 9"),
                    session.execute("CREATE TABLE other (id INTEGER)"),
                    session.execute("DELETE FROM account"),
                ]
            }
            #expect(counts == [3, 0, 0, 5])
        }
    }

    @Test("A change in a read is refused", arguments: Backend.available)
    func readsOnlyRead(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let error = await storageError {
                _ = try await database.read { try $0.open(1, "Ada") }
            }
            #expect(error?.code == .readOnly)
            let count = try await database.read { try $0.accountCount() }
            #expect(count == 0)
        }
    }

    @Test("A read sees what was committed, and one snapshot of it", arguments: Backend.available)
    func readsSnapshots(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { try $0.open(1, "Ada", balance: 100) }
            try await database.write { try $0.open(2, "Bob", balance: 0) }
            // Whatever the interleaving, a transfer is seen whole or not at all.
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 1...100 {
                        try await database.write { session in
                            let change = "UPDATE account SET balance = balance"
                            try session.execute("\(raw: change) - 1 WHERE id = 1")
                            try session.execute("\(raw: change) + 1 WHERE id = 2")
                        }
                    }
                }
                for _ in 1...100 {
                    let (first, second) = try await database.read { session in
                        try (session.balance(1), session.balance(2))
                    }
                    #expect((first ?? 0) + (second ?? 0) == 100)
                }
                try await group.waitForAll()
            }
            let balance = try await database.read { try $0.balance(2) }
            #expect(balance == 100)
        }
    }

    @Test("What is committed during a read stays unseen by it", arguments: Backend.available)
    func readsOneMoment(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { try $0.open(1, "Ada", balance: 5) }
            let (start, started) = AsyncStream.makeStream(of: Void.self)
            let isWritten = Flag()
            async let seen = withTaskExecutorPreference(OwnThread()) {
                try await database.read { session in
                    let before = try session.balance(1)
                    started.yield()
                    isWritten.wait()
                    return try [before, session.balance(1)]
                }
            }
            for await _ in start { break }
            try await database.write { try $0.execute("UPDATE account SET balance = 6") }
            isWritten.set()
            let balances = try await seen
            #expect(balances == [5, 5])
            let after = try await database.read { try $0.balance(1) }
            #expect(after == 6)
        }
    }

    @Test("A hundred concurrent changes of one hot row lose nothing", arguments: Backend.available)
    func losesNoUpdate(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { try $0.open(1, "Ada") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...100 {
                    group.addTask {
                        try await database.write { session in
                            let balance = try session.balance(1) ?? 0
                            try session.execute(
                                "UPDATE account SET balance = \(balance + 1) WHERE id = 1")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let balance = try await database.read { try $0.balance(1) }
            #expect(balance == 100)
        }
    }

    @Test(
        "Of concurrent transactions only those fail that are to blame",
        arguments: Backend.available)
    func failsAlone(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { try $0.open(0, "taken") }
            let failures = await withTaskGroup(of: Int?.self) { group in
                for id in 1...60 {
                    group.addTask {
                        do {
                            try await database.write { session in
                                try session.open(id, "account \(id)")
                                if id % 3 == 0 { try session.open(1000 + id, "taken") }
                                if id % 5 == 0 { throw ChangeOfMind() }
                            }
                            return nil
                        } catch {
                            return id
                        }
                    }
                }
                return await group.reduce(into: Set<Int>()) { if let id = $1 { $0.insert(id) } }
            }
            let expected = Set((1...60).filter { $0 % 3 == 0 || $0 % 5 == 0 })
            #expect(failures == expected)
            let kept = try await database.read { try $0.rows("SELECT id FROM account") }
            #expect(try Set(kept.map { try $0.int(0) }) == Set(0...60).subtracting(expected))
        }
    }

    @Test("A closed database refuses, after what was under way", arguments: Backend.available)
    func refusesAfterClosing(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            async let last: Void = database.write { try $0.open(1, "Ada") }
            try await last
            await database.close()
            let write = await storageError { try await database.write { try $0.open(2, "Bob") } }
            let read = await storageError { _ = try await database.read { try $0.accountCount() } }
            #expect(write?.code == .connectionLost)
            #expect(read?.code == .connectionLost)
        }
    }

    @Test("Fifty databases at once share nothing", arguments: Backend.available)
    func sharesNothing(_ backend: Backend) async throws {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 1...50 {
                group.addTask {
                    let database = try await backend.makeDatabase()
                    try await database.migrate([accounts])
                    try await database.write { session in
                        for id in 1...number { try session.open(id, "account \(id)") }
                    }
                    let count = try await database.read { try $0.accountCount() }
                    await database.close()
                    return count == number ? number : nil
                }
            }
            let numbers = try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
            #expect(numbers == Set((1...50).map(Optional.some)))
        }
    }
}
