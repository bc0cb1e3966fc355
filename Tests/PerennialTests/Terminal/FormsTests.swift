import Testing

@testable import perennial

@Suite("Money and moments in everything that is printed")
struct FormsTests {
    private static let commands = [
        "app", "price list", "price list plus.monthly --storefront JPN --storefront USA",
        "price set plus.monthly JPN 15000", "product availability plus.monthly", "clock",
        "customer list",
        "buy plus.monthly --account kenji --storefront JPN", "status anna", "status kenji",
        "price schedule plus.monthly NOR 2000 --existing apply --start 2026-03-10",
        "price changes", "price cohorts plus.monthly",
        "price explain 99 2000 --storefront NOR --renews 2026-04-30 --live 2026-03-10",
        "price explain 5900 6900 --storefront KOR --offer freeTrial --offer-period P2M "
            + "--since 2025-03-01 --renews 2025-05-01 --live 2025-03-10",
        "advance --to 2026-04-04", "timeline kenji", "timeline kenji --all --ascii",
        "pay kenji decline --until 2026-04-20", "clock step", "refunds issue kenji",
        "refunds reverse kenji",
        "refunds request kenji", "refunds", "extensions grant kenji --days 7",
        "money proceeds", "money ledger",
        "notifications", "fault list", "status kenji", "subscription expire kenji",
        "subscription cancel kenji",
        "pay anna decline --until 2020-01-01", "advance --to 2020-01-01",
        "price unpreserve plus.monthly NOR 1", "clock until DID_RENEW --limit P1D",
    ]

    @Test("Every command has one form of each: `1500 JPY`, `2026-01-31 00:00`, no rules' numbers")
    func forms() async throws {
        try await SettingsTests().with { program in
            let ids = try await SettingsTests().id(of: "plus.monthly", program)
            for command in Self.commands + ["price of \(ids)", "status \(ids)"] {
                let outcome = try await program.run(
                    command.split(separator: " ").map(String.init)
                )
                #expect(outcome.code != 2, "\(command): \(outcome.complaint)")
                for line in (outcome.output + outcome.complaint).split(separator: "\n") {
                    #expect(
                        String(line).firstMatch(of: other()) == nil, "\(command): \(line)")
                }
            }
        }
    }

    @Test(
        "Other forms are found",
        arguments: [
            "NOK 99", "JPY -5", "1,500 JPY", "12,000 renewals", "2026-01-31T00:00:00Z",
            "2026-01-31 00:00:00", "2026-01-31 00:00:06.250", "300.00 JPY", "99.0 NOK", "9.9 USD",
            "needs consent (INC-5)", "[THR-1 b]",
        ])
    func others(text: String) {
        #expect("what \(text) is".firstMatch(of: other()) != nil)
    }

    @Test(
        "The one form is none of them",
        arguments: ["99 NOK", "-5 JPY", "1500 JPY", "9.99 USD", "2.997 USD", "2026-01-31 00:00:06"])
    func one(text: String) {
        #expect("what \(text) is".firstMatch(of: other()) == nil)
    }

    /// Another form: the currency first, commas between thousands, the wire's moments, seconds of
    /// nothing or parts of them, decimals that are not the currency's, and numbers of rules.
    private func other() -> Regex<AnyRegexOutput> {
        Regex<AnyRegexOutput>(
            #/
            \b(?:USD|NOK|JPY|KRW|EUR)\ -?\d | \d,\d{3}\b | \d{4}-\d\d-\d\dT
            | \d\d:\d\d:00\b | :\d\d\.\d | \d\.00\ (?:JPY|KRW|NOK)\b
            | \d\.\d\ [A-Z]{3}\b | \b[A-Z]{3}-\d
            /#)
    }
}
