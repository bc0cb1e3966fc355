import HTTPTypes
import Store
import StoreHTTP
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: navigation")
struct NavigationTests {
    private static let groups = [
        "Customers", "Catalogue", "Money", "Notifications", "Clock", "World",
    ]

    /// The links of a page's navigation, and whether each is the present one.
    private func navigation(_ sight: Sight) -> [(href: String, isHere: Bool)] {
        let inside = sight.markup.drop { $0.name != "nav" }.prefix { $0.name != "/nav" }
        return inside.filter { $0.name == "a" }.map {
            ($0.attributes["href"] ?? "", $0.attributes["aria-current"] != nil)
        }
    }

    @Test("Six groups are on every page, and each page lies in one of them")
    func groups() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            let overview = try await browser.get("/console")
            for name in Self.groups { #expect(overview.words.contains(name)) }
            let groups = navigation(overview)
            #expect(groups.count == 6)
            #expect(!groups.contains { $0.isHere })
            var crawler = Crawler(browser)
            try await crawler.look(at: ["/console/subscriptions/\(id)/plan"])
            for (path, sight) in crawler.seen where !path.hasPrefix("/console?") {
                guard path != "/console" else { continue }
                let links = navigation(sight)
                #expect(links.prefix(6).map(\.href) == groups.map(\.href), "\(path)")
                #expect(links.prefix(6).count { $0.isHere } == 1, "\(path)")
                #expect(links.count == 6 || links.dropFirst(6).count { $0.isHere } == 1, "\(path)")
            }
        }
    }

    @Test("The app's settings are one click away, where notifications go comes first")
    func settings() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        for (environment, first) in [
            (StoreEnvironment.production, "notificationUrl"),
            (.sandbox, "sandboxNotificationUrl"),
        ] {
            try await world.signedIn(environment) { browser in
                let page = try await browser.get("/console/customers/ada")
                #expect(page.links.contains("/console/settings") || environment == .sandbox)
                let settings = try await browser.get("/console/settings")
                let fields = settings.form(to: "/console/apps/com.example.app/settings")
                let seen = fields?.map(\.name).filter {
                    $0 != "form" && $0 != "preview" && !$0.hasPrefix("seen-")
                }
                #expect(seen?.first == first)
            }
        }
    }

    @Test("`/` leads a browser to the console, and says to programs that nothing is there")
    func root() async throws {
        let world = try await ConsoleWorld()
        for environment in StoreEnvironment.allCases {
            try await world.with(environment) { browser in
                let sight = try await browser.get(
                    "/", [.accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"])
                #expect(sight.status == 303)
                #expect(sight.location == "/console")
                for fields: HTTPFields in [[:], [.accept: "*/*"], [.accept: "application/json"]] {
                    let sight = try await browser.get("/", fields)
                    #expect(sight.status == 404)
                    #expect(sight.text.contains(#""error":"unknownPath""#))
                }
            }
        }
    }

    @Test(
        "The other environment is found at its port, by the name that the browser used",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8081"), ("localhost:8080", "localhost:8081"),
            ("[::1]:8080", "[::1]:8081"), ("store.example:443", nil), ("store.example", nil),
            ("", nil), (":8080", nil), ("a\"b:8080", nil), ("a/b:8080", nil), (nil, nil),
        ] as [(String?, String?)])
    func ports(authority: String?, other: String?) {
        let ports = ServedPorts()
        ports.note(8080, of: .production)
        #expect(ports.authority(of: .sandbox, from: .production, reachedBy: authority) == nil)
        ports.note(8081, of: .sandbox)
        #expect(ports.authority(of: .sandbox, from: .production, reachedBy: authority) == other)
    }

    @Test("A page that says what went wrong has the navigation too")
    func errors() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            for path in ["/console/nothing", "/console/customers/nobody", "/console/sign-out"] {
                let sight = try await browser.get(path)
                #expect(sight.status >= 400, "\(path)")
                #expect(navigation(sight).count >= 6, "\(path)")
            }
        }
    }
}
