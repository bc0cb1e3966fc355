import Merchant
import MerchantConfiguration
import PlacedYAML
import Testing

/// What is wrong with a campaign is said with its line, its member and the remedy.
@Suite("Campaigns: files that are refused")
struct CampaignRefusalTests {
    /// What stands in place of a line of a good file, how the problem begins, and what to do.
    struct Case: Sendable, CustomTestStringConvertible {
        let yaml: String
        let start: String
        let remedy: String

        init(_ yaml: String, _ start: String, _ remedy: String) {
            self.yaml = yaml
            self.start = start
            self.remedy = remedy
        }

        var testDescription: String { start }
    }

    private static let priced = CampaignFileTests.priceHead
    private static let outage = CampaignFileTests.outageHead

    private static func price(_ line: String, _ other: String) -> String {
        priced.replacing(line, with: other)
    }

    static let heads = [
        Case("", "c.yaml:1: The file is empty", "`campaign: NAME`"),
        Case("a: b: c", "c.yaml:1: This is no YAML", "mapping values"),
        Case("kind: gift\n", "c.yaml:1: `kind` must be", "price or outage"),
        Case("kind: price\n", "c.yaml:1: lacks `campaign`", "campaign: spring-2027"),
        Case(price("spring", "Spring 2027"), "c.yaml:1: `campaign` must be a name", "hyphens"),
        Case(
            price("route: appStoreConnect", "route: apple"), "c.yaml:4: `route` must be",
            "appStoreConnect or merchantManaged or storeManaged"),
        Case(
            price("2027-03-01", "next spring"), "c.yaml:5: `from` must be a day",
            "2027-03-01T09:00:00Z"),
        Case(priced + "colour: red\n", "c.yaml:9: `colour` is unknown", "remove the line"),
        Case(priced + "days: 3\n", "c.yaml:9: `days` is unknown", "use campaign, app, kind"),
        Case(
            priced + "environments: [xcode]\n", "c.yaml:9: `environments[0]` must be",
            "production or sandbox"),
        Case(priced + "pace: {calls: 51}\n", "c.yaml:9: `pace.calls` must be", "from 1 to 50"),
        Case(priced + "pace: {mails: 1}\n", "c.yaml:9: `pace.mails` is unknown", "messages, calls"),
    ]

    static let prices = [
        Case(
            price("\"5.99\"", "\"5.999\""), "c.yaml:8: `prices[0].to.USA` has 3 decimals",
            "at most 2"),
        Case(
            price("USA: \"5.99\"", "JPN: \"600.5\""), "c.yaml:8: `prices[0].to.JPN` has 1", "none"),
        Case(price("\"5.99\"", "\"1,000\""), "c.yaml:8: `prices[0].to.USA` has 3 decimals", "5.99"),
        Case(price("\"5.99\"", "\"5.99 EUR\""), "c.yaml:8: `prices[0].to.USA` is in EUR", "USD"),
        Case(price("\"5.99\"", "free"), "c.yaml:8: `prices[0].to.USA` must be a price", "5.99 USD"),
        Case(
            price("\"5.99\"", "\"0\""), "c.yaml:8: `prices[0].to.USA` must be a price", "5.99 USD"),
        Case(price("\"5.99\"", "\"-1\""), "c.yaml:8: `prices[0].to.USA` must be a price", "USD"),
        Case(price("USA", "USD"), "c.yaml:8: `prices[0].to.USD` is no storefront", "such as USA"),
        Case(
            price("{USA: \"5.99\"}", "{}"), "c.yaml:8: `prices[0].to` names no storefront",
            "USA"),
        Case(
            price("  to: {USA: \"5.99\"}", "  period: P1M"), "c.yaml:7: `prices[0]` lacks `to`",
            "of each storefront"),
        Case(
            price("  to:", "  period: P4M\n  to:"), "c.yaml:8: `prices[0].period` must be",
            "P1W, P1M, P2M"),
        Case(
            price("- product:", "- sku:"), "c.yaml:7: `prices[0].sku` is Advanced Commerce's",
            "write `product`"),
        Case(
            price("appStoreConnect", "storeManaged"), "c.yaml:7: `prices[0].product` has its price",
            "write `sku`"),
        Case(
            priced + "- product: garden.monthly\n  to: {USA: \"6\"}\n",
            "c.yaml:9: `prices[1]` is garden.monthly again", "once"),
        Case(
            price("appStoreConnect", "storeManaged").replacing("product", with: "sku")
                .replacing("USA: \"5.99\"", with: "IND: \"499\""),
            "c.yaml:8: `prices[0].to.IND` takes no increase", "remove the line"),
    ]

    static let members = [
        Case(priced + "silent: keepAsking\n", "c.yaml:9: `silent` is for", "remove the line"),
        Case(priced + "declined: cancel\n", "c.yaml:9: `declined` is for", "merchantManaged"),
        Case(priced + "running: stop\n", "c.yaml:9: `running` must be", "refuse or supersede"),
        Case(priced + "push: {title: a, body: b}\n", "c.yaml:9: `push` is not sent", "remove it"),
        Case(
            priced + "except: {storefronts: [Korea]}\n",
            "c.yaml:9: `except.storefronts[0]` must be a storefront", "three letters"),
        Case(
            priced + "except: {people: [ada]}\n", "c.yaml:9: `except.people` is unknown",
            "accounts, storefronts, products"),
    ]

