import AppStoreWire
import Foundation
import TestFloor
import Testing

@testable import perennial

@Suite("Advanced Commerce on the command line")
struct AdvancedCommerceCommandTests {
    private static let bundle = [
        "ac", "create-subscription", "--account", "anna", "--name", "The paper", "--description",
        "News and more", "--item", "news:News:All the news:9.99",
    ]
    private static let chess = "chess:Chess:A game a day:2.99:acquisition,P1M,1,0.99"
    private static let lesson = [
        "ac", "create-one-time-charge", "--account", "anna", "--item",
        "lesson:A lesson:One hour:24.99",
    ]

    /// Runs the program against the paper's catalogue, on a clock that stands at 31 January 2026.
    private func withPaper(
        _ body: (_ program: Program, _ directory: String) async throws -> Void
    ) async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let file = EndToEndTests().catalogue.replacing("Garden", with: "Paper")
            let store = try await EndToEndTests().open(
                program, ready, selling: file, "--ephemeral", "--bundle-id", "com.example.paper")
            for product in ["subscription", "charge"] {
                try await expect(
                    program, "product generic com.example.paper.\(product) on",
                    says: "com.example.paper.\(product) stands for what the merchant describes")
            }
            try await body(program, directory)
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    /// Runs a command that must succeed.
    private func done(
        _ program: Program, _ words: [String], _ place: SourceLocation = #_sourceLocation
    ) async throws -> Program.Outcome {
        let outcome = try await program.run(words)
        #expect(outcome.code == 0, "\(outcome.complaint)", sourceLocation: place)
        #expect(outcome.complaint.isEmpty, "\(outcome.complaint)", sourceLocation: place)
        return outcome
    }

