import DueWork
import Logging
import Storage
import SubscriptionRules
import TestFloor
import Testing

@Suite("The earliest moment of several columns", .timeLimit(.minutes(15)))
struct EarliestMomentTests {
    private static let items = Migration("items") { dialect in
        [
            """
            CREATE TABLE item (
                id \(dialect.integer) NOT NULL PRIMARY KEY, starts_at \(dialect.integer),
                ends_at \(dialect.integer)
            )
            """
        ]
    }
    private static let starts = DueColumn("starts_at", of: "item")

    private let aside = SetAside(log: Logger(label: "test"), remedy: "mend it")

    private func database(
        on backend: Backend, _ items: [(id: Int64, starts: SQL, ends: Int64?)]
    ) async throws -> any Database {
        let database = try await backend.makeDatabase()
        try await database.migrate([Self.items])
        try await database.write { session in
            for item in items {
                try session.execute(
                    "INSERT INTO item VALUES (\(item.id), \(item.starts), \(item.ends))")
            }
        }
        return database
    }

    private func earliest(
        in database: any Database, _ groups: [[DueColumn]]
    ) async throws -> [Int64?] {
        try await database.read { [aside] session in
            try session.earliest(inEach: groups, passingOver: aside).map { $0?.milliseconds }
        }
    }

    @Test("Each group has its own, or none", arguments: Backend.available)
    func groups(_ backend: Backend) async throws {
        let database = try await database(
            on: backend, [(1, "30", 70), (2, "20", nil), (3, "NULL", 10), (4, "-5", nil)])
        let ends = DueColumn("ends_at", of: "item")
        let late = DueColumn("starts_at", of: "item", "starts_at > \(20)")
        let none = DueColumn("ends_at", of: "item", "FALSE")
        let second = DueColumn("starts_at", of: "item", "id = \(2)")
        let found = try await earliest(
            in: database, [[late], [Self.starts], [], [late, ends], [none], [second]])
        // What cannot be, as before the first moment, is due at once.
        #expect(found == [30, 0, nil, 10, nil, 20])
    }

    @Test("Rows that were set aside are passed over", arguments: Backend.available)
    func passedOver(_ backend: Backend) async throws {
        let database = try await database(
            on: backend, [(1, "10", 50), (2, "20", 40), (3, "30", nil)])
        for id: Int64 in [1, 2] {
            aside.add(Damage("item", id, StorageError(.corrupt, "damaged")).row)
        }
        #expect(
            try await earliest(in: database, [[Self.starts], [DueColumn("ends_at", of: "item")]])
                == [30, nil])
    }

    @Test("Behind any number of moments that cannot be read the first one is found that can")
    func damaged() async throws {
        let database = try await database(
            on: .sqlite, [(1, "1.5", 1), (2, "2.5", 3), (3, "3.5", nil), (4, "40", 2)])
        let ends = DueColumn("ends_at", of: "item")
        #expect(try await earliest(in: database, [[Self.starts], [ends]]) == [40, 2])
        #expect(aside.rows.map(\.id) == [1, 2, 3])
        // Set aside is a row, not a column of it.
        #expect(try await earliest(in: database, [[Self.starts, ends], [ends]]) == [2, 2])
    }
}
