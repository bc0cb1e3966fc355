import AppStoreWire
import StoreKitFile
import SubscriptionRules
import Testing

@Suite("Advice on files that are right")
struct AdviceTests {
    /// A plan as Xcode writes it.
    private struct Plan {
        var id = "club.monthly"
        var names = ["en_US": "Club"]
        var price = "4.99"
        var level = 1
        var period = "P1M"

        var json: String {
            let texts = names.sorted { $0.key < $1.key }.map {
                #"{"locale":"\#($0.key)","displayName":"\#($0.value)","description":""}"#
            }
            return """
                {"productID":"\(id)","type":"RecurringSubscription","displayPrice":"\(price)",
                 "groupNumber":\(level),"recurringSubscriptionPeriod":"\(period)",
                 "referenceName":"Club","localizations":[\(texts.joined(separator: ","))]}
                """
        }
    }

    private static let policy =
        #"{"policies":[{"locale":"en_US","policyURL":"https://a.example"}]}"#

    private func file(
        _ plans: [Plan], products: String = "", policies: String = policy,
        settings: String = #"{"_storefront":"USA"}"#
    ) throws -> StoreKitFile {
        let text = """
            {"appPolicies":\(policies),"products":[\(products)],"settings":\(settings),
             "subscriptionGroups":[{"id":"G","name":"Club","localizations":[],
              "subscriptions":[\(plans.map(\.json).joined(separator: ","))]}],
             "version":{"major":4,"minor":0}}
            """
        return try StoreKitFile.read(bytes: Array(text.utf8), name: "Club.storekit")
    }

    @Test("A good file is given none, and no warning")
    func none() throws {
        let file = try file([
            Plan(), Plan(id: "club.yearly", price: "49.99", period: "P1Y"),
            Plan(id: "club.light.p1w", price: "0.99", level: 2, period: "P1W"),
        ])
        #expect(file.advice == [])
        #expect(file.warnings == [])
    }

    @Test(
        "A name has neither the word nor the duration",
        arguments: [
            ("Club Subscription", "the word"), ("club subscriptions", "the word"),
            ("Club, yearly", "the duration"), ("One Month of Club", "the duration"),
            ("Weekly Club", "the duration"),
        ])
    func names(name: String, problem: String) throws {
        let advice = try file([Plan(names: ["en_US": name])]).advice
        #expect(advice.count == 1, "\(advice)")
        #expect(advice.first?.problem.contains(problem) == true)
        #expect(advice.first?.path == "$.subscriptionGroups[0].subscriptions[0].productID")
        // Only English is read so.
        #expect(try file([Plan(names: ["de_DE": name])]).advice == [])
    }

    @Test("Words that only look alike are left alone", arguments: ["Birthday Club", "Yearling"])
    func alike(name: String) throws {
        #expect(try file([Plan(names: ["en_US": name])]).advice == [])
    }

    @Test(
        "An identifier says how long it lasts",
        arguments: [
            ("club.monthly", true), ("club.1m", true), ("club.P1Y", true), ("clubyearly", true),
            ("club.12mo", true), ("club.year1", true), ("club", false), ("club.pro", false),
            ("club.2024", false), ("club.4men", false),
        ])
    func identifiers(id: String, isGood: Bool) throws {
        let advice = try file([Plan(id: id)]).advice
        #expect(advice.isEmpty == isGood, "\(advice)")
    }

