import AppStoreWire
import Foundation
import TestFloor
import Testing

@testable import perennial

@Suite("A merchant's items on the command line")
struct ItemCommandTests {
    private static let items = [
        "x:The x:All of it:10.00", "y:The y:All of it:4.99", "z:The z:All of it:2.00",
        "replay:The replay:All of it:1.00",
    ]

    /// Runs the program against the paper's catalogue, on a clock that stands at 31 January 2026,
    /// with a bundle of items for anna.
    private func withBundle(
        _ items: [String] = items, in storefront: String = "USA",
        _ body: (_ program: Program) async throws -> Void
    ) async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let example = EndToEndTests().catalogue.replacing("Garden", with: "Paper")
            let file = "\(directory)/Paper.storekit"
            try String(contentsOfFile: example, encoding: .utf8)
                .replacing(#""_storefront" : "USA""#, with: #""_storefront" : "\#(storefront)""#)
                .write(toFile: file, atomically: true, encoding: .utf8)
            let store = try await EndToEndTests().open(
                program, ready, selling: file, "--ephemeral", "--bundle-id", "com.example.paper")
            try await expect(
                program, "product generic com.example.paper.subscription on", says: "stands for")
            let bought = try await program.run(
                [
                    "ac", "create-subscription", "--account", "anna", "--name", "The paper",
                    "--description", "News and more",
                ] + items.flatMap { ["--item", $0] }
            )
            #expect(bought.code == 0, "\(bought.complaint)")
            try await body(program)
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    @Test("Each price that is on its way is explained, and what ends without an answer")
    func items() async throws {
        try await withBundle { program in
            try await expect(
                program, "ac change-price anna --item x:15.01:replay --item y:10.00 --item z:2.20",
                says: "x")
            try await expect(
                program, "price of anna",
                says: "Item x (The x):", "  10.00 USD to 15.01 USD", "Item y (The y):",
                "  4.99 USD to 10.00 USD", "Item z (The z):", "  2.00 USD to 2.20 USD",
                "it ends at the renewal, with replay.",
                "it ends at the renewal, and the rest goes on.",
                "Path: notice: the subscriber is told")
            let json = try await program.run("price", "of", "anna", "--json")
            let items = json.json?["items"]?.array ?? []
            #expect(items.map { $0["sku"]?.string } == ["x", "y", "z"])
            #expect(items.map { $0["path"]?.string } == ["consent", "consent", "notice"])
            #expect(json.json?["newPrice"]?.integer == 15_010)
            try await expect(program, "advance --to 2026-02-02", says: "")
            try await expect(
                program, "status anna", says: "x: 15.01 USD", "y: 10.00 USD", "not answered yet")
            try await expect(
                program, "consent anna agree",
                says: "x: 15.01 USD from 2026-02-28 00:00 on, agreed to",
                "y: 10.00 USD from 2026-02-28 00:00 on, agreed to")
        }
    }

    @Test("What a refund of one of two payments ends, and a reversal brings back, is said")
    func payments() async throws {
        try await withBundle(["x:The x:All of it:10.00", "y:The y:All of it:4.99"]) { program in
            let status = try await program.run("status", "anna", "--json")
            let first = try #require(
                status.json?["subscriptions"]?.array?.first?["originalTransactionId"]?.string)
            try await expect(
                program, "ac modify-subscription anna --add z:Z:More:4.99:prorated,2.50", says: "z")
            try await expect(program, "status anna", says: "17.49 USD", "z 4.99 USD")
            try await expect(
                program, "timeline \(first)",
                says: "17.49 USD", "the period costs 17.49 USD in all", "2.50 USD")
            try await expect(
                program, "refunds issue --transaction \(first)",
                says: "and with it ended x, y: the rest goes on")
            try await expect(
                program, "refunds reverse --transaction \(first)",
                says: "x, y until 2026-02-28 00:00 again, without renewing")
            try await expect(
                program, "bills answer \(first) reversed", says: "")
            try await expect(
                program, "bills answer \(first) restored",
                says: "x, y until 2026-02-28 00:00 again, without renewing")
        }
    }

    @Test("Where nothing else is left the subscription expires")
    func allItems() async throws {
        try await withBundle { program in
            try await expect(
                program, "ac change-price anna --item x:15.01:y,z,replay", says: "x")
            try await expect(
                program, "price of anna", says: "and the subscription expires, since nothing"
            )
        }
    }

    @Test("A merchant that asks itself needs no answer here, and of a lower price nobody is told")
    func merchant() async throws {
        try await withBundle { program in
            try await expect(
                program, "app set --price-change-route merchantManaged", says: "merchantManaged")
            try await expect(
                program, "ac change-price anna --item x:15.01 --item y:3.99", says: "x")
            let told = try await program.run("price", "of", "anna")
            #expect(told.code == 0, "\(told.complaint)")
            for words in [
                "Path: consent: the merchant has asked the subscriber before it called",
                "2026-01-31 00:00  push", "Path: none: nobody is told or asked.",
                "Messages: none.",
            ] {
                #expect(told.output.contains(words), "\(told.output)")
            }
            #expect(!told.output.contains("Answer:"), "\(told.output)")
            #expect(!told.output.contains("while there is no answer"), "\(told.output)")
            try await expect(
                program, "status anna", says: "y: 3.99 USD from 2026-02-28 00:00 on\n")
        }
    }

    @Test("The end of an offer in Korea is answered by account, and shown (KOR-3)")
    func korea() async throws {
        let items = ["news:News:All of it:9900:acquisition,P1M,1,0", "chess:Chess:All of it:4900"]
        try await withBundle(items, in: "KOR") { program in
            try await expect(program, "advance --to 2026-02-05", says: "")
            try await expect(
                program, "price of anna",
                says: "Korea: an offer ends: news 9900 KRW from 2026-02-28 00:00 on if agreed to",
                "not answered yet")
            let json = try await program.run("price", "of", "anna", "--json")
            #expect(json.json?["offerConversion"]?["asked"]?.bool == true)
            try await expect(
                program, "consent anna agree",
                says: "an offer ends: news 9900 KRW from 2026-02-28 00:00 on, agreed to")
        }
    }

    @Test("What declining ends is said")
    func help() async throws {
        let help = try await Program().start(["consent", "--help"]).finish()
        #expect(help.code == 0)
        let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("declining ends only the items of the increase"))
    }
}
