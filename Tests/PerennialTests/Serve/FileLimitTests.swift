import Foundation
import TestFloor
import TestSupport
import Testing

@testable import perennial

/// Sets what another process of the same user may do.
private let limiter = "/usr/bin/prlimit"

/// Copies that have no room in the middle of their pages: the files of the process may not become
/// longer, as where a quota is used up.
@Suite(
    "Copies without room", .enabled(if: FileManager.default.isExecutableFile(atPath: limiter)),
    .timeLimit(.minutes(30)))
struct FileLimitTests {
    private func limit(_ store: RunningProgram, to length: String) throws {
        let process = try ChildProcess(
            path: limiter, arguments: ["--pid", "\(store.id)", "--fsize=\(length):"])
        #expect(process.wait() == 0)
    }

    @Test("A copy that fails in the middle is refused, leaves nothing, and the store goes on")
    func limited() async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let data = "\(directory)/data"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            var store = try await EndToEndTests().open(program, ready, "--data", data)
            try await expect(program, "world snapshots create before", says: "before is the world")
            store.terminate()
            #expect(await store.end() == 0)
            // Nothing is left in the log, which may grow as far as the copy must not.
            store = try program.start(
                [
                    "serve", "--data", data, "--port", "0", "--sandbox-port", "0",
                    "--ready-file", ready, "--json",
                ], ignoring: "XFSZ")
            try await store.output.wait(for: "\n}\n")
            let files = FileManager.default
            let size = try files.attributesOfItem(atPath: "\(data)/store.sqlite")[.size]
            try limit(store, to: "\(try #require(size as? Int) - 65_536)")
            for command in [
                "world snapshots create full", "world forks create full", "world rewind before",
            ] {
                try await expect(program, command, isRefusedAs: "diskFull")
            }
            try await expect(program, "world snapshots", says: "before")
            try await expect(program, "world forks", says: "no forks")
            let snapshots = try files.contentsOfDirectory(atPath: "\(data)/snapshots")
            #expect(snapshots.allSatisfy { $0.hasPrefix("before.sqlite") }, "\(snapshots)")
            #expect(try files.contentsOfDirectory(atPath: "\(data)/forks") == [])
            #expect(!files.fileExists(atPath: "\(data)/rewinding.sqlite"))

            // The log has grown for as long as the machine took, perhaps up to the limit itself.
            try limit(store, to: "unlimited")
            try await expect(program, "advance P1D", says: "2026-02-01")
            try await expect(program, "world forks create full", says: "as of 2026-02-01")
            try await expect(program, "world rewind before", says: "2026-01-31")
            store.terminate()
            #expect(await store.end() == 0)
            let checked = try await program.run("world", "check", "--data", data)
            #expect(checked.code == 0, "\(checked.complaint)")
        }
    }
}
