import AppStoreWire
import Foundation
import SubscriptionRules
import Testing

@testable import perennial

@Suite("Prices, extensions, refunds and money on the command line")
struct CompensationTests {
    private static let product = "com.example.garden.estate.monthly"

    /// Runs the program against a store on 31 January 2026 in which Anna has bought.
    private func with(_ body: (Program) async throws -> Void) async throws {
        try await withGarden { program in
            let bought = try await program.run("buy", Self.product, "--account", "anna")
            #expect(bought.code == 0, "\(bought.complaint)")
            try await body(program)
        }
    }

    @Test("A price increase is scheduled, explained and told in the timeline")
    func prices() async throws {
        try await with { program in
            let place = "\(Self.product) USA"
            try await expect(
                program, "price of anna", isRefusedAs: "noIncreasePlanned")
            try await expect(
                program, "price withdraw \(place)", isRefusedAs: "noScheduledPrice")
            try await expect(program, "price changes", says: "no price changes")
            try await expect(
                program,
                "price schedule \(place) 12.99 --existing preserve --start 2026-03-01",
                says: "12.99 USD instead of 9.99 USD from 2026-03-01 00:00 on",
                "subscribers keep what they pay", "1 subscriber at 9.99 USD keeps it")
            try await expect(
                program, "price schedule \(place) 19.99 --existing apply --start 2026-03-10",
                says: "19.99 USD instead of 9.99 USD from 2026-03-10 00:00 on",
                "told or asked before")
            try await expect(
                program, "price changes --product \(Self.product)",
                says: "2026-03-10 00:00  \(Self.product)  USA         19.99 USD", "scheduled")
            try await expect(
                program, "price cohorts \(Self.product)", says: "USA         9.99 USD")
            // Monthly, bought on the 31st: asked 27 days before the renewal of 30 April.
            try await expect(
                program, "advance --to 2026-04-04", says: "2026-04-04 00:00 UTC")
            try await expect(
                program, "price of anna", says: "Path: consent", "Why:",
                "New price: from the renewal on 2026-04-30 00:00",
                "2026-04-03 00:00  mail, sheet, push, while there is no answer")
            let json = try await program.run("price", "of", "anna", "--json")
            #expect(json.json?["newPrice"]?.integer == 19_990)
            try await expect(
                program, "timeline anna --ascii",
                says: "price rises to 19.99 USD", "asked to agree to 19.99 USD",
                "from 2026-04-30 00:00 on", "price increase announced")
            // Less than the list price, and more than what Anna pays.
            try await expect(
                program, "price schedule \(place) 14.99 --start 2026-04-20",
                says: "14.99 USD instead of 19.99 USD", "whoever pays more pays it too and is not",
                "whoever pays less and is on the way to more than it is told of it, or asked, anew")
        }
    }

    @Test("Turned off, renewal takes an agreement along; so does a renewal that fails")
    func lostAgreement() async throws {
        try await with { program in
            try await expect(
                program,
                "price schedule \(Self.product) USA 19.99 --existing apply "
                    + "--start 2026-03-10", says: "19.99 USD")
            try await expect(program, "advance --to 2026-04-04", says: "2026-04-04")
            try await expect(program, "consent anna agree", says: "agreed to")
            try await expect(
                program, "renewal anna off", says: "does not renew",
                "the agreement to 19.99 USD is void: it is announced anew once `perennial renewal",
                "on` turns renewal on")
            try await expect(
                program, "timeline anna",
                says: "the increase to 19.99 USD begins anew once renewal is on again")
            let again = try await program.run("renewal", "anna", "off")
            #expect(!again.output.contains("void"), "\(again.output)")
            try await expect(program, "renewal anna on", says: "renews")
            try await expect(program, "pay anna decline", says: "is declined")
            try await expect(program, "advance --to 2026-05-01", says: "2026-05-01")
            try await expect(
                program, "timeline anna",
                says: "the increase to 19.99 USD begins anew once it has recovered")
        }
    }

    @Test("A lower price needs no word about subscribers, a higher or a past one is refused")
    func lowerPrice() async throws {
        try await with { program in
            let place = "\(Self.product) USA"
            try await expect(
                program, "price schedule \(place) 7.99",
                says: "7.99 USD instead of 9.99 USD", "nobody is told")
            try await expect(
                program, "price schedule \(place) 12.99", isRefusedAs: "invalidSetting")
            try await expect(
                program, "price schedule \(place) 7.49 --start 2020-01-01",
                isRefusedAs: "invalidSetting")
            try await expect(
                program, "price schedule \(place) 7.49 --start 2026-01-31",
                says: "7.49 USD")
        }
    }

