import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: what an operator sets up, sells and explains")
struct OperatorTests {
    private static let app = "/console/apps/com.example.app"

    @Test("A setting that is changed is changed, and no other", arguments: Backend.available)
    func settings(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        let store = world.world.store
        try await world.signedIn { browser in
            let page = try await browser.get(Self.app)
            let before = try await store.app(bundleID: "com.example.app").settings
            // Somebody else changes something while the page is looked at.
            try await store.configure(bundleID: "com.example.app") { $0.pendingRenewalDays = 9 }
            let sight = try await browser.submit(
                page, to: "\(Self.app)/settings",
                [
                    "gracePeriod": "THREE_DAYS", "notificationUrl": "http://127.0.0.1:9/told",
                    "smallBusiness": "true", "sandboxRenewalLimit": "0",
                ])
            #expect(sight.location == "\(Self.app)?done=changeApp")
            var wanted = before
            wanted.pendingRenewalDays = 9
            wanted.gracePeriod = .threeDays
            wanted.notificationURL = "http://127.0.0.1:9/told"
            wanted.smallBusiness = true
            wanted.sandboxRenewalLimit = nil
            #expect(try await store.app(bundleID: "com.example.app").settings == wanted)
            let after = try await browser.get(sight.location ?? "")
            #expect(after.words.contains("The settings are saved."))
            #expect(after.words.contains("Proceeds this year"))
            let again = try await browser.submit(after, to: "\(Self.app)/settings")
            #expect(again.status == 303)
            #expect(try await store.app(bundleID: "com.example.app").settings == wanted)
        }
    }

