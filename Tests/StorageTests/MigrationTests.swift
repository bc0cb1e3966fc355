import Storage
import TestFloor
import Testing

@Suite struct MigrationTests {
    private static let first = Migration("first") { _ in ["CREATE TABLE log (word TEXT)"] }
    private static let second = Migration("second") { _ in
        ["INSERT INTO log (word) VALUES ('a')", "INSERT INTO log (word) VALUES ('b')"]
    }
    private static let broken = Migration("broken") { _ in
        ["INSERT INTO log (word) VALUES ('c')", "INSERT INTO missing (word) VALUES ('d')"]
    }

    private func words(_ database: any Database) async throws -> [String] {
        try await database.read { try $0.rows("SELECT word FROM log ORDER BY word") }
            .map { try $0.text(0) }
    }

    @Test("Each migration is applied once, in order", arguments: Backend.available)
    func appliesOnce(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        try await database.migrate([Self.first])
        try await database.migrate([Self.first, Self.second])
        try await database.migrate([Self.first, Self.second])
        #expect(try await words(database) == ["a", "b"])
        let names = try await database.read {
            try $0.rows("SELECT name FROM migration ORDER BY applied_order")
        }
        #expect(try names.map { try $0.text(0) } == ["first", "second"])
        await database.close()
    }

    @Test(
        "A failed migration leaves nothing, and those before it stay",
        arguments: Backend.available)
    func undoesFailed(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        let error = await storageError {
            try await database.migrate([Self.first, Self.second, Self.broken])
        }
        #expect(error?.code == .invalidStatement)
        #expect(try await words(database) == ["a", "b"])
        await database.close()
    }

    @Test(
        "An earlier version goes on beside a later one that only added something",
        arguments: Backend.available)
    func added(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let later = Migration("what a later version adds +") { dialect in
                ["ALTER TABLE account ADD COLUMN note TEXT"]
            }
            try await database.migrate([accounts, later])
            try await database.refuseNewerSchema(than: [accounts])
            // It may be started again as well, and both write.
            try await database.migrate([accounts])
            try await database.write { try $0.open(1, "Ada") }
            try await database.write { session in
                try session.execute("UPDATE account SET note = 'seen' WHERE note IS NULL")
            }
            // What the later one adds besides, it adds behind.
            let more = Migration("more +") { _ in ["CREATE TABLE more (id TEXT PRIMARY KEY)"] }
            try await database.migrate([accounts, later, more])
            try await database.refuseNewerSchema(than: [accounts, later])
            let applied = try await database.read { session in
                try session.rows("SELECT name FROM migration ORDER BY applied_order").count
            }
            #expect(applied == 3)
        }
    }

    @Test("A database of a later build is refused by name", arguments: Backend.available)
    func refusesNewer(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        try await database.migrate([Self.first, Self.second])
        let error = await storageError { try await database.migrate([Self.first]) }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains("second") == true)
        await database.close()
    }

    @Test("A list in another order is refused", arguments: Backend.available)
    func refusesReordered(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        try await database.migrate([Self.first, Self.second])
        let error = await storageError { try await database.migrate([Self.second, Self.first]) }
        #expect(error?.code == .invalidStatement)
        await database.close()
    }

    @Test("Those who migrate at once apply each migration once", arguments: Backend.available)
    func migratesConcurrently(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 {
                group.addTask { try await database.migrate([Self.first, Self.second]) }
            }
            try await group.waitForAll()
        }
        #expect(try await words(database) == ["a", "b"])
        await database.close()
    }
}
