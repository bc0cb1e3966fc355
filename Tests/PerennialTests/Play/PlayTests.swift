import AppStoreWire
import Foundation
import Testing

@testable import perennial

@Suite("Stories: played by the built program", .timeLimit(.minutes(10)))
struct PlayTests {
    private static let product = "com.example.garden.estate.monthly"

    /// Plays a story that stands in a directory of its own.
    private func play(
        _ steps: String, head: String = "", _ options: String...
    ) async throws -> Program.Outcome {
        try await withDirectory { directory in
            let file = "\(directory)/story.yaml"
            let catalogue = StoryFileTests.root.appending(path: "Examples/Garden.storekit").path
            try """
            story: A story
            catalogue: \(catalogue)
            start: 2026-01-31
            \(head)
            steps:
            \(steps)
            """.write(toFile: file, atomically: false, encoding: .utf8)
            let program = Program(environment: ["TMPDIR": directory])
            let outcome = try await program.run(["play", file] + options)
            // Nothing of the story's store is left.
            let left = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(left.sorted() == ["lock", "story.yaml"])
            return outcome
        }
    }

    @Test("The examples pass, in words and in JSON")
    func examples() async throws {
        let folder = StoryFileTests.root.appending(path: "Examples/stories")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.sorted()
        let files = names.map { folder.appending(path: $0).path }
        let words = try await Program().run(["play"] + files)
        #expect(words.code == 0, "\(words.output)\(words.complaint)")
        #expect(words.output.contains("4 of 4 stories passed"), "\(words.output)")
        let json = try await Program().run(["play", "--json"] + files)
        #expect(json.code == 0, "\(json.output)\(json.complaint)")
        let stories = try #require(json.json?["stories"]?.array)
        #expect(stories.count == 4)
        #expect(stories.allSatisfy { $0["passed"]?.bool == true })
        #expect(stories.allSatisfy { $0["left"] == .integer(0) })
        let bought = stories.first?["steps"]?.array?.first
        #expect(bought?["step"]?.string == "buy")
        #expect(
            bought?["answer"]?["transactionInfo"]?["productId"]?.string == Self.product,
            "\(json.output)")
    }

    @Test("What is not as the story says is told with its place, and the rest is not played")
    func difference() async throws {
        let steps = """
            - buy: \(Self.product)
              account: anna
            - expect: anna
              status: grace
              expires: 2026-03-31
              price: 4.99
              willRenew: true
              notifications: none
            - advance: P1M
            """
        let outcome = try await play(steps)
        #expect(outcome.code == 1)
        for words in [
            "story.yaml:9:3: `status` must be grace, and is active.",
            "story.yaml:10:3: `expires` must be 2026-03-31, and is 2026-02-28 00:00.",
            "story.yaml:11:3: `price` must be 4.99, and is 9.99 USD.",
            "`notifications` must be none, and is SUBSCRIBED/INITIAL_BUY.",
            "1 step not played", "--stay`",
        ] {
            #expect(outcome.output.contains(words), "\(outcome.output)")
        }
        #expect(!outcome.output.contains("`willRenew`"))
        let json = try await play(steps, "--json")
        #expect(json.code == 1)
        let story = json.json?["stories"]?.array?.first
        #expect(story?["passed"]?.bool == false)
        #expect(story?["left"]?.integer == 1)
        let differences = story?["steps"]?.array?.last?["differences"]?.array
        #expect(differences?.count == 4)
        #expect(differences?.first?["expected"]?.string == "grace")
        #expect(differences?.first?["found"]?.string == "active")
        #expect(differences?.first?["line"]?.integer == 9)
    }

    @Test("A step that the store refuses fails, unless the story says so")
    func refusal() async throws {
        let twice =
            "- buy: \(Self.product)\n  account: anna\n- buy: \(Self.product)\n  account: anna"
        let refused = try await play(twice)
        #expect(refused.code == 1)
        #expect(
            refused.output.contains("story.yaml:8:3: `buy` failed: "), "\(refused.output)")
        #expect(refused.output.contains("alreadySubscribed"), "\(refused.output)")
        let said = try await play(twice + "\n  refused: alreadySubscribed")
        #expect(said.code == 0, "\(said.output)\(said.complaint)")
        let other = try await play(twice + "\n  refused: unknownProduct")
        #expect(other.code == 1)
        #expect(
            other.output.contains(
                "`refused` must be unknownProduct, and is alreadySubscribed."),
            "\(other.output)")
        let done = try await play(
            "- buy: \(Self.product)\n  account: anna\n  refused: alreadySubscribed")
        #expect(done.code == 1)
        #expect(
            done.output.contains("`refused` must be alreadySubscribed, and is done."),
            "\(done.output)")
    }

    @Test("A customer with several subscriptions needs the product's name")
    func several() async throws {
        let steps = """
            - buy: \(Self.product)
              account: anna
            - buy: com.example.garden.doctor.monthly
              account: anna

            """
        let unclear = try await play(steps + "- expect: anna\n  status: active")
        #expect(unclear.code == 1)
        #expect(unclear.output.contains("say which one with `product`"), "\(unclear.output)")
        let clear = try await play(
            steps + "- expect: anna\n  product: \(Self.product)\n  price: 9.99 USD")
        #expect(clear.code == 0, "\(clear.output)\(clear.complaint)")
    }

    @Test("Sandbox is played in Sandbox")
    func sandbox() async throws {
        let steps = """
            - buy: \(Self.product)
              account: anna
            - advance: PT6M
            - expect: anna
              status: active
              notifications: [SUBSCRIBED/INITIAL_BUY, DID_RENEW]
            """
        let outcome = try await play(steps, head: "sandbox: true")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.complaint)")
    }

    @Test("A running store is used where one is named, and notifications of before do not count")
    func running() async throws {
        try await withGarden { program in
            let ready = try #require(program.environment["PERENNIAL_READY"])
            try await expect(program, "buy \(Self.product) --account anna", says: "bought")
            let folder = URL(filePath: ready).deletingLastPathComponent().path
            let file = "\(folder)/story.yaml"
            try """
            story: Another month
            example: true
            steps:
            - advance: P1M
            - expect: anna
              notifications: [DID_RENEW]
            """.write(toFile: file, atomically: false, encoding: .utf8)
            let outcome = try await program.run("play", file, "--ready", ready)
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.complaint)")
            try await expect(program, "clock", says: "2026-02-28 00:00 UTC")
            let nobody = try await program.run("play", file, "--ready", "\(folder)/no.json")
            #expect(nobody.code == 3)
            try FileManager.default.removeItem(atPath: file)
        }
    }

    @Test("A story that stays keeps its store until a signal, and then ends as it went")
    func stay() async throws {
        try await withDirectory { directory in
            let file = StoryFileTests.root.appending(path: "Examples/stories/price-increase.yaml")
            let program = Program(environment: ["TMPDIR": directory])
            let playing = try program.start(["play", file.path, "--stay"])
            let said = try await playing.complaint.wait(for: "ready.json`")
            let ready = try #require(said.firstMatch(of: /--ready ([^`]+)/)?.output.1)
            let status = try await program.run("status", "anna", "--ready", String(ready))
            #expect(status.code == 0, "\(status.complaint)")
            playing.terminate()
            #expect(await playing.end() == 0)
            let left = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(left.sorted() == ["lock"])
        }
    }

    @Test("A catalogue with errors and a file that is not there are told before anything starts")
    func files() async throws {
        try await withDirectory { directory in
            try "{}".write(
                toFile: "\(directory)/bad.storekit", atomically: false, encoding: .utf8)
            let file = "\(directory)/story.yaml"
            try "story: A\ncatalogue: bad.storekit\nsteps:\n- advance: P1M\n".write(
                toFile: file, atomically: false, encoding: .utf8)
            let program = Program(environment: ["TMPDIR": directory])
            let bad = try await program.run("play", file)
            #expect(bad.code == 1)
            #expect(bad.complaint.contains("cannot be imported"), "\(bad.complaint)")
            let checked = try await program.run("play", "--check", file)
            #expect(checked.code == 0)
            #expect(checked.output.contains("story.yaml: A, 1 step"), "\(checked.output)")
            let missing = try await program.run("play", "\(directory)/none.yaml", "--json")
            #expect(missing.code == 1)
            let problem = missing.json?["problems"]?.array?.first
            #expect(problem?["message"]?.string?.hasPrefix("There is no such file") == true)
        }
    }

    @Test(
        "A command line that makes no sense is refused",
        arguments: [
            "play", "play a.yaml b.yaml --stay", "play a.yaml --stay --ready r.json",
            "play a.yaml --check --stay",
        ])
    func usage(_ line: String) async throws {
        let outcome = try await Program().run(line.split(separator: " ").map(String.init))
        #expect(outcome.code == 2, "\(outcome.output)\(outcome.complaint)")
    }

    @Test("The schema is printed")
    func schema() async throws {
        let outcome = try await Program().run("play", "--schema")
        #expect(outcome.code == 0)
        #expect(outcome.json == StorySchema.value)
    }
}
