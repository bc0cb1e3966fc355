import AppStoreWire
import ConnectAnswers
import TestSupport
import Testing
import Timeline

@testable import perennial

/// Which processes serve a store, as the program itself tells it.
@Suite("The processes of a store", .timeLimit(.minutes(30)))
struct ProcessesTests {
    @Test("A store that runs lists itself, in JSON and in words")
    func itself() async throws {
        try await SettingsTests().with { program in
            // It is heard of once its background work has begun.
            let found = try await eventually {
                let outcome = try await program.run(["world", "processes", "--json"])
                #expect(outcome.code == 0, "\(outcome.complaint)")
                let found = outcome.json?["processes"]?.array ?? []
                return found.isEmpty ? nil : found
            }
            #expect(found.count == 1)
            #expect(found[0]["version"]?.string == "0.1.0")
            #expect(found[0]["isAlive"]?.bool == true)
            #expect(found[0]["lanes"]?.array?.isEmpty == true)
            let name = try #require(found[0]["name"]?.string)
            // The machine and the process number.
            #expect(name.contains(/.+:[0-9]+/))
            #expect(found[0]["movesClock"]?.bool == false)
            let words = try await program.run(["world", "processes"])
            #expect(words.code == 0)
            #expect(words.output.contains(name))
            #expect(!words.output.contains("moving the clock"))
        }
    }

    @Test("Who moves the clock is named")
    func mover() async throws {
        func process(_ name: String, _ moves: Bool) -> String {
            """
            {"id":"process_\(name)","name":"\(name)","version":"1",\
            "started":"2026-01-31T00:00:00Z","seen":"2026-01-31T00:00:00Z","isAlive":true,\
            "movesClock":\(moves),"lanes":[]}
            """
        }
        for (second, words) in [
            (true, ["", "b:2 is moving the clock; other advances wait for it"]), (false, []),
        ] {
            let json = #"{"processes":[\#(process("a:1", false)),\#(process("b:2", second))]}"#
            let answer = Answer(value: try JSONValue(parsing: Array(json.utf8)), source: "a test")
            let lines = try ProcessesCommand.words(answer, Style())
            #expect(Array(lines.dropFirst(3)) == words)
        }
    }

    @Test("A claim time is 1 to 600 seconds", arguments: ["0", "601", "-1", "soon"])
    func claimTime(_ text: String) async throws {
        let outcome = try await Program().run("serve", "--claim-time=\(text)")
        #expect(outcome.code == 2)
        #expect(outcome.complaint.contains("write 1 to 600"))
        #expect(outcome.complaint.contains("--claim-time"))
    }
}
