import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: pages")
struct PageTests {
    private static let app = "apps/com.example.app"

    /// What an operator has done in it.
    private static let calls: [(HTTPRequest.Method, String, String)] = [
        (.put, "customers/cy/payment-method", #"{"behaviour":"decline"}"#),
        (.post, "clock/advance", #"{"by":"P40D"}"#),
        (.post, "faults", #"{"kind":"loseNotifications","count":1}"#),
        (.patch, "world", #"{"deliveries":false}"#),
        (.patch, "customers/ada", #"{"email":"ada@example.com"}"#),
        (.post, "families", #"{"organiser":"ada","members":["bob"]}"#),
        (.patch, "customers/bob", #"{"asksToBuy":true}"#),
        (
            .post, "\(Self.app)/products/silver.monthly/offers",
            #"{"type":"OFFER_CODE","id":"HELLO","mode":"FREE_TRIAL","period":"P1M","#
                + #""audiences":["new"],"begins":"2027-01-01T00:00:00Z"}"#
        ),
        (
            .post, "\(Self.app)/products/silver.monthly/offers",
            #"{"type":"WIN_BACK","id":"back","mode":"PAY_UP_FRONT","period":"P1M","#
                + #""price":1990,"prices":[{"storefront":"DEU","price":1490}],"#
                + #""begins":"2027-01-01T00:00:00Z","winBack":{"paidMonths":1}}"#
        ),
        (
            .post, "\(Self.app)/offer-codes",
            #"{"productId":"silver.monthly","offerId":"HELLO","count":3}"#
        ),
    ]

    /// A world in which there is something of everything.
    private func busy(
        _ backend: Backend, in environment: StoreEnvironment = .production
    ) async throws -> (world: ConsoleWorld, id: String) {
        let world = try await ConsoleWorld(backend)
        let id = try await world.subscribe("ada", in: environment)
        try await world.subscribe("bob", to: "silver.trial", in: environment)
        try await world.subscribe("cy", to: "gold.monthly", in: environment)
        let coins = PurchaseRequest(productID: "coins", quantity: 3)
        _ = try await world.world.store.purchase(
            coins, by: try await world.world.device("ada", in: environment))
        try await world.with(environment) { browser in
            for (method, path, body) in Self.calls {
                let sight = try await browser.call(method, "/connect/v1/\(path)", body)
                #expect(sight.status < 300, "\(sight.text)")
            }
        }
        for product in ["lifetime", "coins"] {
            // Whoever asks to buy is told so, or waits.
            let request = PurchaseRequest(productID: product)
            for account in ["ada", "bob"] {
                _ = try await world.world.store.purchase(
                    request, by: try await world.world.device(account, in: environment))
            }
        }
        return (world, id)
    }

    /// Where nothing leads but what a person fills in.
    private func filledIn(_ id: String) -> [String] {
        [
            "/console", "/console/customers?q=a", "/console/customers?q=\(id)",
            "/console/customers?q=silver.monthly", "/console/clock/ahead?until=P1Y",
            "/console/customers/ada/buy?product=coins", "/console/customers/ada/buy?product=none",
            "/console/catalogue/explain?oldPrice=9.99&newPrice=14.99&storefront=usa&period=P1M"
                + "&renews=2026-04-15&live=2026-03-10&since=&lastIncrease=&route=appStoreConnect",
            "/console/notifications?account=ada&notificationType=SUBSCRIBED&onlyFailures=true",
            "/console/mailbox?account=ada&kind=&state=waiting", "/console/families?account=bob",
            "/console/families/new?organiser=cy&members=&preview=1",
            "/console/requests?state=waiting&reason=askToBuy", "/console/codes?offer=HELLO",
            "/console/customers?after=1", "/console/subscriptions/\(id)?all=1&from=0",
            "/console/subscriptions/\(id)/plan?preview=1&product=gold.monthly",
            "/console/subscriptions/\(id)/plan?preview=1&product=bronze.weekly",
            "/console/subscriptions/\(id)/extend?preview=1&days=10&reason=other",
            "/console/subscriptions/\(id)/refund?preview=1",
            "/console/subscriptions/\(id)/refund?preview=1&prorated=true",
            "/console/subscriptions/\(id)/cancel?preview=1",
            "/console/clock/progress?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&since=0",
        ]
    }

    @Test(
        "Whoever looks at everything changes nothing, and nothing is wrong on any page",
        arguments: Backend.available)
    func lookingChangesNothing(_ backend: Backend) async throws {
        let (world, id) = try await busy(backend)
        let before = try await world.tables()
        try await world.signedIn { browser in
            var crawler = Crawler(browser)
            try await crawler.look(at: filledIn(id))
            #expect(crawler.seen.count > 80)
            for (path, sight) in crawler.seen {
                #expect(sight.status == 200, "\(path): \(sight.words.suffix(300))")
                #expect(sight.isPage, "\(path)")
                expectSafe(sight)
                #expect(sight.text.contains("data-environment=\"production\""), "\(path)")
            }
        }
        #expect(try await world.changes(since: before) == [])
    }

    @Test("A page is asked for without its body too, and is the same but for that")
    func head() async throws {
        let (world, id) = try await busy(.sqlite)
        try await world.signedIn { browser in
            for path in ["/console", "/console/clock", "/console/subscriptions/\(id)"] {
                let sight = try await browser.get(path, method: .head)
                #expect(sight.status == 200)
                #expect(sight.text.isEmpty)
                #expect(sight.fields[.contentType] == "text/html; charset=utf-8")
            }
            #expect(try await browser.get("/console/nothing", method: .head).status == 404)
        }
        try await world.with { browser in
            let sight = try await browser.get("/console", method: .head)
            #expect(sight.status == 303)
        }
    }

    @Test("A page that there is not is said to be none, on a page", arguments: [true, false])
    func unknown(isSignedIn: Bool) async throws {
        let world = try await ConsoleWorld()
        try await world.with { browser in
            if isSignedIn { try await browser.signIn() }
            for path in ["/console/nothing", "/console/a/b/c/d", "/console/assets/1/pages.css"] {
                let sight = try await browser.get(path)
                #expect(sight.status == 404, "\(path)")
                #expect(sight.isPage, "\(path)")
                expectSafe(sight)
            }
            guard isSignedIn else { return }
            for path in [
                "/console/customers/nobody", "/console/subscriptions/400000000000001",
                "/console/subscriptions/400000000000001/refund",
            ] {
                let sight = try await browser.get(path)
                #expect(sight.status == 404, "\(path)")
                #expect(sight.isPage, "\(path)")
                expectSafe(sight)
            }
            // What begins likewise belongs to nobody's pages.
            #expect(try await browser.get("/consolex").fields[.contentType] == "application/json")
        }
    }

    @Test("An address that nobody links to is refused on a page, and never fails")
    func hostileAddresses() async throws {
        let (world, id) = try await busy(.sqlite)
        let one = "/console/subscriptions/\(id)"
        let before = try await world.tables()
        try await world.signedIn { browser in
            for path in [
                "/console/customers?after=x", "/console/customers?after=-1",
                "/console/customers?q=\(String(repeating: "a", count: 300))",
                "/console/customers?q=%00", "/console/customers?q=%FF%FE",
                "/console/customers?q=%3Cscript%3E", "/console/customers/%FF",
                "/console/customers/\(String(repeating: "a", count: 1000))",
                "/console/clock/ahead?until=yesterday", "/console/clock/ahead?until=P9999999Y",
                "/console/clock/ahead?until=2001-01-01", "/console/clock/ahead?until=",
                "/console/clock/progress", "/console/clock/progress?from=x&to=y",
                "/console/clock/progress?from=2026-01-01T00:00:00Z&to=2001-01-01T00:00:00Z",
                "/console/clock/progress?from=2026-01-01&to=2026-01-02&since=99999999999999999999",
                "/console/clock/stream", "/console/subscriptions/x",
                "/console/subscriptions/99999999999999999999", "\(one)?from=-5", "\(one)?from=x",
                "\(one)?from=99999999999", "\(one)/nothing",
                "\(one)/extend?preview=1&days=x&reason=y", "\(one)/extend?preview=1&days=-3",
                "\(one)/extend?preview=1&days=1&days=2",
                "\(one)/plan?preview=1&product=%3Cb%3E", "\(one)/plan?preview=1&product=",
                "\(one)/refund?prorated=yes&preview=1",
            ] {
                let sight = try await browser.get(path)
                #expect([200, 400, 404, 409].contains(sight.status), "\(path): \(sight.status)")
                #expect(sight.isPage, "\(path)")
                expectSafe(sight)
            }
        }
        #expect(try await world.changes(since: before) == [])
    }

    @Test("A page takes no form that is not its own")
    func otherMethods() async throws {
        try await ConsoleWorld().signedIn { browser in
            for path in ["/console", "/console/customers", "/console/clock"] {
                let sight = try await browser.post(path)
                #expect(sight.status == 405)
                #expect(sight.fields[.allow] == "GET, HEAD")
                #expect(sight.isPage)
                expectSafe(sight)
            }
            let sight = try await browser.get("/console/sign-out")
            #expect(sight.status == 405)
            #expect(sight.fields[.allow] == "POST")
            #expect(try await browser.get("/console").status == 200)
        }
    }

    @Test("Each environment shows its own, and says which it is")
    func environments() async throws {
        let world = try await ConsoleWorld()
        // No receipt in Base64 says so by chance.
        let (ada, sandy) = ("ada.in.production", "sandy.in.sandbox")
        let own = try await world.subscribe(ada)
        let other = try await world.subscribe(sandy, in: .sandbox)
        for (environment, mine, theirs, account, stranger):
            (
                StoreEnvironment, String, String, String, String
            ) in [
                (.production, own, other, ada, sandy), (.sandbox, other, own, sandy, ada),
            ]
        {
            try await world.signedIn(environment) { browser in
                var crawler = Crawler(browser)
                try await crawler.look(at: ["/console", "/console/customers?q=\(mine)"])
                let name = environment == .sandbox ? "Sandbox" : "Production"
                for sight in crawler.seen.values {
                    #expect(!sight.text.contains(theirs), "\(sight.path)")
                    #expect(!sight.words.contains(stranger), "\(sight.path)")
                    #expect(sight.words.contains(name), "\(sight.path)")
                }
                #expect(crawler.seen.values.contains { $0.words.contains(account) })
                #expect(crawler.seen["/console/subscriptions/\(mine)"]?.status == 200)
                #expect(try await browser.get("/console/subscriptions/\(theirs)").status == 404)
                #expect(try await browser.get("/console/customers/\(stranger)").status == 404)
                let search = try await browser.get("/console/customers?q=\(theirs)")
                #expect(!search.links.contains("/console/subscriptions/\(theirs)"))
            }
        }
    }

    @Test("A search that names a subscription leads to it, and the page says what is true")
    func story() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe("ada")
        try await world.signedIn { browser in
            let search = try await browser.get("/console/customers?q=\(id)")
            #expect(search.links.contains("/console/subscriptions/\(id)"))
            let page = try await browser.get("/console/subscriptions/\(id)")
            for words in [
                "silver.monthly", "ada", "$9.99", "The customer has access.", id,
                "com.example.app", "perennial timeline \(id)",
                "GET /connect/v1/subscriptions/\(id)",
            ] {
                #expect(page.words.contains(words), "\(words)")
            }
            #expect(page.text.contains("<svg viewBox"))
        }
    }

    @Test("Pages are in nobody's description of the interfaces")
    func descriptions() async throws {
        try await ConsoleWorld().with { browser in
            let sight = try await browser.call(.get, "/openapi.json")
            #expect(sight.status == 200)
            #expect(!sight.text.contains("/console"))
        }
    }
}
