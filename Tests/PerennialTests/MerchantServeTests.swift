import AppStoreWire
import Foundation
import TestFloor
import TestSupport
import Testing

@testable import perennial

@Suite("A merchant of its own on the command line", .timeLimit(.minutes(10)))
struct MerchantServeTests {
    private let product = "com.example.garden.estate.monthly"

    /// A store with a merchant that was started by itself and follows its clock.
    private struct Pair: Sendable {
        let directory: String
        let program: Program
        let merchant: RunningProgram

        /// The merchant's ready file.
        var ready: String { "\(directory)/m.json" }

        /// What an account has.
        func status(of account: String) async throws -> JSONValue? {
            let outcome = try await program.run(
                "merchant", "status", account, "--ready", ready, "--json")
            #expect(outcome.code == 0, "\(outcome.complaint)")
            return outcome.json
        }

        /// Waits until an account's first entitlement is as wanted.
        func wait(_ account: String, _ isMeant: (JSONValue) -> Bool) async throws {
            while true {
                let first = try await status(of: account)?["entitlements"]?.array?.first
                if let first, isMeant(first) { return }
            }
        }
    }

    /// Runs a store, and a merchant of it.
    ///
    /// - Parameter options: what the merchant is told, given the directory.
    private func with(
        _ options: (String) throws -> [String], _ body: (Pair) async throws -> Void
    ) async throws {
        try await withDirectory { directory in
            let program = Program(
                environment: ["PERENNIAL_READY": "\(directory)/r.json", "TMPDIR": directory])
            let store = try await EndToEndTests().open(
                program, "\(directory)/r.json", "--ephemeral")
            let merchant = try program.start(
                [
                    "merchant", "serve", "--clock", "store", "--port", "0", "--ready-file",
                    "\(directory)/m.json", "--json",
                ] + options(directory))
            try await merchant.output.wait(for: "\n}\n")
            try await body(Pair(directory: directory, program: program, merchant: merchant))
            merchant.terminate()
            #expect(await merchant.end() == 0)
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    /// Buys something at the store and sends it to the merchant, as an app does.
    private func buy(_ pair: Pair, as account: String) async throws {
        let bought = try await pair.program.run("buy", product, "--account", account, "--json")
        #expect(bought.code == 0, "\(bought.complaint)")
        let signed = try #require(bought.json?["signedTransactionInfo"]?.string)
        let ready = try #require(MerchantReady.alone(pair.ready))
        _ = try await MerchantClient(ready, of: nil).take(signed, from: account)
    }

    @Test("It takes its app, its trust and its clock from a store, and hears of renewals")
    func store() async throws {
        try await with({ ["--store", "\($0)/r.json", "--ephemeral"] }) { pair in
            let ready = try #require(MerchantReady.alone(pair.ready))
            #expect(ready.apps.map(\.bundleID) == ["com.example.app"])
            let url = ready.notificationURL(of: "com.example.app")
            let told = try await pair.program.run("app", "set", "--notify", url)
            #expect(told.code == 0, "\(told.complaint)")
            try await buy(pair, as: "anna")
            let status = try await pair.status(of: "anna")
            #expect(status?["asOf"]?.string == "2026-01-31T00:00:00Z")
            try await pair.wait("anna") { $0["until"]?.string == "2026-02-28T00:00:00Z" }
            let advanced = try await pair.program.run("advance", "P1M")
            #expect(advanced.code == 0, "\(advanced.complaint)")
            try await pair.wait("anna") { $0["until"]?.string == "2026-03-31T00:00:00Z" }
            let why = try await pair.program.run("merchant", "why", "anna", "--ready", pair.ready)
            #expect(why.output.contains("DID_RENEW"), "\(why.output)\(why.complaint)")
            // Nothing of it is readable by others.
            let mode = try FileManager.default.attributesOfItem(atPath: pair.ready)[
                .posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test("Accounts on the command line: whose, another name, nobody's, export and erasure")
    func accounts() async throws {
        try await with({ ["--store", "\($0)/r.json", "--ephemeral"] }) { pair in
            func merchant(_ words: String...) async throws -> JSONValue? {
                let outcome = try await pair.program.run(
                    ["merchant"] + words + ["--ready", pair.ready, "--json"]
                )
                #expect(outcome.code == 0, "\(words): \(outcome.complaint)")
                return outcome.json
            }
            try await buy(pair, as: "device-1")
            let alias = try await merchant("alias", "anna", "device-1")
            #expect(alias?["account"]?.string == "anna")
            let bought = alias?["purchases"]?.array?.first?["originalTransactionId"]?.string
            let purchase = try #require(bought)
            let owner = try await merchant("owner", purchase, "bea")
            #expect(owner?["account"]?.string == "anna")
            #expect(owner?["post"]?.string == "ownedByAnother")
            #expect(try await merchant("unowned")?["count"]?.integer == 0)
            let export = try await merchant("export", "anna")
            #expect(export?["aliases"]?.array?.count == 1)
            let erased = try await merchant("erase", "device-1", "--yes")
            #expect(erased?["names"]?.integer == 2)
            #expect(try await merchant("unowned")?["count"]?.integer == 1)
            let claimed = try await merchant("claim", "bea", purchase)
            let means = claimed?["purchases"]?.array?.first?["boundBy"]?.string
            #expect(means == "support")
            let words = try await pair.program.run(
                "merchant", "owner", purchase, "bea", "--ready", pair.ready)
            #expect(words.output.contains("bea has \(purchase)."), "\(words.complaint)")
        }
    }

    @Test("It is rebuilt from a list of transactions, and says whether a test notification arrives")
    func rebuild() async throws {
        try await with({ ["--store", "\($0)/r.json", "--ephemeral"] }) { pair in
            let bought = try await pair.program.run("buy", product, "--account", "anna", "--json")
            #expect(bought.code == 0, "\(bought.complaint)")
            let number = try #require(
                bought.json?["transactionInfo"]?["transactionId"]?.string)
            let file = "\(pair.directory)/lines.csv"
            try "# account,transaction\nanna,\(number)\n\nbea,999999999\n".write(
                toFile: file, atomically: true, encoding: .utf8)
            let rebuilt = try await pair.program.run(
                "merchant", "rebuild", "--from", file, "--ready", pair.ready, "--json")
            // One of the lines brought nothing.
            #expect(rebuilt.code == 1, "\(rebuilt.complaint)")
            #expect(rebuilt.json?["lines"]?.integer == 2)
            #expect(rebuilt.json?["read"]?.integer == 2)
            #expect(rebuilt.json?["failed"]?.integer == 1)
            try await pair.wait("anna") { $0["until"]?.string == "2026-02-28T00:00:00Z" }
            let both = try await pair.program.run(
                "merchant", "rebuild", "--from", file, "--from-history", "--ready", pair.ready)
            #expect(both.code == 2)

            let ready = try #require(MerchantReady.alone(pair.ready))
            let url = ready.notificationURL(of: "com.example.app")
            let told = try await pair.program.run("app", "set", "--notify", url)
            #expect(told.code == 0, "\(told.complaint)")
            let tested = try await pair.program.run(
                "merchant", "gaps", "--test", "--ready", pair.ready, "--json")
            #expect(tested.code == 0, "\(tested.complaint)")
            let reports = tested.json?["gaps"]?.array?.filter { $0["kind"]?.string == "test" }
            #expect(reports?.first?["arrived"]?.bool == true, "\(tested.output)")
        }
    }

    @Test("A changed file takes effect while it runs, and a broken one does not")
    func changes() async throws {
        func write(_ text: String, in directory: String) throws {
            try text.write(
                toFile: "\(directory)/merchant.yaml", atomically: true, encoding: .utf8)
        }
        let app = "apps:\n- store: r.json\n"
        try await with({ directory in
            try write(app, in: directory)
            return ["--config", "\(directory)/merchant.yaml", "--data", "\(directory)/kept"]
        }) { pair in
            try await buy(pair, as: "anna")
            try write(
                app + "  entitlements:\n    club: [\(product)]\n", in: pair.directory)
            try await pair.wait("anna") { $0["id"]?.string == "club" }
            try write(app + "  entitlement:\n", in: pair.directory)
            let said = try await pair.merchant.complaint.wait(for: "the one before stays")
            #expect(said.contains("merchant.yaml:3: `apps[0].entitlement` is unknown"))
            let first = try await pair.status(of: "anna")?["entitlements"]?.array?.first
            #expect(first?["id"]?.string == "club")
        }
    }

    @Test("A life is told and drawn, customers and acts are listed, and a token is replaced")
    func operators() async throws {
        try await with({ directory in
            ["--store", "\(directory)/r.json", "--data", "\(directory)/kept"]
        }) { pair in
            func run(_ words: String...) async throws -> Program.Outcome {
                let outcome = try await pair.program.run(words + ["--ready", pair.ready])
                #expect(outcome.code == 0, "\(words): \(outcome.complaint)")
                return outcome
            }
            try await buy(pair, as: "anna")
            let why = try await run("merchant", "why", "anna")
            #expect(why.output.contains("bought \(product) until"), "\(why.output)")
            #expect(why.output.contains("paid"), "\(why.output)")
            let other = try await run("merchant", "why", "anna", "nothing")
            #expect(
                other.output.contains("None of anna's purchases unlocks nothing: they unlock "),
                "\(other.output)")
            let events = try await run("merchant", "events", "anna", "--json")
            let kinds = events.json?["events"]?.array?.compactMap { $0["event"]?.string }
            #expect(kinds?.last == "bought")
            let customers = try await run("merchant", "customers", "--active", "--json")
            #expect(
                customers.json?["customers"]?.array?.compactMap { $0["account"]?.string }
                    == ["anna"])
            let overview = try await run("merchant", "status", "--json")
            #expect(overview.json?["deadLetters"] == .integer(0))
            #expect(try await run("merchant", "status").output.contains("Dead letters"))
            let healed = try await run("merchant", "gaps", "--heal")
            #expect(healed.complaint.isEmpty, "\(healed.complaint)")
            let narrowed = try await pair.program.run(
                "merchant", "status", "anna", "--sandbox", "--ready", pair.ready)
            #expect(narrowed.code == 2)
            #expect(narrowed.complaint.contains("leave --sandbox out"), "\(narrowed.complaint)")
            let audit = try await run("merchant", "audit", "--json")
            #expect(
                audit.json?["entries"]?.array?.first?["operation"]?.string == "healGaps")
            let tokens = try await run("merchant", "tokens", "--data", "\(pair.directory)/kept")
            let ready = try #require(MerchantReady.alone(pair.ready))
            #expect(tokens.output.contains(ready.operatorToken))
            let rotated = try await run(
                "merchant", "tokens", "rotate", "com.example.app", "server", "--data",
                "\(pair.directory)/kept", "--json")
            let token = try #require(rotated.json?["token"]?.string)
            // The ready file follows, and with it the command line.
            _ = try await eventually {
                MerchantReady.alone(pair.ready)?.apps.first { $0.serverToken == token }
            }
            _ = try await run("merchant", "status", "anna")
            let rotations = try await eventually {
                let log = try await run(
                    "merchant", "audit", "--operation", "rotateToken", "--json")
                let rotations = log.json?["entries"]?.array ?? []
                return rotations.isEmpty ? nil : rotations
            }
            #expect(rotations.map { $0["subject"] } == [.string("server")])
            #expect(rotations[0]["bundleId"] == .string("com.example.app"))
        }
    }

    @Test("A link signs in to the merchant's console once")
    func consoleLink() async throws {
        try await with({ ["--store", "\($0)/r.json", "--ephemeral"] }) { pair in
            let link = try await pair.program.run(
                "merchant", "console", "--json", "--ready", pair.ready)
            #expect(link.code == 0, "\(link.complaint)")
            #expect(link.json?["url"]?.string?.contains("/console/sign-in?code=") == true)
        }
    }

    @Test("A campaign is checked by its file, and planned as tables, samples, JSON and CSV")
    func campaigns() async throws {
        try await with({ ["--store", "\($0)/r.json", "--ephemeral"] }) { pair in
            let file = "\(pair.directory)/spring.yaml"
            func run(_ words: String...) async throws -> Program.Outcome {
                try await pair.program.run(["campaign"] + words)
            }
            func write(_ price: String) throws {
                try SampleCampaigns.spring(of: product, at: price, from: "2026-06-01")
                    .write(toFile: file, atomically: true, encoding: .utf8)
            }
            try await buy(pair, as: "anna")
            try write("19.999")
            let wrong = try await run("check", file)
            #expect(wrong.code == 1)
            #expect(wrong.output.contains("spring.yaml:9: `prices[0].to.USA` has 3 decimals"))
            try write("19.99")
            let checked = try await run("check", file)
            #expect(checked.code == 0)
            #expect(checked.output.contains("USA 19.99 USD"), "\(checked.output)")
            let json = try await run("check", file, "--json").json
            #expect(json?["prices"]?.array?.first?["price"] == .integer(19_990))
            let plan = try await run("plan", file, "--ready", pair.ready, "--json")
            #expect(plan.code == 0, "\(plan.complaint)")
            #expect(plan.json?["audience"] == .integer(1), "\(plan.output)")
            let first = plan.json?["subscribers"]?.array?.first
            #expect(first?["account"]?.string == "anna")
            let table = try await run("plan", file, "--ready", pair.ready, "--sample", "1")
            #expect(table.output.contains("(anna)"), "\(table.output)")
            let csv = try await run("plan", file, "--ready", pair.ready, "--csv")
            let lines = csv.output.split(separator: "\n")
            #expect(lines.first?.hasPrefix("originalTransactionId,environment,account") == true)
            #expect(lines.count == 2)
            let out = try await run("plan", file, "--ready", pair.ready, "--left-out")
            #expect(out.code == 0, "\(out.complaint)")
            try await rehearse(file, pair)
        }
    }

    /// Without a store on the registers, and with its ready file on a fork.
    private func rehearse(_ file: String, _ pair: Pair) async throws {
        let words = [
            "campaign", "rehearse", file, "--fork", "--ready", pair.ready, "--json", "--agree",
            "100", "--decline", "0", "--cancel", "0",
        ]
        let alone = try await pair.program.run(words)
        #expect(alone.code == 0, "\(alone.complaint)")
        #expect(alone.complaint.contains("No store is known that could be forked"))
        #expect(alone.json?["rehearsedOn"]?.string == "registers")
        let store = ["--store", "\(pair.directory)/r.json"]
        let forked = try await pair.program.run(words + store)
        #expect(forked.code == 0, "\(forked.complaint)")
        #expect(forked.json?["rehearsedOn"]?.string == "fork")
        // The price that the campaign expects was scheduled in the fork, and anna agreed there.
        let outcomes = forked.json?["outcomes"]?.array ?? []
        #expect(outcomes.map { $0["name"]?.string } == ["increased"], "\(forked.output)")
        try await expect(pair.program, "world forks", says: "no forks")
        try await expect(pair.program, "clock", says: "2026-01-31 00:00")
    }

    @Test("What is wrong with a configuration is said line by line, and nothing is made")
    func refused() async throws {
        try await withDirectory { directory in
            let file = "\(directory)/merchant.yaml"
            try "apps:\n- bundleId: a.b\n  rots: [x]\n".write(
                toFile: file, atomically: false, encoding: .utf8)
            let program = Program(environment: ["TMPDIR": directory])
            let served = try await program.run(
                "merchant", "serve", "--config", file, "--data", "\(directory)/kept")
            #expect(served.code == 1)
            #expect(served.output.isEmpty)
            #expect(served.complaint.contains("merchant.yaml:2: `apps[0]` lacks `roots`"))
            #expect(served.complaint.contains("merchant.yaml:3: `apps[0].rots` is unknown"))
            #expect(served.complaint.contains("(3 errors)"))
            #expect(!FileManager.default.fileExists(atPath: "\(directory)/kept"))

            let checked = try await program.run("merchant", "check", file)
            #expect(checked.code == 1)
            #expect(checked.complaint.isEmpty)
            #expect(checked.output.contains("merchant.yaml:3: `apps[0].rots` is unknown"))
            let json = try await program.run("merchant", "check", file, "--json")
            #expect(json.code == 1)
            #expect(json.json?["problems"]?.array?.compactMap { $0["line"]?.integer } == [2, 2, 3])
        }
    }

    @Test("`check` says what a configuration does, in words and in JSON")
    func check() async throws {
        try await with({ directory in
            try "apps:\n- store: r.json\n  entitlements:\n    club: [x]\n  sandbox: grants\n".write(
                toFile: "\(directory)/merchant.yaml", atomically: false, encoding: .utf8)
            return ["--config", "\(directory)/merchant.yaml", "--ephemeral"]
        }) { pair in
            let file = "\(pair.directory)/merchant.yaml"
            try await expect(
                pair.program, "merchant check \(file)", says: "com.example.app, Apple id",
                "takes Production and Sandbox", "  trusts ", "root-certificate.der",
                "  club: x", "Sandbox unlocks the same as Production",
                "Sandbox: App Store Server API at http://127.0.0.1:")
            let json = try await pair.program.run("merchant", "check", file, "--json")
            let app = json.json?["apps"]?.array?.first
            #expect(app?["bundleId"]?.string == "com.example.app")
            #expect(app?["roots"]?.array?.first?["sha256"]?.string?.count == 64)
            #expect(app?["entitlements"]?["club"]?.array == [.string("x")])
            #expect(app?["sandbox"]?.string == "grants")
        }
    }

    @Test("A store's clock cannot be followed where no store is named, or none answers")
    func clock() async throws {
        try await withDirectory { directory in
            let program = Program(environment: ["TMPDIR": directory])
            let ready = "\(directory)/r.json"
            let store = try await EndToEndTests().open(program, ready, "--data", "\(directory)/s")
            let kept = try String(contentsOfFile: ready, encoding: .utf8)
            store.terminate()
            #expect(await store.end() == 0)
            try kept.write(toFile: ready, atomically: false, encoding: .utf8)
            let gone = try await program.run(
                "merchant", "serve", "--store", ready, "--clock", "store", "--ephemeral")
            #expect(gone.code == 3)
            #expect(gone.complaint.contains("No store answers"))
            let file = "\(directory)/merchant.yaml"
            let root = "\(directory)/s/certificates/root-certificate.der"
            try "apps:\n- bundleId: a.b\n  appleId: 7\n  roots: [\(root)]\n".write(
                toFile: file, atomically: false, encoding: .utf8)
            let none = try await program.run(
                "merchant", "serve", "--config", file, "--clock", "store", "--ephemeral")
            #expect(none.code == 2)
            #expect(none.complaint.contains("--clock store needs a store"))
        }
    }
}
