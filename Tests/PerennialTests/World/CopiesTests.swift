import AppStoreWire
import Foundation
import TestFloor
import TestSupport
import Testing

@testable import perennial

/// Copies of the world as the program itself makes and serves them.
@Suite("Copies of a world on the command line", .timeLimit(.minutes(30)))
struct CopiesTests {
    @Test("A campaign is tried on a fork, and the original does not notice")
    func fork() async throws {
        try await SettingsTests().with { program in
            try await expect(
                program, "world forks create trial",
                says: "a copy of the world as of 2026-01-31 00:00",
                "Production  http://127.0.0.1:", "Deliveries  off", "moves its clock")
            let ready = try #require(try await self.ready("trial", program))
            var inner = program
            inner.environment["PERENNIAL_READY"] = ready
            try await expect(inner, "price set plus.monthly NOR 149", says: "149 NOK")
            try await expect(inner, "advance P1Y", says: "2027-01-31", "events happened")
            try await expect(
                inner, "status anna", says: "plus.monthly",
                "\n\ndeliveries are off: notifications wait in the log\n")
            let id = try await SettingsTests().id(of: "plus.monthly", inner)
            try await expect(inner, "status \(id)", says: "deliveries are off")
            #expect(try await inner.run("status", id, "--json").json?["deliveries"] == .bool(false))
            let status = try await program.run("status", "anna", "--json")
            #expect(status.json?["deliveries"] == .bool(true))
            #expect(try await !program.run("status", "anna").output.contains("deliveries"))
            try await expect(inner, "world deliveries", says: "off", "this world is a fork")
            try await expect(program, "clock", says: "2026-01-31 00:00", "frozen")
            try await expect(program, "price list", says: "99 NOK")
            try await expect(program, "world deliveries", says: "deliveries are on")
            try await expect(program, "world forks create trial", isRefusedAs: "nameTaken")
            // A fork of the fork, of which the original knows nothing.
            try await expect(inner, "world forks create deeper", says: "as of 2027-01-31")
            try await expect(
                inner, "world forks remove trial",
                isRefusedWith: "ask the world that it was copied from")
            try await expect(program, "world forks", says: "trial is a copy")
            let names = try await program.run("world", "forks", "--json").json?["forks"]?.array
            #expect(names?.count == 1)
            try await expect(program, "world forks remove trial", says: "the fork trial is gone")
            try await expect(
                program, "world forks",
                says: "no forks; `perennial world forks create NAME` makes one")
            #expect(!FileManager.default.fileExists(atPath: ready))
            let ended = try await inner.run("clock")
            #expect(ended.code == 3)
            try await expect(program, "world forks remove trial", isRefusedAs: "unknownFork")
        }
    }

    private func ready(_ name: String, _ program: Program) async throws -> String? {
        try await program.run("world", "forks", "--json").json?["forks"]?.array?
            .first { $0["name"]?.string == name }?["readyFile"]?.string
    }

    @Test("A world is put back on the same ports")
    func rewind() async throws {
        try await SettingsTests().with { program in
            try await expect(
                program, "world snapshots create before",
                says: "before is the world as of 2026-01-31 00:00",
                "`perennial world rewind before` puts it back")
            try await expect(program, "world snapshots", says: "before", "2026-01-31 00:00")
            try await expect(program, "advance P1Y", says: "2027-01-31")
            try await expect(program, "buy gems --account bea", says: "bea bought gems")
            try await expect(program, "world rewind before", says: "the world is as before has it")
            try await expect(program, "clock", says: "2026-01-31 00:00", "frozen")
            try await expect(program, "status bea", isRefusedAs: "unknownAccount")
            try await expect(program, "advance P1M", says: "2 events happened")
            try await expect(program, "world rewind nothing", isRefusedAs: "unknownSnapshot")
            try await expect(program, "world snapshots create before", isRefusedAs: "nameTaken")
            try await expect(program, "world snapshots remove before", says: "is gone")
            try await expect(
                program, "world snapshots",
                says: "no snapshots; `perennial world snapshots create NAME` makes one")
            try await expect(program, "world rewind before", isRefusedAs: "unknownSnapshot")
        }
    }

    @Test("A fork is served again with its original, and alone from its own directory")
    func again() async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let data = "\(directory)/data"
            var program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            var store = try await EndToEndTests().open(program, ready, "--data", data)
            try await expect(
                program, "world forks create trial", says: "\(data)/forks/trial/ready.json")
            program.environment["PERENNIAL_READY"] = "\(data)/forks/trial/ready.json"
            try await expect(program, "advance P1M", says: "2026-02-28")
            store.terminate()
            #expect(await store.end() == 0)
            #expect(!FileManager.default.fileExists(atPath: "\(data)/forks/trial/ready.json"))

            store = try await EndToEndTests().open(program, ready, "--data", data)
            program.environment["PERENNIAL_READY"] = ready
            // It answers a moment after the original does.
            let found = try await eventually { try await self.ready("trial", program) }
            program.environment["PERENNIAL_READY"] = found
            try await expect(program, "clock", says: "2026-02-28 00:00")
            try await expect(program, "world deliveries", says: "off", "fork")
            store.terminate()
            #expect(await store.end() == 0)

            let fork = "\(data)/forks/trial"
            let checked = try await program.run("world", "check", "--data", fork)
            #expect(checked.code == 0, "\(checked.complaint)")
            store = try program.start([
                "serve", "--data", fork, "--port", "0", "--sandbox-port", "0", "--ready-file",
                ready, "--json",
            ])
            let opening = try await store.output.wait(for: "\n}\n")
            #expect(opening.contains("\"deliveries\": false"), "\(opening)")
            program.environment["PERENNIAL_READY"] = ready
            try await expect(program, "clock", says: "2026-02-28 00:00")
            try await expect(program, "world deliveries", says: "off", "fork")
            store.terminate()
            #expect(await store.end() == 0)
            for file in ["credentials.json", "store.sqlite", "complete"] {
                let mode = try FileManager.default.attributesOfItem(atPath: "\(fork)/\(file)")
                #expect(mode[.posixPermissions] as? Int == 0o600, "\(file)")
            }
        }
    }

    @Test("On PostgreSQL a fork is a schema beside the original's")
    func postgres() async throws {
        guard Backend.available.contains(.postgres) else { return }
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let url = try await Backend.makePostgresURL()
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let store = try await EndToEndTests().open(
                program, ready, "--data", "\(directory)/data", "--database-url", url,
                // A machine that is busy with other tests is no busy store.
                "--database-wait", "60")
            try await expect(program, "world snapshots create before", says: "before is the world")
            try await expect(program, "world forks create trial", says: "Deliveries  off")
            var inner = program
            inner.environment["PERENNIAL_READY"] = try await self.ready("trial", program)
            try await expect(inner, "advance P1M", says: "2026-02-28")
            try await expect(program, "clock", says: "2026-01-31 00:00")
            try await expect(program, "advance P1Y", says: "2027-01-31")
            try await expect(program, "world rewind before", says: "2026-01-31")
            try await expect(inner, "clock", says: "2026-02-28")
            try await expect(program, "world forks remove trial", says: "gone")
            store.terminate()
            #expect(await store.end() == 0)
        }
    }
}
