import AppStoreWire
import Testing

@testable import perennial

@Suite("What a refusal leads on to")
struct LeadingOnTests {
    private let bed = "com.example.garden.windowbox.monthly"
    private let estate = "com.example.garden.estate.monthly"
    private let seeds = "com.example.garden.seeds.100"

    /// The newest transaction of an account's only subscription, or of its only other purchase.
    private func transaction(of account: String, _ program: Program) async throws -> String {
        let status = try await program.run("status", account, "--json")
        let bought =
            status.json?["subscriptions"]?.array?.first ?? status.json?["purchases"]?.array?.first
        return try #require(bought?["transactionId"]?.string, "\(status.complaint)")
    }

    @Test("An account with a space in its name is quoted in every command")
    func quoted() async throws {
        try await withGarden { program in
            let nobody = try await program.run("status", "a b")
            #expect(nobody.complaint.contains("`perennial buy PRODUCT --account 'a b'` makes one."))
            let declines = try await program.run("pay", "a b", "decline")
            #expect(declines.code == 0)
            let declined = try await program.run("buy", bed, "--account", "a b")
            #expect(declined.complaint.contains("`perennial pay 'a b' approve` gives another"))
            let none = try await program.run("renewal", "a b", "off")
            #expect(none.complaint.contains("`perennial status 'a b'` lists"))
            _ = try await program.run("pay", "a b", "approve")
            let bought = try await program.run("buy", bed, "--account", "a b")
            #expect(bought.code == 0)
            let moved = try await program.run(
                "buy", bed, "--account", "a b", "--storefront", "SWE")
            #expect(moved.complaint.contains("`perennial customer move 'a b' SWE`"))
            _ = try await program.run("subscription", "expire", "a b")
            let over = try await program.run("renewal", "a b", "off")
            #expect(over.complaint.contains("`perennial buy \(bed) --account 'a b'` begins it"))
        }
    }

