import AppStoreWire
import HTTPTypes
import MerchantPages
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Shop: who may come in")
struct ShopAccessTests {
    private static let pages = [
        "/shop", "/shop/compact", "/shop/plan", "/shop/content", "/shop/price", "/shop/help",
        "/shop/terms", "/shop/privacy",
    ]

    @Test("Every page sends people who are not signed in to do so first", arguments: pages)
    func signedOut(_ path: String) async throws {
        try await ShopWorld().with { shopper in
            let sight = try await shopper.get(path)
            #expect(sight.status == 303)
            #expect(sight.location?.hasPrefix("/shop/sign-in?to=%2Fshop") == true)
        }
    }

    @Test("A link of the app signs in once, and looking at it uses it not up")
    func links() async throws {
        let world = try await ShopWorld(letsAnybodySignIn: false)
        try await world.with { shopper in
            let answer = try await shopper.call(
                .post, "/v1/apps/\(World.bundleID)/accounts/ada/shop-link", token: ShopWorld.app)
            #expect(answer.status == 200, "\(answer.text)")
            let path = try #require(
                try JSONValue(parsing: Array(answer.text.utf8))["path"]?.string)
            for _ in 1...2 {
                let seen = try await shopper.get(path)
                #expect(seen.text.contains("This signs you in as ada."))
            }
            let code = try #require(try await shopper.get(path).hidden("code"))
            #expect(try await shopper.post("/shop/sign-in", [("code", code)]).status == 303)
            #expect(try await shopper.get("/shop/content").status == 200)
            #expect(try await shopper.post("/shop/sign-in", [("code", code)]).status == 422)
            #expect(try await shopper.get(path).text.contains("used before"))
        }
    }

    @Test("A name alone opens nothing where the sign-in for development is off")
    func noDevelopmentSignIn() async throws {
        try await ShopWorld(letsAnybodySignIn: false).with { shopper in
            let form = [("app", World.bundleID), ("account", "ada")]
            let refused = try await shopper.post("/shop/sign-in", form)
            #expect(refused.status == 422)
            #expect(try await shopper.get("/shop").status == 303)
        }
    }

    @Test(
        "A sign-in for development refuses what is no name, and an app that is not served",
        arguments: [("", World.bundleID), ("ada", "com.example.unknown"), ("ada", "")])
    func refusedNames(_ account: String, _ app: String) async throws {
        try await ShopWorld().with { shopper in
            let form = [("app", app), ("account", account)]
            let refused = try await shopper.post("/shop/sign-in", form)
            #expect(refused.status == 422)
        }
    }

    @Test("A form of another site does nothing, and a session ends when it is signed out of")
    func forms() async throws {
        try await ShopWorld().signedIn { shopper in
            for site in ["cross-site", "same-site"] {
                let sight = try await shopper.post("/shop/restore", [], from: site)
                #expect(sight.status == 403, "\(site)")
            }
            #expect(try await shopper.post("/shop/sign-out").status == 303)
            #expect(try await shopper.get("/shop").status == 303)
        }
    }

    @Test(
        "An address that leads nowhere is answered in the reader's language",
        arguments: [
            ("en", "There is no such page."), ("de", "Diese Seite gibt es nicht."),
            ("fr", "Cette page n’existe pas."), ("es", "Esta página no existe."),
            ("ja", "このページはありません。"), ("ar", "لا توجد صفحة كهذه."),
            ("xx", "There is no such page."),
        ])
    func unknownPath(_ language: String, _ sentence: String) async throws {
        try await ShopWorld().with { shopper in
            for path in ["/shop/nothing", "/shop/nothing/below/it"] {
                let sight = try await shopper.get(path, [.acceptLanguage: language])
                #expect(sight.status == 404)
                #expect(sight.text.contains(sentence), "\(path)")
                let written = language == "xx" ? "en" : language
                #expect(sight.text.contains(#"lang="\#(written)""#), "\(path)")
            }
        }
    }

    @Test("No other site may show the shop's pages")
    func frames() async throws {
        try await ShopWorld().signedIn { shopper in
            let sight = try await shopper.get("/shop")
            #expect(sight.policy.contains("frame-ancestors 'none'"))
        }
    }
}
