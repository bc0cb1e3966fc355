import HTTPTypes
import Hummingbird
import Testing

@testable import HTMLPages

@Suite("Blocks of pages")
struct BlockTests {
    /// What is said where there is nothing is not said where there is something, and a box to be
    /// ticked has only a name and a label.
    private static let silent: Set = [
        "not-empty", "no-column", "empty-caption", "ask-box-name", "text", "off", "link-frame",
    ]

    /// All texts in a value, however deep.
    private func texts(in value: Any) -> [String] {
        if let text = value as? String { return text.isEmpty ? [] : [text] }
        return Mirror(reflecting: value).children.filter { $0.label != "template" }
            .flatMap { texts(in: $0.value) }
    }

    @Test("Everything that a block holds is shown", arguments: 0..<Samples.plain.all.count)
    func shown(place: Int) {
        let block = Samples.plain.all[place]
        let html = Samples.html(block)
        let silent = Self.silent
        for text in texts(in: block) where !silent.contains(text) {
            #expect(html.contains(text), "\(block.template) does not show \(text)")
        }
        // Lists alone lead into frames.
        if block is LinkList { #expect(html.contains("target=\"link-frame\"")) }
        if let progress = block as? Progress { #expect(html.contains("\"\(progress.permille)\"")) }
    }

    @Test("Everything that a page and its frame hold is shown")
    func page() {
        let html = Samples.plain.page.html(in: Samples.plain.frame)
        let view = PageView(Samples.plain.page, in: Samples.plain.frame)
        let silent = Self.silent
        for text in texts(in: view) where !silent.contains(text) {
            #expect(html.contains(text), "\(text) is not shown")
        }
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\""))
        #expect(html.contains("datetime=\"2026-01-01T00:00:00Z\""))
    }

    @Test(
        "No text becomes markup, wherever it stands",
        arguments: [
            "</title></svg></textarea></script><b onclick=\"x\" id='y'>&lt;",
            "\u{600}<\u{600}b\u{600}>\"\u{301}'\u{301}", "{{.title}}{{{.markup.text}}}",
            "\"></a><script>alert(1)</script>",
        ])
    func hostile(text: String) {
        let harmless = Samples { "\($0)" }
        let hostile = Samples { "\($0)\(text)" }
        let html = hostile.page.html(in: hostile.frame)
        // A heading may be broken behind each dot.
        func signs(_ html: String) -> [Unicode.Scalar: Int] {
            HTML.signs(in: html.replacing("<wbr>", with: ""))
        }
        #expect(signs(html) == signs(harmless.page.html(in: harmless.frame)))
        #expect(html.contains("prose-one\(HTMLText.escaped(text))"))
    }

