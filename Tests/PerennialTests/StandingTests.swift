import AppStoreWire
import Foundation
import Testing

@testable import perennial

@Suite("What the command line says of each state that a subscription is in")
struct StandingTests {
    private let bed = "com.example.garden.windowbox.monthly"
    private let flowers = "com.example.garden.flowers.monthly"
    private let vegetables = "com.example.garden.vegetables.monthly"
    private let estate = "com.example.garden.estate.monthly"

    @Test("A purchase says until when it is paid for and that it renews")
    func buying() async throws {
        try await withGarden { program in
            try await expect(
                program, "buy \(estate) --account anna",
                says: "for 9.99 USD, until 2026-02-28 00:00, renews")
            try await expect(
                program, "buy \(bed) --account anna",
                says: "anna chose \(bed) from the next renewal on.",
                "\(estate) until 2026-02-28 00:00, renews as \(bed)")
            try await expect(program, "renewal anna off", says: "2026-02-28 00:00, does not renew")
            try await expect(program, "renewal anna on", says: "00:00, renews as \(bed)")
            let almanac = try await program.run(
                "buy", "com.example.garden.almanac", "--account", "anna")
            #expect(!almanac.output.contains("renews"))
        }
    }

    @Test("What renews as a product that is off sale ends, and is said to")
    func offSale() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "renews")
            try await expect(
                program, "product availability \(estate) off --storefront USA", says: "but in USA",
                "subscriptions that would renew as it there end with their period")
            let ends = "ends 2026-02-28 00:00: \(estate) is off sale"
            try await expect(program, "status anna", says: ends)
            try await expect(program, "timeline anna", says: ends)
            try await expect(program, "renewal anna off", says: "does not renew")
            try await expect(
                program, "renewal anna on",
                says: "until 2026-02-28 00:00, ends then: \(estate) is off sale")
            let json = try await program.run("status", "anna", "--json")
            #expect(
                json.json?["subscriptions"]?.array?.first?["nextForSale"] == .bool(false))
            // What waits for the renewal is what counts.
            try await expect(
                program, "plan anna \(bed)", says: "2026-02-28 00:00, renews as \(bed)")
            try await expect(
                program, "product availability \(bed) off", says: "off sale everywhere")
            try await expect(program, "status anna", says: "00:00: \(bed) is off sale")
            try await expect(program, "advance --to 2026-03-01", says: "2026-03-01 00:00")
            try await expect(program, "timeline anna", says: "the product was not for sale")
        }
    }

    @Test("Another plan as good is no upgrade, a better one is")
    func crossgrade() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(vegetables) --account anna", says: "free of charge")
            try await expect(program, "advance P5D", says: "2026-02-05")
            try await expect(
                program, "plan anna \(flowers)", says: "\(flowers) until 2026-03-05",
                "4.99 USD charged now\n")
            try await expect(
                program, "timeline anna", says: "changed to flowers.monthly", "→ other plan")
            let json = try await program.run("timeline", "anna", "--json")
            #expect(json.json?["entries"]?.array?.last?["planChange"]?.string == "crossgrade")
            try await expect(
                program, "plan anna \(estate)", says: "\(estate) until 2026-03-05",
                "9.99 USD charged now, 4.99 USD given back\n")
            let down = try await program.run("plan", "anna", bed)
            #expect(down.code == 0 && !down.output.contains("charged"), "\(down.output)")
            try await expect(
                program, "timeline anna", says: "changed to flowers.monthly",
                "upgraded to estate.monthly", "↑ upgrade")
        }
    }

    @Test("In a grace period nothing is said to be paid for")
    func grace() async throws {
        try await withGarden { program in
            try await expect(program, "app set --grace-period 16", says: "16 days")
            for account in ["anna", "ben"] {
                try await expect(program, "buy \(bed) --account \(account)", says: "2.99 USD")
                try await expect(program, "pay \(account) decline", says: "is declined")
            }
            try await expect(program, "advance --to 2026-02-28", says: "2026-02-28 00:00")
            let words =
                "\(bed) was to renew 2026-02-28 00:00 and could not be charged; tried again, with "
                + "access until 2026-03-16 00:00"
            try await expect(program, "renewal anna on", says: words)
            try await expect(program, "pay anna decline", says: words)
            try await expect(
                program, "pay anna approve", says: "every payment is approved",
                "\(bed) until 2026-03-31 00:00, renews; 2.99 USD charged now")
            try await expect(program, "advance P1D", says: "2026-03-01")
            try await expect(
                program, "renewal ben off",
                says: "was paid until 2026-02-28 00:00 and ended 2026-03-01 00:00, does not renew")
            try await expect(program, "status ben", says: "expired 2026-03-01 00:00")
        }
    }

    @Test("In billing retry there is no access, and who gives up has nothing left to end")
    func retry() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(bed) --account anna", says: "2.99 USD")
            try await expect(program, "pay anna decline", says: "is declined")
            try await expect(program, "advance --to 2026-03-05", says: "2026-03-05 00:00")
            try await expect(
                program, "renewal anna on", says: "could not be charged; tried again, without")
            try await expect(program, "renewal anna off", says: "ended 2026-03-05 00:00")
            let over = "is over already, expired 2026-03-05 00:00"
            for (command, product) in [
                ("renewal anna off", bed), ("renewal anna on", bed),
                ("plan anna \(estate)", estate),
            ] {
                try await expect(
                    program, command, isRefusedWith: over,
                    "`perennial buy \(product) --account anna` begins it again.")
            }
            try await expect(
                program, "subscription expire anna", isRefusedWith: over,
                "Nothing is left to end. [notActive]")
            try await expect(
                program, "subscription cancel anna",
                isRefusedWith: over, "`perennial refunds issue", "gives its last payment back.")
        }
    }

    @Test("What was refunded in a grace period or was never paid is not said to be")
    func refundedInGrace() async throws {
        try await withGarden { program in
            try await expect(program, "app set --grace-period 16", says: "16 days")
            try await expect(program, "buy \(bed) --account anna", says: "2.99 USD")
            try await expect(program, "buy \(vegetables) --account ben", says: "free of charge")
            for account in ["anna", "ben"] {
                try await expect(program, "pay \(account) decline", says: "is declined")
            }
            try await expect(program, "advance --to 2026-03-03", says: "2026-03-03 00:00")
            try await expect(
                program, "refunds issue anna", says: "2.99 USD given back",
                "and with it the subscription ended")
            let words = "expired 2026-03-03 00:00, refunded 2026-03-03 00:00"
            try await expect(program, "status anna", says: words)
            try await expect(program, "timeline anna", says: words)
            try await expect(
                program, "subscription cancel anna", isRefusedWith: words,
                "Nothing is left to end. [")
            try await expect(
                program, "refunds reverse anna",
                says: "the subscription stays over: its period ended 2026-02-28 00:00")
            try await expect(program, "renewal ben off", says: "was on trial until 2026-")
            try await expect(program, "renewal ben off", isRefusedAs: "notActive")
        }
    }

    @Test("A change of plan that was declined leaves the band, and what was bought then is named")
    func declinedChange() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(bed) --account anna", says: "2.99 USD")
            try await expect(program, "pay anna decline", says: "is declined")
            try await expect(program, "plan anna \(estate)", isRefusedAs: "paymentDeclined")
            try await expect(program, "timeline anna", says: "█ paid   ▼ now")
            try await expect(program, "pay anna approve", says: "is approved")
            try await expect(program, "advance P1M", says: "2026-02-28")
            try await expect(program, "timeline anna", says: "renewed     ", "█ paid   ▼ now")
            try await expect(program, "plan anna \(estate)", says: "\(estate) until")
            try await expect(
                program, "timeline anna", says: "upgraded to estate.monthly", "↑ upgrade   ▼ now")
            try await expect(program, "renewal anna off", says: "does not renew")
            try await expect(program, "renewal anna off", says: "does not renew")
            try await expect(program, "timeline anna", says: "which changed nothing")
            try await expect(program, "advance P2M", says: "2026-04-28")
            try await expect(program, "pay anna decline", says: "is declined")
            try await expect(program, "buy \(bed) --account anna", isRefusedAs: "paymentDeclined")
            try await expect(program, "pay anna approve", says: "is approved")
            try await expect(program, "buy \(bed) --account anna", says: "bought")
            let timeline = try await program.run("timeline", "anna").output
            #expect(timeline.ranges(of: "bought windowbox.monthly ").count == 2, "\(timeline)")
        }
    }

    @Test("An account may have a name of digits, as long as no subscription has that number")
    func digits() async throws {
        try await withGarden { program in
            let account = "400000999999999"
            try await expect(program, "buy \(bed) --account \(account)", says: "2.99 USD")
            try await expect(program, "status \(account)", says: "\(account), USA", bed)
            try await expect(program, "timeline \(account)", says: "bought monthly")
            try await expect(
                program, "extensions grant \(account) --days 1", says: "paid until 2026-03-01")
            try await expect(program, "renewal \(account) off", says: "does not renew")
            try await expect(program, "refunds request \(account)", says: "asks for a refund")
            let refund = try await program.run("refunds", "issue", account)
            #expect(refund.code == 0 && !refund.output.contains("read as"), "\(refund.output)")
            let status = try await program.run("status", account, "--json")
            let id = try #require(
                status.json?["subscriptions"]?.array?.first?["originalTransactionId"]?.string)
            try await expect(program, "buy \(estate) --account \(id)", says: "9.99 USD")
            try await expect(program, "status \(id)", says: "\(account), subscription \(id)")
            try await expect(program, "status 400000888888888", isRefusedAs: "unknownSubscription")
        }
    }

    @Test("Who turned renewal off is told to turn it on before an increase can be answered")
    func consent() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "9.99 USD")
            try await expect(
                program, "price schedule \(estate) USA 29.99 --existing apply",
                says: "29.99")
            try await expect(program, "advance --to 2026-02-10", says: "2026-02-10")
            try await expect(program, "status anna", says: "not answered yet")
            try await expect(program, "renewal anna off", says: "does not renew")
            let before = try await program.run("status", "anna", "--json").output
            for word in ["agree", "decline"] {
                try await expect(
                    program, "consent anna \(word)", isRefusedWith: "renewal is off",
                    " on` turns it on first; the increase is announced anew then. [noPriceI")
            }
            #expect(try await program.run("status", "anna", "--json").output == before)
            try await expect(program, "renewal anna on", says: "renews")
        }
    }

    @Test("Who was expired or refunded cannot be cancelled, and is told what is left")
    func ended() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(bed) --account anna", says: "2.99 USD")
            try await expect(program, "subscription expire anna", says: "expired 2026-01-31 00:00")
            try await expect(
                program, "subscription cancel anna", isRefusedWith: "Nothing is left to end; ")
            try await expect(
                program,
                "price schedule \(bed) USA 5.99 --existing apply --start 2026-03-10",
                says: "5.99 USD")
            for command in ["price of anna", "consent anna agree"] {
                try await expect(
                    program, command, isRefusedWith: "is over already, expired 2026-01-31 00:00.",
                    "--account anna` begins it again.")
            }
            try await expect(program, "buy \(bed) --account ben", says: "2.99 USD")
            try await expect(program, "refunds issue ben", says: "2.99 USD given back")
            try await expect(
                program, "subscription cancel ben",
                isRefusedWith: "is over already, refunded", "Nothing is left to end. [")
            try await expect(
                program, "renewal ben on", isRefusedWith: "--account ben` begins it again.")
            for account in ["anna", "ben"] {
                let status = try await program.run("status", account)
                #expect(
                    status.code == 0 && !status.output.contains("scheduled"), "\(status.output)")
            }
            try await expect(
                program, "price of ben",
                isRefusedWith: "is over already, refunded, would have ended 2026-02-28 00:00.")
        }
    }

    @Test("What is in the other environment is found there")
    func environments() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(bed) --account a.b", says: "2.99 USD")
            try await expect(program, "buy \(bed) --account tester --sandbox", says: "2.99 USD")
            for command in ["status tester", "timeline tester", "subscription cancel tester"] {
                try await expect(
                    program, command,
                    isRefusedWith: "It is an account in Sandbox: add --sandbox. [unknownAccount]")
            }
            try await expect(
                program, "status a.b --sandbox",
                isRefusedWith: "It is an account in Production: leave --sandbox out.")
            let status = try await program.run("status", "tester", "--sandbox", "--json")
            let id = try #require(
                status.json?["subscriptions"]?.array?.first?["originalTransactionId"]?.string)
            try await expect(
                program, "status \(id)", isRefusedWith: "It is in Sandbox: add --sandbox.")
            let nobody = try await program.run("status", "nobody")
            #expect(!nobody.complaint.contains("--sandbox"))
        }
    }

    @Test("Another plan makes an increase void, and staying brings it back")
    func increase() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "9.99 USD")
            try await expect(
                program, "price schedule \(estate) USA 19.99 --existing apply", says: "19.99"
            )
            try await expect(program, "advance P1D", says: "2026-02-01")
            try await expect(program, "status anna", says: "19.99 USD from 2026-02-28 00:00 on")
            try await expect(program, "price of anna", says: "9.99 USD to 19.99 USD")
            try await expect(program, "plan anna \(bed)", says: "renews as \(bed)")
            let status = try await program.run("status", "anna")
            #expect(!status.output.contains("19.99"), "\(status.output)")
            try await expect(
                program, "price of anna", isRefusedWith: "No price increase is on its way")
            try await expect(program, "timeline anna", says: "the increase to 19.99 USD is void")
            try await expect(program, "plan anna \(estate)", says: "00:00, renews")
            try await expect(program, "status anna", says: "19.99 USD from 2026-02-28 00:00 on")
            try await expect(program, "plan anna \(bed)", says: "renews as \(bed)")
            try await expect(program, "advance P1M", says: "2026-03-01")
            try await expect(program, "status anna", says: "2.99 USD, transaction")
        }
    }
}
