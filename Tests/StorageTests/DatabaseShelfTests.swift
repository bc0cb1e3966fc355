import Storage
import Testing

@testable import TestFloor

@Suite("Databases that tests use one after the other", .timeLimit(.minutes(15)))
struct DatabaseShelfTests {
    private static let groups = Migration("groups") { dialect in
        [
            "CREATE TABLE club (id \(dialect.numberedKey))\(dialect.tableOptions)",
            """
            CREATE TABLE member (
                club \(dialect.integer) NOT NULL REFERENCES club (id)
            )\(dialect.tableOptions)
            """,
        ]
    }

    private func shelf(_ backend: Backend) -> DatabaseShelf {
        DatabaseShelf { try await backend.makeDatabase() }
    }

    private func borrow(from shelf: DatabaseShelf) async throws -> any Database {
        let database = try await shelf.borrow()
        try await database.migrate([accounts, Self.groups])
        return database
    }

    private func name(of database: any Database) async throws -> String? {
        try await database.read { session in
            switch session.dialect {
            case .sqlite: try session.row("SELECT file FROM pragma_database_list")?.text(0)
            case .postgres: try session.row("SELECT current_schema()::text")?.text(0)
            }
        }
    }

    /// Uses one, and waits until it was given back.
    private func use(
        _ shelf: DatabaseShelf, _ body: (any Database) async throws -> Void
    ) async throws -> String? {
        let name = try await {
            let database = try await borrow(from: shelf)
            try await body(database)
            return try await self.name(of: database)
        }()
        while shelf.counts.lent > 0 { await Task.yield() }
        return name
    }

    @Test(
        "One comes back when nobody has it, is empty and counts from one",
        arguments: Backend.available)
    func comesBack(_ backend: Backend) async throws {
        let shelf = shelf(backend)
        let first = try await use(shelf) { database in
            try await database.write { session in
                try session.open(1, "Ada")
                let club = try session.row("INSERT INTO club DEFAULT VALUES RETURNING id")
                try session.execute("INSERT INTO member (club) VALUES (\(club?.integer(0) ?? 0))")
            }
        }
        #expect(shelf.counts.free == 1)
        let (next, other) = (try await borrow(from: shelf), try await borrow(from: shelf))
        #expect(try await name(of: next) == first)
        #expect(try await name(of: other) != first)
        #expect(try await next.read { try $0.accountCount() } == 0)
        let club = try await next.write {
            try $0.row("INSERT INTO club DEFAULT VALUES RETURNING id")?.integer(0)
        }
        #expect(club == 1)
    }

    @Test("One with another table does not come back", arguments: Backend.available)
    func changed(_ backend: Backend) async throws {
        let shelf = shelf(backend)
        _ = try await use(shelf) { database in
            _ = try await database.write { try $0.execute("CREATE TABLE other (id BIGINT)") }
        }
        #expect(shelf.counts.free == 0)
    }

    @Test("One of which a copy was made does not come back", arguments: Backend.available)
    func copied(_ backend: Backend) async throws {
        let shelf = shelf(backend)
        let place = try #require(CopyPlace(.snapshot, "before"))
        _ = try await use(shelf) { database in
            try await database.copies.make(place, progress: { _ in }, preparing: { _ in })
        }
        #expect(shelf.counts.free == 0)
    }
}
