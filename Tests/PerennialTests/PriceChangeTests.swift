import AppStoreWire
import ArgumentParser
import SubscriptionRules
import Testing
import Wording

@testable import perennial

@Suite("perennial price explain")
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

    @Test("JSON has the window for the call that the lines have")
    func callWindow() throws {
        let explanation = try explain(
            "9.99 10.99 --renews 2026-04-15 --live 2026-03-10 --route merchantManaged")
        #expect(
            Wording.english.lines(explanation).contains(
                "Call: from 2026-04-08 00:00 to 2026-04-14 00:00."))
        let json = try JSONValue(parsing: explanation.jsonBytes())
        #expect(json["callWindow"]?["opens"]?.string == "2026-04-08T00:00:00Z")
        #expect(json["callWindow"]?["closes"]?.string == "2026-04-14T00:00:00Z")
        let told = try JSONValue(
            parsing: explain("9.99 10.99 --renews 2026-04-15 --live 2026-03-10").jsonBytes())
        #expect(told["callWindow"] == nil)
        #expect(told["koreanConversion"] == nil)
    }

    @Test("In India neither route of Advanced Commerce raises a price (ACP-5)")
    func india() throws {
        for route in ["merchantManaged", "storeManaged"] {
            let explanation = try explain(
                "299 349 --renews 2026-04-15 --live 2026-03-10 --storefront IND --route \(route)")
            #expect(Wording.english.lines(explanation)[1].hasPrefix("Path: not available"))
            let json = try JSONValue(parsing: explanation.jsonBytes())
            #expect(json["path"]?.string == "unavailable")
            #expect(json["reasons"]?.array?.first?["rule"]?.string == "ACP-5")
            #expect(json["callWindow"] == nil)
            #expect(json["firstRenewalAtNewPrice"] == nil)
        }
    }

    @Test(
        "The end of an offer in Korea is explained (KOR-1 to KOR-9)",
        arguments: [
            (
                "--offer freeTrial --offer-period P2M --since 2025-03-01 --renews 2025-05-01",
                "freeTrialToPaid", "2025-03-31T15:00:00Z", "2025-04-30T15:00:00Z"
            ),
            // Shorter than the window, which then begins with the purchase.
            (
                "--offer freeTrial --offer-period P1W --renews 2025-05-08",
                "freeTrialToPaid", "2025-05-01T00:00:00Z", "2025-05-07T15:00:00Z"
            ),
            (
                "--offer payUpFront --offer-period P3M --renews 2025-06-01",
                "discountToStandard", "2025-05-01T15:00:00Z", "2025-05-31T15:00:00Z"
            ),
            // The third of three discounted months ends on 15 July.
            (
                "--offer payAsYouGo --offers-left 2 --since 2025-04-15 --renews 2025-05-15",
                "discountToStandard", "2025-06-14T15:00:00Z", "2025-07-14T15:00:00Z"
            ),
            // Three weeks since 1 May, in the second of them.
            (
                "--offer payAsYouGo --offer-period P1W --offers-left 1 --since 2025-05-01 "
                    + "--renews 2025-05-15",
                "discountToStandard", "2025-05-01T00:00:00Z", "2025-05-21T15:00:00Z"
            ),
        ] as [(String, String, String, String)])
    func korea(_ offer: String, _ kind: String, _ opens: String, _ closes: String) throws {
        let explanation = try explain("5900 5900 \(offer) --live 2025-05-01 --storefront KOR")
        let json = try JSONValue(parsing: explanation.jsonBytes())
        let conversion = json["koreanConversion"]
        #expect(conversion?["kind"]?.string == kind)
        #expect(conversion?["opens"]?.string == opens)
        #expect(conversion?["closes"]?.string == closes)
        #expect(conversion?["messages"]?.array?.isEmpty == false)
        let lines = Wording.english.lines(explanation)
        #expect(lines.contains { $0.hasPrefix("Korea: whatever becomes of the price") })
        #expect(json["path"]?.string == "none")
    }

    @Test("Who is in an offer pays its standard price once before a higher one (INC-6)")
    func inOffer() throws {
        let explanation = try explain(
            "9.99 10.99 --offer freeTrial --since 2026-03-15 --renews 2026-04-15 --live 2026-03-16")
        #expect(explanation.firstRenewalAtNewPrice == Instant(iso8601: "2026-05-15"))
        #expect(explanation.koreanConversion == nil)
    }

    @Test("The day of purchase decides where the running period began, and the day of renewals")
    func since() throws {
        let explanation = try explain(
            "9.99 19.99 --since 2026-01-31 --renews 2026-02-28 --live 2026-02-01")
        #expect(explanation.subscriber.outlook.periodStart == Instant(iso8601: "2026-01-31"))
        #expect(explanation.firstRenewalAtNewPrice == Instant(iso8601: "2026-02-28"))
        let renewals = explanation.subscriber.outlook.renewals.prefix(2).map(\.moment)
        #expect(renewals.last == Instant(iso8601: "2026-03-31"))
    }

    @Test("A price that lies many periods away is remarked on")
    func farAway() throws {
        let explanation = try explain("9.99 10.99 --renews 2026-04-15 --live 2030-04-10")
        #expect(
            Wording.english.lines(explanation).contains(
                "Note: 48 renewals come before the change goes live."))
    }

    @Test("A price that stays has no dates")
    func same() throws {
        let lines = Wording.english.lines(
            try explain("9.99 9.99 --renews 2026-04-15 --live 2026-03-10"))
        #expect(lines.last?.hasSuffix("The price stays the same.") == true, "\(lines)")
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
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --since 2026-01-14",
            "9.99 14.98 --renews 2026-04-15 --live 2026-01-01 --since 2026-01-15",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --offer-period P1M",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --offers-left 1",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --offer freeTrial --offers-left 1",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --offer payAsYouGo --offers-left 52",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --offer free",
            "9.99 14.98 --renews 2026-04-15 --live 2026-04-01 --offer freeTrial --offer-period P",
        ])
    func refused(_ arguments: String) {
        #expect(throws: (any Error).self) { try explain(arguments) }
    }
}
