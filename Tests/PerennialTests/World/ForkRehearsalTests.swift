import AppStoreWire
import ConnectAnswers
import Foundation
import MerchantRules
import NIOHTTP1
import SubscriptionRules
import TestFloor
import Testing

@testable import perennial

/// A price campaign that is rehearsed on copies of a store and its merchant.
@Suite("A price campaign that is rehearsed on a fork", .timeLimit(.minutes(30)))
struct ForkRehearsalTests {
    private static let bundleID = "com.example.paper"
    private static let accounts = (1...9).map { "c\($0)" }
    private static let shares = ["--agree", "35", "--decline", "25", "--cancel", "20"]

    /// A store with a merchant beside it, and a campaign.
    private struct Pair: Sendable {
        let program: Program
        let directory: String
        let merchant: MerchantClient

        var campaign: String { "\(directory)/spring.yaml" }

        /// Runs a command that must succeed.
        func run(_ words: [String]) async throws -> Program.Outcome {
            let outcome = try await program.run(words)
            #expect(outcome.code == 0, "\(words): \(outcome.complaint)")
            return outcome
        }

        /// What became of each subscriber.
        func outcomes(_ words: [String]) async throws -> [String: String] {
            let lines = try await run(words).output.split(whereSeparator: \.isNewline).map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
            let names = try #require(lines.first)
            let id = try #require(names.firstIndex(of: "originalTransactionId"))
            let outcome = try #require(names.firstIndex(of: "outcome"))
            return Dictionary(
                lines.dropFirst().map { ($0[id], $0[outcome]) },
                uniquingKeysWith: { first, _ in first })
        }

        /// All that is live, as far as the command line shows it.
        func facts() async throws -> [String] {
            var facts: [String] = []
            for words in [
                ["clock"], ["world", "deliveries"], ["world", "forks"], ["notifications"], ["app"],
                ["customer", "list"], ["merchant", "customers"],
            ] + ForkRehearsalTests.accounts.map({ ["merchant", "status", $0] }) {
                facts.append(try await program.run(words + ["--json"]).output)
            }
            return facts
        }
    }

    /// Runs the pair at 31 January 2026, with these accounts as subscribers of the paper.
    private func with(
        _ accounts: [String], period: String, _ body: (Pair) async throws -> Void
    ) async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let catalogue = EndToEndTests().catalogue.replacing("Garden", with: "Paper")
            let store = try program.start([
                "dev", catalogue, "--ephemeral", "--bundle-id", Self.bundleID, "--clock", "frozen",
                "--at", "2026-01-31T00:00:00Z", "--port", "0", "--sandbox-port", "0",
                "--merchant-port", "0", "--ready-file", ready, "--json",
            ])
            try await store.output.wait(for: "\n}\n")
            let merchant = try #require(try ReadyFile.read(ready).merchant)
            let pair = Pair(
                program: program, directory: directory,
                merchant: try MerchantClient(merchant, of: Self.bundleID))
            _ = try await pair.run(["product", "generic", "com.example.paper.subscription", "on"])
            _ = try await pair.run(["app", "set", "--price-change-route", "merchantManaged"])
            for account in accounts { try await subscribe(account, period, pair) }
            try write(pair, period: period)
            try await body(pair)
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    private func subscribe(_ account: String, _ period: String, _ pair: Pair) async throws {
        _ = try await pair.run([
            "ac", "create-subscription", "--account", account, "--name", "The paper",
            "--description", "News and more", "--item", "news:News:All the news:9.99", "--period",
            period,
        ])
        let path = StorePath("v1", "apps", Self.bundleID, "accounts", account, "contact")
        _ = try await pair.merchant.client.ask(
            .PUT, path,
            StoreClient.members { json in
                json.field("email", "\(account)@example.com")
            }, token: pair.merchant.app.appToken)
    }

    private func write(_ pair: Pair, period: String) throws {
        try """
        You pay {oldPrice} now, and {newPrice} from {date}.
        {manageUrl}
        """.write(toFile: "\(pair.directory)/mail.txt", atomically: true, encoding: .utf8)
        try """
        campaign: spring
        app: \(Self.bundleID)
        kind: price
        route: merchantManaged
        from: 2026-02-01
        prices:
        - sku: news
          period: \(period)
          to: {USA: "19.99"}
        mail:
          from: news@example.com
          subject: Your price changes
          text: {default: mail.txt}
        sheet:
          title: Your price changes
          body: "You pay {oldPrice} now, and {newPrice} from {date}."
        push:
          title: Your price changes
          body: "From {date} it costs {newPrice}."
        """.write(toFile: pair.campaign, atomically: true, encoding: .utf8)
    }

