import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: forms")
struct FormTests {
    private static let advance = "/console/clock/advance"

    @Test("A form of another origin is refused and changes nothing, whatever it asks for")
    func otherOrigins() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        let before = try await world.tables()
        try await world.signedIn { browser in
            let cookie = browser.cookie
            for (path, values) in [
                (Self.advance, [("to", "2027-01-01T00:00:00Z")]),
                ("/console/clock/step", [("from", "2026-01-01T00:00:00Z")]),
                ("/console/clock/run-until", [("notification", "DID_RENEW")]),
                ("/console/customers/ada/payment-method", [("behaviour", "decline")]),
                ("/console/subscriptions/\(id)/expire", []),
                ("/console/sign-out", []),
                ("/console/sign-in", [("token", ConsoleWorld.operatorToken)]),
            ] {
                for (site, origin) in [
                    ("cross-site", nil), ("same-site", nil), (nil, nil), (nil, "null"),
                    (nil, "http://evil.example"), (nil, "http://localhost:1"),
                    ("cross-site", "http://localhost"),
                ] as [(String?, String?)] {
                    var fields = HTTPFields()
                    fields[.origin] = origin
                    let sight = try await browser.post(path, values, from: site, fields)
                    #expect(sight.status == 403, "\(path) \(site ?? "") \(origin ?? "")")
                    #expect(sight.isPage)
                    #expect(sight.fields[.setCookie] == nil)
                    expectSafe(sight)
                }
            }
            #expect(browser.cookie == cookie)
            #expect(try await browser.get("/console").status == 200)
        }
        #expect(try await world.changes(since: before) == [])
    }

    @Test("Where a browser says nothing of the site, the origin has to be this host")
    func ownOrigin() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            let sight = try await browser.post(
                Self.advance, [("to", "2026-01-02T00:00:00Z")], from: nil,
                [.origin: "http://localhost"])
            #expect(sight.status == 303)
        }
        #expect(try await world.world.store.clockReading().now == World.instant("2026-01-02"))
    }

    @Test("What is no form is refused and changes nothing")
    func noForms() async throws {
        let world = try await ConsoleWorld()
        let before = try await world.tables()
        try await world.signedIn { browser in
            for (body, type, status) in [
                (#"{"to":"2027-01-01T00:00:00Z"}"#, "application/json", 415),
                ("to=2027-01-01T00:00:00Z", "text/plain", 415),
                ("to=2027-01-01&to=2028-01-01", "application/x-www-form-urlencoded", 400),
                (
                    "to=" + String(repeating: "1", count: 70_000),
                    "application/x-www-form-urlencoded", 413
                ),
            ] {
                let sight = try await browser.raw(Self.advance, body, type: type)
                #expect(sight.status == status, "\(type)")
                #expect(sight.isPage)
                expectSafe(sight)
            }
        }
        #expect(try await world.changes(since: before) == [])
    }

    @Test("A form that is sent twice is carried out once", arguments: Backend.available)
    func twice(_ backend: Backend) async throws {
        let world = try await ConsoleWorld(backend)
        try await world.subscribe()
        try await world.signedIn { browser in
            let page = try await browser.get("/console/clock/ahead?until=P1M")
            let first = try await browser.submit(page, to: Self.advance)
            #expect(first.status == 303)
            let progress = try #require(first.location)
            #expect(progress.hasPrefix("/console/clock/progress?"))
            let shown = try await browser.get(progress)
            #expect(shown.words.contains("Everything due has happened.") || shown.status == 200)
            let moved = try await world.tables()
            let second = try await browser.submit(page, to: Self.advance)
            #expect(second.location == progress)
            #expect(try await world.changes(since: moved) == [])
            #expect(try await world.world.store.clockReading().now == World.instant("2026-02-01"))
        }
    }

    @Test("Two pushes of the button make one step")
    func oneStep() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        try await world.signedIn { browser in
            let clock = try await browser.get("/console/clock")
            let page = try await browser.post(
                "/console/clock/step",
                (clock.form(to: "/console/clock/step") ?? []).map { ($0.name, $0.value) })
            async let first = browser.submit(page, to: "/console/clock/step")
            async let second = browser.submit(page, to: "/console/clock/step")
            let places = try await [first, second].map(\.location)
            #expect(places[0] == places[1])
            #expect(try await world.world.store.clockReading().now == World.instant("2026-02-01"))
            // A page that was left open knows of another moment.
            let old = (page.form(to: "/console/clock/step") ?? []).filter { $0.name != "form" }
            let late = try await browser.post(
                "/console/clock/step", old.map { ($0.name, $0.value) } + [("form", "another")])
            #expect(late.status == 303)
            #expect(try await world.world.store.clockReading().now == World.instant("2026-02-01"))
        }
    }

    @Test("The clock runs until the developer is told something")
    func runUntil() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        let action = "/console/clock/run-until"
        try await world.signedIn { browser in
            let page = try await browser.get("/console/clock")
            let sight = try await browser.submit(page, to: action, ["notification": "DID_RENEW"])
            #expect(sight.status == 303, "\(sight.words)")
            let shown = try await browser.get(try #require(sight.location))
            #expect(shown.status == 200)
            #expect(shown.words.contains("Feb 1, 2026"))
            #expect(try await world.world.store.clockReading().now == World.instant("2026-02-01"))
        }
    }

    @Test("A form that was refused says why on a page, and can be sent again")
    func refused() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        let before = try await world.tables()
        try await world.signedIn { browser in
            for (path, values, status) in [
                (Self.advance, [("to", "2025-01-01T00:00:00Z")], 409),
                (Self.advance, [("to", "tomorrow")], 400), (Self.advance, [], 400),
                ("/console/clock/run-until", [("notification", "NOTHING")], 400),
                ("/console/customers/nobody/payment-method", [("behaviour", "decline")], 404),
                ("/console/customers/ada/payment-method", [("behaviour", "often")], 400),
                ("/console/subscriptions/1/expire", [], 404),
            ] as [(String, [(String, String)], Int)] {
                let sight = try await browser.post(path, values + [("form", "one")])
                #expect(sight.status == status, "\(path)")
                #expect(sight.isPage)
                #expect(sight.text.contains("id=\"problem\""), "\(path)")
                expectSafe(sight)
            }
            #expect(try await world.changes(since: before) == [])
            let sight = try await browser.post(
                Self.advance, [("to", "2026-01-02T00:00:00Z"), ("form", "one")])
            #expect(sight.status == 303)
        }
        #expect(try await world.world.store.clockReading().now == World.instant("2026-01-02"))
    }

    @Test("Payments are declined and go well again")
    func payments() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        let action = "/console/customers/ada/payment-method"
        try await world.signedIn { browser in
            let page = try await browser.get("/console/customers/ada")
            let sight = try await browser.submit(page, to: action, ["count": "2"])
            #expect(sight.location == "/console/customers/ada?done=setPaymentMethod")
            let declining = try await browser.get(sight.location ?? "")
            #expect(declining.words.contains("Payments are answered so from now on."))
            #expect(declining.words.contains("declined"))
            _ = try await browser.submit(declining, to: action)
            #expect(try await browser.get("/console/customers/ada").words.contains("approved"))
        }
    }

    @Test("A world by the machine's time offers no way to move it, and moves for nobody")
    func systemClock() async throws {
        let world = try await ConsoleWorld(mode: .system)
        try await world.signedIn { browser in
            let page = try await browser.get("/console/clock")
            #expect(page.status == 200)
            #expect(page.form(to: "/console/clock/step") == nil)
            let sight = try await browser.post(Self.advance, [("to", "2027-01-01T00:00:00Z")])
            #expect(sight.status == 409)
            #expect(sight.isPage)
        }
    }
}

extension Browser {
    /// Sends any body from a page of this server.
    func raw(_ path: String, _ body: String, type: String) async throws -> Sight {
        try await bytes(path, body, [.contentType: type, .cookie: cookie ?? ""])
    }
}