    @Test("What an inner block does not have is not taken from the one around it")
    func outer() {
        let bare: [any PageBlock] = [
            LinkList([PageLink("inner", "/inner")]),
            Notice(.plain, "inner"),
            PageForm(.change, action: "/inner", button: "inner"),
            Facts([(label: "inner", value: Cell("inner"))]),
            DataTable(
                "inner", columns: ["inner"], rows: [DataTable.Row([Cell("inner")])],
                empty: "inner"),
        ]
        let section = PageSection("outer", id: "outer", about: "outer-about", bare)
        let html = Samples.html(section)
        #expect(html.matches(of: #/outer-about/#).count == 1)
        #expect(html.matches(of: #/id="outer"/#).count == 1)
        #expect(!html.contains("<tr id"))
        #expect(!html.contains("<strong>"))
        #expect(!html.contains("class=\"detail\""))
        #expect(!html.contains("class=\"more\""))
        let alone = bare.map { Samples.html($0) }
        for one in alone { #expect(html.contains(one)) }
    }

    @Test("Of a long table ten rows are seen, the others are unfolded in the same table")
    func folded() {
        func table(_ count: Int, _ shown: DataTable.Shown) -> String {
            Samples.html(
                DataTable(
                    "long", columns: ["one"],
                    rows: (1...count).map { DataTable.Row([Cell("row-\($0)")]) }, empty: "",
                    shown: shown))
        }
        let first = table(25, .first { "\($0) more" })
        #expect(first.contains("<summary>15 more</summary>"))
        let away = first.split(separator: "class=\"folded\"").last ?? ""
        #expect(away.contains("row-11<") && away.contains("row-25<") && !away.contains("row-10<"))
        let last = table(25, .last { "\($0) earlier" })
        #expect(last.contains("<summary>15 earlier</summary>"))
        let seen = last.split(separator: "</tbody>").dropFirst().first ?? ""
        #expect(seen.contains("row-16<") && seen.contains("row-25<") && !seen.contains("row-15<"))
        #expect(last.matches(of: #/<table/#).count == 1)
        for html in [table(25, .all), table(12, .first { "\($0)" })] {
            #expect(!html.contains("folded") && !html.contains("<details"))
        }
    }

    @Test("An identifier may be broken behind its dots, and nowhere else")
    func broken() {
        let html = Samples.html(
            Facts([
                ("a", Cell("com.example.app", detail: "com.example.detail")),
                ("b", .code("no-dots")), ("c", Cell(PageLink("1.99 a.b", "/a.b"))),
            ]))
        #expect(html.contains("<bdi>com.<wbr>example.<wbr>app</bdi>"))
        #expect(html.contains("<bdi>com.<wbr>example.<wbr>detail</bdi>"))
        #expect(html.contains("<code>no-dots</code>"))
        #expect(html.contains("href=\"/a.b\"><bdi>1.99 a.<wbr>b</bdi>"))
    }

    @Test("A field says what is wrong with it, and which words describe it")
    func field() {
        let html = Samples.html(
            PageForm(
                .change, action: "/a", button: "b",
                fields: [
                    Field("wrong", "Wrong", in: "f", value: "v", hint: "h", problem: "p"),
                    Field("fine", "Fine", in: "f", value: "w"),
                    Field("off", "Off", .checkbox, in: "f"),
                    Field(
                        "one", "One", .choice([(value: "1", text: "A"), (value: "2", text: "B")]),
                        in: "f", value: "2"),
                ]))
        #expect(html.contains(#"aria-describedby="f-wrong-hint f-wrong-problem""#))
        #expect(html.matches(of: #/aria-invalid="true"/#).count == 1)
        #expect(html.matches(of: #/aria-describedby/#).count == 1)
        #expect(html.contains(#"<option value="2" selected>B</option>"#))
        #expect(html.contains(#"<option value="1">A</option>"#))
        #expect(!html.contains("checked"))
        #expect(html.contains(#"method="post""#))
        #expect(!html.contains("disabled"))
    }

    @Test("A button looks like what it does: the page's main act, one beside it, or a loss")
    func buttons() {
        for (purpose, tag) in [
            (PageForm.Purpose.change, #"<button type="submit">"#),
            (.aside, #"<button type="submit" class="plain">"#),
            (.danger, #"<button type="submit" class="danger">"#),
        ] {
            let html = Samples.html(PageForm(purpose, action: "/a", button: "b"))
            #expect(html.contains(#"method="post""#))
            #expect(html.contains(tag), "\(purpose)")
        }
    }

    @Test("A secret that was typed is never sent back")
    func secret() {
        let html = Samples.html(
            PageForm(
                .change, action: "/a", button: "b",
                fields: [Field("token", "Token", .password, in: "f", value: "sesame")]))
        #expect(!html.contains("sesame"))
    }

    @Test("An answer with a page lets no other site frame it or feed it, and nobody keeps it")
    func headers() throws {
        let response = Samples.plain.page.response(in: Samples.plain.frame)
        let policy = try #require(response.headers[.contentSecurityPolicy])
        for rule in [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'",
            "base-uri 'none'", "frame-ancestors 'none'",
        ] {
            #expect(policy.contains(rule))
        }
        #expect(!policy.contains("unsafe"))
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.contentLanguage] == "en")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        for (name, value) in [
            ("Referrer-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            #expect(response.headers[try #require(HTTPField.Name(name))] == value)
        }
    }

    @Test("A page that may be shown within another names who may do so, and nobody else can")
    func frames() throws {
        var frame = Samples.plain.frame
        frame.framedBy = ["http://127.0.0.1:8090"]
        var page = Samples.plain.page
        page.framed = ["'self'", "http://127.0.0.1:8080"]
        let response = page.response(in: frame)
        let policy = try #require(response.headers[.contentSecurityPolicy])
        #expect(policy.contains("frame-ancestors http://127.0.0.1:8090;"))
        #expect(policy.hasSuffix("frame-src 'self' http://127.0.0.1:8080"))
        #expect(!policy.contains("'none' http"))
        #expect(response.headers[try #require(HTTPField.Name("X-Frame-Options"))] == nil)
    }

    @Test(
        "Frames are allowed by ports of the host that the browser has used, if it is plainly one",
        arguments: [
            ("127.0.0.1:8080", ["http://127.0.0.1:8090"]), ("[::1]:8080", ["http://[::1]:8090"]),
            ("garden.local", ["http://garden.local:8090"]), ("a'; script-src *:80", []),
            ("", []),
        ])
    func framers(_ authority: String, _ origins: [String]) {
        let framers = PageFramers()
        #expect(framers.origins(reachedBy: authority) == [])
        framers.allow(8090)
        #expect(framers.origins(reachedBy: authority) == origins)
        #expect(framers.origins(reachedBy: nil) == [])
    }

    @Test("Styles, scripts and icons are kept for ever, since their address changes with them")
    func assets() throws {
        for name in ["pages.css", "pages.js", "icon.svg"] {
            let response = try #require(PageAssets.response(name))
            #expect(response.headers[.cacheControl]?.contains("immutable") == true)
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
            #expect(response.headers[.contentSecurityPolicy] != nil)
        }
        #expect(PageAssets.response("page.mustache") == nil)
        #expect(PageAssets.response("") == nil)
        #expect(!PageAssets.version.isEmpty)
    }
}
