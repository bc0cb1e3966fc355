import AppStoreWire
import Foundation
import TestSupport
import Testing

@testable import perennial

/// What the page about operation shows, run as it stands there.
@Suite("A price increase that is rehearsed on a fork", .timeLimit(.minutes(30)))
struct RehearsalTests {
    /// What each command of the page has to say, by its beginning.
    private static let words: [(command: String, says: [String])] = [
        ("world forks create campaign", ["campaign is a copy of the world", "Deliveries  off"]),
        ("price schedule", ["19.99 USD instead of 9.99 USD from 2026-03-10"]),
        ("advance --to 2026-04-05", ["2026-04-05 00:00 UTC"]),
        ("price of anna", ["Path: consent", "before 2026-04-30"]),
        ("consent anna agree", ["19.99 USD from 2026-04-30 00:00 on, agreed to"]),
        (
            "subscription next-bill anna",
            ["19.99 USD, 2026-04-30 00:00, it renews", "9.99 USD until then"]
        ),
        ("advance --to 2026-08-01", ["2026-08-01 00:00 UTC"]),
        ("price cohorts", ["USA         19.99 USD            1"]),
        ("timeline anna", ["PRICE_INCREASE/ACCEPTED", "19.99 USD  DID_RENEW"]),
        ("timeline bea", ["PRICE_INCREASE/PENDING", "EXPIRED/PRICE_INCREASE"]),
        ("notifications --account bea", ["EXPIRED/PRICE_INCREASE", "due 2026-04-30"]),
        ("money proceeds", ["2026-07"]),
        ("status bea", ["active, renews 2026-02-28 00:00", "9.99 USD"]),
        ("world forks remove campaign", ["the fork campaign is gone"]),
    ]

    @Test("Every command of the recipe does what the page says, and the original stays as it was")
    func recipe() async throws {
        try await withGarden { program in
            for account in ["anna", "bea"] {
                try await expect(
                    program, "buy com.example.garden.estate.monthly --account \(account)",
                    says: "9.99 USD")
            }
            // What was sold before is told nobody, so the original's log stays empty.
            try await expect(program, "app set --notify http://127.0.0.1:9/", says: "127.0.0.1:9")
            let before = try await Self.look(at: program)
            var here = program
            var left = Self.words
            for line in try Self.recipe() {
                if line.hasPrefix("export PERENNIAL_READY=") {
                    let forks = try await program.run("world", "forks", "--json").json?["forks"]?
                        .array
                    let ready = try #require(forks?.first?["readyFile"]?.string)
                    #expect(ready.hasSuffix("/forks/campaign/ready.json"))
                    #expect(line.hasSuffix("/forks/campaign/ready.json"))
                    here.environment["PERENNIAL_READY"] = ready
                } else if line == "unset PERENNIAL_READY" {
                    here = program
                } else {
                    let (command, says) = try #require(left.first, "\(line)")
                    left.removeFirst()
                    #expect(line.hasPrefix("perennial \(command)"))
                    let words = line.split(separator: " ").dropFirst().map(String.init)
                    let outcome = try await here.run(words)
                    #expect(outcome.code == 0, "\(line): \(outcome.complaint)")
                    for text in says {
                        #expect(outcome.output.contains(text), "\(line): \(outcome.output)")
                    }
                }
            }
            #expect(left.isEmpty)
            #expect(try await Self.look(at: program) == before)
        }
    }

    /// The commands of the recipe, without what is said beside them.
    private static func recipe() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "docs/operations.md"), encoding: .utf8)
        let block = try #require(
            page.components(separatedBy: "```sh\n").first {
                $0.hasPrefix("perennial world forks create campaign")
            }
        ).components(separatedBy: "```")[0]
        return block.split(separator: "\n").map { line in
            line.components(separatedBy: "#")[0].trimmingCharacters(in: .whitespaces)
        }
    }

    /// All that the command line shows of a store.
    private static func look(at program: Program) async throws -> [String] {
        var texts: [String] = []
        for command in [
            "clock", "status anna", "status bea", "timeline bea", "notifications", "ledger",
            "price changes", "price list",
        ] {
            let words = command.split(separator: " ").map(String.init) + ["--json"]
            texts.append(try await program.run(words).output)
        }
        return texts
    }
}
