import AppStoreWire
import Foundation
import Testing

@testable import perennial

@Suite("Payments that are pending, on the command line")
struct BillsTests {
    private let estate = "com.example.garden.estate.monthly"
    private let bed = "com.example.garden.windowbox.monthly"

    /// The newest bill of an account that the bank has not answered.
    private func pending(_ account: String, _ program: Program) async throws -> String {
        let bills = try await program.run(
            "bills", "--state", "pending", "--account", account, "--json")
        return try #require(bills.json?["bills"]?.array?.first?["id"]?.string)
    }

    @Test("A purchase is pending, is shown everywhere, and begins when it is paid")
    func purchase() async throws {
        try await withGarden { program in
            try await expect(
                program, "pay anna later",
                says: "anna: every payment is pending until you answer: `perennial bills`")
            try await expect(program, "customer list", says: "2026-01-31 00:00  pending")
            let bought = try await program.run("buy", estate, "--account", "anna")
            let bill = try await pending("anna", program)
            #expect(
                bought.output == """
                    anna asked for \(estate), and has it once it is paid
                    bill \(bill) of 9.99 USD for \(estate) is pending, given up 2026-02-01 00:00
                    `perennial bills answer \(bill) paid` answers it

                    """)
            try await expect(
                program, "status anna", says: "payments pending\nno subscriptions",
                "bill \(bill) of 9.99 USD for \(estate) is pending",
                "`perennial bills answer \(bill) paid`")
            try await expect(
                program, "bills", says: "\(bill)  2026-01-31 00:00  anna     purchase")
            try await expect(
                program, "bills show \(bill)", says: "bill \(bill), 9.99 USD for \(estate)",
                "anna, storefront USA, com.example.app",
                "purchase, made 2026-01-31 00:00, pending, given up 2026-02-01 00:00")
            try await expect(
                program, "buy \(bed) --account anna", isRefusedWith: "earlier bill",
                "`perennial bills --state pending` lists it", "[paymentPending]")
            try await expect(
                program, "pay anna approve", says: "anna: every payment is approved",
                "what was asked for before waits for its own answer:",
                "bill \(bill) of 9.99 USD for \(estate) is pending, given up 2026-02-01 00:00")
            try await expect(
                program, "bills answer \(bill) paid",
                says: "bill \(bill) of 9.99 USD for \(estate) is paid",
                "\(bill): \(estate) until 2026-02-28 00:00, renews")
            try await expect(
                program, "bills answer \(bill) paid", says: "known or is older, and changed nothing"
            )
            try await expect(
                program, "bills answer \(bill) declined",
                isRefusedWith: "Bill \(bill) is paid and cannot be declined: nothing was changed.",
                "[unexpectedAnswer]")
            try await expect(
                program, "timeline anna", says: "bought monthly", "after it was pending")
        }
    }

    @Test("What is asked for is a bill in JSON too")
    func json() async throws {
        try await withGarden { program in
            try await expect(program, "pay anna later", says: "pending")
            let bought = try await program.run("buy", estate, "--account", "anna", "--json")
            #expect(bought.json?["result"]?.string == "pending")
            let bill = try #require(bought.json?["billId"]?.string)
            #expect(bought.json?["bill"]?["amount"]?.integer == 9990)
            let shown = try await program.run("bills", "show", bill, "--json")
            #expect(shown.json == bought.json?["bill"])
            let paid = try await program.run("bills", "answer", bill, "paid", "--json")
            #expect(paid.json?["outcome"]?.string == "changed")
            #expect(paid.json?["bill"]?["state"]?.string == "paid")
            let refused = try await program.run("bills", "answer", bill, "voided", "--json")
            #expect(refused.code == 1)
            #expect(refused.complaint.contains(#""error": "unexpectedAnswer""#))
        }
    }

    @Test("The bank answers by itself after a while, with what it was told to")
    func byItself() async throws {
        try await withGarden { program in
            try await expect(
                program, "pay anna later --after PT3H --then decline",
                says: "every payment is pending for PT3H, then declined")
            try await expect(program, "customer list", says: "  declined after PT3H")
            try await expect(
                program, "buy \(estate) --account anna",
                says: "is pending, answered by itself 2026-01-31 03:00")
            for (length, words) in [("P1D", "\n"), ("P2D", "; a purchase or a plan change is")] {
                try await expect(
                    program, "pay ben later --after \(length)",
                    says: "pending for \(length), then approved\(words)")
            }
            try await expect(program, "pay ben later --after P1D", says: "pending for P1D")
            try await expect(program, "customer list", says: "  approved after P1D")
            try await expect(program, "advance P1D", says: "2026-02-01")
            try await expect(program, "bills --state declined", says: "anna", "declined")
            try await expect(program, "bills --state paid", says: "no bills")
            try await expect(program, "status anna", says: "no subscriptions\n")
        }
    }

    @Test("A renewal is awaited, and one is told until when there is access")
    func renewal() async throws {
        try await withGarden { program in
            try await expect(
                program, "app set --pending-renewal-days 3",
                says: "changed: pending-renewal-days from 6 days to 3 days")
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            try await expect(program, "pay anna later", says: "pending")
            try await expect(program, "advance P1M", says: "2026-02-28")
            let first = try await pending("anna", program)
            try await expect(
                program, "status anna", says: "payment awaited, was due 2026-02-28 00:00",
                "has access until 2026-03-03 00:00, while the bank has not answered",
                "bill \(first) of 9.99 USD for \(estate) is pending\n",
                "next event 2026-03-03 00:00")
            try await expect(program, "pay anna later --after P2D", says: "; bill 4")
            try await expect(program, "status anna", says: "next event 2026-03-02 00:00")
            try await expect(program, "clock", says: "next event 2026-03-02 00:00")
            try await expect(program, "pay anna later", says: "; bill 4")
            let bill = try await pending("anna", program)
            try await expect(
                program, "renewal anna on",
                says: "was to renew 2026-02-28 00:00 and has no answer from the bank yet, with "
                    + "access until 2026-03-03 00:00", "bill \(bill) of 9.99 USD")
            try await expect(program, "advance P4D", says: "2026-03-04")
            try await expect(program, "status anna", says: "in billing retry", "has no access")
            try await expect(
                program, "bills answer \(bill) paid", says: "\(estate) until 2026-04-04 00:00")
            try await expect(
                program, "timeline anna", says: "payment of 9.99 USD pending",
                "access until 2026-03-03 00:00", "payment still pending", "billing retry begins",
                "recovered", "pending since 2026-02-28 00:00", "▓ payment pending")
        }
    }

    @Test("Another payment method pays what is awaited, at once or later")
    func anotherMethod() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            try await expect(program, "pay anna later", says: "pending")
            try await expect(program, "advance P1M", says: "2026-02-28")
            let first = try await pending("anna", program)
            try await expect(program, "pay anna later --after P1D", says: "; bill 4", "is pending")
            try await expect(program, "bills show \(first)", says: "void")
            try await expect(program, "pay anna approve", says: "9.99 USD charged now")
            try await expect(
                program, "timeline anna", says: "gave another payment method", "renewed",
                "by a new payment method")
        }
    }

    @Test("A plan change that is pending or declined is told by the product that was wanted")
    func planChange() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(bed) --account anna", says: "bought")
            try await expect(program, "pay anna later", says: "pending")
            try await expect(
                program, "plan anna \(estate)", says: "\(bed) until 2026-02-28 00:00, renews\n",
                "bill 4", "for \(estate) is pending")
            let bill = try await pending("anna", program)
            try await expect(
                program, "status anna", says: "active, renews", "bill \(bill) of 9.99 USD")
            try await expect(
                program, "bills answer \(bill) declined", says: "is declined", "\(bed) until")
            try await expect(program, "pay anna decline", says: "declined")
            try await expect(program, "plan anna \(estate)", isRefusedAs: "paymentDeclined")
            try await expect(
                program, "timeline anna", says: "asked for estate.monthly",
                "payment for estate.monthly declined", "9.99 USD, bill 4", "█ paid   ▼ now")
            try await expect(program, "pay anna later", says: "pending")
            let asked = try await program.run("plan", "anna", estate, "--json")
            let second = try await pending("anna", program)
            #expect(asked.json?["bill"]?["id"]?.string == second)
            try await expect(program, "bills answer \(second) paid", says: "\(estate) until")
            try await expect(
                program, "timeline anna", says: "upgraded to estate.monthly", "↑ upgrade",
                "0 renewals")
        }
    }

    @Test("What was paid can be taken back and given again")
    func reversal() async throws {
        try await withGarden { program in
            let bought = try await program.run("buy", estate, "--account", "anna", "--json")
            let id = try #require(bought.json?["transactionInfo"]?["transactionId"]?.string)
            try await expect(program, "bills", says: "no bills; `perennial pay ACCOUNT later`")
            try await expect(program, "bills show \(id)", says: "paid", "subscription \(id)")
            try await expect(
                program, "bills answer \(id) reversed", says: "is reversed",
                "was refunded, and is over")
            try await expect(
                program, "refunds reverse \(id)",
                isRefusedWith: "The bank took the payment of transaction \(id) back",
                "`perennial bills answer \(id) restored`", "[reversedByBank]")
            try await expect(program, "bills show \(id)", says: "reversed")
            try await expect(program, "bills answer \(id) restored", says: "is paid")
            try await expect(program, "timeline anna", says: "refunded", "refund reversed")
        }
    }

    @Test("A bill that there is not is unknown, and found in the other environment")
    func unknown() async throws {
        try await withGarden { program in
            for command in ["bills show 4711", "bills answer 4711 paid"] {
                try await expect(
                    program, command, isRefusedWith: "There is no bill 4711 here.",
                    "`perennial bills` lists those that there are.", "[unknownBill]")
            }
            let help = try await program.run("bills", "answer", "--help")
            #expect(help.code == 0 && !help.output.contains("\\"), "\(help.output)")
            try await expect(program, "bills --account nobody", isRefusedAs: "unknownAccount")
            try await expect(program, "pay anna later --sandbox", says: "pending")
            let bought = try await program.run(
                "buy", estate, "--account", "anna", "--sandbox", "--json")
            let bill = try #require(bought.json?["billId"]?.string)
            try await expect(program, "bills show \(bill)", isRefusedWith: "--sandbox")
        }
    }

    @Test("The guide to pending payments does what it says")
    func guide() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(
            contentsOf: root.appending(path: "docs/guides/pending-payments.md"), encoding: .utf8)
        let block = try #require(
            guide.split(separator: "```sh\n").dropFirst().first?.split(separator: "```").first)
        let commands = block.split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(commands.count == 7)
        try await withGarden { program in
            var bill = ""
            for command in commands {
                #expect(command.first == ".build/debug/perennial")
                let words = command.dropFirst().map { $0 == "BILL" ? bill : $0 }
                let outcome = try await program.run(words)
                #expect(outcome.code == 0, "\(command): \(outcome.complaint)")
                if words.first == "buy" { bill = try await pending("bea", program) }
            }
            try await expect(program, "status bea", says: "payment awaited, was due 2026-02-28")
        }
    }
}
