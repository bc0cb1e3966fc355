import AppStoreWire
import Foundation
import Testing

@testable import perennial

@Suite("What the command line says to whoever does not know it")
struct GuidanceTests {
    private func complaint(_ program: Program, _ command: String) async throws -> Program.Outcome {
        try await program.run(command.split(separator: " ").map(String.init))
    }

    @Test("A timeline does not pretend that anybody was told")
    func timeline() async throws {
        try await SettingsTests().with { program in
            let id = try await SettingsTests().id(of: "plus.monthly", program)
            try await expect(
                program, "timeline \(id)", says: "none was sent, since no notification URL",
                "which names the subscription")
            try await expect(program, "app set --notify http://127.0.0.1:9/", says: "127.0.0.1:9")
            try await expect(program, "advance P1M", says: "2026-02-28")
            try await expect(program, "timeline anna", says: "says how each one fared")
        }
    }

    @Test("A scheduled price is told before it is live")
    func scheduled() async throws {
        try await SettingsTests().with { program in
            let id = try await SettingsTests().id(of: "plus.monthly", program)
            try await expect(
                program,
                "price schedule plus.monthly NOR 199 --existing apply --start 2026-03-10",
                says: "199 NOK")
            let words = "199 NOK is scheduled, live on 2026-03-10 00:00; who is asked is decided"
            try await expect(program, "status \(id)", says: words)
            try await expect(program, "status anna", says: words)
            for command in [
                "price of \(id)", "consent \(id) agree", "consent anna agree",
            ] {
                let refused = try await complaint(program, command)
                #expect(refused.code == 1)
                #expect(refused.complaint.contains(words), "\(command): \(refused.complaint)")
            }
            try await expect(
                program,
                "price schedule plus.monthly NOR 149 --existing preserve "
                    + "--start 2026-03-11",
                says: "it replaces 199 NOK, scheduled for 2026-03-10 00:00")
            try await expect(
                program, "status \(id)", says: "149 NOK is scheduled", "keep their price")
        }
    }

