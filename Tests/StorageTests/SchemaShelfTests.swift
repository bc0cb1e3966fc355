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

    private func schema(of database: any Database) async throws -> String? {
        try await database.read { try $0.row("SELECT current_schema()::text")?.text(0) }
    }

    /// Uses one, and waits until it was given back.
    private func use(
        _ body: @escaping @Sendable (any Session) throws -> Void
    ) async throws -> String? {
        let schema = try await {
            let database = try await borrow()
            try await database.write(body)
            return try await self.schema(of: database)
        }()
        while shelf.counts.lent > 0 { await Task.yield() }
        return schema
    }

    @Test("One comes back when nobody has it, and is empty")
    func comesBack() async throws {
        let first = try await use { try $0.open(1, "Ada") }
        #expect(shelf.counts.free == 1)
        let (next, other) = (try await borrow(), try await borrow())
        #expect(try await schema(of: next) == first)
        #expect(try await schema(of: other) != first)
        #expect(try await next.read { try $0.accountCount() } == 0)
    }

    @Test("One with another table does not come back")
    func changed() async throws {
        _ = try await use { try $0.execute("CREATE TABLE other (id BIGINT)") }
        #expect(shelf.counts.free == 0)
    }
}