    @Test(
        "A setting that cannot be is refused, and the way back keeps what was typed",
        arguments: [
            ("pendingRenewalDays", "six"), ("pendingRenewalDays", "99"),
            ("notificationUrl", "nowhere"), ("gracePeriod", "FIVE_DAYS"), ("storefront", "ZZZ"),
        ])
    func refused(name: String, value: String) async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            let page = try await browser.get(Self.app)
            let before = try await world.tables()
            let sight = try await browser.submit(page, to: "\(Self.app)/settings", [name: value])
            #expect(sight.status == 400, "\(sight.words)")
            #expect(
                sight.links.contains { $0.hasPrefix(Self.app) && $0.contains("\(name)=\(value)") })
            expectSafe(sight)
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("Somebody signs up and buys what was shown before", arguments: Backend.available)
    func buys(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        try await world.signedIn { browser in
            let customers = try await browser.get("/console/customers")
            let sight = try await browser.submit(
                customers, to: "/console/sign-up", ["account": "ada & bob", "storefront": "deu"])
            let path = "/console/customers/ada%20%26%20bob"
            #expect(sight.location == "\(path)?done=signUp")
            let before = try await world.tables()
            let ahead = try await browser.get("\(path)/buy?product=silver.monthly")
            #expect(ahead.words.contains("SUBSCRIBED/INITIAL_BUY"), "\(ahead.words)")
            #expect(try await world.changes(since: before) == [])
            let bought = try await browser.submit(ahead, to: "\(path)/buy")
            #expect(bought.location == "\(path)?done=buy")
            let page = try await browser.get(path)
            #expect(page.words.contains("silver.monthly"))
            #expect(page.words.contains("DEU"))
            let again = try await browser.get("\(path)/buy?product=silver.monthly")
            #expect(again.form(to: "\(path)/buy") == nil)
            #expect(again.text.contains("id=\"problem\""))
        }
    }

    @Test("A price is scheduled, stands at its product, is withdrawn, and is shown once it is live")
    func prices() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            let product = "/console/catalogue/com.example.app/silver.monthly"
            let form = [
                "storefront": "usa", "price": "1.23", "start": "2026-03-01 00:00",
                "existing": "none",
            ]
            let page = try await browser.get(product)
            let sight = try await browser.submit(page, to: "\(product)/schedule", form)
            #expect(sight.location == "\(product)?done=schedulePrice")
            let scheduled = try await browser.get(product)
            #expect(scheduled.words.contains("Withdraw $1.23 in USA"))
            _ = try await browser.submit(scheduled, to: "\(product)/withdraw")
            let withdrawn = try await browser.get(product)
            #expect(withdrawn.words.contains("withdrawn"))
            #expect(withdrawn.form(to: "\(product)/withdraw") == nil)
            _ = try await browser.submit(withdrawn, to: "\(product)/schedule", form)
            _ = try await world.world.store.advance(to: World.instant("2026-03-02"))
            let rows = try await browser.get("/console/catalogue").text.split(separator: "<tr")
            let row = try #require(rows.first { $0.contains("silver.monthly") })
            #expect(row.contains("$1.23"), "\(row)")
        }
    }

    @Test("What is no number is refused by the field's name, and nothing is done")
    func numbers() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        try await world.signedIn { browser in
            let before = try await world.tables()
            for (path, values) in [
                ("/console/faults", [("kind", "dropNotifications"), ("percent", "abc")]),
                ("/console/faults", [("kind", "dropNotifications"), ("count", "-")]),
                ("/console/faults", [("kind", "failCalls"), ("errorCode", "hello")]),
                (
                    "/console/customers/ada/payment-method",
                    [
                        ("behaviour", "decline"), ("count", "x"),
                    ]
                ),
            ] {
                let sight = try await browser.post(path, values + [("form", path)])
                #expect(sight.status == 400)
                #expect(sight.words.contains("write a whole number"), "\(sight.words)")
            }
            for days in ["", "0", "91", "abc", "-1"] {
                let sight = try await browser.get(
                    "/console/extensions/new?product=silver.monthly&days=\(days)&reason=other")
                #expect(sight.status == 400)
                #expect(sight.form(to: "/console/extensions") == nil)
            }
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("A new price is explained for anyone as the rules decide it")
    func explains() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            let path = "/console/catalogue/explain"
            #expect(try await browser.get(path).status == 200)
            let query =
                "&storefront=USA&period=P1M&renews=2026-04-15&live=2026-03-10&since="
                + "&lastIncrease=&route=appStoreConnect"
            let told = try await browser.get("\(path)?oldPrice=9.99&newPrice=14.99\(query)")
            #expect(told.words.contains("new price"), "\(told.words)")
            #expect(told.words.contains("perennial price explain 9.99 14.99"))
            let asked = try await browser.get("\(path)?oldPrice=9.99&newPrice=15.99\(query)")
            #expect(asked.words.contains("expires"), "\(asked.words)")
            for wrong in ["oldPrice=a&newPrice=1", "oldPrice=1&newPrice=2&storefront=ZZZ"] {
                let sight = try await browser.get("\(path)?\(wrong)")
                #expect(sight.status == 400, "\(wrong)")
                expectSafe(sight)
            }
        }
    }

    @Test(
        "A world goes back to a snapshot after it was said what is lost",
        arguments: Backend.available)
    func rewinds(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        try await world.signedIn { browser in
            let page = try await browser.get("/console/world")
            let taken = try await browser.submit(
                page, to: "/console/world/snapshots", ["name": "start"])
            #expect(taken.location == "/console/world?done=takeSnapshot#snapshots")
            _ = try await world.world.store.advance(to: World.instant("2026-05-01"))
            let ahead = try await browser.get("/console/world/rewind?name=start")
            #expect(ahead.words.contains("May 1, 2026"), "\(ahead.words)")
            #expect(
                try await world.world.store.clockReading().now == World.instant("2026-05-01"))
            let back = try await browser.submit(ahead, to: "/console/world/rewind")
            #expect(back.location == "/console?done=rewind")
            #expect(
                try await world.world.store.clockReading().now < World.instant("2026-02-01"))
            let removed = try await browser.submit(
                try await browser.get("/console/world"), to: "/console/world/snapshots/remove")
            #expect(removed.status == 303)
            #expect(try await browser.get("/console/world/rewind?name=start").status == 404)
        }
    }

    @Test("Only words of ours are said of what was done")
    func done() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            for word in ["nothing", "%3Cb%3E", ""] {
                let sight = try await browser.get("/console?done=\(word)")
                #expect(sight.status == 200)
                #expect(!sight.text.contains("class=\"notice"))
            }
        }
    }
}
