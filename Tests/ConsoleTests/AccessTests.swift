import Console
import HTTPSurface
import HTTPTypes
import HummingbirdTesting
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: who may come in")
struct AccessTests {
    private static let signIn = "/console/sign-in"

    /// All paths of the console that take a method, with a value in each parameter.
    private func paths(_ world: ConsoleWorld, _ method: HTTPRequest.Method) -> [String] {
        Console(world.access).endpoints.filter { $0.method == method }.map {
            $0.path.replacing(#/\{[^}]*\}/#) { _ in "1" }
        }
    }

    @Test("Whoever is not signed in is sent to do so by every page, and changes nothing")
    func signedOut() async throws {
        let world = try await ConsoleWorld()
        try await world.subscribe()
        let before = try await world.tables()
        try await world.with { browser in
            let open = ["/", Self.signIn, "/console/assets/1/1"]
            let streams = paths(world, .get).filter { $0.hasSuffix("/stream") }
            for path in paths(world, .get) where !open.contains(path) && !streams.contains(path) {
                let sight = try await browser.get("\(path)?a=1&b=%20")
                #expect(sight.status == 303, "\(path)")
                #expect(
                    sight.location
                        == "\(Self.signIn)?to=\(Browser.percent(path))%3Fa%3D1%26b%3D%2520",
                    "\(path)")
                #expect(sight.text.isEmpty)
            }
            #expect(streams.count == 2)
            for path in streams { #expect(try await browser.get(path).status == 401, "\(path)") }
            for path in paths(world, .post) where path != Self.signIn {
                let sight = try await browser.post(path, [("to", "2027-01-01T00:00:00Z")])
                #expect(sight.status == 303, "\(path)")
                #expect(sight.location == Self.signIn, "\(path)")
            }
        }
        #expect(try await world.changes(since: before) == [])
    }

    @Test("The operator's token signs in, and brings one where one wanted to go")
    func token() async throws {
        try await ConsoleWorld().with { browser in
            let page = try await browser.get("\(Self.signIn)?to=%2Fconsole%2Fcustomers%3Fq%3Da")
            #expect(page.status == 200)
            #expect(page.isPage)
            #expect(page.fields[.setCookie] == nil)
            let sight = try await browser.submit(
                page, to: Self.signIn, ["token": " \(ConsoleWorld.operatorToken)\n"])
            #expect(sight.status == 303)
            #expect(sight.location == "/console/customers?q=a")
            let cookie = try #require(sight.fields[.setCookie])
            #expect(cookie.hasPrefix("perennial-console="))
            #expect(cookie.hasSuffix("; Max-Age=43200; Path=/console; HttpOnly; SameSite=Lax"))
            #expect(!cookie.contains(ConsoleWorld.operatorToken))
            #expect(try await browser.get("/console").status == 200)
        }
    }

    @Test(
        "A wrong token is refused on the page itself, which does not say it again",
        arguments: ["", "wrong", "operator-0123456789abcdeF", "operator-0123456789abcdef0"])
    func wrongToken(token: String) async throws {
        try await ConsoleWorld().with { browser in
            let sight = try await browser.post(
                Self.signIn, [("token", token), ("to", "/console/clock")])
            #expect(sight.status == 422)
            #expect(sight.isPage)
            #expect(sight.fields[.setCookie] == nil)
            #expect(sight.form(to: Self.signIn)?.contains { $0.value == "/console/clock" } == true)
            #expect(token.isEmpty || token == "wrong" || !sight.text.contains(token))
            #expect(try await browser.get("/console").status == 303)
        }
    }

    @Test("A link signs in once; looking at it uses nothing up")
    func link() async throws {
        let world = try await ConsoleWorld()
        let code = world.access.makeCode(now: world.machine.now)
        try await world.with { browser in
            for _ in 1...3 {
                let page = try await browser.get("\(Self.signIn)?code=\(code)")
                #expect(page.status == 200)
                #expect(page.fields[.setCookie] == nil)
            }
            #expect(try await browser.get(Self.signIn, method: .head).status == 200)
            let page = try await browser.get("\(Self.signIn)?code=\(code)")
            let sight = try await browser.submit(page, to: Self.signIn)
            #expect(sight.status == 303)
            #expect(sight.location == "/console")
            #expect(try await browser.get("/console").status == 200)
            browser.cookie = nil
            let again = try await browser.submit(page, to: Self.signIn)
            #expect(again.status == 422)
            #expect(again.fields[.setCookie] == nil)
        }
    }

    @Test("A link ends after an hour, a session after twelve")
    func ends() async throws {
        let world = try await ConsoleWorld()
        let start = world.machine.now
        let codes = (1...3).map { _ in world.access.makeCode(now: start) }
        try await world.with { browser in
            world.machine.set(start + .hours(1) + Span(milliseconds: -1))
            let first = try await browser.post(Self.signIn, [("code", codes[0])])
            #expect(first.status == 303)
            world.machine.set(start + .hours(1))
            #expect(try await browser.post(Self.signIn, [("code", codes[1])]).status == 422)
            world.machine.set(start + .hours(13) + Span(milliseconds: -2))
            #expect(try await browser.get("/console").status == 200)
            world.machine.set(start + .hours(13))
            #expect(try await browser.get("/console").status == 303)
        }
    }

    @Test("A code is no session, and a session no code")
    func purposes() async throws {
        let world = try await ConsoleWorld()
        try await world.with { browser in
            let code = world.access.makeCode(now: world.machine.now)
            browser.cookie = "\(browser.cookieName)=\(code)"
            #expect(try await browser.get("/console").status == 303)
            try await browser.signIn()
            let session = try #require(browser.cookie?.split(separator: "=").last)
            browser.cookie = nil
            #expect(
                try await browser.post(Self.signIn, [("code", String(session))]).status == 422)
        }
    }

