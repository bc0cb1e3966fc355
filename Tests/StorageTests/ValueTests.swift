import Storage
import TestFloor
import Testing

@Suite struct ValueTests {
    @Test("Every value comes back as it was stored", arguments: Backend.available)
    func roundTrips(_ backend: Backend) async throws {
        let texts = [
            "", "a", "naïve 日本語 👩‍👩‍👧 e\u{301}", "'; --", "$1", String(repeating: "ü", count: 99_999),
        ]
        let integers: [Int64] = [0, 1, -1, .min, .max, 4_294_967_296]
        let bytes: [[UInt8]] = [
            [], [0], [0, 255, 0], Array(0...255), [UInt8](repeating: 7, count: 3_000_000),
        ]
        let values =
            texts.map { [SQLValue.text($0), .integer(0), .null] }
            + integers.map { [.null, .integer($0), .bytes([1])] }
            + bytes.map { [.text("b"), .null, .bytes($0)] }
        try await withDatabase(backend) { database in
            let found = try await database.write { session in
                try session.execute(
                    SQL(
                        text: """
                            CREATE TABLE sample (
                                id \(session.dialect.integerKey), t TEXT,
                                n \(session.dialect.integer), b \(session.dialect.bytes)
                            )\(session.dialect.tableOptions)
                            """))
                for (id, row) in values.enumerated() {
                    try session.execute(
                        "INSERT INTO sample VALUES (\(id), \(row[0]), \(row[1]), \(row[2]))")
                }
                return try session.rows("SELECT t, n, b FROM sample ORDER BY id")
            }
            #expect(found == values.map(Row.init))
        }
    }

    @Test("A value that is only selected keeps its type", arguments: Backend.available)
    func selectsBinds(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            // NULL first: what the server guesses for its type must not stick to the text.
            for value in [SQLValue.null, .integer(5), .text("five"), .bytes([5]), .null] {
                let row = try await database.read { try $0.row("SELECT \(value)") }
                #expect(row == Row([value]))
            }
        }
    }

    @Test("A filter that may be absent works with and without", arguments: Backend.available)
    func filtersByOptional(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            try await database.write { session in
                try session.open(1, "Ada", balance: 5)
                try session.open(2, "Bob", balance: 6)
            }
            for (name, least, count) in [
                (nil, nil, 2), ("Ada", nil, 1), (nil, 6, 1), ("Ada", 6, 0), (nil, nil, 2),
            ] as [(String?, Int?, Int)] {
                let found = try await database.read { session in
                    try session.rows(
                        """
                        SELECT id FROM account
                        WHERE (\(name) IS NULL OR name = \(name))
                            AND (\(least) IS NULL OR balance >= \(least))
                        """)
                }
                #expect(found.count == count)
            }
        }
    }

    @Test("Placeholders may repeat and come in any order", arguments: Backend.available)
    func placeholdersInAnyOrder(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let row = try await database.read { session in
                try session.row(
                    SQL(
                        text: """
                            SELECT $3 || '.' || $1 || '.' || $2 || '.' || $1, \
                            $11, $10, $4 + $5 + $6 + $7 + $8 + $9
                            """,
                        binds: ["a", "b", "c"].map(SQLValue.text)
                            + (4...11).map { SQLValue.integer($0) }))
            }
            #expect(row == Row([.text("c.a.b.a"), .integer(11), .integer(10), .integer(39)]))
        }
    }

    @Test("A wrong number of binds is refused", arguments: Backend.available, [0, 1, 3])
    func refusesWrongCount(_ backend: Backend, _ count: Int) async throws {
        try await withDatabase(backend) { database in
            let error = await storageError {
                _ = try await database.read { session in
                    try session.rows(
                        SQL(
                            text: "SELECT 1 WHERE $1 = $2",
                            binds: Array(repeating: .integer(1), count: count)))
                }
            }
            #expect(error?.code == .invalidStatement)
        }
    }

    @Test("Text with a NUL and floating-point results are refused", arguments: Backend.available)
    func refusesWhatOneCannotHold(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let statements: [SQL] = [
                "INSERT INTO account (id, name) VALUES (1, \("a\0b"))", "SELECT 0.5",
                "SELECT 1; SELECT 2", "SELECT missing FROM account", "",
            ]
            for sql in statements {
                let error = await storageError {
                    try await database.write { session in _ = try session.rows(sql) }
                }
                #expect(error?.code == .invalidStatement, "\(sql.text)")
            }
        }
    }

    @Test(
        "A bind of the wrong type is refused, and the error does not quote it",
        arguments: Backend.available)
    func refusesWrongType(_ backend: Backend) async throws {
        try await withDatabase(backend) { database in
            let error = await storageError {
                _ = try await database.write { session in
                    try session.execute(
                        "INSERT INTO account (id, name, balance) VALUES (1, 'a', \("secret"))")
                }
            }
            #expect(error?.code == .invalidStatement)
            #expect(error?.description.contains("secret") == false)
            #expect(error?.statement?.contains("$1") == true)
        }
    }
}
