import AppStoreWire
import Foundation
import Testing

@testable import perennial

@Suite("Several apps on the command line")
struct SeveralAppsTests {
    private static let other = "com.example.other"

    /// Runs the program against a store in which Anna has plus in two apps, and the news in one.
    private func with(_ body: (Program, _ id: String) async throws -> Void) async throws {
        try await withDirectory { directory in
            let file = "\(directory)/Oslo.storekit"
            try SettingsTests.file.write(toFile: file, atomically: false, encoding: .utf8)
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            var store: RunningProgram?
            for (app, number) in [(Self.other, "7"), ("com.example.app", "8")] {
                store?.terminate()
                _ = await store?.end()
                store = try await EndToEndTests().open(
                    program, ready, selling: file, "--data", "\(directory)/data", "--bundle-id",
                    app, "--app-apple-id", number)
            }
            for product in ["plus.monthly", "news.monthly"] {
                try await expect(program, "buy \(product) --account anna", says: "anna bought")
            }
            let bought = try await program.run(
                "buy", "plus.monthly", "--account", "anna", "--bundle-id", Self.other, "--json")
            let info = try #require(bought.json?["transactionInfo"], "\(bought.complaint)")
            #expect(info["bundleId"]?.string == Self.other)
            try await body(program, try #require(info["originalTransactionId"]?.string))
            store?.terminate()
            #expect(await store?.end() == 0)
        }
    }

    @Test("Whatever names an account or a subscription can be narrowed to an app")
    func everyCommand() {
        let vocabulary = Vocabulary.shared
        // An account is at home in one storefront for all apps, begins anew in all, and is in one
        // family.
        for command in vocabulary.commands
        where !["customer move", "customer clear-history"].contains(command)
            && !command.hasPrefix("family ")
        {
            let parameters = vocabulary.parameters(of: command)
            let names = ["subscription", "target", "account", "customer", "--account"]
            guard parameters.contains(where: { names.contains($0) || $0 == "--subscription" })
            else { continue }
            #expect(parameters.contains("--bundle-id"), "\(command)")
        }
        #expect(vocabulary.parameters(of: "extensions grant").contains("--bundle-id"))
        #expect(vocabulary.parameters(of: "renewal").contains("--bundle-id"))
    }

    @Test("Apps are listed, added while the store runs, and named where something is unknown there")
    func apps() async throws {
        try await with { program, _ in
            try await expect(
                program, "app list", says: "com.example.other         7",
                "com.example.app           8", "meant without --bundle-id")
            let file = (program.environment["TMPDIR"] ?? "") + "/Oslo.storekit"
            try await expect(
                program, "app add \(file) --bundle-id com.example.third",
                says: "com.example.third, Apple id 9, 4 products")
            try await expect(
                program, "app add \(file) --bundle-id com.example.third",
                isRefusedWith: "`perennial app list` lists those that there are; `perennial serve "
                    + "FILE.storekit --bundle-id ID` starts with other products of one. [appExists]"
            )
            try await expect(
                program, "app add nowhere.storekit --bundle-id com.example.fourth",
                isRefusedWith: "Cannot be imported: nowhere.storekit: There is no such file.")
            try await expect(program, "app list", says: "com.example.third         9")
            try await expect(
                program, "money proceeds --bundle-id com.example.third",
                says: "com.example.third\nno money has moved")
            try await expect(
                program, "notifications --bundle-id nope", isRefusedAs: "unknownApp")
            let app = "--bundle-id \(Self.other)"
            try await expect(
                program, "notifications \(app)", says: "`perennial app set --notify URL \(app)`")
            try await expect(
                program, "product availability gems off \(app)",
                says: "`perennial product availability gems on \(app)` puts it back everywhere\n")
            try await expect(
                program, "price schedule plus.monthly NOR 199 --existing preserve \(app)",
                says: "`perennial price unpreserve plus.monthly NOR 99 \(app)` ends that")
            try await expect(program, "pay bea approve", says: "approved")
            try await expect(
                program, "renewal bea off \(app)",
                isRefusedWith: "bea has no subscription in \(Self.other); ",
                "`perennial status bea \(app)` lists",
                "`perennial buy PRODUCT --account bea \(app)` makes one.")
        }
    }

    @Test("An account's only subscription is that of the app that was named")
    func account() async throws {
        try await with { program, id in
            let several = try await program.run("extensions", "grant", "anna", "--days", "3")
            #expect(several.complaint.contains("anna has 3 subscriptions: name one by its number."))
            let command = "`perennial extensions grant \(id) --days 3`"
            #expect(
                several.complaint.contains(
                    "\(id) is plus.monthly of \(Self.other), \(command)"), "\(several.complaint)")
            #expect(several.complaint.contains(" is news.monthly of com.example.app, `perennial"))
            let app = "--bundle-id \(Self.other)"
            try await expect(
                program, "extensions grant anna --days 3 \(app)", says: "\(id): paid until")
            try await expect(program, "renewal anna off \(app)", says: "\(id): plus.monthly")
            try await expect(program, "timeline anna \(app)", says: id)
            let status = try await program.run(
                "status", "anna", "--bundle-id", Self.other, "--json")
            #expect(
                status.json?["subscriptions"]?.array?
                    .map { $0["originalTransactionId"]?.string } == [id])
            try await expect(program, "refunds issue anna \(app)", says: "99 NOK given back")
            let plain = try await program.run("status", "anna", "--json")
            let all = try #require(plain.json?["subscriptions"]?.array)
            #expect(all.count { $0["autoRenew"] == .bool(true) } == 2)
            #expect(all.count { $0["state"]?.string == "revoked" } == 1)
        }
    }

    @Test("An identifier means its own app, and another one is refused")
    func identifier() async throws {
        try await with { program, id in
            try await expect(program, "renewal \(id) off", says: "does not renew")
            try await expect(program, "renewal \(id) on", says: "renews")
            let before = try await program.run("status", id, "--json").output
            for command in [
                "extensions grant \(id) --days 3", "subscription expire \(id)", "renewal \(id) off",
                "status \(id)",
                "refunds issue --transaction \(id)", "refunds reverse --transaction \(id)",
            ] {
                let refused = try await program.run(
                    (command + " --bundle-id com.example.app").split(separator: " ")
                        .map(String.init)
                )
                #expect(refused.code == 1)
                #expect(
                    refused.complaint.contains("is a subscription of \(Self.other)"),
                    "\(command): \(refused.complaint)")
            }
            #expect(try await program.run("status", id, "--json").output == before)
            try await expect(program, "status anna --bundle-id nobody", isRefusedAs: "unknownApp")
        }
    }

    @Test("Lists hold what is of the app that was named")
    func lists() async throws {
        try await with { program, id in
            try await expect(
                program, "buy gems --account bea --bundle-id com.example.app", says: "bought gems")
            try await expect(program, "app set --refund-policy manual", says: "manual")
            let own = try await program.run(
                "status", "bea", "--bundle-id", "com.example.app", "--json")
            let gems = try #require(
                own.json?["purchases"]?.array?.first?["transactionId"]?.string)
            try await expect(
                program, "refunds request bea --transaction \(gems) --bundle-id com.example.app",
                says: "asks for a refund")
            try await expect(
                program,
                "extensions grant-all plus.monthly --days 1 --watch --bundle-id com.example.app",
                says: "1 day for 1 subscription")
            for command in [
                "refunds issue", "refunds issue --transaction", "refunds reverse --transaction",
            ] {
                try await expect(
                    program, "\(command) \(gems) --bundle-id \(Self.other)",
                    isRefusedWith: "\(gems) is a transaction of com.example.app, not of ")
            }
            for (command, words) in [
                ("customer list", "bea"), ("money ledger", gems), ("refunds", gems),
                ("extensions", "plus.monthly"),
            ] {
                try await expect(program, "\(command) --bundle-id com.example.app", says: words)
                let other = try await program.run(
                    command.split(separator: " ").map(String.init) + ["--bundle-id", Self.other]
                )
                #expect(other.code == 0 && !other.output.contains(words), "\(other.output)")
                try await expect(
                    program, "\(command) --bundle-id nobody", isRefusedAs: "unknownApp")
            }
            try await expect(program, "customer list --bundle-id \(Self.other)", says: "anna")
            try await expect(program, "money ledger --bundle-id \(Self.other)", says: id)
            try await expect(program, "money ledger --account bea", says: gems)
            try await expect(
                program, "refunds issue --transaction \(gems) --bundle-id com.example.app",
                says: "transaction \(gems): 9 NOK given back")
            let anna = try await program.run("money", "ledger", "--account", "anna")
            #expect(anna.code == 0 && !anna.output.contains(gems), "\(anna.output)")
        }
    }

    @Test("Where a store has several apps, lists and status say whose each one is")
    func columns() async throws {
        try await with { program, id in
            try await expect(program, "pay bea later", says: "pending")
            try await expect(program, "app set --refund-policy manual", says: "manual")
            try await expect(
                program, "app set --notify http://127.0.0.1:9/ --bundle-id \(Self.other)",
                says: "notify")
            for command in [
                "buy gems --account anna --bundle-id \(Self.other)",
                "buy gems --account bea --bundle-id \(Self.other)",
                "refunds request \(id)",
                "extensions grant-all plus.monthly --days 1 --watch --bundle-id \(Self.other)",
            ] { try await expect(program, command, says: "") }
            for command in [
                "status anna", "status \(id)", "bills", "refunds", "money ledger", "extensions",
                "notifications",
            ] {
                let words = command.split(separator: " ").map(String.init)
                let all = try await program.run(words)
                #expect(all.output.contains(Self.other), "\(command): \(all.output)")
                let one = try await program.run(words + ["--bundle-id", Self.other])
                #expect(
                    one.code == 0 && !one.output.contains(Self.other), "\(command): \(one.output)")
            }
            try await expect(
                program, "status anna", says: "app \(Self.other), subscription \(id)",
                "app com.example.app, subscription 4", "gems      \(Self.other)")
        }
    }

    @Test("An app is asked for only where several have the product")
    func product() async throws {
        try await with { program, _ in
            let root = EndToEndTests().catalogue
            try await expect(
                program, "app add \(root) --bundle-id com.example.garden", says: "11 products")
            let bed = "com.example.garden.windowbox.monthly"
            for (command, words) in [
                ("buy \(bed) --account bea", "bea bought"),
                (
                    "price schedule \(bed) USA 3.99 --existing preserve --start 2026-03-01",
                    ""
                ),
                ("price withdraw \(bed) USA", "is withdrawn"),
                ("price cohorts \(bed)", "2.99 USD"),
                ("price changes --product \(bed)", "withdrawn"),
                ("price list \(bed)", "2.99 USD"), ("price set \(bed) USA 4.99", "4.99 USD"),
                ("product availability \(bed)", "for sale"),
                ("extensions grant-all \(bed) --days 1 --watch", "1 day for 1 subscription"),
                ("buy plus.monthly --account bea", "bea bought"),
                ("plan bea com.example.garden.estate.monthly", "charged now"),
            ] {
                try await expect(program, command, says: words)
            }
            let status = try await program.run("status", "bea", "--json")
            let apps = status.json?["subscriptions"]?.array?.compactMap { $0["bundleId"]?.string }
            #expect(apps.map(Set.init) == ["com.example.garden", "com.example.app"])
            try await expect(
                program, "buy nothing --account bea",
                isRefusedWith: "No app of the store has a product nothing (")
            // Whoever names the store by its URL names no app by that.
            let ready = try ReadyFile.read(program.environment["PERENNIAL_READY"] ?? "")
            let direct = Program(environment: [
                "PERENNIAL_URL": ready.productionURL, "PERENNIAL_TOKEN": ready.operatorToken,
            ])
            try await expect(direct, "buy \(bed) --account cleo", says: "cleo bought")
            let before = try await program.run("customer", "list").output
            for command in ["buy gems --account dora", "price withdraw plus.monthly NOR"] {
                let refused = try await direct.run(
                    command.split(separator: " ").map(String.init)
                )
                #expect(refused.code == 2)
                #expect(
                    refused.complaint.contains("is a product of several apps (com.example.")
                        && refused.complaint.contains("choose one with --bundle-id."),
                    "\(refused.complaint)")
            }
            #expect(try await program.run("customer", "list").output == before)
        }
    }

    @Test("Bills that are pending are those of the app that was named")
    func bills() async throws {
        try await with { program, _ in
            try await expect(program, "pay anna later", says: "pending")
            try await expect(
                program, "buy gems --account anna --bundle-id \(Self.other)", says: "is pending")
            for command in ["bills --account anna", "status anna"] {
                try await expect(
                    program, "\(command) --bundle-id \(Self.other)", says: "gems", "pending")
                let own = try await program.run(
                    "\(command) --bundle-id com.example.app".split(separator: " ")
                        .map(String.init)
                )
                #expect(own.code == 0 && !own.output.contains("gems"), "\(own.output)")
            }
            try await expect(program, "bills --bundle-id nobody", isRefusedAs: "unknownApp")
        }
    }
}