    @Test("Cohorts are moved nearest first")
    func cohorts() async throws {
        try await with { program in
            let place = "\(Self.product) USA"
            try await expect(
                program, "price schedule \(place) 12.99 --existing preserve",
                says: "12.99 USD")
            try await expect(program, "advance P1D", says: "2026-02-01")
            try await expect(
                program, "price cohorts \(Self.product)",
                says: "preserved, list price 12.99 USD, the one to raise first")
            try await expect(
                program, "price unpreserve \(place) 8.99", isRefusedAs: "unknownCohort")
            try await expect(
                program, "price unpreserve \(place) 9.99 --start 2026-02-10",
                says: "whoever keeps 9.99 USD, or is on the way to it, moves to 12.99 USD from "
                    + "2026-02-10 00:00 on")
            try await expect(
                program, "price withdraw \(place)",
                says: "no price is scheduled any more; 12.99 USD, scheduled for 2026-02-10 00:00, "
                    + "is withdrawn")
            try await expect(
                program, "price changes", says: "withdrawn 2026-02-01 00:00", "done")
            try await expect(
                program, "price withdraw \(place)", isRefusedAs: "noScheduledPrice")
        }
    }

    @Test("One subscription or all of a product are extended")
    func extensions() async throws {
        try await with { program in
            try await expect(
                program, "extensions grant anna --days 7", says: "paid until 2026-03-07 00:00 now")
            try await expect(
                program, "extensions grant-all \(Self.product) --days 3 --watch --storefront USA",
                says: "\(Self.product): 3 days for 1 subscription, 0 failed")
            let json = try await program.run(
                "extensions", "grant-all", Self.product, "--days", "3", "--watch", "--json")
            #expect(json.json?["complete"]?.bool == true)
            #expect(json.json?["failed"]?.integer == 1)
            try await expect(
                program, "status anna",
                says: "extended 2026-01-31 00:00 twice, the newest period by 10 days")
            try await expect(program, "extensions grant anna --days 1", isRefusedAs: "notExtended")
            try await expect(
                program, "extensions grant nobody --days 1", isRefusedAs: "unknownAccount")
            try await expect(
                program, "extensions grant-all nothing --days 1", isRefusedAs: "unknownProduct")
            try await expect(
                program, "timeline anna --ascii", says: "renewal date extended",
                "to 2026-03-07 00:00", "to 2026-03-10 00:00", "not extended",
                "it was extended twice within 365 days", "+ extended")
        }
    }

    @Test("A refund ends access, a reversal gives it back, and support cancels")
    func refunds() async throws {
        try await with { program in
            let status = try await program.run("status", "anna", "--json")
            let id = try #require(
                status.json?["subscriptions"]?.array?.first?["transactionId"]?.string)
            try await expect(program, "refunds", says: "no requests for refunds")
            try await expect(
                program, "refunds reverse \(id)", isRefusedAs: "notRefunded")
            try await expect(
                program, "refunds grant 7", isRefusedAs: "unknownRefundRequest")
            try await expect(
                program, "refunds issue anna --reason problemWithApp",
                says: "transaction \(id): 9.99 USD given back",
                "\(Self.product), 2026-01-31 00:00 to 2026-02-28 00:00")
            try await expect(program, "refunds issue \(id)", isRefusedAs: "alreadyRevoked")
            try await expect(
                program, "timeline anna --ascii", says: "refunded, would have ended 2026-02-28",
                "-9.99 USD", "0.00 USD paid in all")
            try await expect(program, "subscription cancel anna", isRefusedAs: "notActive")
            try await expect(program, "advance P14D", says: "2026-02-14")
            try await expect(
                program, "refunds reverse \(id)", says: "the refund was reversed",
                "access is back until 2026-02-28 00:00, and renewal stays off")
            try await expect(
                program, "timeline anna --ascii", says: "refund reversed       9.99 USD",
                "9.99 USD paid in all", ", refunded")
            // Half of the 28 days are left: 9.99 / 2 = 4.995, which is 5.00.
            try await expect(
                program, "subscription cancel anna --prorated", says: "\(id): ended",
                "5.00 of 9.99 USD (50.05 %) given back, the unused share")
        }
    }

    @Test("Proceeds are a table, JSON or CSV")
    func proceeds() async throws {
        try await with { program in
            try await expect(
                program, "money proceeds",
                says: "2026-01  USA         \(Self.product)        1        0  9.99 USD", "all")
            try await expect(
                program, "money proceeds --csv",
                says: "2026-01,USA,\(Self.product),USD,1,0,9.99,0.00,2.997,6.993\r\n")
            try await expect(
                program, "money proceeds --from 2026-02-01", says: "no money has moved")
            let json = try await program.run("money", "proceeds", "--json")
            #expect(json.json?["lines"]?.array?.count == 1)
            try await expect(
                program, "money proceeds --csv --bundle-id nobody", isRefusedAs: "unknownApp")
        }
    }
}
