import AppStoreWire
import ArgumentParser
import SubscriptionRules
import Testing
import Wording

@testable import perennial

@Suite("perennial price explain, of several items")
struct BundlePriceCommandTests {
    private static let dates = "--renews 2026-03-15 --live 2026-02-15"

    private func explain(_ arguments: String) throws -> BundlePriceExplanation {
        let words = arguments.split(separator: " ").map(String.init)
        return try PriceChangeExplainCommand.parse(words).explainBundle()
    }

    @Test("Items, requests, messages and bills are said line by line")
    func lines() throws {
        let explanation = try explain(
            "--item news=9.99:10.99 --item sport=4.99:10.99,ends=replay --item replay=2.99 "
                + Self.dates)
        let lines = Wording.english.lines(explanation)
        #expect(
            lines.first == "17.97 USD → 24.97 USD (+38.95 %), 3 items, P1M, storefront USA, live "
                + "2026-02-15 00:00")
        for line in [
            "Item news: 9.99 USD → 10.99 USD (+10.01 %)",
            "  Path: notice: the subscriber is told and need not answer.",
            "  Path: consent: the price rises only if the subscriber agrees.",
            "  With it end, where it is refused or not answered: replay.",
            "  from 2026-02-15 00:00; a later one means a later renewal: news, sport",
            "  2026-02-16 00:00  mail; sheet, at the first launch of the app from then on: news",
            "  2026-02-16 00:00  mail, sheet, push, while there is no answer: sport",
            "  2026-03-15 00:00  24.97 USD; without an answer 10.99 USD, since sport, replay end",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test("JSON says the same of each item and of all, with the timetable")
    func json() throws {
        let explanation = try explain(
            "--item news=9.99:10.99 --item sport=4.99:10.99,increased=2025-09-01 "
                + "--route merchantManaged " + Self.dates)
        let json = try JSONValue(parsing: explanation.jsonBytes())
        #expect(json["path"]?.string == "consent")
        let items = try #require(json["items"]?.array)
        #expect(items.map { $0["sku"]?.string } == ["news", "sport"])
        #expect(items.map { $0["path"]?.string } == ["notice", "consent"])
        let timetables = items.compactMap { $0["timetable"]?.array }
        #expect(timetables.map(\.count) == [3, 3])
        #expect(timetables[0].map { $0["daysBefore"]?.integer } == [27, 27, 7])
        #expect(timetables[1].map { $0["repeatsAfterDays"]?.integer } == [7, 7, 7])
        #expect(json["sum"]?["newPrice"]?.integer == 21_980)
        #expect(json["requests"]?.array?.map { $0["needsConsent"]?.bool } == [true, false])
        #expect(json["bills"]?.array?.map { $0["ifUnanswered"]?.integer } == [15_980])
    }

    @Test("The timetable names every occasion, length and channel")
    func timetable() throws {
        let json = try JSONValue(parsing: PriceChangeTimetableCommand.all.jsonBytes())
        let timetables = try #require(json["timetables"]?.array)
        #expect(timetables.count == 3 * 6)
        let yearly = try #require(
            timetables.first {
                $0["occasion"]?.string == "consent" && $0["period"]?.string == "P1Y"
            })
        #expect(yearly["timetable"]?.array?.map { $0["daysBefore"]?.integer } == [60, 60, 60])
        let table = PriceChangeTimetableCommand.table(Output.style())
        #expect(table.count == 1 + 3 * 6 * 3 + 2)
    }

    @Test(
        "What no bundle can be is refused",
        arguments: [
            "--item news", "--item =9.99:10.99", "--item news=9.99:10.99:11.99",
            "--item news=9.99:10.999", "--item news=9.99:10.99,offer=maybe",
            "--item news=9.99:10.99,left=2", "--item news=9.99:10.99,likes=chess",
            "--item news=9.99:10.99,ends=chess", "--item news=9.99 --item news=9.99",
            "9.99 10.99 --item news=9.99", "--item news=9.99 --offer freeTrial",
            "--item news=9.99:10.99 --route appStoreConnect", "9.99", "",
        ])
    func refused(_ arguments: String) {
        let words = (arguments + " " + Self.dates).split(separator: " ").map(String.init)
        #expect(throws: (any Error).self) { try PriceChangeExplainCommand.parse(words) }
    }
}
