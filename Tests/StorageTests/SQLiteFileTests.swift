import Storage
import TestFloor
import Testing

@testable import StorageSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct SQLiteFileTests {
    /// Runs a test with the path of a file that does not exist yet, in a folder that is removed.
    private func withPath(_ body: (String) async throws -> Void) async throws {
        let folder = try PrivateFiles.makeTemporaryFolder()
        defer { PrivateFiles.removeTemporaryFolder(folder) }
        try await body(PrivateFiles.databasePath(in: folder))
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o777
    }

    @Test("The file and its companions are for their owner's eyes only")
    func isPrivate() async throws {
        try await withPath { path in
            let database = try SQLiteDatabase(path: path)
            try await database.migrate([accounts])
            #expect(mode(path) == 0o600)
            #expect(mode(path + "-wal") == 0o600)
            #expect(mode(path + "-shm") == 0o600)
            await database.close()
        }
    }

    @Test("A copy is for its owner's eyes only, and what a kill left of one is removed")
    func copies() async throws {
        try await withPath { path in
            let database = try SQLiteDatabase(path: path)
            try await database.migrate([accounts])
            let folder = String(path.dropLast("/perennial.sqlite".count))
            for place in [CopyPlace(.snapshot, "one")!, CopyPlace(.fork, "two")!] {
                try await database.copies.make(place, progress: { _ in }, preparing: { _ in })
            }
            #expect(mode("\(folder)/snapshots") == 0o700)
            #expect(mode("\(folder)/snapshots/one.sqlite") == 0o600)
            #expect(mode("\(folder)/forks/two") == 0o700)
            #expect(mode("\(folder)/forks/two/store.sqlite") == 0o600)
            #expect(PrivateFiles.names(in: "\(folder)/snapshots") == ["one.sqlite"])
            await database.close()

            let left = [
                "snapshots/two.sqlite.new", "snapshots/two.sqlite.new-wal",
                "forks/two/store.sqlite.new", "rewinding.sqlite",
            ].map { "\(folder)/\($0)" }
            // What others put there is nobody's business.
            let foreign = ["snapshots/notes.txt", "forks/mine"].map { "\(folder)/\($0)" }
            for file in left + foreign { try PrivateFiles.createFile(file) }
            let again = try SQLiteDatabase(path: path)
            #expect(left.allSatisfy { mode($0) == nil })
            #expect(foreign.allSatisfy { mode($0) == 0o600 })
            #expect(try await again.copies.all(.snapshot).map(\.place.name) == ["one"])
            #expect(try await again.copies.all(.fork).map(\.place.name) == ["two"])
            await again.close()
        }
    }

    @Test("Where no folder can be made nothing is copied")
    func noFolder() async throws {
        try await withPath { path in
            let database = try SQLiteDatabase(path: path)
            try PrivateFiles.createFile(String(path.dropLast("/perennial.sqlite".count)) + "/forks")
            let error = await storageError {
                try await database.copies.make(
                    CopyPlace(.fork, "one")!, progress: { _ in }, preparing: { _ in })
            }
            #expect(error?.message.contains("cannot make the folder") == true)
            #expect(try await database.copies.all(.fork).isEmpty)
            await database.close()
        }
    }

    @Test("What was committed is there after reopening, and nothing else")
    func keepsData() async throws {
        try await withPath { path in
            let database = try SQLiteDatabase(path: path)
            try await database.migrate([accounts])
            try await database.write { try $0.open(1, "Ada", balance: 3) }
            _ = await storageError {
                try await database.write { session in
                    try session.open(2, "Bob")
                    try session.open(2, "Bob")
                }
            }
            await database.close()
            #expect(mode(path + "-wal") == nil)

            let again = try SQLiteDatabase(path: path)
            try await again.migrate([accounts])
            #expect(try await again.read { try ($0.accountCount(), $0.balance(1)) } == (1, 3))
            await again.close()
        }
    }

    @Test("A commit waits for the disk and foreign keys are enforced")
    func isSafe() async throws {
        try await withPath { path in
            let database = try SQLiteDatabase(path: path)
            let settings = try await database.write { session in
                try ["synchronous", "foreign_keys", "journal_mode"].map { name in
                    try session.row(SQL(text: "PRAGMA \(name)"))
                }
            }
            #expect(settings == [Row([.integer(2)]), Row([.integer(1)]), Row([.text("wal")])])
            await database.close()
        }
    }

    @Test("A lock that another process keeps for too long is a clear error")
    func tellsOfLocks() async throws {
        try await withPath { path in
            var limits = Backend.patience
            limits.lock = .milliseconds(50)
            let other = try SQLiteDatabase(path: path, limits: limits)
            try await other.migrate([accounts])
            let database = try SQLiteDatabase(path: path, limits: limits)
            // The other one's transaction is held open from outside of this one's.
            let (start, started) = AsyncStream.makeStream(of: Void.self)
            let mayEnd = Flag()
            async let holding: Void = other.write { session in
                try session.open(1, "Ada")
                started.yield()
                mayEnd.wait()
            }
            for await _ in start { break }
            async let first = storageError { try await database.write { try $0.open(2, "Bob") } }
            async let second = storageError { try await database.write { try $0.open(3, "Cy") } }
            let errors = await [first, second]
            mayEnd.set()
            try await holding
            for error in errors {
                #expect(error?.code == .busy)
                #expect(error?.message.contains("another process") == true)
            }
            try await database.write { try $0.open(2, "Bob") }
            #expect(try await other.read { try $0.accountCount() } == 2)
            await other.close()
            await database.close()
        }
    }

    @Test("A file that is no database, a folder that is missing: errors with the path")
    func refusesWhatIsNoDatabase() async throws {
        try await withPath { path in
            let file = fopen(path, "w")
            fputs(String(repeating: "This is a letter, not a database. ", count: 100), file)
            fclose(file)
            let corrupt = await storageError { _ = try SQLiteDatabase(path: path) }
            #expect(corrupt?.code == .corrupt)
            #expect(corrupt?.message.contains(path) == true)
            let missing = await storageError { _ = try SQLiteDatabase(path: path + "/no/file") }
            #expect(missing?.message.contains(path) == true)
        }
    }

    @Test("An ephemeral database leaves nothing behind", arguments: [true, false])
    func removesItself(_ isClosed: Bool) async throws {
        let path = try await {
            let database = try SQLiteDatabase.ephemeral()
            let path = try await database.read { try $0.row("PRAGMA database_list")?.text(2) }
            #expect(path.flatMap(mode) == 0o600)
            if isClosed { await database.close() }
            return try #require(path)
        }()
        #expect(mode(path) == nil)
    }
}
