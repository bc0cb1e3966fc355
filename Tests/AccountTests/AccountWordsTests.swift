import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Account: languages, and texts that want to be markup")
struct AccountWordsTests {
    @Test(
        "Every page is in the reader's language, and Arabic is written from right to left",
        arguments: [
            ("en-GB", "en", "ltr", "Subscriptions"),
            ("de-CH, en;q=0.5", "de", "ltr", "Abonnements"),
            ("fr", "fr", "ltr", "Abonnements"), ("es-MX", "es", "ltr", "Suscripciones"),
            ("ja", "ja", "ltr", "サブスクリプション"), ("ar-EG", "ar", "rtl", "الاشتراكات"),
            ("pl, sv", "en", "ltr", "Subscriptions"),
        ])
    func languages(accepted: String, language: String, direction: String, text: String)
        async throws
    {
        let world = try await AccountWorld()
        let id = try await world.subscribe()
        try await world.signedIn { browser in
            for rest in ["", "/subscriptions/\(id)", "/subscriptions/\(id)/cancel"] {
                let sight = try await browser.get(
                    "/account\(rest)", [.acceptLanguage: accepted])
                #expect(sight.status == 200)
                let html = sight.markup.first { $0.name == "html" }
                #expect(html?.attributes["lang"] == language)
                #expect(html?.attributes["dir"] == direction)
                #expect(sight.words.contains(text), "\(rest)")
                expectSafe(sight)
            }
        }
    }

    @Test("A refusal is told in the reader's language")
    func refusals() async throws {
        let world = try await AccountWorld()
        try await world.signedIn { browser in
            let sight = try await browser.get(
                "/account/subscriptions/1/plans", [.acceptLanguage: "de"])
            #expect(sight.status == 404)
            #expect(sight.words.contains("Sie haben kein solches Abonnement."))
        }
    }

    @Test(
        "An address that leads nowhere is answered in the reader's language, whoever reads",
        arguments: [
            ("en-GB", "en", "There is no such page."),
            ("de-CH, en;q=0.5", "de", "Diese Seite gibt es nicht."),
            ("fr", "fr", "Cette page n’existe pas."), ("es-MX", "es", "Esta página no existe."),
            ("ja", "ja", "このページはありません。"), ("ar-EG", "ar", "لا توجد صفحة كهذه."),
            ("pl, sv", "en", "There is no such page."),
        ])
    func unknownPath(accepted: String, language: String, sentence: String) async throws {
        let world = try await AccountWorld()
        try await world.with { browser in
            for isSignedIn in [false, true] {
                if isSignedIn { try await browser.signIn("ada") }
                for path in ["/account/nothing", "/account/nothing/below/it"] {
                    let sight = try await browser.get(path, [.acceptLanguage: accepted])
                    #expect(sight.status == 404)
                    let html = sight.markup.first { $0.name == "html" }
                    #expect(html?.attributes["lang"] == language)
                    #expect(sight.words.contains(sentence), "\(path)")
                    expectSafe(sight)
                }
            }
            // So is what takes no form.
            let sight = try await browser.post(
                "/account/purchases", [], [.acceptLanguage: accepted])
            #expect(sight.status == 405)
            #expect(sight.words.contains(sentence))
        }
    }

    @Test("An amount is written as the reader does, a day is the storefront's")
    func formats() async throws {
        let world = try await AccountWorld(at: "2026-01-01T03:00:00Z")
        try await world.subscribe()
        try await world.signedIn { browser in
            let german = try await browser.get("/account", [.acceptLanguage: "de-DE"])
            // The evening before in New York.
            #expect(german.words.contains("31. Januar 2026"))
            #expect(german.words.contains("9,99\u{A0}$"))
        }
    }

    /// Texts that end an element, an attribute or a title where they are not escaped.
    private static let hostile = [
        "<x-evil x-evil=1>", "\"x-evil=1 'x-evil=1 ><x-evil>", "</title></svg><x-evil>",
        "{{.title}}{{{.x-evil}}}", "</script><script>x-evil()</script>", "javascript:x-evil",
        "x-evil/../..", "&lt;x-evil&gt;", "//x-evil.example?a=b&c#d", "%3Cx-evil%3E",
    ]

    @Test("No name becomes markup, on any page", arguments: hostile.indices)
    func names(place: Int) async throws {
        let text = Self.hostile[place]
        var catalogue = SampleCatalogue.all
        for product in catalogue.products.indices {
            catalogue.products[product].localizations = [
                Localization(locale: "en_US", displayName: text, description: text)
            ]
        }
        let world = try await AccountWorld(catalogue: catalogue)
        try await world.world.store.configure(bundleID: World.bundleID) { $0.name = text }
        let id = try await world.subscribe(text)
        try await world.with { browser in
            let door = try await browser.get(
                "/account/sign-in?code=\(Browser.percent(text))&to=\(Browser.percent(text))")
            try expectHarmless(door)
            try await browser.signIn(text)
            let below = "/account/subscriptions/\(id)"
            for path in [
                "/account", "/account?done=\(Browser.percent(text))", below, "\(below)/cancel",
                "\(below)/plans", "\(below)/plans/gold.monthly", "\(below)/price",
                "\(below)/plans/\(Browser.percent(text))",
                "/account/subscriptions/\(Browser.percent(text))",
                "\(below)/plans/gold.monthly?billing=\(Browser.percent(text))",
            ] {
                try expectHarmless(try await browser.get(path))
            }
            let refused = try await browser.post(
                "\(below)/plans/gold.monthly",
                [("charged", text), ("billing", text), ("form", text)])
            try expectHarmless(refused)
        }
    }

    private func expectHarmless(_ sight: Sight) throws {
        #expect(sight.isPage, "\(sight.path) \(sight.status)")
        #expect(sight.status < 500, "\(sight.path)")
        #expect(!sight.markup.contains { $0.name.hasPrefix("x-evil") }, "\(sight.path)")
        #expect(
            !sight.markup.contains { $0.attributes.keys.contains { $0.hasPrefix("x-evil") } },
            "\(sight.path)")
        expectSafe(sight)
    }
}
