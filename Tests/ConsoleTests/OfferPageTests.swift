import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: offers and their codes")
struct OfferPageTests {
    private static let product = "/console/catalogue/com.example.app/silver.monthly"
    private static let offers = "\(product)/offers"

    /// What is filled in for an offer of each kind, and what its page says of it.
    private static let orders:
        [(type: String, name: String, form: [String: String], says: String)] = [
            (
                "INTRODUCTORY", "first",
                ["referenceName": "first", "mode": "FREE_TRIAL", "period": "P1W"],
                "free for 1 week"
            ),
            (
                "PROMOTIONAL", "spring",
                [
                    "id": "spring", "mode": "PAY_AS_YOU_GO", "period": "P1M", "periodCount": "3",
                    "price": "2.99", "prices": "deu 1.99\nGBR 2.49", "storefronts": "usa, deu gbr",
                    "ends": "2026-06-01",
                ], "$2.99 each month, 3 times"
            ),
            (
                "OFFER_CODE", "WELCOME",
                [
                    "id": "WELCOME", "mode": "PAY_UP_FRONT", "period": "P6M", "price": "19.99",
                    "audience-new": "true", "audience-expired": "true", "stackable": "true",
                ], "$19.99 for 6 months"
            ),
            (
                "WIN_BACK", "back",
                [
                    "id": "back", "mode": "FREE_TRIAL", "period": "P2W", "begins": "2026-01-02",
                    "paidMonths": "3", "fromMonths": "1", "toMonths": "12", "waitMonths": "2",
                    "priority": "HIGH",
                ], "1 to 12 months ago"
            ),
        ]

    @Test("An offer of each kind is made, shown and ended", arguments: Backend.available)
    func made(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        try await world.signedIn { browser in
            for (type, name, form, says) in Self.orders {
                let page = try await browser.get("\(Self.product)/new-offer?type=\(type)")
                let made = try await browser.submit(page, to: Self.offers, form)
                #expect(made.location == "\(Self.offers)/\(type)/\(name)?done=createOffer")
                let shown = try await browser.get(made.location ?? "")
                #expect(shown.words.contains(says), "\(shown.words)")
                #expect(shown.words.contains("The offer is made."))
            }
            let offers = try await browser.call(
                .get, "/connect/v1/apps/com.example.app/products/silver.monthly/offers")
            for text in [
                #""prices":[{"storefront":"DEU","price":1990},"#
                    + #"{"storefront":"GBR","price":2490}]"#,
                #""storefronts":["DEU","GBR","USA"]"#, #""ends":"2026-06-01T00:00:00Z""#,
                #""audiences":["new","expired"],"stackable":true"#,
                #""winBack":{"paidMonths":3,"fromMonths":1,"toMonths":12,"waitMonths":2,"#
                    + #""priority":"HIGH"}"#,
            ] {
                #expect(offers.text.contains(text), "\(offers.text)")
            }
            let product = try await browser.get(Self.product)
            for (type, name, _, _) in Self.orders {
                #expect(product.links.contains("\(Self.offers)/\(type)/\(name)"))
            }
            let spring = "\(Self.offers)/PROMOTIONAL/spring"
            let page = try await browser.get(spring)
            #expect(page.words.contains("€1.99") && page.words.contains("£2.49"), "\(page.words)")
            let ended = try await browser.submit(page, to: "\(spring)/end")
            #expect(ended.location == "\(Self.offers)?done=endOffer")
            let over = try await browser.get(spring)
            #expect(over.form(to: "\(spring)/end") == nil)
            #expect(over.words.contains("over"))
        }
    }