    @Test("`until` says how far it went, and when there was one before")
    func until() async throws {
        try await SettingsTests().with { program in
            try await expect(program, "app set --notify http://127.0.0.1:9/", says: "127.0.0.1:9")
            let never = try await complaint(program, "clock until EXPIRED --limit P1M")
            #expect(never.code == 1)
            #expect(
                never.complaint.contains(
                    "No EXPIRED came into being from 2026-01-31 00:00 to 2026-02-28 00:00"))
            #expect(never.complaint.contains("there was none before either"))
            #expect(!never.complaint.contains("member"))
            try await expect(program, "buy plus.monthly --account bea", says: "bea bought")
            let again = try await complaint(program, "clock until SUBSCRIBED --limit P1M")
            #expect(again.complaint.contains("the last one was created 2026-02-28 00:00"))
            try await expect(program, "buy news.monthly --account cid", says: "cid bought")
            try await expect(
                program, "clock until SUBSCRIBED --or-now",
                says: "UTC, 0 events, SUBSCRIBED/INITIAL_BUY")
        }
        try await withGarden { program in
            try await expect(program, "app set --notify http://127.0.0.1:9/", says: "127.0.0.1:9")
            try await expect(
                program, "clock until DID_RENEW --limit PT1S",
                isRefusedWith: "Nothing is ahead at 2026-01-31 00:00", "no DID_RENEW can come")
        }
    }

    @Test("An identifier that names a subscription and its first transaction means the one")
    func ambiguous() async throws {
        try await SettingsTests().with { program in
            let id = try await SettingsTests().id(of: "plus.monthly", program)
            try await expect(program, "advance P1M", says: "2026-02-28")
            try await expect(
                program, "refunds issue \(id)", says: "2026-02-28 00:00 to 2026-03-31 00:00",
                "read as the subscription", "`perennial refunds issue --transaction \(id)`")
            try await expect(
                program, "refunds issue --transaction \(id)", says: "2026-01-31 00:00 to")
            try await expect(
                program, "refunds reverse \(id)", says: "the refund was reversed",
                "`perennial refunds reverse --transaction \(id)`")
            try await expect(program, "status \(id)", says: "active, ends")
            let other = try await complaint(program, "refunds reverse \(id)")
            #expect(other.output.contains("transaction \(id): the refund was reversed"))
            try await expect(program, "refunds reverse \(id)", isRefusedAs: "notRefunded")
        }
    }

    @Test("Purchases that do not renew are found again, refunded ones too")
    func purchases() async throws {
        try await SettingsTests().with { program in
            try await expect(program, "buy gems --account bea", says: "bea bought gems for 9 NOK")
            try await expect(
                program, "status bea", says: "no subscriptions", "gems", "2026-01-31 00:00  9 NOK")
            let status = try await program.run("status", "bea", "--json")
            let purchase = try #require(status.json?["purchases"]?.array?.first)
            let id = try #require(purchase["transactionId"]?.string)
            try await expect(program, "money ledger", says: "charge  bea", "gems          \(id)")
            try await expect(program, "money ledger --after 1000000", says: "after entry 1000000")
            try await expect(
                program, "refunds --state open", says: "no requests for refunds are open")
            try await expect(program, "refunds issue --transaction \(id)", says: "9 NOK given back")
            let ledger = try await program.run("money", "ledger", "--account", "bea")
            let lines = ledger.output.split(separator: "\n")
            #expect(lines[1].contains("refund") && lines[2].contains("charge"), "\(lines)")
            try await expect(program, "status bea", says: "refunded 2026-01-31 00:00")
            let timeline = try await complaint(program, "timeline bea")
            #expect(timeline.code == 1)
            #expect(timeline.complaint.contains("`perennial status bea` lists other purchases"))
        }
    }

    @Test("The first purchase of a new customer can be declined")
    func decline() async throws {
        try await SettingsTests().with { program in
            try await expect(program, "pay bea decline", says: "every payment is declined")
            try await expect(
                program, "buy plus.monthly --account bea", isRefusedAs: "paymentDeclined")
            try await expect(program, "status bea", says: "no subscriptions")
        }
    }

    @Test("A customer answers a price increase")
    func consent() async throws {
        try await SettingsTests().with { program in
            let nothing = try await program.run("consent", "anna", "agree")
            #expect(nothing.code == 1)
            #expect(nothing.complaint.contains("No price increase is on its way to anna"))
            try await expect(
                program,
                "price schedule plus.monthly NOR 399 --existing apply --start 2026-03-10",
                says: "399 NOK")
            try await expect(program, "advance --to 2026-03-11", says: "2026-03-11")
            try await expect(
                program, "status anna",
                says: "399 NOK from 2026-04-30 00:00 on if agreed to, asked 2026-04-03 00:00")
            let early = try await program.run("consent", "anna", "agree")
            #expect(early.complaint.contains("noPriceIncrease"))
            #expect(early.complaint.contains("`perennial price of 4"))
            // Asked 27 days before the renewal that first charges it.
            try await expect(program, "advance --to 2026-04-04", says: "2026-04-04")
            try await expect(program, "status anna", says: "not answered yet")
            try await expect(
                program, "consent anna decline", says: "does not renew", "was declined")
            try await expect(
                program, "consent anna agree", says: "plus.monthly until", "renews", "agreed to")
            let json = try await program.run("consent", "anna", "agree", "--json")
            #expect(json.json?["autoRenew"] == .bool(true), "\(json.complaint)")
            try await expect(
                program, "consent anna decline", says: "does not renew",
                "the agreement to 399 NOK is void: it is announced anew once `perennial renewal 4",
                "on` turns renewal on")
            try await expect(
                program, "consent anna agree", isRefusedWith: "on` turns it on first")
            try await expect(program, "consent --help", says: "makes the agreement void")
        }
    }

    @Test("An empty mailbox says why")
    func emptyMailbox() async throws {
        try await SettingsTests().with { program in
            try await expect(
                program, "mailbox", says: "no mails: no customer has a mail address; ",
                "`perennial customer set ACCOUNT --email ada@example.com`")
            try await expect(
                program, "mailbox --account anna", says: "no mails: anna has no mail address; ",
                "`perennial customer set anna --email ada@example.com`")
            try await expect(program, "customer set anna --email anna@example.com", says: "anna")
            try await expect(
                program, "mailbox --account anna", says: "no mails: nothing was due for anna\n")
            try await expect(program, "buy gems --account anna", says: "anna bought gems")
            try await expect(
                program, "mailbox --state refused", says: "no mails match; `perennial mailbox`")
            try await expect(
                program, "mailbox --sandbox", says: "no app sends any in Sandbox; ",
                "`perennial app set --sandbox-mails on`")
        }
    }

    @Test("Notifications are told by account")
    func notifications() async throws {
        try await SettingsTests().with { program in
            try await expect(
                program, "notifications",
                says: "SUBSCRIBED/INITIAL_BUY", "kept, no URL",
                "none goes out; `perennial app set --notify URL` says where they go\n")
            try await expect(program, "app set --notify http://127.0.0.1:9/", says: "127.0.0.1:9")
            try await expect(program, "buy plus.monthly --account bea", says: "bea bought")
            try await expect(program, "buy plus.monthly --account cleo", says: "cleo bought")
            let log = try await program.run("notifications", "--account", "bea")
            #expect(log.output.contains("bea "), "\(log.output)")
            #expect(!log.output.contains("cleo"), "\(log.output)")
            try await expect(
                program, "notifications --account anna", says: "kept, no URL")
            try await expect(
                program, "notifications --account anna --type REFUND --failed",
                says: "no failed REFUND notifications about anna\n")
            try await expect(
                program, "notifications --type subscribed/initial_buy", says: "bea ", "cleo ")
            try await expect(program, "buy gems --account anna", says: "anna bought gems")
            try await expect(
                program, "notifications --account anna", says: "ONE_TIME_CHARGE", "gems", "anna ")
            let bea = try await program.run(
                "notifications", "--account", "bea", "--json")
            let id = try #require(
                bea.json?["notifications"]?.array?.first?["originalTransactionId"]?.string)
            let about = try await program.run("notifications", "--account", id, "--json")
            #expect(about.json == bea.json)
            let one = try await program.run("notifications", "--limit", "1", "--json")
            #expect(one.json?["notifications"]?.array?.count == 1)
            #expect(one.json?["hasMore"] == .bool(true))
            let newest = try #require(one.json?["notifications"]?.array?.first?["id"]?.integer)
            try await expect(
                program, "notifications \(newest)",
                says: "ONE_TIME_CHARGE\n", "\"transactionInfo\": {", "\"productId\": \"gems\"")
            let decoded = try await program.run("notifications", "\(newest)", "--json")
            #expect(
                decoded.json?["payload"]?["data"]?["transactionInfo"]?["productId"]
                    == .string("gems"))
            try await expect(
                program, "notifications \(newest) --resend",
                says: "ONE_TIME_CHARGE is on its way again: ")
            try await expect(
                program, "notifications 999999", isRefusedAs: "unknownNotification")
        }
    }

    @Test("Status says what is open, and that billing retry gives no access")
    func status() async throws {
        try await SettingsTests().with { program in
            try await expect(program, "app set --refund-policy manual", says: "manual")
            let id = try await SettingsTests().id(of: "news.monthly", program)
            try await expect(
                program, "refunds request \(id)", says: "asks for a refund",
                "renewal was turned off: the subscription ends 2026-02-28 00:00; ",
                "`perennial renewal \(id) on` turns it on again")
            try await expect(
                program, "status anna", says: "of transaction \(id) is open")
            try await expect(program, "pay anna decline", says: "declined")
            try await expect(program, "advance P1M", says: "2026-02-28")
            try await expect(program, "status anna", says: "has no access")
            try await expect(
                program, "advance P1D --sandbox",
                says: "2026-03-01", "There is one clock: Production moved as well.")
        }
    }

    @Test("Refusals name options, and what is out of range is wrong usage")
    func refusals() async throws {
        try await SettingsTests().with { program in
            for (command, code, words) in [
                (
                    "price schedule plus.monthly NOR 199", 1,
                    "--existing preserve|apply: 199 NOK"
                ),
                ("buy plus.monthly --account bea --quantity 2", 2, "--quantity"),
                ("clock step 1001", 2, "write 1 to 1000"),
                ("pay anna decline --count 1000001", 2, "write 1 to 1000000"),
                ("pay anna later --after P1M", 2, "--after"),
                ("pay anna later --after P367D", 2, "--after: it must be longer than nothing"),
                ("status nobody", 1, "in this environment. `perennial customer list`"),
                (
                    "clock until DID_RENEW", 1,
                    "so no notification comes into being. `perennial app set"
                ),
                ("fault remove 7", 1, "There is no rule 7 here. `perennial fault list`"),
            ] as [(String, Int32, String)] {
                let refused = try await complaint(program, command)
                #expect(refused.code == code, "\(command): \(refused.complaint)")
                #expect(refused.complaint.contains(words), "\(command): \(refused.complaint)")
                #expect(!refused.complaint.contains("member"), "\(refused.complaint)")
                #expect(!refused.complaint.contains("/connect"), "\(refused.complaint)")
                #expect(refused.output.isEmpty)
            }
            try await expect(program, "status bea", says: "no subscriptions")
        }
    }

    @Test("`app set` says what became other")
    func changes() async throws {
        try await SettingsTests().with { program in
            try await expect(
                program, "app set --grace-period 3",
                says: "changed: grace-period from none to 3 days\n")
            try await expect(program, "app set --grace-period 3", says: "nothing changed")
        }
    }

    @Test("A host that is none is said in words")
    func host() async throws {
        let outcome = try await Program().run(
            "serve", "--ephemeral", "--host", "300.1.1.1", "--port", "0", "--sandbox-port", "0")
        #expect(outcome.code == 1)
        #expect(outcome.complaint.contains("--host names no address"), "\(outcome.complaint)")
    }
}
