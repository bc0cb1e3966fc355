import Storage
import StoragePostgres
import Testing

@testable import TestFloor

@Suite(
    "Schemas that tests use one after the other",
    .enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(15)))
struct SchemaShelfTests {
    private let shelf = SchemaShelf()

    private func borrow() async throws -> any Database {
        let database = try await shelf.borrow()
        try await database.migrate([accounts])
        return database
    }

    private func name(of database: any Database) async throws -> String? {
        try await database.read { try $0.row("SELECT current_schema()::text")?.text(0) }
    }

    @Test("One comes back when nobody has it, and is empty")
    func comesBack() async throws {
        let first = try await {
            let database = try await borrow()
            try await database.write { try $0.open(1, "Ada") }
            return try await name(of: database)
        }()
        var others: [any Database] = []
        while true {
            let next = try await borrow()
            #expect(try await next.read { try $0.accountCount() } == 0)
            if try await name(of: next) == first { break }
            // Until it is back there are only new ones.
            others.append(next)
        }
        let names = try await names(others)
        #expect(Set(names).count == names.count, "two have one schema at the same time")
    }

    @Test("One with another table does not come back")
    func changed() async throws {
        let first = try await {
            let database = try await borrow()
            try await database.write { session in
                try session.open(1, "Ada")
                try session.execute("CREATE TABLE other (id BIGINT)")
            }
            return try #require(try await name(of: database))
        }()
        let observer = try await Backend.postgres.makeDatabase()
        let rows = SQL(text: "SELECT 1 FROM \(first).account")
        while try await observer.read({ try $0.exists(rows) }) { await Task.yield() }
        var others: [any Database] = []
        for _ in 0..<5 { others.append(try await borrow()) }
        #expect(!(try await names(others)).contains(first))
        await observer.close()
    }

    private func names(_ databases: [any Database]) async throws -> [String?] {
        var names: [String?] = []
        for database in databases { names.append(try await name(of: database)) }
        return names
    }
}