    @Test("Signing out ends the session, wherever its cookie was copied to")
    func signOut() async throws {
        let world = try await ConsoleWorld()
        try await world.signedIn { browser in
            let page = try await browser.get("/console")
            let cookie = try #require(browser.cookie)
            let sight = try await browser.submit(page, to: "/console/sign-out")
            #expect(sight.status == 303)
            #expect(sight.location == Self.signIn)
            #expect(
                sight.fields[.setCookie]
                    == "\(browser.cookieName)=; Max-Age=0; Path=/console; HttpOnly; SameSite=Lax")
            browser.cookie = cookie
            #expect(try await browser.get("/console").status == 303)
            // Another session goes on.
            browser.cookie = nil
            try await browser.signIn()
            let other = try #require(browser.cookie)
            browser.cookie = cookie
            #expect(try await browser.post("/console/sign-out").status == 303)
            browser.cookie = other
            #expect(try await browser.get("/console").status == 200)
        }
    }

    @Test("A cookie that somebody chose before the sign-in is worth nothing afterwards either")
    func fixation() async throws {
        try await ConsoleWorld().with { browser in
            let chosen = "\(browser.cookieName)=chosen"
            browser.cookie = chosen
            try await browser.signIn()
            let given = try #require(browser.cookie)
            #expect(given != chosen)
            browser.cookie = chosen
            #expect(try await browser.get("/console").status == 303)
            browser.cookie = "\(chosen); \(given)"
            #expect(try await browser.get("/console").status == 200)
            // Each sign-in has a session of its own.
            try await browser.signIn()
            #expect(browser.cookie != given)
        }
    }

    @Test("One sign-in opens both environments, and none of another token")
    func elsewhere() async throws {
        let world = try await ConsoleWorld()
        let cookie = try await world.signedIn { browser in try #require(browser.cookie) }
        try await world.with(.sandbox) { browser in
            browser.cookie = cookie
            #expect(try await browser.get("/console").status == 200)
            _ = try await browser.post("/console/sign-out")
        }
        try await world.with { browser in
            browser.cookie = cookie
            let sight = try await browser.get("/console")
            #expect(sight.status == 303)
        }
        var server = world.server
        server.pages = Console(ConsoleAccess(operatorToken: "another-0123456789")).endpoints
        try await server.application(for: .production, port: 0).test(.router) { http in
            let browser = Browser(http: http, root: "/console")
            browser.cookie = cookie
            let sight = try await browser.get("/console")
            #expect(sight.status == 303)
        }
    }

    @Test(
        "The sign-in leads to pages of the console alone",
        arguments: [
            "//evil.example", "/consolex", "https://evil.example/console", "/\\evil.example",
            "/console\\..\\..", "/console/\nx", "/console/\u{0}", "/console/\t/evil", "console",
            "", "/", "/connect/v1/apps", "/console/ä", " /console/clock x", "/console/a b",
            "javascript:alert(1)", "/console/../connect", "/console/..//evil.example",
            "/console/%2e%2E/x", "/console/.", "/console/" + String(repeating: "a", count: 2000),
        ])
    func redirects(to: String) async throws {
        try await ConsoleWorld().with { browser in
            let page = try await browser.get("\(Self.signIn)?to=\(Browser.percent(to))")
            let form = try #require(page.form(to: Self.signIn))
            #expect(!form.contains { $0.name == "to" }, "\(form)")
            let sight = try await browser.post(
                Self.signIn, [("token", ConsoleWorld.operatorToken), ("to", to)])
            #expect(sight.location == "/console")
        }
    }
}