    @Test("What an offer cannot be is said beside its field, and all that was typed stays")
    func refused() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            let before = try await world.tables()
            let page = try await browser.get("\(Self.product)/new-offer?type=PROMOTIONAL")
            let good = [
                "id": "summer", "mode": "PAY_AS_YOU_GO", "period": "P1M", "periodCount": "3",
                "price": "2.99",
            ]
            for (field, value, status) in [
                ("price", "99.99", 400), ("price", "cheap", 400), ("prices", "DEU", 400),
                ("period", "P1W", 400), ("periodCount", "x", 400), ("periodCount", "13", 400),
                ("ends", "2025-01-01", 400), ("begins", "tomorrow", 400),
                ("storefronts", "ZZZ", 404), ("id", String(repeating: "a", count: 65), 400),
            ] {
                let sight = try await browser.submit(
                    page, to: Self.offers, good.merging([field: value]) { $1 })
                #expect([status, 400].contains(sight.status), "\(field): \(sight.status)")
                #expect(
                    sight.text.contains("id=\"offer-\(field)-problem\""),
                    "\(field): \(sight.words)")
                #expect(sight.text.contains("id=\"problem\""))
                let again = try #require(sight.form(to: Self.offers))
                #expect(again.contains { $0.name == "type" && $0.value == "PROMOTIONAL" })
                let shown = sight.markup.contains { tag in
                    tag.attributes["value"] == value && tag.attributes["name"] == field
                }
                #expect(shown || field == "period" || field == "prices", "\(field)")
                expectSafe(sight)
            }
            let code = try await browser.get("\(Self.product)/new-offer?type=OFFER_CODE")
            let sight = try await browser.submit(
                code, to: Self.offers, ["id": "A", "mode": "FREE_TRIAL", "period": "P1M"])
            #expect(sight.status == 400)
            #expect(sight.text.contains("class=\"problem\""))
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("What is bought once has offers with codes alone, and nothing unknown has any")
    func boughtOnce() async throws {
        try await ConsoleWorld().signedIn { browser in
            let coins = "/console/catalogue/com.example.app/coins"
            #expect(try await browser.get(coins).links.contains("\(coins)/offers"))
            let offers = try await browser.get("\(coins)/offers")
            let kinds = offers.links.filter { $0.contains("/new-offer?type=") }
            #expect(kinds == ["\(coins)/new-offer?type=OFFER_CODE"])
            let page = try await browser.get(kinds.first ?? "")
            #expect(!page.text.contains("name=\"period\""))
            let refused = try await browser.submit(
                page, to: "\(coins)/offers", ["id": "GIFT", "price": "0.49"])
            #expect(refused.status == 400)
            let made = try await browser.submit(
                page, to: "\(coins)/offers",
                ["id": "GIFT", "price": "0.49", "audience-nonSpender": "true"])
            #expect(made.location == "\(coins)/offers/OFFER_CODE/GIFT?done=createOffer")
            let shown = try await browser.get(made.location ?? "")
            for words in ["$0.49, once", "who paid for nothing in the app"] {
                #expect(shown.words.contains(words), "\(shown.words)")
            }
            #expect(try await browser.get("/console/codes").words.contains("GIFT (coins)"))
            let none = "/console/catalogue/com.example.app/nothing/offers"
            #expect(try await browser.get(none).status == 404)
            let other = try await browser.get("\(Self.offers)/PROMOTIONAL/nothing")
            #expect(other.status == 404)
        }
    }

    @Test("Codes are made, downloaded, redeemed and ended", arguments: Backend.available)
    func codes(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        try await world.signedIn { browser in
            let new = try await browser.get("\(Self.product)/new-offer?type=OFFER_CODE")
            let offer = "\(Self.offers)/OFFER_CODE/WELCOME"
            _ = try await browser.submit(new, to: Self.offers, Self.orders[2].form)
            let page = try await browser.get(offer)
            for (values, field) in [
                (["count": ""], "count"), (["count": "many"], "count"), (["count": "0"], "count"),
                (["count": "1", "custom": "no spaces"], "custom"),
                (["count": "1", "expires": "2025-01-01"], "expires"),
            ] {
                let sight = try await browser.submit(page, to: "\(offer)/codes", values)
                #expect(sight.status == 400)
                #expect(
                    sight.text.contains("id=\"codes-\(field)-problem\""),
                    "\(values): \(sight.words)")
            }
            let made = try await browser.submit(page, to: "\(offer)/codes", ["count": "3"])
            let batch = try #require(made.location).replacing("?done=makeCodes", with: "")
            #expect(batch.hasPrefix("/console/codes/com.example.app/"))
            let file = try await browser.get("\(batch)/codes.csv")
            let codes = file.text.split(separator: "\r\n")
            #expect(codes.count == 3 && Set(codes.map(\.count)) == [18])
            #expect(file.fields[.contentType] == "text/csv; charset=utf-8; header=absent")
            #expect(file.fields[.contentDisposition]?.hasPrefix("attachment; ") == true)
            expectSafe(file)
            _ = try await world.world.store.redeem(
                code: String(codes[0]), by: try await world.world.device("ada"))
            let redeemed = try await browser.get("/console/codes?product=silver.monthly")
            let row = try #require(
                redeemed.text.split(separator: "<tr").first { $0.contains(batch) })
            #expect(row.contains(#"data-column="Redeemed" class="number"><bdi>1</bdi>"#), "\(row)")
            // A form is carried out once, so that another one is asked for.
            _ = try await browser.submit(
                try await browser.get(offer), to: "\(offer)/codes",
                ["custom": "SPRING26", "count": "5000"])
            let all = try await browser.get("/console/codes")
            #expect(all.words.contains("SPRING26") && all.words.contains("5,000"))
            let ended = try await browser.submit(try await browser.get(batch), to: "\(batch)/end")
            #expect(ended.location == "\(batch)?done=endCodes")
            let over = try await browser.get(batch)
            #expect(over.form(to: "\(batch)/end") == nil)
            #expect(over.words.contains("They were ended"))
        }
        await #expect(throws: StoreError.self) {
            let codes = try await world.world.store.offerCodeBatches(
                bundleID: World.bundleID, in: .production, limit: 5)
            let texts = try await world.world.store.offerCodes(
                ofBatch: try #require(codes.last).id, bundleID: World.bundleID, in: .production)
            _ = try await world.world.store.redeem(
                code: texts[1], by: try await world.world.device("bob"))
        }
    }

    @Test("Codes of one environment are on no page of the other, and offers on those of both")
    func environments() async throws {
        let world = try await ConsoleWorld()
        let batch = try await world.signedIn { browser in
            let new = try await browser.get("\(Self.product)/new-offer?type=OFFER_CODE")
            _ = try await browser.submit(new, to: Self.offers, Self.orders[2].form)
            let offer = "\(Self.offers)/OFFER_CODE/WELCOME"
            let made = try await browser.submit(
                try await browser.get(offer), to: "\(offer)/codes", ["count": "3"])
            return try #require(made.location?.split(separator: "?").first.map(String.init))
        }
        try await world.signedIn(.sandbox) { browser in
            #expect(try await browser.get(batch).status == 404)
            #expect(try await browser.get("\(batch)/codes.csv").status == 404)
            let codes = try await browser.get("/console/codes")
            #expect(!codes.links.contains(batch))
            let offers = try await browser.get(Self.offers)
            #expect(offers.links.contains("\(Self.offers)/OFFER_CODE/WELCOME"))
            // The command takes no environment, since it holds for both.
            #expect(offers.words.contains("perennial offer list silver.monthly"))
            #expect(!offers.words.contains("silver.monthly --sandbox"))
        }
    }
}