    /// Runs a command that the store must refuse with a number of Apple's.
    private func refused(
        _ program: Program, _ words: [String], _ code: Int64,
        _ place: SourceLocation = #_sourceLocation
    ) async throws -> Program.Outcome {
        let outcome = try await program.run(words + ["--json"])
        #expect(outcome.code == 1, "\(outcome.output)", sourceLocation: place)
        let error = try JSONValue(parsing: Array(outcome.complaint.utf8))
        #expect(
            error["errorCode"]?.integer == code, "\(outcome.complaint)", sourceLocation: place)
        return outcome
    }

    private func checks(_ outcome: Program.Outcome) -> [String: String] {
        let all = outcome.json?["checks"]?.array ?? []
        return Dictionary(
            all.map { ($0["check"]?.string ?? "", $0["outcome"]?.string ?? "") },
            uniquingKeysWith: { first, _ in first })
    }

    @Test("A product stands for others or not, and an app says who tells of higher prices")
    func settings() async throws {
        try await withPaper { program, _ in
            let product = "com.example.paper.subscription"
            try await expect(
                program, "product generic \(product)",
                says: "`perennial ac create-subscription --account ACCOUNT`")
            try await expect(
                program, "product generic \(product) off",
                says: "\(product) is sold as the catalogue has it",
                "`perennial product generic \(product) on` lets it")
            let set = try await program.run("product", "generic", product, "on", "--json")
            #expect(set.json?["isGeneric"] == .bool(true), "\(set.complaint)")
            try await expect(program, "product generic nothing on", isRefusedAs: "unknownProduct")
            try await expect(
                program, "app set --price-change-route merchantManaged",
                says: "changed: price-change-route from storeManaged to merchantManaged")
            let other = try await program.run("app", "set", "--price-change-route", "mine")
            #expect(other.code == 2)
        }
    }

    @Test("A bundle is bought, and what was checked is told step by step")
    func bought() async throws {
        try await withPaper { program, _ in
            let words = Self.bundle + ["--item", Self.chess, "--explain"]
            let outcome = try await done(program, words)
            #expect(!outcome.output.contains("\u{1B}"))
            for line in [
                "✓ signed text        a compact JWS of",
                "✓ claims             iss ",
                "✓ form               CREATE_SUBSCRIPTION, version 1",
                "✓ names and texts    2 SKUs, the longest of 5 of 128 characters; 3 names, the "
                    + "longest of 9 of 30 characters; 3 descriptions, the longest of 13 of 45",
                "✓ prices and counts  3 amounts, 0.99 USD to 9.99 USD, 1 offer no dearer",
                "taxCode C003-00-1", "✓ storefront         USA, where prices are in steps of 0.01",
                "✓ payment            10.98 USD paid",
                "anna bought com.example.paper.subscription for 10.98 USD, until 2026-02-28",
                "news   News   9.99 USD", "chess  Chess  0.99 USD",
            ] { #expect(outcome.output.contains(line), "\(line): \(outcome.output)") }
            #expect(!outcome.output.contains("✗") && !outcome.output.contains("·"))
            try await expect(
                program, "status anna", says: "holds news 9.99 USD, chess 2.99 USD")
            let once = try await done(program, Self.lesson + ["--explain", "--json"])
            #expect(Set(checks(once).values) == ["passed"], "\(once.output)")
            #expect(checks(once).count == 13)
            #expect(once.json?["transactionInfo"]?["price"] == .integer(24_990))
            #expect(
                once.json?["transactionInfo"]?["productId"]?.string == "com.example.paper.charge")
        }
    }

    @Test("What is refused says which check it did not pass, its number and what to do")
    func refusals() async throws {
        try await withPaper { program, directory in
            let twice = Self.bundle + ["--item", "news:Chess:A game:2.99", "--explain"]
            let outcome = try await program.run(twice)
            #expect(outcome.code == 1)
            #expect(outcome.output.contains("✗ parts together     4000143 MultipleOperations"))
            #expect(outcome.output.contains("✓ signature"))
            #expect(outcome.output.contains("· payment            not judged"))
            #expect(
                outcome.complaint.contains(
                    "[invalidAdvancedCommerceRequest, 4000143 MultipleOperationsOnSingleSKU]"))
            let json = try await refused(program, twice, 4_000_143)
            #expect(checks(json)["together"] == "refused")
            #expect(checks(json)["claims"] == "passed")
            #expect(checks(json)["product"] == "notJudged")
            // What the store alone knows: three decimals, a second subscription, its product.
            let file = "\(directory)/charge.json"
            try #"{"item":{"SKU":"x","displayName":"X","description":"An x","price":995},"#
                .appending(#""currency":"USD","taxCode":"C003-00-2"}"#)
                .write(toFile: file, atomically: false, encoding: .utf8)
            let odd = [
                "ac", "create-one-time-charge", "--account", "anna", "--file", file, "--explain",
            ]
            #expect(checks(try await refused(program, odd, 4_000_132))["place"] == "refused")
            let first = try await done(program, Self.bundle + ["--json"])
            let running = first.json?["transactionInfo"]?["transactionId"]?.string ?? ""
            let second = try await refused(
                program, Self.bundle + ["--previous", running, "--explain"], 4_030_011)
            #expect(checks(second)["subscription"] == "refused")
            #expect(second.complaint.contains("`perennial status anna` shows the subscription"))
            try await expect(
                program, "product generic com.example.paper.charge off",
                says: "as the catalogue has it")
            let none = try await program.run(Self.lesson)
            #expect(
                none.complaint.contains("`perennial product generic PRODUCT on` lets one do so"))
            let product = ["--product", "com.example.paper.charge", "--explain"]
            let sold = try await refused(program, Self.lesson + product, 4_000_116)
            #expect(checks(sold)["product"] == "refused")
            #expect(
                sold.complaint.contains("`perennial product generic com.example.paper.charge on`"))
            let ledger = try await program.run("money", "ledger", "--json")
            let entry = try #require(ledger.json?["entries"]?.array?.first)
            #expect(ledger.json?["entries"]?.array?.count == 1, "\(ledger.output)")
            let item = try #require(entry["sku"]?.string)
            try await expect(program, "money ledger", says: "item", item)
        }
    }

    @Test("A file is sent as it is, but for what is filled in")
    func files() async throws {
        try await withPaper { program, directory in
            let file = "\(directory)/r.json"
            func send(_ text: String, _ more: String...) async throws -> Program.Outcome {
                let path = "\(directory)/request.json"
                try text.write(toFile: path, atomically: false, encoding: .utf8)
                return try await program.run(
                    ["ac", "create-subscription", "--account", "anna", "--file", path, "--json"]
                        + more
                )
            }
            func code(_ outcome: Program.Outcome) -> Int64? {
                (try? JSONValue(parsing: Array(outcome.complaint.utf8)))?["errorCode"]?.integer
            }
            let members =
                #""currency":"USD","taxCode":"C003-00-1","period":"P1M","descriptors":{"#
                + #""displayName":"The paper","description":"News"},"items":[{"SKU":"news","#
                + #""displayName":"News","description":"All of it","price":9990}]"#
            #expect(code(try await send(#"{"requestInfo":null,\#(members)}"#)) == 4_000_079)
            #expect(code(try await send(#"{"version":"2",\#(members)}"#)) == 4_000_084)
            #expect(code(try await send("no JSON")) == 4_000_173)
            let id = "6b5e0f0a-4d0c-4a39-9f6e-000000000001"
            let bought = try await send("{\(members)}", "--request-id", id)
            #expect(bought.code == 0, "\(bought.complaint)")
            let info = bought.json?["transactionInfo"]?["advancedCommerceInfo"]
            #expect(info?["requestReferenceId"]?.string == id)
            // The same again is what was bought; its number for something else is refused.
            let again = try await send("{\(members)}", "--request-id", id)
            #expect(
                again.json?["transactionInfo"]?["transactionId"]
                    == bought.json?["transactionInfo"]?["transactionId"])
            let other = try await send(
                "{\(members.replacing("9990", with: "8990"))}", "--request-id", id, "--explain")
            #expect(code(other) == 4_000_097)
            #expect(checks(other)["once"] == "refused")
            #expect(other.complaint.contains("Leave --request-id out"))
            let both = try await program.run(Self.bundle + ["--file", file])
            #expect(both.code == 2 && both.complaint.contains("--file has the whole request"))
        }
    }

    @Test("What is printed is not sent, and is right for another client")
    func printed() async throws {
        try await withPaper { program, _ in
            let text = try await done(program, Self.lesson + ["--print"]).output
            let parts = text.split(separator: "\n").first?.split(separator: ".") ?? []
            #expect(parts.count == 3)
            let json = try await done(program, Self.lesson + ["--print", "--explain", "--json"])
            #expect(json.json?["request"]?["item"]?["SKU"]?.string == "lesson")
            let wrapped = try JSONValue(
                parsing: Array((json.json?["advancedCommerceData"]?.string ?? "").utf8))
            #expect(wrapped["signatureInfo"]?["token"] == json.json?["jws"])
            #expect(checks(json)["numbers"] == "passed")
            #expect(checks(json)["signature"] == "notJudged")
            #expect(checks(json)["payment"] == "notJudged")
            try await expect(program, "customer list", says: "no customers yet")
            _ = try await done(program, Self.bundle)
            let call = try await done(
                program, ["ac", "cancel", "anna", "--print", "--json"])
            #expect(
                call.json?["url"]?.string?.contains("/advancedCommerce/v1/subscription/cancel/")
                    == true)
            #expect(call.json?["authorization"]?.string?.hasPrefix("Bearer ") == true)
            let alone = try await program.run(["ac", "cancel", "anna", "--print", "--explain"])
            #expect(
                try JSONValue(parsing: Array(alone.output.utf8))["requestInfo"]?.object != nil)
            #expect(alone.complaint.contains("· limit              for the store to judge"))
            try await expect(program, "status anna", says: "active, renews 2026-02-28")
            // A key that the store does not know signs nothing that it takes.
            let key = try await program.run(
                "app", "keys", "add", "--to", program.environment["TMPDIR"]!)
            #expect(key.code == 0)
            let file = try #require(key.output.firstMatch(of: /\S+\.p8/)).output
            let id = try #require(String(file).firstMatch(of: /_(.{10})\.p8/)).output.1
            _ = try await done(program, ["ac", "cancel", "anna", "--key", String(file)])
            try await expect(program, "app keys revoke \(id)", says: "revoked")
            let revoked = try await refused(
                program, Self.lesson + ["--key", String(file), "--explain"], 4_000_174)
            #expect(checks(revoked)["signature"] == "refused")
            try await expect(
                program, "ac cancel anna --key \(file)",
                isRefusedWith: "does not take the request token. `perennial app keys list` shows")
        }
    }

    @Test("A server changes prices and turns renewal off")
    func calls() async throws {
        try await withPaper { program, _ in
            _ = try await done(
                program, Self.bundle + ["--item", "chess:Chess:A game a day:2.99"])
            try await expect(
                program, "ac change-price anna --item news:10.99 --item chess:9.99 --explain",
                says: "✓ limit              180000 calls an hour at most",
                "✓ parts together     no SKU stands there twice", "✓ subscription",
                "prices are changed", "news   News   9.99 USD  10.99 USD  scheduled",
                "chess  Chess  2.99 USD   9.99 USD  scheduled")
            try await expect(
                program, "ac change-price anna --item sport:1.99",
                isRefusedWith: "4000220 InvalidSKUProvidedMustBeCurrentSKUSetToRenew",
                "lists the items")
            try await expect(
                program, "ac change-price 400000000000999 --item news:1.99",
                isRefusedWith: "no currency for the prices")
            try await expect(
                program, "ac cancel 400000000000999",
                isRefusedWith: "4040010 TransactionIdNotFound", "`perennial timeline")
            try await expect(
                program, "ac cancel anna", says: "renewal is turned off",
                "until 2026-02-28 00:00, does not renew", "news   News   9.99 USD  ends")
            let off = try await refused(
                program,
                ["ac", "change-price", "anna", "--item", "news:10.99", "--explain"], 4_030_010)
            #expect(checks(off)["subscription"] == "refused")
            #expect(checks(off)["numbers"] == "passed")
            let token = try await refused(
                program,
                ["ac", "cancel", "anna", "--consistency-token", "1.2.3", "--explain"], 4_000_082)
            #expect(checks(token)["reference"] == "refused")
            #expect(checks(token)["identifier"] == "passed")
        }
    }

    @Test("What a subscription becomes: items, names, money back, and its end")
    func changes() async throws {
        try await withPaper { program, _ in
            _ = try await done(
                program, Self.bundle + ["--item", "chess:Chess:A game a day:2.99"])
            let modify = ["ac", "modify-subscription", "anna"]
            let added = try await done(
                program,
                modify + ["--add", "sport:Sport:Live results:4.99:prorated,2.50", "--explain"])
            for line in [
                "✓ form               MODIFY_SUBSCRIPTION, version 1", "✓ payment            2.50",
                "anna changed com.example.paper.subscription: 2.50 USD charged now",
                "sport  Sport",
            ] { #expect(added.output.contains(line), "\(line): \(added.output)") }
            let waits = try await done(
                program, modify + ["--change", "chess:go:Go:A game a day:0.99:downgrade:next"])
            #expect(waits.output.contains("until 2026-02-28 00:00, renews"), "\(waits.output)")
            let golf = try await refused(program, modify + ["--remove", "golf"], 4_000_145)
            #expect(golf.complaint.contains("lists the items"))
            try await expect(program, "ac cancel anna", says: "does not renew")
            try await expect(
                program, "ac reactivate-subscription anna", says: "2026-02-28 00:00, renews")
            try await expect(
                program, "ac change-metadata anna --name Daily --item news:daily::",
                says: "renamed", "daily")
            try await expect(
                program,
                "ac request-refund anna --item sport:custom:1.00 --keep --risking no --explain",
                says: "its refund is asked for", "✓ refund             there is money left")
            try await expect(
                program, "ac revoke anna --reason legal --risking no", says: "revoked")
            try await expect(program, "status anna", says: "refunded")
            let again = try await refused(
                program, ["ac", "revoke", "anna", "--reason", "legal", "--explain"], 4_000_186)
            #expect(checks(again)["subscription"] == "refused")
        }
    }

    @Test("An ordinary subscription becomes the merchant's")
    func migration() async throws {
        try await withPaper { program, _ in
            try await expect(
                program, "buy com.example.paper.classic.monthly --account ben", says: "bought")
            let migrate = [
                "ac", "migrate", "ben", "--name", "The paper", "--description", "News",
                "--item", "classic:Classic:As it always was",
            ]
            let moved = try await done(program, migrate)
            #expect(moved.output.contains("moved to Advanced Commerce"), "\(moved.output)")
            #expect(moved.output.contains("7.99 USD"), "\(moved.output)")
            // Of two subscriptions the one is meant that is the merchant's own plan.
            try await expect(program, "ac cancel ben", says: "renewal is turned off", "classic")
        }
    }

    @Test("What is typed for an item is read part by part")
    func pieces() async throws {
        let create = "create-subscription --account a --name n --description d --item"
        try await withPaper { program, _ in
            for (command, words) in [
                ("\(create) x:y", "SKU:NAME"), ("\(create) x:y:z:1.999", "3 decimals"),
                ("\(create) x:y:z:1:trial", "'trial' is no offer"),
                ("create-subscription --account a --item x:y:z:1", "a --name and a --description"),
                ("create-one-time-charge --account a", "Say what to ask for"),
                ("cancel 400000000000005 --key-id ABCDEFGH12", "say more of a --key"),
            ] {
                let outcome = try await program.run(
                    ["ac"] + command.split(separator: " ").map(String.init)
                )
                #expect(outcome.code == 2, "\(command): \(outcome.output)")
                #expect(outcome.complaint.contains(words), "\(command): \(outcome.complaint)")
            }
        }
    }
}