    @Test("A purchase that was refunded leads to its account, a period to its subscription")
    func refundedTwice() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(seeds) --account anna", says: "bought")
            let coins = try await transaction(of: "anna", program)
            try await expect(program, "refunds issue --transaction \(coins)", says: "given back")
            let back = "`perennial refunds reverse --transaction \(coins)` takes this refund back."
            try await expect(
                program, "refunds issue --transaction \(coins)",
                isRefusedWith: "`perennial status anna` lists what else was bought; " + back)
            try await expect(program, "buy \(bed) --account ben", says: "bought")
            let first = try await transaction(of: "ben", program)
            try await expect(program, "refunds issue ben", says: "given back")
            for command in ["refunds issue ben", "refunds request ben"] {
                try await expect(
                    program, command,
                    isRefusedWith: "`perennial timeline \(first) --all` shows the transactions of "
                        + "other periods; `perennial refunds reverse --transaction \(first)`")
            }
            try await expect(
                program, "bills answer \(first) reversed",
                isRefusedWith: "is paid and cannot be reversed, since it was refunded: nothing was",
                "`perennial refunds reverse --transaction \(first)` takes the refund back first.")
            try await expect(program, "refunds reverse ben", says: "access is back")
            try await expect(
                program, "refunds reverse ben",
                isRefusedWith: "The refund of transaction \(first) was reversed already.")
            try await expect(program, "bills answer \(first) reversed", says: "is reversed")
            try await expect(
                program, "refunds issue ben",
                isRefusedWith: "`perennial bills answer \(first) restored` lets the payment come")
        }
    }

    @Test("What the clock or the catalogue does not decide is wrong usage and names its option")
    func usage() async throws {
        try await withGarden { program in
            for (command, option) in [
                ("fault add limitCalls --type DID_RENEW", "--type does not belong to limitCalls"),
                ("fault add delayNotifications --by PT0S", "--by"),
                ("fault add slowCalls --by PT31S", "--by"),
                ("fault add failCalls --error 123", "--error"),
                ("fault add failCalls --error 4290000", "--error"),
                ("fault add repeatNotifications --times 101", "--times"),
                ("fault add dropNotifications --percent 101", "--percent"),
                ("fault add dropNotifications --times 2", "--times"),
                ("fault add limitCalls --operation buy", "--operation"),
                ("pay anna later --after P367D", "--after"),
            ] {
                let outcome = try await program.run(
                    command.split(separator: " ").map(String.init)
                )
                #expect(outcome.code == 2, "\(command): \(outcome.complaint)")
                #expect(outcome.complaint.contains(option), "\(command): \(outcome.complaint)")
                #expect(!outcome.complaint.contains("`"), "\(command): \(outcome.complaint)")
            }
            try await expect(program, "fault list", says: "no rules")
        }
    }

    @Test("What is unknown leads to a list, or to the other environment")
    func unknown() async throws {
        try await withGarden { program in
            try await expect(
                program, "extensions failures 1",
                isRefusedWith: "`perennial extensions` lists those that there are.")
            try await expect(program, "buy \(bed) --account tester --sandbox", says: "bought")
            let id = try #require(
                try await program.run("status", "tester", "--sandbox", "--json")
                    .json?["subscriptions"]?.array?.first?["transactionId"]?.string)
            let order = try await program.run(
                "extensions", "grant-all", bed, "--days", "7", "--sandbox", "--watch", "--json")
            let number = try #require(order.json?["id"]?.integer)
            let fault = try await program.run(
                "fault", "add", "loseNotifications", "--sandbox", "--json")
            let rule = try #require(fault.json?["id"]?.integer)
            for command in [
                "extensions failures \(number)", "refunds issue --transaction \(id)",
                "fault remove \(rule)",
            ] {
                try await expect(
                    program, command, isRefusedWith: "It is in Sandbox: add --sandbox.")
            }
        }
    }

    @Test("A third extension says from when on it goes, one of what is over how to begin again")
    func extending() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(bed) --account anna", says: "bought")
            for _ in 1...2 {
                try await expect(program, "extensions grant anna --days 1", says: "paid until")
            }
            try await expect(
                program, "extensions grant anna --days 1",
                isRefusedWith: "It was extended twice within 365 days: it can be again from "
                    + "2027-01-31 00:00 on. [notExtended]")
            try await expect(program, "subscription expire anna", says: "expired")
            try await expect(
                program, "extensions grant anna --days 1",
                isRefusedWith: "is over already, expired 2026-01-31 00:00.",
                "`perennial buy \(bed) --account anna` begins it again. [notExtended]")
        }
    }

    @Test("What is so already, or is not there to be taken back, leads on")
    func already() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(bed) --account anna", says: "bought")
            for command in ["buy \(bed) --account anna", "plan anna \(bed)"] {
                try await expect(
                    program, command,
                    isRefusedWith: "`perennial status anna` shows the subscription; `perennial "
                        + "plan anna OTHER` changes its plan, `perennial renewal anna off` ends it."
                )
            }
            try await expect(
                program, "price withdraw \(bed) USA",
                isRefusedWith: "`perennial price changes --product \(bed)` shows what was")
            try await expect(
                program, "price unpreserve \(bed) USA 2.99",
                isRefusedWith: "2.99 USD is the list price, which is preserved for nobody. "
                    + "`perennial price schedule \(bed) STOREFRONT PRICE` changes the list "
                    + "price; `perennial price cohorts \(bed)` shows who pays what.")
            let id = try await transaction(of: "anna", program)
            try await expect(program, "refunds issue anna", says: "given back")
            try await expect(program, "refunds reverse anna", says: "access is back")
            try await expect(
                program, "refunds reverse anna",
                isRefusedWith:
                    "was reversed already. `perennial refunds issue --transaction \(id)` "
                    + "refunds it; `perennial bills show \(id)` shows how its payment stands.")
        }
    }

    @Test("A cohort on its way to another price cannot be moved, and one is told why")
    func cohort() async throws {
        try await withGarden { program in
            try await expect(
                program, "buy \(estate) --account anna --storefront FRA", says: "9.99 EUR")
            try await expect(
                program, "price schedule \(estate) FRA 12.99 --existing apply",
                says: "12.99 EUR")
            try await expect(
                program, "price unpreserve \(estate) FRA 9.99",
                isRefusedWith: "all who pay it (1) have a higher price on its way already. "
                    + "`perennial price cohorts \(estate)` shows who pays what.")
        }
    }
}
