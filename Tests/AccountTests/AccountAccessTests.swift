import Account
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: who may come in")
struct AccountAccessTests {
    private static let signIn = "/account/sign-in"

    /// All paths that take a method, with a value in each parameter.
    private func paths(_ method: HTTPRequest.Method) -> [String] {
        Account(AccountAccess(secret: "secret", letsAnybodySignIn: true)).endpoints
            .filter { $0.method == method }.map { $0.path.replacing(#/\{[^}]*\}/#) { _ in "1" } }
    }

    /// A link from the app of a customer who signs in on a device.
    private func makeLink(_ browser: Browser, _ account: String = "ada") async throws -> String {
        let token = try await deviceToken(browser, account)
        let sight = try await browser.call(.post, "/storefront/v1/account/link", token: token)
        #expect(sight.status == 200, "\(sight.text)")
        return try #require(try JSONValue(parsing: Array(sight.text.utf8))["path"]?.string)
    }

    private func deviceToken(_ browser: Browser, _ account: String) async throws -> String {
        let sight = try await browser.call(
            .post, "/storefront/v1/sign-in",
            #"{"bundleId":"com.example.app","account":"\#(account)"}"#, token: nil)
        return try #require(try JSONValue(parsing: Array(sight.text.utf8))["token"]?.string)
    }

    @Test("Whoever is not signed in is sent to do so by every page, and changes nothing")
    func signedOut() async throws {
        let world = try await AccountWorld()
        try await world.subscribe()
        let before = try await world.tables()
        let open = [Self.signIn, "/account/assets/1/1"]
        let (reads, acts) = (paths(.get), paths(.post))
        #expect(reads.count > 5 && acts.count > 5)
        try await world.with { browser in
            for path in reads where !open.contains(path) {
                let sight = try await browser.get(path)
                #expect(sight.status == 303, "\(path)")
                // What a page frames is no place to come back to.
                let back = path.hasSuffix("/sheet") ? "" : "?to=\(Browser.percent(path))"
                #expect(sight.location == Self.signIn + back)
                #expect(sight.text.isEmpty)
            }
            for path in acts where path != Self.signIn {
                let sight = try await browser.post(path, [("charged", "0")])
                #expect(sight.status == 303, "\(path)")
                #expect(sight.location == Self.signIn, "\(path)")
            }
        }
        #expect(try await world.changes(since: before) == [])
    }

    @Test("The sign-in for development says what it is, and leads where one wanted to go")
    func development() async throws {
        let world = try await AccountWorld()
        try await world.subscribe()
        try await world.with { browser in
            let page = try await browser.get("\(Self.signIn)?to=%2Faccount%3Fa%3Db")
            #expect(page.status == 200)
            #expect(page.words.contains("for development"))
            #expect(page.words.contains("everybody who reaches this port"))
            expectSafe(page)
            let sight = try await browser.submit(page, to: Self.signIn, ["account": "ada"])
            #expect(sight.status == 303)
            #expect(sight.location == "/account?a=b")
            let cookie = try #require(sight.fields[.setCookie])
            #expect(cookie.hasPrefix("perennial-account="))
            #expect(cookie.hasSuffix("; Max-Age=43200; Path=/account; HttpOnly; SameSite=Lax"))
            #expect(!cookie.contains(AccountWorld.operatorToken))
            #expect(try await browser.get("/account").words.contains("silver.monthly"))
        }
    }

    @Test("A new name begins an account; what can be none is refused on the page itself")
    func names() async throws {
        let world = try await AccountWorld()
        try await world.with { browser in
            for (app, account) in [
                ("com.example.app", ""), ("com.example.app", " "), ("com.example.none", "ada"),
                ("", "ada"), ("com.example.app", "a\u{200B}b"),
                ("com.example.app", String(repeating: "a", count: 300)),
            ] {
                let sight = try await browser.post(
                    Self.signIn, [("app", app), ("account", account)])
                #expect(sight.status == 422, "\(app) \(account)")
                #expect(sight.fields[.setCookie] == nil)
                expectSafe(sight)
            }
            try await browser.signIn("newcomer")
            #expect(try await browser.get("/account").status == 200)
        }
    }

    @Test("Where it is turned off only a link of the app signs in")
    func turnedOff() async throws {
        let world = try await AccountWorld(letsAnybodySignIn: false)
        try await world.subscribe()
        try await world.with { browser in
            let page = try await browser.get(Self.signIn)
            #expect(page.form(to: Self.signIn) == nil)
            let refused = try await browser.post(
                Self.signIn, [("app", "com.example.app"), ("account", "ada")])
            #expect(refused.status == 422)
            #expect(refused.fields[.setCookie] == nil)
            let shown = try await browser.get(try await makeLink(browser))
            let sight = try await browser.submit(shown, to: Self.signIn)
            #expect(sight.status == 303)
            #expect(try await browser.get("/account").words.contains("silver.monthly"))
        }
    }

    @Test("A link signs in once, says whom, and looking at it uses nothing up")
    func link() async throws {
        let world = try await AccountWorld()
        try await world.with { browser in
            let path = try await makeLink(browser)
            for _ in 1...3 {
                let page = try await browser.get(path)
                #expect(page.status == 200)
                #expect(page.fields[.setCookie] == nil)
                #expect(page.words.contains("This opens the account of ada for App."))
                expectSafe(page)
            }
            let page = try await browser.get(path)
            #expect(try await browser.submit(page, to: Self.signIn).status == 303)
            browser.cookie = nil
            let again = try await browser.submit(page, to: Self.signIn)
            #expect(again.status == 422)
            #expect(again.fields[.setCookie] == nil)
            #expect(try await browser.get(path).status == 422)
        }
    }

    @Test("A link ends after ten minutes, and a session after twelve hours")
    func ends() async throws {
        let world = try await AccountWorld()
        try await world.with { browser in
            let start = world.machine.now
            let (first, second) = (try await makeLink(browser), try await makeLink(browser))
            world.machine.set(start + .minutes(10) + Span(milliseconds: -1))
            let page = try await browser.get(second)
            #expect(try await browser.submit(page, to: Self.signIn).status == 303)
            world.machine.set(start + .minutes(10))
            #expect(try await browser.get(first).status == 422)
            world.machine.set(start + .hours(12))
            #expect(try await browser.get("/account").status == 200)
            world.machine.set(start + .hours(13))
            #expect(try await browser.get("/account").status == 303)
        }
    }

    @Test("A link is made for the device that asks, and for nobody without a token")
    func links() async throws {
        try await AccountWorld().with { browser in
            for token in [nil, "wrong", AccountWorld.operatorToken] {
                let sight = try await browser.call(
                    .post, "/storefront/v1/account/link", token: token)
                #expect(sight.status == 401, "\(token ?? "none")")
            }
        }
    }

    @Test("A session of one environment is none in the other, and neither ends the other's")
    func environments() async throws {
        let world = try await AccountWorld()
        let cookie = try await world.signedIn { browser in try #require(browser.cookie) }
        try await world.with(.sandbox) { browser in
            browser.cookie = cookie
            #expect(try await browser.get("/account").status == 303)
            browser.cookie = cookie.replacing(
                "perennial-account=", with: "perennial-account-sandbox=")
            #expect(try await browser.get("/account").status == 303)
            browser.cookie = cookie
            let sight = try await browser.post(
                Self.signIn, [("app", "com.example.app"), ("account", "ada")])
            #expect(sight.fields[.setCookie]?.hasPrefix("perennial-account-sandbox=") == true)
        }
    }

    @Test("Signing in begins another session whatever was there, and signing out ends all copies")
    func fixation() async throws {
        try await AccountWorld().signedIn { browser in
            let first = try #require(browser.cookie)
            try await browser.signIn("bea")
            let second = try #require(browser.cookie)
            #expect(first != second)
            let out = try await browser.post("/account/sign-out")
            #expect(out.status == 303)
            #expect(out.location == Self.signIn)
            browser.cookie = second
            #expect(try await browser.get("/account").status == 303)
            browser.cookie = "perennial-account=chosen-by-somebody"
            let sight = try await browser.post(
                Self.signIn, [("app", "com.example.app"), ("account", "ada")])
            #expect(sight.fields[.setCookie]?.contains("chosen-by-somebody") == false)
        }
    }

    @Test("A session that anybody has changed is none")
    func tampered() async throws {
        try await AccountWorld().signedIn { browser in
            let cookie = try #require(browser.cookie)
            let parts = cookie.split(separator: ".").map(String.init)
            #expect(parts.count == 4)
            let bea = "bea".utf8.map { String($0, radix: 16) }.joined()
            let ada = "ada".utf8.map { String($0, radix: 16) }.joined()
            #expect(parts[2].hasSuffix("-\(ada)"))
            for changed in [
                [parts[0], parts[1], parts[2].replacing("-\(ada)", with: "-\(bea)"), parts[3]],
                [parts[0], "9999999999999", parts[2], parts[3]],
                [parts[0], parts[1], parts[3]], [parts[0], parts[1], "", parts[3]],
            ] {
                browser.cookie = changed.joined(separator: ".")
                #expect(try await browser.get("/account").status == 303, "\(changed)")
            }
        }
    }

    @Test(
        "Nobody is sent elsewhere by the sign-in",
        arguments: [
            "https://evil.example/account", "//evil.example/account", "/accountant", "/console",
            "/account/../console", "/account/%2e%2e/console", "/account\\evil", "javascript:1",
            "/account/\r\nSet-Cookie: a=b",
        ])
    func openRedirects(target: String) async throws {
        let world = try await AccountWorld()
        try await world.with { browser in
            let page = try await browser.get("\(Self.signIn)?to=\(Browser.percent(target))")
            #expect(page.form(to: Self.signIn)?.contains { $0.name == "to" } == false)
            let sight = try await browser.post(
                Self.signIn,
                [("app", "com.example.app"), ("account", "ada"), ("to", target)])
            #expect(sight.status == 303)
            #expect(sight.location == "/account")
        }
    }

    @Test("A form of another origin is refused and changes nothing, whatever it asks for")
    func otherOrigins() async throws {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        let below = "/account/subscriptions/\(id)"
        try await world.signedIn { browser in
            let before = try await world.tables()
            for path in [
                "\(below)/cancel", "\(below)/renewal", "\(below)/plans/gold.monthly",
                "\(below)/resubscribe", "\(below)/price/agree", "\(below)/price/seen",
                "/account/sign-out", "/account/sign-in",
            ] {
                for (site, origin) in [
                    ("cross-site", nil), ("same-site", nil), (nil, nil), (nil, "null"),
                    (nil, "http://evil.example"),
                ] as [(String?, String?)] {
                    var fields = HTTPFields()
                    fields[.origin] = origin
                    let sight = try await browser.post(path, [("account", "a")], from: site, fields)
                    #expect(sight.status == 403, "\(path) \(site ?? "") \(origin ?? "")")
                    #expect(sight.fields[.setCookie] == nil)
                    expectSafe(sight)
                }
            }
            #expect(try await world.changes(since: before) == [])
        }
    }
}
