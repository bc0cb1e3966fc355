import AppStoreWire
import ConnectAnswers
import Foundation
import Testing
import Timeline

@testable import perennial

@Suite("What `status` and its neighbours tell a newcomer")
struct StatusTests {
    @Test("Extensions are told with their days and moments")
    func extensions() async throws {
        try await SettingsTests().with { program in
            let id = try await SettingsTests().id(of: "plus.monthly", program)
            try await expect(program, "extensions grant \(id) --days 7", says: "2026-03-07 00:00")
            try await expect(program, "advance P1D", says: "2026-02-01")
            try await expect(program, "extensions grant \(id) --days 1", says: "2026-03-08 00:00")
            try await expect(
                program, "status \(id)",
                says: "extended 2026-01-31 00:00 and 2026-02-01 00:00, the newest period by 8 days")
            try await expect(program, "advance --to 2026-03-09", says: "2026-03-09")
            try await expect(
                program, "status \(id)",
                says: "extended 2026-01-31 00:00 and 2026-02-01 00:00\n")
        }
    }

    @Test("Grace and billing retry say when access ends or ended")
    func access() async throws {
        try await SettingsTests().with { program in
            try await expect(program, "app set --grace-period 3", says: "3 days")
            try await expect(program, "pay anna decline", says: "declined")
            try await expect(program, "advance P1M", says: "2026-02-28")
            try await expect(
                program, "status anna",
                says: "has access until 2026-03-03 00:00, the end of the grace period")
            try await expect(program, "advance P10D", says: "2026-03-10")
            try await expect(
                program, "status anna",
                says: "has no access: the grace period ended 2026-03-03 00:00")
        }
    }

    @Test(
        "A free trial is one while it runs, and over when nobody paid after it",
        arguments: [
            ("active", "free trial"), ("retrying", "free trial over, nothing paid since"),
            ("grace", "free trial over, nothing paid since"),
        ])
    func trial(state: String, words: String) throws {
        let json = """
            {"originalTransactionId":"1","account":"anna","productId":"plus","state":"\(state)",
             "autoRenew":true,"price":0,"currency":"USD","offerMode":"FREE_TRIAL",
             "expires":"2026-02-28T00:00:00Z","transactionId":"1","renewalCount":0}
            """
        let answer = Answer(value: try JSONValue(parsing: Array(json.utf8)), source: "test")
        let lines = try StatusCommand.subscription(answer, Style())
        #expect(lines.contains { $0.contains("\(words), transaction") }, "\(lines)")
    }

    @Test("A mass extension says how many failed for which reason, and who")
    func massExtension() async throws {
        try await SettingsTests().with { program in
            try await expect(program, "extensions", says: "no mass extensions")
            try await expect(program, "buy plus.monthly --account bea", says: "bea bought")
            let id = try await SettingsTests().id(of: "plus.monthly", program)
            for _ in 1...2 {
                try await expect(program, "extensions grant \(id) --days 1", says: "paid until")
            }
            let done = try await program.run(
                "extensions", "grant-all", "plus.monthly", "--days", "7", "--watch", "--json")
            let number = try #require(done.json?["id"]?.integer, "\(done.complaint)")
            #expect(done.json?["failures"]?.array?.first?["count"] == .integer(1))
            try await expect(
                program, "extensions grant-all plus.monthly --days 7 --watch",
                says: "7 days for 1 subscription, 1 failed (1: it was extended twice within",
                "`perennial extensions failures ")
            try await expect(
                program, "extensions failures \(number)",
                says: "\(id)  anna     it was extended twice within 365 days")
            try await expect(
                program, "extensions", says: "1: it was extended twice within 365 days", "complete")
            try await expect(
                program, "extensions retry \(number)",
                says: "0 subscriptions extended, 1 failed again: `perennial extensions failures")
            for verb in ["failures", "retry"] {
                try await expect(
                    program, "extensions \(verb) 7", isRefusedAs: "unknownMassExtension")
            }
        }
    }

    @Test("A share of what has no period is all of it, and one is told so")
    func prorated() async throws {
        try await SettingsTests().with { program in
            try await expect(program, "buy gems --account bea", says: "bea bought gems")
            let status = try await program.run("status", "bea", "--json")
            let id = try #require(
                status.json?["purchases"]?.array?.first?["transactionId"]?.string)
            try await expect(
                program, "refunds issue --transaction \(id) --prorated",
                says: "that is all of it: it has no period")
            let news = try await SettingsTests().id(of: "news.monthly", program)
            let whole = try await program.run("refunds", "issue", news)
            #expect(!whole.output.contains("all of it"))
        }
    }

    @Test("A price increase that another price replaced is superseded")
    func superseded() async throws {
        try await SettingsTests().with { program in
            for (price, day) in [("199", "2026-02-10"), ("149", "2026-02-20")] {
                try await expect(
                    program,
                    "price schedule plus.monthly NOR \(price) --existing apply --start "
                        + day,
                    says: price)
                try await expect(program, "advance --to \(day)T00:00:01Z", says: day)
            }
            let list = try await program.run("price", "changes")
            let lines = list.output.split(separator: "\n")
            #expect(lines[1].contains("149 NOK") && lines[1].contains("  done  "))
            #expect(
                lines[2].contains("199 NOK")
                    && lines[2].contains("superseded 2026-02-20 00:00"), "\(list.output)")
        }
    }

    @Test("A price that another took the place of is told from one that was taken back")
    func replaced() async throws {
        try await SettingsTests().with { program in
            for price in ["199", "149"] {
                try await expect(
                    program,
                    "price schedule plus.monthly NOR \(price) --existing apply --start "
                        + "2026-03-10", says: price)
            }
            try await expect(
                program, "price withdraw plus.monthly NOR", says: "is withdrawn")
            let list = try await program.run("price", "changes")
            let lines = list.output.split(separator: "\n")
            #expect(
                lines[1].contains("149 NOK") && lines[1].contains("withdrawn 2026-01-31 00:00")
                    && lines[1].hasSuffix("  2026-01-31 00:00"), "\(list.output)")
            #expect(
                lines[2].contains("199 NOK") && lines[2].contains("replaced 2026-01-31 00:00"),
                "\(list.output)")
        }
    }

    @Test("Two files of one name are told apart by the paths that were given")
    func paths() async throws {
        try await withDirectory { directory in
            for folder in ["a", "b"] {
                try FileManager.default.createDirectory(
                    atPath: "\(directory)/\(folder)", withIntermediateDirectories: true)
                try "{".write(
                    toFile: "\(directory)/\(folder)/Plus.storekit", atomically: false,
                    encoding: .utf8)
            }
            let outcome = try await Program().run(
                "catalog", "check", "\(directory)/a/Plus.storekit",
                "\(directory)/b/Plus.storekit")
            #expect(outcome.code == 1)
            for folder in ["a", "b"] {
                let path = "\(directory)/\(folder)/Plus.storekit"
                #expect(outcome.output.contains("\(path): not imported"))
                #expect(outcome.output.contains("error   \(path) $: The JSON breaks off"))
            }
        }
    }
}
