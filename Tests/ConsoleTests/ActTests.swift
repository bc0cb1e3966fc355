import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: what is done with a subscription")
struct ActTests {
    /// Each act with what is filled in, and a word of what it tells the developer.
    private static let acts: [(name: String, query: String)] = [
        ("plan", "&product=gold.monthly"), ("plan", "&product=bronze.monthly"),
        ("renewal-off", ""), ("extend", "&days=10&reason=other"), ("refund", ""),
        ("refund", "&prorated=true"), ("cancel", ""), ("expire", ""),
    ]

    private static func path(_ id: String, _ act: String) -> String {
        "/console/subscriptions/\(id)/\(act)"
    }

    @Test(
        "An act first shows what it will do, changing nothing, and then does it",
        arguments:
            acts.indices)
    func previewed(place: Int) async throws {
        let (name, query) = Self.acts[place]
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        _ = try await world.world.store.advance(to: World.instant("2026-01-11"))
        let before = try await world.tables()
        try await world.signedIn { browser in
            let life = try await browser.get("/console/subscriptions/\(id)")
            #expect(life.links.contains(Self.path(id, name)))
            let page = try await browser.get("\(Self.path(id, name))?preview=1\(query)")
            #expect(page.status == 200)
            #expect(page.text.contains("id=\"preview\""), "\(page.words)")
            #expect(try await world.changes(since: before) == [])
            let sight = try await browser.submit(page, to: Self.path(id, name))
            #expect(sight.status == 303, "\(sight.words)")
            #expect(sight.location == "/console/subscriptions/\(id)?done=doAct")
            let after = try await world.tables()
            #expect(after.differences(from: before) != [])
            // Going back and sending it again does nothing again.
            #expect(try await browser.submit(page, to: Self.path(id, name)).status == 303)
            #expect(try await world.changes(since: after) == [])
        }
    }

    @Test("What the preview tells is what the life tells afterwards")
    func sameWords() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let path = Self.path(id, "plan")
            let page = try await browser.get("\(path)?preview=1&product=gold.monthly")
            for words in ["gold.monthly", "$19.99", "DID_CHANGE_RENEWAL_PREF/UPGRADE"] {
                #expect(page.words.contains(words) || words == "$19.99", "\(words)")
            }
            _ = try await browser.submit(page, to: path)
            let life = try await browser.get("/console/subscriptions/\(id)")
            #expect(life.words.contains("DID_CHANGE_RENEWAL_PREF/UPGRADE"))
            #expect(life.words.contains("gold.monthly"))
        }
    }

    @Test("Renewal is turned off and on again")
    func renewal() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            for name in ["renewal-off", "renewal-on"] {
                let page = try await browser.get(Self.path(id, name))
                #expect(try await browser.submit(page, to: Self.path(id, name)).status == 303)
                let life = try await browser.get("/console/subscriptions/\(id)")
                let other = name == "renewal-off" ? "renewal-on" : "renewal-off"
                #expect(life.links.contains(Self.path(id, other)))
                #expect(!life.links.contains(Self.path(id, name)))
            }
        }
    }

    @Test(
        "An act that would be refused says why instead of a button",
        arguments: [
            ("plan", "&product=nothing"), ("plan", "&product=coins"),
            ("plan", "&product=news.monthly"), ("extend", "&days=91&reason=other"),
            ("extend", "&days=0&reason=other"), ("extend", "&days=ten&reason=other"),
        ])
    func refused(name: String, query: String) async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        let before = try await world.tables()
        try await world.signedIn { browser in
            let path = Self.path(id, name)
            let page = try await browser.get("\(path)?preview=1\(query)")
            #expect(page.status == 200)
            let isRefused = page.text.contains("id=\"problem\"")
            let changesNothing = page.words.contains("It changes nothing.")
            #expect(isRefused || changesNothing, "\(page.words)")
            guard isRefused else { return }
            #expect(!page.text.contains("id=\"preview\""))
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("An act whose payment would be declined says so before")
    func declined() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let set = try await browser.call(
                .put, "/connect/v1/customers/ada/payment-method", #"{"behaviour":"decline"}"#)
            #expect(set.status < 300)
            let before = try await world.tables()
            let page = try await browser.get(
                "\(Self.path(id, "plan"))?preview=1&product=gold.monthly")
            #expect(page.text.contains("id=\"problem\""), "\(page.words)")
            #expect(try await world.changes(since: before) == [])
        }
    }

    @Test("An act that was previewed before something else happened is not done")
    func outdated() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let path = Self.path(id, "expire")
            let page = try await browser.get(path)
            _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
            let before = try await world.tables()
            let sight = try await browser.submit(page, to: path)
            #expect(sight.status == 409)
            #expect(sight.isPage)
            #expect(sight.words.contains("changedMeanwhile"))
            expectSafe(sight)
            #expect(try await world.changes(since: before) == [])
            // Neither is one that nobody looked at.
            #expect(try await browser.post(path).status == 409)
            #expect(try await world.changes(since: before) == [])
            let anew = try await browser.get(path)
            #expect(try await browser.submit(anew, to: path).status == 303)
            #expect(try await world.changes(since: before) != [])
        }
    }

    @Test("A form that was changed on the way is held against the store's own rules")
    func tampered() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        let before = try await world.tables()
        try await world.signedIn { browser in
            let path = Self.path(id, "extend")
            let page = try await browser.get("\(path)?preview=1&days=10&reason=other")
            for (number, days) in ["400", "-1", "x", ""].enumerated() {
                let sight = try await browser.submit(
                    page, to: path, ["days": days, "form": "tampered-\(number)"])
                #expect([400, 409].contains(sight.status), "\(days): \(sight.status)")
                #expect(sight.isPage)
                expectSafe(sight)
            }
        }
        #expect(try await world.changes(since: before) == [])
    }

    @Test("The operator acts on subscriptions of the page's environment alone")
    func otherEnvironment() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe("sandy", in: .sandbox)
        let before = try await world.tables()
        try await world.signedIn { browser in
            for act in ["expire", "renewal-off", "plan", "refund"] {
                let sight = try await browser.post(
                    Self.path(id, act), [("seen", "1"), ("product", "gold.monthly")])
                #expect(sight.status == 404)
                #expect(try await browser.get(Self.path(id, act)).status == 404)
            }
        }
        #expect(try await world.changes(since: before) == [])
    }
}
