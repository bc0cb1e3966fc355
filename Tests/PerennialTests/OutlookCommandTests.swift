import AppStoreWire
import ConnectAnswers
import Foundation
import TestFloor
import Testing
import Timeline

@testable import perennial

@Suite("Requests, items and the next bill on the command line")
struct OutlookCommandTests {
    /// Runs the program against the paper's catalogue, on a clock that stands at 31 January 2026.
    private func withPaper(_ body: (_ program: Program) async throws -> Void) async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let file = EndToEndTests().catalogue.replacing("Garden", with: "Paper")
            let store = try await EndToEndTests().open(
                program, ready, selling: file, "--ephemeral", "--bundle-id", "com.example.paper")
            try await expect(
                program, "product generic com.example.paper.subscription on", says: "stands for")
            let bought = try await program.run([
                "ac", "create-subscription", "--account", "anna", "--name", "The paper",
                "--description", "News and more", "--item", "news:News:All the news:9.99",
                "--item", "chess:Chess:A game a day:2.99",
            ])
            #expect(bought.code == 0, "\(bought.complaint)")
            try await body(program)
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    @Test("What was requested, what waits and what is charged next is shown, and as JSON")
    func shown() async throws {
        try await withPaper { program in
            try await expect(
                program, "subscription next-bill anna",
                says: "12.98 USD, 2026-02-28 00:00, it renews",
                "for 2026-02-28 00:00 to 2026-03-31 00:00", "news   News   9.99 USD",
                "nothing is going to change")
            try await expect(
                program, "ac change-price anna --item news:8.99 --item chess:9.99",
                says: "news")
            try await expect(
                program, "subscription next-bill anna",
                says: "8.99 USD, 2026-02-28 00:00, it renews", "9.99 USD until then",
                "going to change",
                "news costs 8.99 USD instead of 9.99 USD, settled, from 2026-02-28 00:00 on",
                "chess costs 9.99 USD instead of 2.99 USD, not asked yet")
            try await expect(
                program, "ac requests anna",
                says: "create subscription, on a device", "12.98 USD charged",
                "news comes for 9.99 USD", "change price, by a server", "PRICE_CHANGE")
            try await expect(
                program, "ac requests anna --limit 1", says: "and more: --limit")
            try await expect(program, "ac cancel anna", says: "renewal")
            try await expect(
                program, "subscription next-bill anna",
                says: "no bill comes: it ends 2026-02-28 00:00, since renewal is off")
            let json = try await program.run("ac", "requests", "anna", "--json")
            let made = json.json?["requests"]?.array ?? []
            #expect(
                made.map { $0["operation"]?.string } == [
                    "createSubscription", "changePrice", "cancel",
                ])
            let bill = try await program.run("subscription", "next-bill", "anna", "--json")
            #expect(bill.json?["outcome"]?.string == "end")
            #expect(bill.json?["changes"]?.array?.isEmpty == false)
            try await expect(
                program, "timeline anna", says: "item added", "prices changed by the merchant",
                "turned renewal off")
            let ascii = try await program.run("timeline", "anna", "--ascii")
            #expect(ascii.output.contains("- delivered"), "\(ascii.output)")
            try await expect(
                program, "subscription next-bill nobody", isRefusedAs: "unknownAccount")
            try await expect(program, "ac requests nobody", isRefusedAs: "unknownAccount")
        }
    }

    private func words(_ json: String) throws -> [String] {
        let answer = Answer(
            value: try JSONValue(parsing: Array(json.utf8)), source: "GET /next-bill")
        return try NextBillCommand.words(answer, Style())
    }

    @Test("Each way that it can come out has its words")
    func outcomes() throws {
        #expect(
            try words(#"{"outcome":"over","lines":[]}"#)
                == ["no bill comes: the subscription is over"])
        for (intent, why) in [
            (1, "renewal is off"), (2, "it could not be charged"),
            (3, "a price is not agreed to"), (4, "the product is not for sale"),
            (5, "something else ended it"),
        ] {
            let end =
                #"{"outcome":"end","at":"2026-02-28T00:00:00Z","expirationIntent":\#(intent),"#
                + #""lines":[]}"#
            #expect(try words(end) == ["no bill comes: it ends 2026-02-28 00:00, since \(why)"])
        }
        let pending = try words(
            #"{"outcome":"pending","at":"2026-02-11T00:00:00Z","purpose":"modification","#
                + #""billId":"7","currency":"USD","amount":4200,"credit":1000,"lines":["#
                + #"{"sku":"sport","price":6200,"amount":4200},"#
                + #"{"sku":"news","price":9990,"amount":0,"offerMode":"FREE_TRIAL","#
                + #""offerPeriodsLeft":2}]}"#)
        #expect(
            pending.first
                == "4.20 USD, made 2026-02-11 00:00, its items change, "
                + "and the bank has not answered"
        )
        #expect(pending.contains("1.00 USD goes back once it is paid"))
        #expect(pending.contains { $0.contains("free trial, 2 more follow") })
        let month = try words(
            #"{"outcome":"charge","at":"2026-02-28T00:00:00Z","purpose":"renewal","#
                + #""currency":"USD","amount":990,"periodStart":"2026-02-28T00:00:00Z","#
                + #""periodEnd":"2026-03-31T00:00:00Z","commitmentMonth":3,"lines":[]}"#)
        #expect(month.contains("for 2026-02-28 00:00 to 2026-03-31 00:00, month 3 of 12"))
        #expect(throws: UnusableAnswer.self) { try words(#"{"outcome":"charge"}"#) }
    }
}
