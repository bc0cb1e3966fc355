import AppStoreWire
import ArgumentParser
import SubscriptionRules
import Testing

@testable import perennial

@Suite("perennial price-change explain")
struct PriceChangeTests {
    private func explain(_ arguments: String) throws -> PriceIncreaseExplanation {
        let words = arguments.split(separator: " ").map(String.init)
        return try PriceChangeExplainCommand.parse(words).explain()
    }

    @Test(
        "Path and first renewal at the new price are those of the worked dates",
        arguments: [
            ("9.99 14.98 --renews 2026-04-15 --live 2026-04-01", "notice", "2026-05-15"),
            ("9.99 14.98 --renews 2026-04-15 --live 2026-03-10", "notice", "2026-04-15"),
            ("9.99 19.99 --renews 2026-04-15 --live 2026-03-10", "consent", "2026-04-15"),
            (
                "99.99 199.99 --period P1Y --renews 2026-12-31 --live 2026-12-05", "consent",
                "2027-12-31"
            ),
            ("9.99 4.99 --renews 2026-04-15 --live 2026-03-10", "none", nil),
        ] as [(String, String, String?)])
    func path(_ arguments: String, _ path: String, _ renewal: String?) throws {
        let explanation = try explain(arguments)
        #expect(explanation.decision.path.rawValue == path)
        guard let renewal else { return }
        #expect(explanation.firstRenewalAtNewPrice == Instant(iso8601: renewal))
    }

    @Test("JSON says the same as the lines")
    func json() throws {
        let explanation = try explain("9.99 19.99 --renews 2026-04-15 --live 2026-03-10")
        let json = try JSONValue(parsing: explanation.jsonBytes())
        #expect(json["path"]?.string == "consent")
        #expect(json["oldPrice"]?.integer == 9_990)
        #expect(json["firstRenewalAtNewPrice"]?.string == "2026-04-15T00:00:00Z")
        #expect(json["withoutAnswer"]?.string == "expires")
        #expect(json["messages"]?.array?.count == explanation.calendar.messages.count)
        #expect(json["reasons"]?.array?.isEmpty == false)
    }

    @Test(
        "What makes no sense is refused",
        arguments: [
            "9,99 14.98 --renews 2026-04-15 --live 2026-04-01",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --period P7D",
            "9.995 14.98 --renews 2026-04-15 --live 2026-04-01",
            "300.5 400 --renews 2026-04-15 --live 2026-04-01 --storefront JPN",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --since 2026-05-01",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --last-increase 2030-01-01",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --upi",
        ])
    func refused(_ arguments: String) {
        #expect(throws: (any Error).self) { try explain(arguments) }
    }
}
