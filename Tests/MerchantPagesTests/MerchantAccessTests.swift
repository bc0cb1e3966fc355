import HTTPSurface
import HTTPTypes
import MerchantHTTP
import MerchantPages
import SubscriptionRules
import TestPages
import TestSupport
import Testing
import TimeAndChance

@Suite("Merchant pages: who may come in")
struct MerchantAccessTests {
    private static let signIn = "/console/sign-in"

    /// All paths of the console that take a method, with a value in each parameter.
    private func paths(_ world: MerchantPagesWorld, _ method: HTTPRequest.Method) -> [String] {
        world.server.pages.filter { $0.method == method && $0.path.hasPrefix("/console") }.map {
            $0.path.replacing(#/\{[^}]*\}/#) { _ in "1" }
        }
    }

    @Test("Whoever is not signed in is sent to do so by every page, and changes nothing")
    func signedOut() async throws {
        let world = try await MerchantPagesWorld()
        try await world.with { browser in
            let before = try await world.tables()
            let open = [Self.signIn, "/console/assets/1/1"]
            let pages = paths(world, .get).filter { !open.contains($0) }
            #expect(pages.count > 15)
            for path in pages {
                let sight = try await browser.get(path)
                #expect(sight.status == 303, "\(path)")
                #expect(sight.location?.hasPrefix("\(Self.signIn)?to=") == true, "\(path)")
                #expect(sight.text.isEmpty, "\(path)")
            }
            for path in paths(world, .post) where path != Self.signIn {
                let sight = try await browser.post(path, [("account", "eve")])
                #expect(sight.status == 303, "\(path)")
                #expect(sight.location == Self.signIn, "\(path)")
            }
            #expect(try await world.tables() == before)
        }
    }

    @Test("The operator's token signs in, and brings one where one wanted to go")
    func token() async throws {
        try await MerchantPagesWorld().with { browser in
            let page = try await browser.get("\(Self.signIn)?to=%2Fconsole%2Fgaps")
            #expect(page.status == 200)
            #expect(page.isPage)
            let sight = try await browser.post(
                Self.signIn,
                [("token", MerchantPagesWorld.theOperator), ("to", "/console/gaps")])
            #expect(sight.status == 303)
            #expect(sight.location == "/console/gaps")
            let cookie = try #require(sight.fields[.setCookie])
            #expect(cookie.hasPrefix("perennial-merchant="))
            #expect(cookie.hasSuffix("; Max-Age=43200; Path=/console; HttpOnly; SameSite=Lax"))
            #expect(try await browser.get("/console/gaps").status == 200)
        }
    }

    @Test(
        "A token that is not the operator's is refused, and not said again",
        arguments: [
            "", "wrong", MerchantPagesWorld.app, MerchantPagesWorld.developer,
            "operator-012345678",
        ])
    func wrongToken(token: String) async throws {
        try await MerchantPagesWorld().with { browser in
            let sight = try await browser.post(Self.signIn, [("token", token)])
            #expect(sight.status == 422)
            #expect(sight.isPage)
            #expect(sight.fields[.setCookie] == nil)
            #expect(token.count < 6 || !sight.text.contains(token))
            #expect(try await browser.get("/console").status == 303)
        }
    }

    @Test("A link signs in once; looking at it uses nothing up")
    func link() async throws {
        let world = try await MerchantPagesWorld()
        // The server goes by the machine's clock, and so does whoever makes the link.
        let link = MerchantAccess.link(
            operatorToken: MerchantPagesWorld.theOperator, now: SystemTime.now())
        let code = try #require(link.split(separator: "=").last.map(String.init))
        try await world.with { browser in
            for _ in 1...2 {
                let page = try await browser.get(link)
                #expect(page.status == 200)
                #expect(page.fields[.setCookie] == nil)
            }
            #expect(try await browser.post(Self.signIn, [("code", code)]).status == 303)
            #expect(try await browser.get("/console").status == 200)
            browser.cookie = nil
            #expect(try await browser.post(Self.signIn, [("code", code)]).status == 422)
        }
    }

    @Test(
        "A link of another token, of another site or of an hour ago opens nothing",
        arguments: [
            ("another-0123456789", 0), (MerchantPagesWorld.theOperator, 2),
        ])
    func otherLink(token: String, hoursAgo: Int) async throws {
        let link = MerchantAccess.link(
            operatorToken: token, now: SystemTime.now() - .hours(hoursAgo))
        let code = try #require(link.split(separator: "=").last.map(String.init))
        try await MerchantPagesWorld().with { browser in
            #expect(try await browser.post(Self.signIn, [("code", code)]).status == 422)
            let elsewhere = try await browser.post(
                Self.signIn,
                [("token", MerchantPagesWorld.theOperator), ("to", "//evil.example/console")])
            #expect(elsewhere.location == "/console")
        }
    }

    @Test("Signing out ends the session, and so does another token of the operator's")
    func ends() async throws {
        let world = try await MerchantPagesWorld()
        try await world.signedIn { browser in
            let cookie = browser.cookie
            let out = try await browser.post("/console/sign-out")
            #expect(out.status == 303)
            browser.cookie = cookie
            #expect(try await browser.get("/console").status == 303)
            browser.cookie = nil
            try await browser.signIn()
            #expect(try await browser.get("/console").status == 200)
            world.book.replace(by: MerchantPagesWorld.tokens("operator-of-later-on"))
            #expect(try await browser.get("/console").status == 303)
        }
    }

    @Test(
        "A form from another site does nothing", arguments: ["cross-site", "same-site", nil])
    func otherOrigin(site: String?) async throws {
        let world = try await MerchantPagesWorld()
        try await world.signedIn { browser in
            let before = try await world.tables()
            for path in [
                "/console/gaps/heal", "/console/dead-letters/1/replay", "/console/sign-out",
                "/console/unowned/\(World.bundleID)/1/claim",
                "/console/campaigns/\(World.bundleID)/spring/move/stop",
                "/console/campaigns/new", "/console/plans/1/begin",
            ] {
                let sight = try await browser.post(path, [("account", "eve")], from: site)
                #expect(sight.status == 403, "\(path)")
                #expect(sight.isPage, "\(path)")
            }
            #expect(try await world.tables() == before)
            #expect(try await browser.get("/console").status == 200)
        }
    }
}
