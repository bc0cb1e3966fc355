import Foundation
import Storage
import StoragePostgres
import StorageSQLite
import TestFloor
import TestSupport
import Testing

@testable import perennial

@Suite("Versions of the tables")
struct SchemaVersionTests {
    /// A database of the program's, and what names it.
    private func options(_ backend: Backend, in directory: String) async throws -> [String] {
        let data = ["--data", "\(directory)/data"]
        return switch backend {
        case .sqlite: data
        case .postgres:
            data + [
                "--database-url", try await Backend.makePostgresURL(), "--database-wait", "60",
            ]
        }
    }

    /// Leaves the mark of a migration that this version does not know.
    private func migrate(_ options: [String]) async throws {
        let database: any Database =
            options.count > 2
            ? try PostgresDatabase(url: options[3], limits: Backend.patience)
            : try SQLiteDatabase(path: "\(options[1])/store.sqlite")
        try await database.write { session in
            try session.execute(
                "INSERT INTO migration (name, applied_order) VALUES ('of a later build', 999)")
        }
        await database.close()
    }

    @Test(
        "A store whose tables a later version has made is refused in words, with the remedy",
        arguments: Backend.available)
    func refusedAtStart(_ backend: Backend) async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let options = try await options(backend, in: directory)
            let program = Program(environment: ["PERENNIAL_READY": ready])
            let store = try program.start(
                ["serve", "--port", "0", "--sandbox-port", "0", "--json"] + options)
            try await store.output.wait(for: "\n}\n")
            store.terminate()
            #expect(await store.end() == 0)
            try await migrate(options)
            let again = try await program.run(
                ["serve", "--port", "0", "--sandbox-port", "0"] + options)
            #expect(again.code == 1)
            #expect(again.complaint.contains("migrated by a later build (of a later build)"))
            #expect(again.complaint.contains("use that build or later"))
        }
    }

    @Test(
        "A store that runs while a later version makes its tables ends in order, and says why",
        arguments: Backend.available)
    func endsWhileRunning(_ backend: Backend) async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let options = try await options(backend, in: directory)
            let program = Program(environment: ["PERENNIAL_READY": ready])
            let store = try program.start(
                ["serve", "--port", "0", "--sandbox-port", "0", "--json"] + options)
            try await store.output.wait(for: "\n}\n")
            try await migrate(options)
            let outcome = try await store.finish()
            #expect(outcome.code == 1)
            #expect(outcome.complaint.contains("migrated by a later build (of a later build)"))
            #expect(outcome.complaint.contains("use that build or later"))
            #expect(!FileManager.default.fileExists(atPath: "\(directory)/data/ready.json"))
        }
    }
}
