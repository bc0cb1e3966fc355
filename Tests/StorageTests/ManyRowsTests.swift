import Storage
import TestFloor
import Testing

@Suite struct ManyRowsTests {
    private static let insert =
        "INSERT INTO holding (id, account_id, label, content)"
        + " VALUES ($1, $2, $3, $4)"

    @Test("Many rows are written by one statement and counted", arguments: Backend.available)
    func writesMany(_ backend: Backend) async throws {
        // NULLs come and go, since a server may guess types by the first row.
        let rows = (0..<1000).map { id in
            let label: String? = id % 3 == 0 ? nil : "label \(id)"
            let content: [UInt8]? = id % 7 == 0 ? nil : [UInt8(id % 256)]
            return [id.sqlValue, 1.sqlValue, label.sqlValue, content.sqlValue]
        }
        try await withDatabase(backend) { database in
            let changed = try await database.write { session in
                try session.open(1, "Ada")
                return try (
                    session.executeMany(Self.insert, rows), session.executeMany(Self.insert, []),
                    session.executeMany(
                        "UPDATE holding SET label = $2 WHERE id < $1",
                        [[.integer(10), .text("x")], [.integer(0), .null], [.integer(5), .null]])
                )
            }
            #expect(changed == (1000, 0, 15))
            let found = try await database.read { session in
                try session.rows(
                    "SELECT id, account_id, label, content FROM holding WHERE id >= 10 ORDER BY id")
            }
            #expect(found == rows.dropFirst(10).map(Row.init))
        }
    }

    @Test("One refused row of many undoes all", arguments: Backend.available, [0, 700, 999])
    func writesAllOrNothing(_ backend: Backend, _ bad: Int) async throws {
        let rows: [[SQLValue]] = (0..<1000).map { id in
            [.integer(Int64(id)), .integer(id == bad ? 9 : 1), .null, .null]
        }
        try await withDatabase(backend) { database in
            try await database.write { try $0.open(1, "Ada") }
            let error = await storageError {
                try await database.write { session in
                    try session.open(2, "Bob")
                    try session.executeMany(Self.insert, rows)
                }
            }
            #expect(error?.code == .foreignKeyViolation)
            let counts = try await database.read { session in
                try (session.accountCount(), session.row("SELECT COUNT(*) FROM holding")?.int(0))
            }
            #expect(counts == (1, 0))
            // The connection is as good as new.
            try await database.write { try $0.executeMany(Self.insert, Array(rows[1..<2])) }
        }
    }

    @Test(
        "Rows are handed over one by one, with other statements between",
        arguments: Backend.available)
    func streamsRows(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let (seen, inner) = try await database.write { session in
                try session.executeMany(
                    "INSERT INTO account (id, name) VALUES ($1, $2)",
                    (0..<1200).map { [.integer($0), .text("account \($0)")] })
                var seen: [Int] = []
                var inner = 0
                let query: SQL = "SELECT id FROM account WHERE id >= \(100) ORDER BY id"
                try session.forEachRow(query) { row in
                    seen.append(try row.int(0))
                    if try row.int(0) % 400 == 0 {
                        try session.forEachRow(query) { _ in inner += 1 }
                        try session.execute("UPDATE account SET balance = 1 WHERE id = 3")
                    }
                }
                return (seen, inner)
            }
            #expect(seen == Array(100..<1200))
            #expect(inner == 2200)
        }
    }

    @Test(
        "An error of the caller stops the rows, and the session goes on",
        arguments: Backend.available)
    func stopsStreaming(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let count = try await database.write { session in
                for id in 1...3 { try session.open(id, "\(id)") }
                var seen = 0
                #expect(throws: ChangeOfMind.self) {
                    try session.forEachRow("SELECT id FROM account") { _ in
                        seen += 1
                        if seen == 2 { throw ChangeOfMind() }
                    }
                }
                try session.open(4, "4")
                return seen
            }
            #expect(count == 2)
            let kept = try await database.read { try $0.accountCount() }
            #expect(kept == 4)
        }
    }
}
