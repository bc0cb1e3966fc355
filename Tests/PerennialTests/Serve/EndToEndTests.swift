import AppStoreWire
import Foundation
import TestFloor
import TestSupport
import Testing

@testable import perennial

@Suite("The built program")
struct EndToEndTests {
    private let product = "com.example.garden.estate.monthly"
    var catalogue: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Examples/Garden.storekit").path
    }

    @Test("A store opens, sells, lets five years go by, tells of sixty renewals and ends with 0")
    func fiveYears() async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let store = try await open(program, ready, "--ephemeral")

            let bought = try await program.run("buy", product, "--account", "anna", "--json")
            #expect(bought.code == 0, "\(bought.complaint)")
            #expect(bought.json?["result"]?.string == "success")
            let again = try await program.run("buy", product, "--account", "anna")
            #expect(again.code == 1)
            #expect(again.complaint.contains("alreadySubscribed"))

            let advanced = try await program.run("advance", "P5Y", "--json")
            #expect(advanced.json?["changes"]?.integer == 60)
            #expect(advanced.json?["now"]?.string == "2031-01-31T00:00:00Z")
            let timeline = try await program.run("timeline", "anna")
            #expect(timeline.code == 0, "\(timeline.complaint)")
            #expect(timeline.output.contains("60 renewals · 609.39 USD paid in all"))
            #expect(timeline.output.contains("… 58 renewals, 9.99 USD each"))
            #expect(!timeline.output.contains("\u{1B}"))
            #expect(timeline.complaint.isEmpty)

            store.terminate()
            #expect(await store.end() == 0)
            #expect(try await store.complaint.readAll() == "")
            let gone = try await program.start(["clock", "--json"]).finish()
            #expect(gone.code == 3)
            #expect(gone.output.isEmpty)
            #expect(gone.complaint.contains("\"exitCode\""))
            // The world is gone, and nothing that opened it is left.
            let left = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(left.sorted() == ["lock"])
        }
    }

    @Test("Every verb says in words and in JSON what came of it")
    func verbs() async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let store = try await open(program, ready, "--ephemeral")
            #expect(
                try await program.run("buy", product, "--account", "anna").output.contains(
                    "anna bought \(product) for 9.99 USD, until 2026-02-28 00:00"))
            for (verb, words) in [
                (["clock"], "2026-01-31 00:00 UTC, frozen, next event 2026-02-28 00:00"),
                (["customer", "list"], "anna     USA"),
                (["status", "anna"], "active, renews 2026-02-28 00:00"),
                (["renewal", "anna", "off"], "until 2026-02-28 00:00, does not renew"),
                (["renewal", "anna", "on"], "until 2026-02-28 00:00, renews"),
                (
                    ["plan", "anna", "com.example.garden.flowers.monthly"],
                    "renews as com.example.garden.flowers.monthly"
                ),
                (["pay", "anna", "decline", "--count", "2"], "the next 2 payments declined"),
                (["advance", "--to", "2026-03-01"], "2026-03-01 00:00 UTC, 2 events happened"),
                (["timeline", "anna", "--ascii"], "payment declined"),
                (["notifications"], "app set --notify URL"),
            ] {
                let outcome = try await program.start(verb).finish()
                #expect(outcome.code == 0, "\(verb): \(outcome.complaint)")
                #expect(outcome.output.contains(words), "\(verb): \(outcome.output)")
                guard verb.first != "advance" else { continue }
                let json = try await program.start(verb + ["--json"]).finish()
                #expect(json.code == 0, "\(verb): \(json.complaint)")
                #expect(json.json?.object != nil, "\(verb): \(json.output)")
            }
            let sandbox = try await program.run("status", "anna", "--sandbox")
            #expect(sandbox.code == 1)
            #expect(sandbox.complaint.contains("unknownAccount"))
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    @Test("A data directory goes on where it was, and only one process may have it")
    func goingOn() async throws {
        try await withDirectory { directory in
            let data = "\(directory)/data"
            let ready = "\(data)/ready.json"
            let program = Program(environment: ["PERENNIAL_READY": ready])
            let first = try await open(program, ready, "--data", data)
            let keys = try ReadyFile.read(ready)
            _ = try await program.run("buy", product, "--account", "anna")
            _ = try await program.run("advance", "P1M")
            let second = try await program.run("serve", "--data", data, "--port", "0")
            #expect(second.code == 1)
            #expect(second.complaint.contains("Another process is serving"))
            first.terminate()
            #expect(await first.end() == 0)
            #expect(!FileManager.default.fileExists(atPath: ready))

            let third = try await open(program, ready, "--data", data)
            var now = try ReadyFile.read(ready)
            (now.productionURL, now.sandboxURL) = (keys.productionURL, keys.sandboxURL)
            #expect(now == keys)
            let clock = try await program.run("clock", "--json")
            #expect(clock.json?["now"]?.string == "2026-02-28T00:00:00Z")
            third.terminate()
            #expect(await third.end() == 0)
            #expect(try await third.complaint.readAll().contains("keeps its frozen clock"))
        }
    }

    @Test("A catalogue with errors is told place by place, and nothing is made")
    func badCatalogue() async throws {
        try await withDirectory { directory in
            let file = "\(directory)/Bad.storekit"
            try #"{"products":[{"productID":"a"}],"subscriptionGroups":[]}"#
                .write(toFile: file, atomically: false, encoding: .utf8)
            let data = "\(directory)/data"
            let program = Program()
            let outcome = try await program.run("serve", file, "--data", data)
            #expect(outcome.code == 1)
            #expect(outcome.complaint.contains("Bad.storekit $.products[0]"))
            #expect(outcome.complaint.contains("nothing was changed"))
            #expect(outcome.output.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: data))

            let check = try await program.run("catalog", "check", file, catalogue)
            #expect(check.code == 1)
            #expect(check.complaint.isEmpty)
            #expect(check.output.contains("Bad.storekit: not imported"))
            #expect(check.output.contains(product))
            let json = try await program.run("catalog", "check", "--json", catalogue)
            #expect(json.code == 0)
            #expect(json.json?["hasErrors"]?.bool == false)
        }
    }

    @Test("A ready file that cannot be written ends the store in words")
    func unwritableReadyFile() async throws {
        try await withDirectory { directory in
            let program = Program(environment: ["TMPDIR": directory])
            let outcome = try await program.run(
                "serve", catalogue, "--ephemeral", "--port", "0", "--sandbox-port", "0",
                "--ready-file", "\(directory)/nowhere/r.json")
            #expect(outcome.code == 1)
            #expect(outcome.complaint.contains("The ready file cannot be written"))
            #expect(outcome.complaint.contains("nowhere/r.json"))
            #expect(outcome.output.isEmpty)
        }
    }

    @Test("A port that is taken is named in one line")
    func takenPort() async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["TMPDIR": directory])
            let store = try await open(program, ready, "--ephemeral")
            let url = try ReadyFile.read(ready).sandboxURL
            let port = try #require(url.split(separator: ":").last)
            let outcome = try await program.run(
                "serve", "--ephemeral", "--port", String(port), "--sandbox-port", "0")
            #expect(outcome.code == 1)
            let complaint = try #require(outcome.complaint.split(separator: "\n").last)
            #expect(complaint.contains("127.0.0.1:\(port)"))
            #expect(complaint.contains("--port"))
            // A first start that fails leaves no world behind that nobody asked for.
            let first = try await program.run(
                "serve", "--data", "\(directory)/first", "--port", "0", "--sandbox-port",
                String(port))
            #expect(first.code == 1 && first.complaint.contains("--sandbox-port"))
            #expect(!FileManager.default.fileExists(atPath: "\(directory)/first"))
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    @Test("Steps, notifications at will and rules are told in words")
    func onDemand() async throws {
        let developer = try RawServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { developer.close() }
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let store = try await open(
                program, ready, "--ephemeral", "--notify", "\(developer.url)/n")
            _ = try await program.run("buy", product, "--account", "anna")
            for (verb, code, words) in [
                (["clock", "step"], 0, "2026-02-28 00:00 UTC, 1 step, 1 event of a subscription"),
                (
                    ["clock", "until", "did_renew"], 0,
                    "2026-03-31 00:00 UTC, 1 event, DID_RENEW of "
                ),
                (
                    ["clock", "until", "EXPIRED", "--subscription", "anna", "--limit", "P1M"], 1,
                    "limitReached"
                ),
                (["notify", "EXPIRED/VOLUNTARY", "--subscription", "anna"], 0, "is on its way"),
                (["notify", "TEST", "--subscription", "bea"], 2, "about no subscription"),
                (["notify", "TEST"], 0, "TEST of com.example.app is on its way"),
                (["fault", "list"], 0, "no rules; `perennial fault add KIND` makes one"),
                (
                    ["fault", "add", "dropNotifications", "--type", "DID_RENEW", "--count", "1"],
                    0,
                    "dropNotifications"
                ),
                (["fault", "add", "slowCalls", "--by", "PT31S"], 2, "invalidSetting"),
                (["fault", "list"], 0, "dropNotifications  DID_RENEW  100 %        0     1"),
                (["clock", "step"], 0, "2026-05-31 00:00 UTC, 1 step, 1 event of a subscription"),
                (["notifications"], 0, "TIMED_OUT, again 2026-05-31 01:00 (dropNotifications)"),
                (["notifications"], 0, "1  delivered (provoked)"),
                (
                    ["fault", "add", "repeatNotifications"], 0,
                    "repeatNotifications 1 more time\n"
                ),
                (["timeline", "anna"], 0, "told EXPIRED/VOLUNTARY at will"),
                (["fault", "remove", "7"], 1, "unknownFault"),
                (["fault", "clear"], 0, "2 rules removed"),
            ] {
                let outcome = try await program.start(verb).finish()
                #expect(outcome.code == code, "\(verb): \(outcome.complaint)")
                let text = outcome.output + outcome.complaint
                #expect(text.contains(words), "\(verb): \(text)")
            }
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    /// Starts a frozen store and waits until it says that it is ready.
    func open(
        _ program: Program, _ ready: String, selling file: String? = nil, _ place: String...
    ) async throws -> RunningProgram {
        let store = try program.start(
            [
                "serve", file ?? catalogue, "--clock", "frozen", "--at", "2026-01-31T00:00:00Z",
                "--port",
                "0", "--sandbox-port", "0", "--ready-file", ready, "--json",
            ] + place)
        try await store.output.wait(for: "\n}\n")
        return store
    }
}
