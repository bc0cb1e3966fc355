import Foundation
import Merchant
import MerchantConfiguration
import MerchantRules
import SubscriptionRules
import Testing

/// What a campaign's file says is what the campaign is.
@Suite("Campaigns: files")
struct CampaignFileTests {
    static let priceHead = """
        campaign: spring
        app: com.example.garden
        kind: price
        route: appStoreConnect
        from: 2027-03-01
        prices:
        - product: garden.monthly
          to: {USA: "5.99"}

        """

    static let outageHead = """
        campaign: outage
        app: com.example.garden
        kind: outage
        outage: {from: "2027-02-03T08:00:00Z", to: "2027-02-04T09:30:00Z"}
        products: [garden.monthly]

        """

    private func price(_ yaml: String) throws -> PriceCampaign {
        let file = try CampaignFile.read(yaml, named: "c.yaml", attachments: [:])
        var found: PriceCampaign?
        if case .price(let campaign) = file.definition.work { found = campaign }
        return try #require(found)
    }

    private func outage(
        _ members: String, _ attachments: [String: String] = [:]
    ) throws -> OutageCampaign {
        let file = try CampaignFile.read(
            Self.outageHead + members, named: "c.yaml", attachments: attachments)
        var found: OutageCampaign?
        if case .outage(let campaign) = file.definition.work { found = campaign }
        return try #require(found)
    }

    @Test("A price needs a name, an app, a route, a day and a price; all else has a default")
    func least() throws {
        let campaign = try price(Self.priceHead)
        #expect(campaign.name == "spring")
        #expect(campaign.bundleID == "com.example.garden")
        #expect(campaign.environments == [.production])
        #expect(campaign.route == .appStoreConnect)
        #expect(campaign.live.iso8601 == "2027-03-01T00:00:00Z")
        #expect(campaign.targets == ["garden.monthly": ["USA": 5_990]])
        #expect(campaign.direction == .increases)
        #expect(campaign.exclusions == PriceCampaign.Exclusions())
        #expect(campaign.whenAnotherRuns == .refuse)
        #expect(campaign.pace == CampaignPace())
    }

    @Test(
        "A price has the decimals of its currency, a point or a comma, and its currency or none",
        arguments: [
            ("USA", "\"5.99\"", 5_990), ("USA", "5.99", 5_990), ("USA", "6", 6_000),
            ("USA", "5.9", 5_900), ("DEU", "\"5,99\"", 5_990), ("DEU", "5,99 EUR", 5_990),
            ("JPN", "900", 900_000), ("JPN", "\"900 JPY\"", 900_000), ("NOR", "99", 99_000),
        ] as [(String, String, Int64)])
    func amounts(_ storefront: String, _ text: String, _ milliunits: Int64) throws {
        let yaml = Self.priceHead.replacing(
            "{USA: \"5.99\"}", with: "\n    \(storefront): \(text)")
        #expect(try price(yaml).targets["garden.monthly"] == [storefront: milliunits])
    }

    @Test("The examples of the documents are campaigns", arguments: Examples.names)
    func examples(_ name: String) throws {
        let file = try CampaignFile.read(file: Examples.path(name))
        #expect(!file.definition.products.isEmpty)
        #expect(file.attachments.count == Examples.attachments[name])
        // What is sent to a merchant reads the same there.
        let sent = try CampaignFile.read(
            file.text, named: "file", attachments: file.attachments)
        #expect(sent.definition == file.definition)
    }

    @Test("A campaign that the merchant tells of has texts for each channel and language")
    func texts() throws {
        let file = try CampaignFile.read(file: Examples.path("spring-2027.yaml"))
        let texts = file.definition.texts
        let mail = try #require(texts.mail)
        #expect(mail.from == "news@example.com")
        #expect(mail.name == "Garden")
        #expect(mail.subject.text(for: "de-AT") == "Ihr Preis ändert sich")
        #expect(mail.subject.text(for: "fr") == "Your price changes")
        #expect(mail.subject.text(for: nil) == "Your price changes")
        let sheet = try #require(texts.sheet)
        let said = sheet.body.text(
            for: "en", filling: [.oldPrice: "5 USD", .newPrice: "6 USD", .date: "1 March"])
        #expect(said == "You pay 5 USD now, and 6 USD from 1 March.")
        #expect(texts.push?.url == "garden://price")
        #expect(file.definition.periods == ["garden.monthly": .month])
        guard case .price(let campaign) = file.definition.work else { return }
        #expect(campaign.whenSilent == .keepAsking)
        #expect(campaign.exclusions.storefronts == ["KOR"])
        #expect(campaign.exclusions.accounts == ["support"])
        #expect(campaign.pace == CampaignPace(messagesPerMinute: 600, callsPerSecond: 20))
    }

    @Test(
        "The days of an outage are a number, or one for each day that it has begun",
        arguments: [
            ("days: 3\n", OutageCampaign.DaysRule.fixed(3), 3),
            ("days: 90\n", .fixed(90), 90), ("days: perBegunDay\n", .forEachBegunDay, 2),
        ] as [(String, OutageCampaign.DaysRule, Int)])
    func days(_ member: String, _ rule: OutageCampaign.DaysRule, _ count: Int) throws {
        let campaign = try outage(member)
        #expect(campaign.days == rule)
        #expect(campaign.grantedDays == count)
        #expect(campaign.reason == .serviceIssueOrOutage)
        #expect(campaign.storefronts == nil)
        #expect(campaign.accounts == nil)
    }

    @Test("The accounts of an outage stand in a file, one a line")
    func accounts() throws {
        let campaign = try outage(
            "days: 3\nreason: 1\naccounts: who.txt\n", ["who.txt": "ada\n\n  bea \r\n"])
        #expect(campaign.accounts == ["ada", "bea"])
        #expect(campaign.reason == .customerSatisfaction)
    }
}

/// The campaigns of `Examples/campaigns`.
enum Examples {
    static let names = ["spring-2027.yaml", "store-2027.yaml", "outage-2027.yaml"]
    /// How many files each names.
    static let attachments = ["spring-2027.yaml": 2, "store-2027.yaml": 0, "outage-2027.yaml": 1]

    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func path(_ name: String) -> String {
        root.appending(path: "Examples/campaigns/\(name)").path
    }
}