    @Test("Its outcomes are those of the run with the same answers, and nothing live changes")
    func outcomes() async throws {
        try await with(Self.accounts, period: "P1M") { pair in
            let before = try await pair.facts()
            let words =
                ["campaign", "rehearse", pair.campaign, "--fork", "--seed", "7"] + Self.shares
            let report = try #require(try await pair.run(words + ["--json"]).json)
            #expect(report["rehearsed"] == .bool(true))
            #expect(report["rehearsedOn"] == .string("fork"))
            #expect(report["audience"] == .integer(Int64(Self.accounts.count)))
            let rehearsed = try await pair.outcomes(words + ["--csv"])
            #expect(rehearsed.count == Self.accounts.count)
            #expect(Set(rehearsed.values).count > 1, "\(rehearsed)")
            #expect(try await pair.facts() == before)
            try await expect(
                pair.program, "campaign status spring", isRefusedAs: "unknownCampaign")

            _ = try await pair.run(["campaign", "run", pair.campaign, "--go"])
            let until = try #require(report["until"]?.string.flatMap { Instant(iso8601: $0) })
            try await play(pair, until: until)
            let real = try await pair.outcomes(["campaign", "report", "spring", "--csv"])
            #expect(real == rehearsed)
            let told = try await pair.run(["campaign", "report", "spring", "--json"]).json
            #expect(told?["outcomes"] == report["outcomes"])
            #expect(told?["money"] == report["money"])
        }
    }

    /// Lets the customers answer by the seed, a look a day.
    private func play(_ pair: Pair, until: Instant) async throws {
        let answers = try #require(
            RehearsedAnswers(seed: "7", agreeing: 350, declining: 250, cancelling: 200))
        var done: Set<String> = []
        while true {
            let clock = try await pair.run(["clock", "--json"]).json
            let now = try #require(clock?["now"]?.string.flatMap { Instant(iso8601: $0) })
            let messages = try await pair.run([
                "campaign", "messages", "spring", "--limit", "10000", "--json",
            ]).json
            for message in messages?["messages"]?.array ?? [] {
                guard let id = message["originalTransactionId"]?.string, !done.contains(id),
                    let account = message["account"]?.string,
                    let sent = message["sent"]?.string.flatMap({ Instant(iso8601: $0) }),
                    sent + answers.delay(of: id) <= now
                else { continue }
                switch answers.answer(of: id) {
                case .agree:
                    guard try await tap("agree", account, pair) else { continue }
                case .decline:
                    guard try await tap("decline", account, pair) else { continue }
                case .cancel: _ = try await pair.run(["renewal", id, "off"])
                case .silent: break
                }
                done.insert(id)
            }
            guard now < until else { return }
            let next = min(now + .days(1), until)
            _ = try await pair.run(["advance", "--to", next.iso8601])
        }
    }

    /// Taps a button of the one sheet of an account, as the app does.
    ///
    /// - Returns: whether there is one already.
    private func tap(_ button: String, _ account: String, _ pair: Pair) async throws -> Bool {
        let path = StorePath("v1", "apps", Self.bundleID, "accounts", account, "sheets")
        let client = pair.merchant.client
        let token = pair.merchant.app.appToken
        let sheets = try await client.ask(.GET, path, nil, token: token).list("sheets")
        guard let sheet = sheets.first else { return false }
        let id = String(try sheet.integer("id"))
        for action in ["shown", button] {
            _ = try await client.ask(
                .POST,
                StorePath("v1", "apps", Self.bundleID, "accounts", account, "sheets", id),
                StoreClient.members { json in json.field("action", action) }, token: token)
        }
        return true
    }

    @Test("A signal ends it, and the fork and the copies are gone")
    func interrupted() async throws {
        // Who pays by the year is told in months, so it takes a while.
        try await with(["anna"], period: "P1Y") { pair in
            let rehearsal = try pair.program.start([
                "campaign", "rehearse", pair.campaign, "--fork",
            ])
            _ = try await eventually {
                try await pair.run(["world", "forks", "--json"]).json?["forks"]?.array?.first
            }
            rehearsal.terminate()
            let outcome = try await rehearsal.finish()
            #expect(outcome.code == 1, "\(outcome.output)")
            #expect(outcome.complaint.contains("was interrupted"), "\(outcome.complaint)")
            let left = try await pair.run(["world", "forks", "--json"]).json
            #expect(left?["forks"]?.array?.isEmpty == true)
        }
    }

    @Test("What cannot be rehearsed on a fork is refused, and what needs one says so")
    func refusals() async throws {
        let program = Program()
        for (words, complaint) in [
            (["--csv"], "--store and --csv go with --fork"),
            (["--store", "r.json"], "--store and --csv go with --fork"),
            (["--fork", "--csv", "--json"], "Give --csv or --json"),
            (["--fork", "--agree", "95"], "are 100 together"),
        ] {
            let outcome = try await program.run(["campaign", "rehearse", "x.yaml"] + words)
            #expect(outcome.code == 2)
            #expect(outcome.complaint.contains(complaint), "\(outcome.complaint)")
        }
        try await with(["anna"], period: "P1M") { pair in
            let text = try String(contentsOfFile: pair.campaign, encoding: .utf8)
            for (old, new, complaint) in [
                (Self.bundleID, "com.example.other", "the campaign is about com.example.other"),
                ("kind: price", "kind: price\nenvironments: [sandbox]", "in Production alone"),
            ] {
                try text.replacing(old, with: new).write(
                    toFile: pair.campaign, atomically: true, encoding: .utf8)
                try await expect(
                    pair.program, "campaign rehearse \(pair.campaign) --fork",
                    isRefusedWith: complaint)
            }
        }
    }
}
