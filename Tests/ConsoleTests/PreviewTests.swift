import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: what an act would do is shown before it is done")
struct PreviewTests {
    private static let app = "/console/apps/com.example.app"
    private static let product = "/console/catalogue/com.example.app/silver.monthly"

    /// Sends the form of a page that only asks.
    private func ask(
        _ browser: Browser, _ page: Sight, _ action: String, _ values: [String: String] = [:]
    ) async throws -> Sight {
        let form = try #require(page.form(to: action))
        #expect(form.contains { $0.name == "preview" }, "\(action)")
        let told = form.map { ($0.name, values[$0.name] ?? $0.value) }
        return try await browser.post(action, told)
    }

    @Test("An act shows what it would do, changing nothing, and then does it")
    func acts() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        try await world.signedIn { browser in
            for (page, action, values, words) in [
                (
                    "/console/customers/ada", "/console/customers/ada/payment-method",
                    ["behaviour": "decline"], "Change the payments"
                ),
                (
                    Self.product, "\(Self.product)/availability", ["wish": "off"],
                    "Set where it is for sale"
                ),
                (
                    Self.product, "\(Self.product)/availability", ["wish": "on"],
                    "Set where it is for sale"
                ),
                // What is live at once goes live before anything else is done, so it is last.
                (
                    Self.product, "\(Self.product)/schedule",
                    ["price": "12.99", "existing": "apply"], "Schedule the price"
                ),
            ] as [(String, String, [String: String], String)] {
                let before = try await world.tables()
                let asked = try await ask(browser, try await browser.get(page), action, values)
                #expect(asked.status == 200, "\(action): \(asked.words)")
                #expect(asked.words.contains(words), "\(asked.words)")
                #expect(asked.words.contains("A trial run"), "\(asked.words)")
                expectSafe(asked)
                #expect(try await world.changes(since: before) == [], "\(action)")
                let done = try await browser.submit(asked, to: action)
                #expect(done.status == 303, "\(action): \(done.words)")
                #expect(try await world.changes(since: before) != [], "\(action)")
            }
        }
    }

    /// Acts with what is filled in, and what is said before. Time stands still until the last two.
    private static let told:
        [(page: String, action: String, values: [String: String], words: [String])] = [
            (
                app, "\(app)/settings", ["gracePeriod": "THREE_DAYS"],
                ["Settings to change", "three days", "1 of them in Sandbox"]
            ),
            (
                "\(product)/new-offer?type=PROMOTIONAL", "\(product)/offers",
                [
                    "id": "spring", "mode": "PAY_AS_YOU_GO", "period": "P1M", "periodCount": "3",
                    "price": "2.99",
                ], ["$2.99 each month, 3 times", "$9.99", "1 of them in Sandbox"]
            ),
            (
                "\(product)/offers/OFFER_CODE/HELLO", "\(product)/offers/OFFER_CODE/HELLO/codes",
                ["count": "1234"], ["1,234", "It will have"]
            ),
            (
                "/console/faults", "/console/faults", ["count": "2"],
                ["notifications are dropped, 2 times", "Notifications waiting", "Rules then"]
            ),
            (
                "/console/faults", "/console/faults/remove", [:],
                ["notifications are dropped, 2 times"]
            ),
            (
                "/console/world", "/console/world/deliveries", [:],
                ["Will be", "Notifications waiting"]
            ),
            (
                "/console/clock", "/console/clock/step", [:], ["Will show"]
            ),
            (
                "/console/clock", "/console/clock/run-until", ["notification": "DID_RENEW"],
                ["the first DID_RENEW", "At most until", "Renewals"]
            ),
        ]

    @Test("Every other act says in numbers what it will do", arguments: Backend.available)
    func numbers(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        try await world.subscribe("ada")
        try await world.subscribe("sandy", in: .sandbox)
        // Everything is delivered.
        _ = try await world.world.store.advance(to: World.instant("2026-01-01T00:01:00Z"))
        try await world.signedIn { browser in
            let offer = try await browser.call(
                .post, "/connect/v1/apps/com.example.app/products/silver.monthly/offers",
                #"{"type":"OFFER_CODE","id":"HELLO","mode":"FREE_TRIAL","period":"P1M","#
                    + #""audiences":["new"]}"#)
            #expect(offer.status == 201, "\(offer.text)")
            for (page, action, values, words) in Self.told {
                let before = try await world.tables()
                let asked = try await ask(browser, try await browser.get(page), action, values)
                #expect(asked.status == 200, "\(action): \(asked.words)")
                for word in words { #expect(asked.words.contains(word), "\(asked.words)") }
                expectSafe(asked)
                #expect(try await world.changes(since: before) == [], "\(action)")
                let done = try await browser.submit(asked, to: action)
                #expect(done.status == 303, "\(action): \(done.words)")
                #expect(try await world.changes(since: before) != [], "\(action)")
            }
        }
    }

    @Test("A snapshot says what it will hold, and what removing it frees")
    func snapshots() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            let action = "/console/world/snapshots"
            for (action, values, word) in [
                (action, ["name": "start"], "as they are now"), ("\(action)/remove", [:], "Frees"),
            ] as [(String, [String: String], String)] {
                let page = try await browser.get("/console/world")
                let asked = try await ask(browser, page, action, values)
                #expect(asked.words.contains(word), "\(asked.words)")
                let list = try await browser.call(.get, "/connect/v1/snapshots")
                #expect(list.text.contains("start") == (word == "Frees"))
                #expect(try await browser.submit(asked, to: action).status == 303)
            }
        }
    }

    @Test("What an answer to a bill would do is shown before")
    func bill() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        try await world.signedIn { browser in
            for (method, path, body) in [
                (.put, "customers/ada/payment-method", #"{"behaviour":"later"}"#),
                (.post, "clock/advance", #"{"by":"P32D"}"#),
            ] as [(HTTPRequest.Method, String, String)] {
                let sight = try await browser.call(method, "/connect/v1/\(path)", body)
                #expect(sight.status < 300, "\(sight.text)")
            }
            let before = try await world.tables()
            let page = try await browser.get("/console/refunds")
            let actions = page.markup.compactMap { $0.attributes["action"] }
            let action = try #require(actions.first { $0.hasPrefix("/console/bills/") })
            let asked = try await ask(browser, page, action)
            #expect(asked.words.contains("DID_RENEW"), "\(asked.words)")
            #expect(try await world.changes(since: before) == [])
            let done = try await browser.submit(asked, to: action)
            #expect(done.location == "/console/refunds?done=answerBill")
            #expect(try await world.changes(since: before) != [])
        }
    }

    @Test("What would be refused is refused before, beside its field")
    func refused() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            let before = try await world.tables()
            let action = "\(Self.product)/schedule"
            let sight = try await ask(
                browser, try await browser.get(Self.product), action,
                ["price": "12.99", "existing": "none"])
            #expect(sight.status == 400)
            #expect(sight.text.contains("id=\"schedule-existing-problem\""))
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("A scheduled price says who will pay what, also who is on the way to another price")
    func price() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe("ada")
        try await world.subscribe("sandy", in: .sandbox)
        let gone = try await world.subscribe("cy")
        try await world.signedIn { browser in
            let over = try await browser.call(
                .post, "/connect/v1/subscriptions/\(gone)/expire")
            #expect(over.status < 300)
            let action = "\(Self.product)/schedule"
            func rows(_ price: String, _ existing: String) async throws -> [String] {
                let told = try await ask(
                    browser, try await browser.get(Self.product), action,
                    ["price": price, "existing": existing])
                #expect(told.status == 200, "\(told.words)")
                let table = told.text.split(separator: "Who will pay another price").last ?? ""
                return table.prefix { $0 != "@" }.split(separator: "<tr").map(String.init)
                    .filter { $0.contains("data-column=\"They will pay\"") }
            }
            let moved = try await rows("12.99", "apply")
            #expect(moved.count == 1)
            #expect(moved.first?.contains("$9.99") == true)
            #expect(moved.first?.contains("$12.99") == true)
            // Production and Sandbox; whose subscription is over does not count.
            #expect(moved.first?.contains("<bdi>2</bdi>") == true, "\(moved)")
            #expect(try await rows("12.99", "preserve") == [])
            let done = try await browser.submit(
                try await browser.get(Self.product), to: action,
                ["price": "12.99", "existing": "apply"])
            #expect(done.status == 303)
            let moment = try await browser.call(
                .post, "/connect/v1/clock/advance", #"{"by":"PT1M"}"#)
            #expect(moment.status == 200)
            let again = try await rows("14.99", "apply")
            #expect(again.first?.contains("$14.99") == true, "\(again)")
            #expect(again.first?.contains("<bdi>2</bdi>") == true, "\(again)")
        }
    }

    @Test("An extension for all says how many it would reach", arguments: Backend.available)
    func extension_(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        try await world.subscribe("ada")
        try await world.subscribe("bob", to: "silver.trial")
        try await world.subscribe("sandy", in: .sandbox)
        try await world.subscribe("sue", in: .sandbox)
        try await world.signedIn { browser in
            let before = try await world.tables()
            func look(_ product: String) async throws -> Sight {
                try await browser.get(
                    "/console/extensions/new?product=\(product)&days=7&reason=other")
            }
            func fact(_ name: String, _ sight: Sight) -> String? {
                let parts = sight.text.split(separator: "<dt>\(name)</dt><dd><bdi>")
                return parts.count < 2 ? nil : parts[1].split(separator: "<").first.map(String.init)
            }
            let paid = try await look("silver.monthly")
            #expect(fact("Subscribers", paid) == "1", "\(paid.words)")
            #expect(fact("Would be extended", paid) == "1")
            #expect(fact("Would be left out", paid) == "0")
            let trial = try await look("silver.trial")
            #expect(fact("Subscribers", trial) == "1", "\(trial.words)")
            #expect(fact("Would be left out", trial) == "1")
            let nobody = try await look("gold.monthly")
            #expect(fact("Subscribers", nobody) == "0")
            #expect(nobody.words.contains("Nobody subscribes to it now."))
            #expect(try await world.changes(since: before) == [])
            let begun = try await browser.submit(paid, to: "/console/extensions")
            #expect(begun.status == 303)
            let leftOut = try await browser.submit(trial, to: "/console/extensions")
            try await world.world.store.settle()
            // What left somebody out is told as no success.
            for (order, says) in [(begun, false), (leftOut, true)] {
                let page = try await browser.get(try #require(order.location))
                #expect(page.words.contains("complete, some not extended") == says)
                #expect(page.words.contains("complete"))
            }
        }
    }
}