    @Test("An identifier of what is bought once needs no duration")
    func once() throws {
        let file = try file(
            [], products: #"{"productID":"gems","type":"Consumable","displayPrice":"0.99"}"#)
        #expect(file.advice == [])
    }

    @Test("What others have texts in, each should have")
    func languages() throws {
        let advice = try file([
            Plan(names: ["en_US": "Club", "de_DE": "Verein", "fr_FR": "Club"]),
            Plan(id: "club.yearly", names: ["en_US": "Club"], period: "P1Y"),
        ]).advice
        #expect(advice.count == 1)
        #expect(advice.first?.problem.contains("de_DE, fr_FR") == true)
        #expect(advice.first?.path.contains("subscriptions[1]") == true)
    }

    @Test("Levels that make each step up a downgrade are named, others are not")
    func levels() throws {
        func advice(_ levels: [Int]) throws -> [Finding] {
            try file([
                Plan(id: "light.monthly", price: "1.99", level: levels[0]),
                Plan(id: "usual.monthly", price: "4.99", level: levels[1]),
                Plan(id: "best.monthly", price: "9.99", level: levels[2]),
            ]).advice
        }
        #expect(try advice([1, 2, 3]).map(\.path) == ["$"])
        #expect(try advice([1, 1, 2]).count == 1)
        #expect(try advice([3, 2, 1]) == [])
        #expect(try advice([1, 1, 1]) == [])
        #expect(try advice([2, 1, 3]) == [])
    }

    @Test(
        "A shorter plan does not stand above a longer one of the same service",
        arguments: [
            ("club.monthly", 1, "P1M", "club.yearly", 2, "P1Y", true),
            ("club.monthly", 1, "P1M", "club.yearly", 1, "P1Y", false),
            ("club.monthly", 2, "P1M", "club.yearly", 1, "P1Y", false),
            ("club.weekly", 1, "P1W", "club.monthly", 3, "P1M", true),
            ("gold.monthly", 1, "P1M", "silver.yearly", 2, "P1Y", false),
        ])
    func durations(
        one: String, level: Int, period: String, other: String, otherLevel: Int,
        otherPeriod: String, isAdvised: Bool
    ) throws {
        let name = { (id: String) in ["en_US": String(id.prefix { $0 != "." })] }
        let advice = try file([
            Plan(id: one, names: name(one), level: level, period: period),
            Plan(
                id: other, names: name(other), price: "39.99", level: otherLevel,
                period: otherPeriod),
        ]).advice
        #expect(advice.contains { $0.problem.contains("a longer plan of the same") } == isAdvised)
    }

    @Test(
        "Subscriptions need a privacy policy",
        arguments: [
            (#"{"policies":[{"locale":"en_US","policyText":"","policyURL":""}]}"#, 1),
            ("{}", 1), (#"{"policies":[{"policyText":"We keep nothing."}]}"#, 0),
        ])
    func privacy(policies: String, count: Int) throws {
        #expect(try file([Plan()], policies: policies).advice.count == count)
        #expect(try file([], policies: policies).advice.isEmpty)
    }

    @Test("A storefront that nobody named is said to be assumed")
    func storefront() throws {
        for (settings, isAssumed) in [("{}", true), (#"{"_storefront":"USA"}"#, false)] {
            let file = try file([Plan()], settings: settings)
            #expect(file.storefront == "USA")
            #expect(file.isStorefrontAssumed == isAssumed)
            let text = CatalogueReport(files: [.init(name: "a", file)]).text { _ in [] }
            #expect(text.contains("assumed") == isAssumed)
        }
    }

    @Test("Advice stands apart from warnings, for people and for programs")
    func report() throws {
        let report = CatalogueReport(files: [.init(name: "a", try file([Plan(id: "club")]))])
        let text = report.text { _ in [] }
        #expect(text.contains("Right, and could be better:\nadvice  Club.storekit $.subs"))
        #expect(text.hasSuffix("1 file, 1 product, 0 warnings, 0 errors\n"))
        let json = try JSONValue(parsing: report.jsonBytes())["files"]?.array?.first
        #expect(json?["advice"]?.array?.count == 1)
        #expect(json?["warnings"]?.array?.count == 0)
    }

    @Test("What is sold for nothing on purpose, and lists that hold nothing, are left alone")
    func leftAlone() throws {
        func products(_ type: String) -> String {
            #"{"productID":"trial","type":"\#(type)","displayPrice":"0.00"}"#
        }
        for (type, isOdd) in [("NonConsumable", false), ("Consumable", true)] {
            let warnings = try file([], products: products(type)).warnings
            #expect(warnings.contains { $0.problem.contains("price is 0") } == isOdd)
        }
        let empty = #"{"products":[],"subscriptionGroups":[],"nonConsumableProducts":[],"odd":[]}"#
        let warnings = try StoreKitFile.read(bytes: Array(empty.utf8), name: "a").warnings
        #expect(!warnings.contains { $0.path == "$.odd" || $0.path == "$.nonConsumableProducts" })
    }
}
