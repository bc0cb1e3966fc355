import DueWork
import Logging
import Storage
import TestFloor
import Testing

@Suite("Rows that are set aside", .timeLimit(.minutes(15)))
struct SetAsideTests {
    private static let items = Migration("items") { dialect in
        ["CREATE TABLE item (id \(dialect.integer) NOT NULL PRIMARY KEY, body TEXT NOT NULL)"]
    }

    /// The first item that can be read: an empty one cannot.
    private func first(in database: any Database, _ aside: SetAside) async throws -> Int64? {
        try await database.read { session in
            try session.first(
                "item", "SELECT id, body FROM item ORDER BY id", passingOver: aside
            ) { row in
                guard try !row.text(1).isEmpty else { throw StorageError(.corrupt, "empty") }
                return try row.integer(0)
            }
        }
    }

    @Test(
        "Behind any number that cannot be read the first one is found that can",
        arguments: Backend.available)
    func first(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        try await database.migrate([Self.items])
        try await database.write { session in
            for (id, body) in [(1, ""), (2, ""), (3, ""), (4, "a"), (5, "b")] {
                try session.execute("INSERT INTO item (id, body) VALUES (\(id), \(body))")
            }
        }
        let aside = SetAside(log: Logger(label: "test"), remedy: "mend it")
        #expect(try await first(in: database, aside) == 4)
        #expect(aside.rows.map(\.id) == [1, 2, 3])
        #expect(aside.rows.allSatisfy { $0.table == "item" && $0.reason == "empty" })
        try await database.write { session in
            try session.execute("UPDATE item SET body = 'mended' WHERE id < 3")
            try session.execute("UPDATE item SET body = '' WHERE id > 3")
        }
        // Until all are looked at again.
        #expect(try await first(in: database, aside) == nil)
        #expect(aside.rows.map(\.id) == [1, 2, 3, 4, 5])
        aside.forget()
        #expect(try await first(in: database, aside) == 1)
    }
}
