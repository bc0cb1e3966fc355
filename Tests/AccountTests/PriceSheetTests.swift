import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: a price that goes up")
struct PriceSheetTests {
    private func path(_ id: String, _ rest: String = "") -> String {
        "/account/subscriptions/\(id)\(rest)"
    }

    /// Silver for 9.99, which will cost more from 15 April on.
    private func raised(
        _ backend: Backend = .sqlite, to price: Int64
    ) async throws -> (world: AccountWorld, id: String) {
        let world = try await AccountWorld(backend, at: "2026-01-15T12:00:00Z")
        let id = try await world.subscribe()
        try await world.world.schedule("silver.monthly", price, live: "2026-03-10")
        try await world.advance(to: "2026-03-20T12:00:00Z")
        return (world, id)
    }

    @Test(
        "The sheet that asks has all that it must, and looking at it is no answer",
        arguments: Backend.available)
    func consent(_ backend: Backend) async throws {
        let (world, id) = try await raised(backend, to: 19_990)
        try await world.signedIn { browser in
            let before = try await world.tables()
            let manage = try await browser.get(path(id))
            #expect(manage.links.contains(path(id, "/price")))
            let sheet = try await browser.get(path(id, "/price"))
            expectSafe(sheet)
            for text in [
                "Subscription Price Increase", "silver.monthly in App", "$9.99 per month",
                "$19.99 per month", "April 15, 2026", "Agree to New Price", "Do Not Agree",
                "Not Now", "Review or Cancel Subscription",
                "Without your agreement silver.monthly ends on April 15, 2026",
            ] {
                #expect(sheet.words.contains(text), "\(text)")
            }
            #expect(sheet.form(to: path(id, "/price/seen")) == nil)
            #expect(try await world.changes(since: before) == [])
            let sight = try await browser.submit(sheet, to: path(id, "/price/agree"))
            #expect(sight.location == path(id) + "?done=agree")
            let shown = try await browser.get(try #require(sight.location))
            #expect(shown.words.contains("You have agreed to the new price."))
        }
        try await world.advance(to: "2026-04-16T12:00:00Z")
        try await world.signedIn { browser in
            let words = try await browser.get(path(id)).words
            #expect(words.contains("$19.99 per month"))
        }
    }

    @Test(
        "Overview and manage page say that a price waits and what silence leads to, as no answer",
        arguments: [
            (
                19_990, "en", "You are asked to agree to a new price: $19.99 per month",
                "Without your agreement silver.monthly ends on April 15, 2026"
            ),
            (
                10_990, "en", "The price changes to $10.99 per month on April 15, 2026.",
                "You need do nothing."
            ),
            (19_990, "de", "Sie werden um Zustimmung", "Ohne Ihre Zustimmung"),
            (10_990, "fr", "Le prix change le", "Vous n’avez rien à faire."),
            (19_990, "es", "Se le pide que acepte", "Sin su acuerdo"),
            (10_990, "ja", "に変わります。", "手続きは不要です。"),
            (19_990, "ar", "يُطلب منك الموافقة", "دون موافقتك"),
        ] as [(Int64, String, String, String)])
    func waiting(price: Int64, language: String, news: String, silence: String) async throws {
        let (world, id) = try await raised(to: price)
        try await world.signedIn { browser in
            let before = try await world.tables()
            for page in ["/account", path(id)] {
                let sight = try await browser.get(page, [.acceptLanguage: language])
                expectSafe(sight)
                #expect(sight.links.contains(path(id, "/price")), "\(page)")
                for text in [news, silence] { #expect(sight.words.contains(text), "\(text)") }
            }
            #expect(try await world.changes(since: before) == [])
            // It waits for the answer as before.
            let sheet = try await browser.get(path(id, "/price"))
            let way = price > 15_000 ? "/price/agree" : "/price/seen"
            #expect(sheet.form(to: path(id, way)) != nil)
        }
    }

    @Test("No page speaks of a price where none waits, or once somebody has agreed")
    func nothingWaits() async throws {
        let (world, id) = try await raised(to: 19_990)
        try await world.subscribe("bea", to: "bronze.monthly")
        try await world.signedIn { browser in
            let sheet = try await browser.get(path(id, "/price"))
            let sight = try await browser.submit(sheet, to: path(id, "/price/agree"))
            #expect(sight.status == 303)
            for page in ["/account", path(id)] {
                let sight = try await browser.get(page)
                #expect(!sight.links.contains(path(id, "/price")), "\(page)")
                #expect(!sight.words.contains("Subscription Price Increase"), "\(page)")
            }
        }
        try await world.signedIn(as: "bea") { browser in
            let sight = try await browser.get("/account")
            #expect(sight.words.contains("bronze.monthly"))
            #expect(!sight.words.contains("Subscription Price Increase"))
        }
    }

    @Test("Whoever declines keeps access to the end, and can come back")
    func declined() async throws {
        let (world, id) = try await raised(to: 19_990)
        try await world.signedIn { browser in
            let sheet = try await browser.get(path(id, "/price"))
            let sight = try await browser.submit(sheet, to: path(id, "/price/decline"))
            #expect(sight.location == path(id) + "?done=decline")
            let shown = try await browser.get(path(id))
            #expect(shown.words.contains("You keep access until April 15, 2026."))
        }
    }

    @Test("The sheet that only tells has OK, nothing to agree to, and the way to cancel")
    func notice() async throws {
        let (world, id) = try await raised(to: 10_990)
        try await world.signedIn { browser in
            let sheet = try await browser.get(path(id, "/price"))
            expectSafe(sheet)
            for text in [
                "Subscription Price Increase", "$9.99 per month", "$10.99 per month",
                "April 15, 2026", "OK", "You need do nothing.", "Review or Cancel Subscription",
            ] {
                #expect(sheet.words.contains(text), "\(text)")
            }
            #expect(!sheet.words.contains("Agree to New Price"))
            #expect(sheet.form(to: path(id, "/price/agree")) == nil)
            let sight = try await browser.submit(sheet, to: path(id, "/price/seen"))
            #expect(sight.status == 303)
            #expect(sight.location == "/account?done=priceSeen")
        }
    }

    @Test(
        "A notice has OK to go on, a question can be closed, and both lead to the settings",
        arguments: [(10_990, false), (19_990, true)] as [(Int64, Bool)])
    func ways(price: Int64, asks: Bool) async throws {
        let (world, id) = try await raised(to: price)
        try await world.signedIn { browser in
            let sheet = try await browser.get(path(id, "/price"))
            #expect((sheet.form(to: path(id, "/price/seen")) != nil) == !asks)
            #expect((sheet.form(to: path(id, "/price/agree")) != nil) == asks)
            #expect(sheet.words.contains("Not Now") == asks)
            let settings = try await browser.get(path(id))
            #expect(sheet.links.contains(path(id)))
            #expect(settings.links.contains(path(id, "/cancel")))
        }
    }

    @Test("An answer to another price than the one that is asked about is refused")
    func otherPrice() async throws {
        let (world, id) = try await raised(to: 19_990)
        try await world.signedIn { browser in
            let before = try await world.tables()
            let sheet = try await browser.get(path(id, "/price"))
            for price in ["10990", "", "x"] {
                for word in ["agree", "decline"] {
                    let sight = try await browser.submit(
                        sheet, to: path(id, "/price/\(word)"), ["newPrice": price])
                    #expect(sight.status == 409, "\(word) \(price)")
                }
            }
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("Where nothing is asked the sheet says so, and takes no answer")
    func nothing() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let sheet = try await browser.get(path(id, "/price"))
            #expect(sheet.words.contains("There is nothing to answer here."))
            let sight = try await browser.post(path(id, "/price/agree"), [("newPrice", "1")])
            #expect(sight.status == 409)
        }
    }
}
