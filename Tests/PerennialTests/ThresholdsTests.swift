import AppStoreWire
import Testing

@testable import perennial

@Suite("Thresholds and the Small Business Program on the command line")
struct ThresholdsTests {
    @Test("Thresholds for consent are shown and set by storefront")
    func thresholds() async throws {
        try await SettingsTests().with { program in
            try await expect(
                program, "price thresholds", says: "USA           5.00 USD   50.00 USD  no",
                "DEU         any amount  any amount  yes", "Everywhere else")
            try await expect(
                program, "price thresholds set NOR --amount 50 --annual-amount 500",
                says: "NOR: an increase of more than half needs consent beyond 50 NOK a period",
                "500 NOK a year for yearly plans, for increases that are planned from now on")
            try await expect(
                program, "price thresholds list --storefront NOR",
                says: "NOR           50 NOK  500 NOK  no      set there")
            try await expect(
                program, "price thresholds set NOR --always-consent on",
                says: "NOR: every increase needs consent")
            let one = try await program.run("price", "thresholds", "--storefront", "NOR", "--json")
            let rows = try #require(one.json?["thresholds"]?.array)
            #expect(rows.compactMap { $0["storefront"]?.string } == ["NOR"])
            #expect(rows.first?["nonAnnualAmount"]?.integer == 50_000)
            #expect(rows.first?["alwaysConsent"]?.bool == true)
            try await expect(
                program, "price thresholds set NOR --reset", says: "beyond any amount a period")
        }
    }

    @Test("An app in the Small Business Program shows how much of its limit is used up")
    func smallBusiness() async throws {
        try await SettingsTests().with { program in
            try await expect(
                program, "app set --small-business on",
                says: "Small Business Program: 0.00 USD in 2026 and 0.00 USD in 2025, of at most",
                "1000000.00 USD a year", "not counted, since the store knows no rates of exchange",
                "NOK")
            try await expect(program, "price set gems USA 999999", says: "999999.00 USD")
            for _ in 1...2 {
                try await expect(
                    program, "buy gems --account rich --storefront USA", says: "999999.00 USD")
            }
            try await expect(
                program, "app", says: "warning: the limit is exceeded, so that the standard",
                "1699998.30 USD in 2026")
            try await expect(
                program, "app set --small-business-limit off",
                says: "changed: small-business-limit from on to off", "and not heeded")
        }
    }

    @Test("What is built in can be replaced where an increase is explained without a store")
    func explained() async throws {
        let words = [
            "price", "explain", "9.99", "19.99", "--renews", "2026-04-15", "--live",
            "2026-03-10", "--json",
        ]
        func path(_ more: String...) async throws -> String? {
            try await Program().run(words + more).json?["path"]?.string
        }
        #expect(try await path() == "consent")
        #expect(try await path("--threshold", "10.00") == "notice")
        #expect(try await path("--threshold", "9.99") == "consent")
        #expect(try await path("--threshold", "10.00", "--always-consent", "on") == "consent")
        #expect(try await path("--storefront", "DEU", "--threshold", "10") == "consent")
        #expect(
            try await path("--storefront", "DEU", "--threshold", "10", "--always-consent", "off")
                == "notice")
    }
}
