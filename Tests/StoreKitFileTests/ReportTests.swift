import AppStoreWire
import StoreKitFile
import SubscriptionRules
import Testing

@Suite("The report of `catalog check`")
struct ReportTests {
    private func report(_ names: String...) throws -> CatalogueReport {
        CatalogueReport(paths: try names.map(TestFiles.path))
    }

    /// Each row on a line, its cells as they are.
    private func rows(_ rows: [[String]]) -> [String] { rows.map { $0.joined(separator: "|") } }

    @Test("People read a table and the findings")
    func text() throws {
        let expected = """
            1.1.storekit: format 1.1, storefront FRA (EUR), language fr
              1 group, 1 auto-renewable subscription, 2 offers, 1 non-renewing subscription, \
            1 consumable

              id|type|price|period|level|group|offers
              bench|Consumable|1.99 EUR||||
              tour.summer|Non-Renewing Subscription|9.99 EUR||||
              walks.monthly|Auto-Renewable Subscription|4.99 EUR|P1M|1|Walks|\
            introductory 1.99 EUR each P1M, 2 times
              ||||||promotional thanks free P1M

              Prices are for FRA (EUR). Every other storefront charges the same number in its own \
            currency, rounded to that currency's decimals, until `perennial price set PRODUCT \
            STOREFRONT PRICE` sets another.

              Right, and could be better:
            advice  1.1.storekit $.nonRenewingSubscriptions[0].productID: The identifier does not \
            say how long it lasts. Put the duration into identifiers of new products: reports show \
            nothing else.
            advice  1.1.storekit $: No link to a privacy policy is given, which subscriptions need. \
            Type it in Xcode, and in App Store Connect.

            1 file, 3 products, 0 warnings, 0 errors

            """
        #expect(try report("versions/1.1.storekit").text(table: rows) == expected)
    }

    @Test("A refused file is an entry with its errors, and the others are still reported")
    func refused() throws {
        let report = try report("refused/empty.storekit", "versions/4.0.storekit")
        #expect(report.hasErrors)
        #expect(report.files.map(\.errors.count) == [1, 0])
        let text = report.text(table: rows)
        #expect(text.hasPrefix("empty.storekit: not imported\n"))
        #expect(text.contains("error   empty.storekit $: The file is empty."))
        #expect(text.hasSuffix("2 files, 2 products, 0 warnings, 1 error\n"))
        #expect(try !self.report("versions/4.0.storekit").hasErrors)
    }