    static let outages = [
        Case(outage, "c.yaml:1: lacks `days`", "days: perBegunDay"),
        Case(outage + "days: 91\n", "c.yaml:6: `days` must be 1 to 90", "perBegunDay"),
        Case(outage + "days: 0\n", "c.yaml:6: `days` must be 1 to 90", "perBegunDay"),
        Case(outage + "days: 3\nreason: 4\n", "c.yaml:7: `reason` must be", "from 0 to 3"),
        Case(
            outage.replacing("2027-02-04", with: "2027-02-03").replacing("09:30", with: "08:00")
                + "days: 3\n", "c.yaml:4: `outage.to` is not after", "ended"),
        Case(
            outage + "days: 3\naccounts: none.txt\n", "c.yaml:7: `accounts` names none.txt",
            "send the file"),
        Case(
            outage + "days: 3\nentitlement: garden\naccounts: who.txt\n",
            "c.yaml:8: `accounts` says who it is for besides", "remove one"),
        Case(
            outage + "days: 3\nroute: storeManaged\n", "c.yaml:7: `route` is unknown",
            "remove the line"),
    ]

    /// A file that the merchant tells subscribers of, with its texts as they are given.
    private static func told(
        mail: String = "{from: a@example.com, subject: Price, text: good.txt}",
        sheet: String = "{title: a, body: \"{oldPrice} {newPrice} {date}\"}",
        push: String = "{title: a, body: b}"
    ) -> String {
        price("appStoreConnect", "merchantManaged").replacing("product", with: "sku")
            + "mail: \(mail)\nsheet: \(sheet)\npush: \(push)\n"
    }

    static let texts = [
        Case(
            price("appStoreConnect", "merchantManaged").replacing("product", with: "sku"),
            "c.yaml:1: lacks `mail`", "by mail, sheet and push"),
        Case(
            told(mail: "{from: a, subject: Price, text: good.txt}"),
            "c.yaml:9: `mail.from` must be an address", "anna@example.com"),
        Case(
            told(mail: "{from: a@example.com, subject: Price, text: poor.txt}"),
            "c.yaml:9: `mail.text` does not say {newPrice}, {date}, {manageUrl}", "it must"),
        Case(
            told(mail: "{from: a@example.com, subject: Price, text: none.txt}"),
            "c.yaml:9: `mail.text` names none.txt", "correct the path"),
        Case(
            told(mail: "{from: a@example.com, subject: \"{newprice}\", text: good.txt}"),
            "c.yaml:9: `mail.subject` has {newprice}", "use {oldPrice}, {newPrice}"),
        Case(
            told(mail: "{from: a@example.com, subject: {de: Preis}, text: good.txt}"),
            "c.yaml:9: `mail.subject` lacks `default`", "all other languages"),
        Case(
            told(mail: "{from: a@example.com, subject: {default: a, german: b}, text: good.txt}"),
            "c.yaml:9: `mail.subject.german` is no language", "de or pt-BR"),
        Case(
            told(sheet: "{title: a, body: soon}"),
            "c.yaml:10: `sheet.body` does not say {oldPrice}, {newPrice}, {date}", "it must"),
        Case(
            told(push: "{title: a, body: b, url: here}"), "c.yaml:11: `push.url` must be a link",
            "garden://price"),
    ]

    @Test(
        "A file that is wrong is refused with the place and the remedy",
        arguments: heads + prices + members + outages + texts)
    func refused(_ one: Case) {
        let attachments = [
            "good.txt": "{oldPrice} {newPrice} {date} {manageUrl}", "poor.txt": "{oldPrice}",
            "who.txt": "ada",
        ]
        do {
            _ = try CampaignFile.read(one.yaml, named: "c.yaml", attachments: attachments)
            Issue.record("It was accepted: \(one.yaml)")
        } catch {
            let problems = error.problems.map(\.description)
            let found = problems.first { $0.hasPrefix(one.start) }
            #expect(found?.contains(one.remedy) == true, "\(problems)")
        }
    }

    /// Each line names the one before ten times.
    private static var bomb: String {
        let levels = (1...12).map { level in
            let before = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            return "a\(level): &a\(level) [\(before)]\n"
        }
        return "a0: &a0 x\n" + levels.joined()
    }

    /// One mapping of many members, in each element of a long list.
    private static var crowd: String {
        let members = (0..<2000).map { "m\($0): 1" }.joined(separator: ", ")
        let list = Array(repeating: "*a", count: 2000).joined(separator: ", ")
        return "campaign: &a {\(members)}\nprices: [\(list)]\n"
    }

    @Test("Aliases that mean more than a file may say are refused", arguments: [true, false])
    func aliases(isBomb: Bool) {
        let yaml = isBomb ? Self.bomb : Self.crowd
        do {
            _ = try CampaignFile.read(yaml, named: "c.yaml", attachments: [:])
            Issue.record("It was accepted")
        } catch {
            #expect(error.problems.count == 1)
            #expect(error.problems.first?.message.contains("aliases") == true)
        }
    }

    @Test("A price table may be said once and used again")
    func alias() throws {
        let yaml =
            Self.price("{USA: \"5.99\"}", "&all {USA: \"5.99\"}")
            + "- product: garden.yearly\n  to: *all\n"
        let file = try CampaignFile.read(yaml, named: "c.yaml", attachments: [:])
        #expect(file.definition.products == ["garden.monthly", "garden.yearly"])
    }

    @Test("A file that the merchant tells of is accepted as the cases above vary it")
    func good() throws {
        _ = try CampaignFile.read(
            Self.told(), named: "c.yaml",
            attachments: ["good.txt": "{oldPrice} {newPrice} {date} {manageUrl} {answerUrl}"])
    }
}
