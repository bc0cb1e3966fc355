import AppStoreWire
import Testing

@testable import perennial

@Suite("Years that are billed monthly, codes and members on the command line")
struct MonthlyBillingTests {
    private let yearly = "com.example.garden.estate.yearly"
    private let monthly = "com.example.garden.estate.monthly"

    @Test("A year is sold month by month, at a price of its own in a storefront, and no more")
    func monthlyBilling() async throws {
        try await withGarden { program in
            try await expect(
                program, "product monthly-billing \(yearly)", says: "is not sold month by month",
                "`perennial product monthly-billing \(yearly) on --price 3.99` sells a year so")
            try await expect(
                program, "price set \(yearly) DEU 3.49 --billing-plan monthly",
                isRefusedAs: "notBilledMonthly")
            try await expect(
                program, "product monthly-billing \(yearly) on --price 9.00",
                says: "9.00 USD a month, 108.00 USD the year, everywhere but in SGP and USA")
            try await expect(
                program, "price set \(yearly) DEU 8.50 --billing-plan monthly",
                says: "\(yearly) in DEU: 8.50 EUR a month, 102.00 EUR the year, for whoever buys")
            try await expect(
                program, "price set \(yearly) DEU 0.50 --billing-plan monthly",
                says: "Is that meant?",
                "`perennial price set \(yearly) DEU 8.50 --billing-plan monthly` takes it back")
            try await expect(
                program, "price set \(yearly) DEU 8.50 --billing-plan monthly", says: "8.50 EUR")
            try await expect(
                program, "price list \(yearly) --storefront DEU", says: "a month", "8.50 EUR")
            try await expect(
                program, "buy \(yearly) --account anna --storefront DEU --billing-plan monthly",
                says: "for 8.50 EUR", "month 1 of 12")
            let set = try await program.run("product", "monthly-billing", yearly, "off", "--json")
            let terms = set.json?["subscription"]?["monthlyBilling"]
            #expect(terms?["enabled"] == .bool(false), "\(set.complaint)")
            #expect(terms?["price"] == .integer(9_000))
            try await expect(
                program, "product monthly-billing \(yearly)",
                says: "is sold month by month no more",
                "to the end of the commitment")
            try await expect(
                program, "product monthly-billing \(monthly) on --price 9",
                isRefusedAs: "invalidSetting")
            let alone = try await program.run("product", "monthly-billing", yearly, "--price", "9")
            #expect(alone.code == 2 && alone.complaint.contains("--price goes with on or off"))
        }
    }

    @Test("A price increase of a commitment is explained as one of the year that was agreed to")
    func explained() async throws {
        // As the stories of commitments have it: 9.00 a month, to 9.90 and to 18.00.
        for (price, announced) in [("118.80", "2026-12-05"), ("216", "2026-11-02")] {
            try await expect(
                Program(),
                "price explain 108 \(price) --period P1Y --renews 2027-01-01 "
                    + "--live 2026-01-10 --storefront FRA", says: announced, "2027-01-01")
        }
    }

    @Test("An offer is for one of the two plans, and who redeemed its codes is listed")
    func codes() async throws {
        try await withGarden { program in
            try await expect(
                program,
                "offer create \(monthly) code HELLO --mode free --period P1M "
                    + "--audience new", says: "HELLO")
            try await expect(
                program,
                "offer create \(yearly) promotional spring --mode pay-as-you-go "
                    + "--period P1M --count 2 --price 1.99 --billing-plan monthly",
                isRefusedAs: "notBilledMonthly")
            let made = try await program.run(
                "offer", "codes", "create", monthly, "HELLO", "--count", "3", "--json")
            let batch = try #require(made.json?["id"]?.string, "\(made.complaint)")
            try await expect(
                program, "offer codes redemptions \(batch)", says: "nobody has redeemed them")
            let text = try await program.run("offer", "codes", "download", batch)
            let code = try #require(text.output.split(separator: "\n").first.map(String.init))
            try await expect(program, "redeem \(code) --account anna", says: "anna bought")
            try await expect(
                program, "offer codes redemptions \(batch)", says: "anna", "2026-01-31 00:00", code)
            try await expect(
                program, "offer codes redemptions 400000000099999", isRefusedAs: "unknownOfferCodes"
            )
            try await expect(
                program, "offer codes create \(monthly) HELLO --custom GRÜN26 --count 3",
                isRefusedWith: "3 to 64 ASCII letters and digits, without spaces, hyphens or")
        }
    }

    @Test("A family member's number leads to the purchaser's subscription")
    func members() async throws {
        try await withGarden { program in
            try await expect(program, "family create anna bea", says: "organiser")
            try await expect(program, "buy \(monthly) --account anna", says: "bought")
            let shown = try await program.run("family", "show", "anna", "--json")
            let purchase = try #require(shown.json?["purchases"]?.array?.first, "\(shown.output)")
            let holder = try #require(purchase["sharedWith"]?.array?.first, "\(shown.output)")
            let id = try #require(holder["originalTransactionId"]?.string)
            let own = try #require(purchase["originalTransactionId"]?.string)
            #expect(id != own)
            let share = "\(id) is what bea has of it in the family of anna, since 2026-01-31 00:00"
            try await expect(program, "status \(id)", says: "subscription \(own)", share)
            try await expect(program, "timeline \(id)", says: share)
        }
    }

    @Test("An offer on a plan that runs begins with its next renewal, and that is said")
    func running() async throws {
        try await withGarden { program in
            try await expect(
                program, "offer create \(monthly) promotional spring --mode free --period P1M",
                says: "spring")
            try await expect(program, "buy \(monthly) --account anna", says: "bought")
            try await expect(
                program, "buy \(monthly) --account anna --offer spring",
                says: "anna has \(monthly) already, and the offer spring from the next renewal on")
        }
    }
}
