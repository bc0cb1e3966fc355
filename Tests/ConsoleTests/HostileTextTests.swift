import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: texts that want to be markup")
struct HostileTextTests {
    /// Texts that end an element, an attribute, a title or a script where they are not escaped.
    private static let texts = [
        "<x-evil x-evil=1>", "\"x-evil=1 'x-evil=1 ><x-evil>", "</title></svg><x-evil>",
        "\u{600}<\u{600}x-evil\u{600}>", "\"\u{301} x-evil=\"\u{301}", "{{.title}}{{{.x-evil}}}",
        "</script><script>x-evil()</script>", "javascript:x-evil", "x-evil/../..", "&lt;x-evil&gt;",
        "//x-evil.example?a=b&c#d", "%3Cx-evil%3E",
    ]

    @Test("No name becomes markup, on any page", arguments: texts.indices)
    func names(place: Int) async throws {
        let text = Self.texts[place]
        let world = try await ConsoleWorld()
        let product = "silver.monthly"
        try await world.with { browser in
            for (method, path, body): (HTTPRequest.Method, String, String) in [
                (
                    .post, "/connect/v1/apps",
                    #"{"bundleId":"com.example.two","appAppleId":42,"name":\#(Self.json(text))}"#
                ),
                (
                    .patch, "/connect/v1/apps/com.example.app", #"{"name":\#(Self.json(text))}"#
                ),
                (
                    .post, "/storefront/v1/sign-in",
                    #"{"bundleId":"com.example.app","account":\#(Self.json(text))}"#
                ),
            ] {
                let sight = try await browser.call(method, path, body)
                #expect(sight.status < 300 || sight.status == 400, "\(sight.text)")
            }
        }
        let catalogue = Catalogue(
            groups: [SubscriptionGroup(id: "evil", referenceName: text)],
            products: [Product(id: text, type: .consumable, referenceName: text, basePrice: 990)])
        try? await world.world.store.importCatalogue(catalogue, bundleID: World.bundleID)
        // What the store refuses is nobody's name.
        let id = try? await world.subscribe(text, to: product)
        _ = try? await world.world.store.purchase(
            PurchaseRequest(productID: text), by: try await world.world.device("ada"))
        try await world.subscribe("ada", to: product)
        try await world.signedIn { browser in
            var crawler = Crawler(browser, most: 120)
            let asked = Browser.percent(text)
            try await crawler.look(
                at: [
                    "/console", "/console/customers", "/console/customers?q=\(asked)",
                    "/console/customers/\(asked)", "/console/sign-in?code=\(asked)&to=\(asked)",
                    "/console/clock/ahead?until=\(asked)", "/console/\(asked)",
                ])
            for sight in crawler.seen.values {
                expectSafe(sight)
                expectNoMarkup(sight, of: text)
            }
            guard id != nil else { return }
            let isShown = crawler.seen.values.contains { sight in
                sight.status == 200 && sight.words.unicodeScalars.contains(text.unicodeScalars)
            }
            #expect(isShown, "the account is shown nowhere")
        }
    }

    private func expectNoMarkup(_ sight: Sight, of text: String) {
        for tag in sight.markup {
            #expect(!tag.name.contains("x-evil"), "\(sight.path)")
            #expect(!tag.attributes.keys.contains { $0.contains("evil") }, "\(sight.path)")
            for name in ["href", "src", "action"] {
                guard let path = tag.attributes[name], path.contains("evil") else { continue }
                #expect(path.hasPrefix("/console/"), "\(sight.path): \(path)")
                #expect(!path.contains("/../"), "\(sight.path): \(path)")
            }
        }
    }

    @Test("The words of a command line are quoted, so that a shell takes a name for one word")
    func shell() async throws {
        let account = "a'b $(x-evil) `x`"
        let world = try await ConsoleWorld()
        try await world.subscribe(account)
        try await world.signedIn { browser in
            let page = try await browser.get("/console/customers/\(Browser.percent(account))")
            #expect(page.status == 200)
            #expect(page.words.contains(#"perennial status 'a'\''b $(x-evil) `x`'"#))
        }
    }

    private static func json(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