    @Test("A report under another name names every finding so")
    func named() throws {
        let report = CatalogueReport(
            files: try ["refused/empty.storekit", "tolerated/no-products.storekit"].map {
                CatalogueReport.File(path: try TestFiles.path($0)).named("a/\($0)")
            })
        let text = report.text(table: rows)
        #expect(text.hasPrefix("a/refused/empty.storekit: not imported\n"))
        #expect(text.contains("error   a/refused/empty.storekit $: The file is empty."))
        #expect(
            report.files[1].warnings.allSatisfy { $0.file == "a/tolerated/no-products.storekit" })
        #expect(!report.files[1].warnings.isEmpty)
    }

    @Test("A product that would change its type or group is found at its place")
    func conflicts() throws {
        func file(_ products: String, _ groups: String) throws -> StoreKitFile {
            try StoreKitFile.read(
                bytes: Array(
                    """
                    {"products":[\(products)],"subscriptionGroups":[\(groups)]}
                    """.utf8), name: "Plus.storekit")
        }
        func gems(_ type: String) -> String {
            #"{"productID":"gems","type":"\#(type)","displayPrice":"1.00"}"#
        }
        func group(_ id: String, _ plan: String) -> String {
            #"""
            {"id":"\#(id)","name":"\#(id)","subscriptions":[{"productID":"\#(plan)",
            "displayPrice":"2.00","recurringSubscriptionPeriod":"P1M"}]}
            """#
        }
        let known = try file(gems("Consumable"), group("one", "plus")).catalogue
        #expect(
            try file(gems("Consumable"), group("one", "plus")).conflicts(with: known).isEmpty)
        #expect(try file("", group("two", "other")).conflicts(with: known).isEmpty)
        let found = try file(
            gems("NonConsumable"), group("zero", "free") + "," + group("two", "plus")
        ).conflicts(with: known)
        #expect(
            found.map(\.path) == [
                "$.products[0].productID",
                "$.subscriptionGroups[1].subscriptions[0].productID",
            ])
        #expect(found.first?.problem.contains("is sold as Consumable") == true)
        #expect(
            found.last?.problem.contains(#"in the group "one", and here it is in "two""#) == true)
        #expect(found.allSatisfy { $0.file == "Plus.storekit" && !$0.remedy.isEmpty })
    }

    @Test("Colours are there only when asked for")
    func colours() throws {
        let report = try report("refused/many-problems.storekit", "versions/1.0.storekit")
        #expect(!report.text(table: rows).unicodeScalars.contains("\u{1B}"))
        let coloured = report.text(colours: true, table: rows)
        #expect(coloured.contains("\u{1B}[31merror\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[33mwarning\u{1B}[0m"))
        let plain = coloured.replacing(/\u{1B}\[[0-9]+m/, with: "")
        #expect(plain == report.text(table: rows))
    }

    @Test("Programs read the same as JSON, prices in milliunits")
    func json() throws {
        let report = try report("versions/1.1.storekit", "refused/price-with-comma.storekit")
        let json = try JSONValue(parsing: report.jsonBytes())
        #expect(json["hasErrors"] == .bool(true))
        #expect(
            json["counts"]
                == .object([
                    "files": .integer(2), "products": .integer(3), "warnings": .integer(0),
                    "errors": .integer(1),
                ]))
        let files = try #require(json["files"]?.array)
        #expect(files[0]["storefront"] == .string("FRA"))
        let walks = try #require(files[0]["products"]?.array?.last)
        #expect(walks["id"] == .string("walks.monthly"))
        #expect(walks["type"] == .string("Auto-Renewable Subscription"))
        #expect(walks["price"] == .integer(4990))
        #expect(walks["period"] == .string("P1M"))
        #expect(walks["level"] == .integer(1))
        #expect(walks["group"] == .string("Walks"))
        let offer = try #require(walks["offers"]?.array?.first)
        #expect(
            offer
                == .object([
                    "type": .integer(1), "discountType": .string("PAY_AS_YOU_GO"),
                    "period": .string("P1M"), "periodCount": .integer(2),
                    "price": .integer(1990), "currency": .string("EUR"),
                ]))
        #expect(walks["offers"]?.array?.last?["id"] == .string("thanks"))
        #expect(files[1]["imported"] == .bool(false))
        let error = try #require(files[1]["errors"]?.array?.first)
        #expect(error["path"] == .string("$.products[0].displayPrice"))
        #expect(error["remedy"]?.string?.isEmpty == false)
    }
}

@Suite("Our own example")
struct ExampleTests {
    private func garden() throws -> StoreKitFile {
        try StoreKitFile.read(path: TestFiles.example)
    }

    @Test("It is imported without unusual warnings, as Xcode 16 would have written it")
    func sound() throws {
        let garden = try garden()
        #expect(garden.warnedPaths.isEmpty)
        #expect(garden.version == "4.0")
        #expect(garden.storefront == "USA")
        #expect(garden.catalogue.products.allSatisfy { $0.id.hasPrefix("com.example.garden.") })
        // Products keep their identifiers, and one was named before anybody gave advice.
        #expect(
            garden.advice.map(\.problem) == ["The identifier does not say how long it lasts."])
        #expect(garden.advice.map(\.path) == ["$.nonRenewingSubscriptions[0].productID"])
    }

    @Test("It has one of everything that the store sells")
    func complete() throws {
        let catalogue = try garden().catalogue
        #expect(Set(catalogue.products.map(\.type)) == Set(ProductType.allCases))
        let terms = catalogue.products.compactMap(\.subscription)
        let offers = terms.flatMap(\.offers)
        #expect(Set(offers.map(\.kind)) == Set(Offer.Kind.allCases))
        #expect(
            Set(offers.filter { $0.kind == .introductory }.map(\.mode))
                == Set(Offer.Mode.allCases))
        let club = terms.filter { $0.groupID == catalogue.groups[0].id }
        #expect(Set(club.map(\.level)) == [1, 2, 3])
        #expect(club.contains { $0.period == .week })
        // Level 2 has two monthly plans and a yearly one: every kind of crossgrade.
        #expect(club.filter { $0.level == 2 }.map(\.period.iso8601) == ["P1M", "P1M", "P1Y"])
        #expect(catalogue.products.contains { $0.isFamilyShareable && $0.type == .nonConsumable })
        #expect(terms.count { $0.groupID == catalogue.groups[1].id } == 1)
    }
}
