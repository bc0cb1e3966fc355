import HTTPTypes
import SubscriptionRules
import Testing

@testable import HTMLPages

@Suite("Who may see and send")
struct AccessTests {
    private static let now = Instant(milliseconds: 1_767_225_600_000)
    private static let end = now + .hours(1)
    private static let seal = Seal(secret: "secret", purpose: "session")

    @Test("A sealed text is taken until it ends")
    func sealed() throws {
        let text = Self.seal.make(until: Self.end)
        let opened = try #require(Self.seal.open(text, now: Self.now))
        #expect(opened.end == Self.end)
        #expect(Self.seal.open(text, now: Self.end + Span(milliseconds: -1)) != nil)
        #expect(Self.seal.open(text, now: Self.end) == nil)
        #expect(Self.seal.make(until: Self.end) != text)
        let again = Seal(secret: "secret", purpose: "session")
        #expect(again.open(text, now: Self.now) == opened)
    }

    @Test("A sealed text of another secret or for another purpose is nothing")
    func others() {
        let text = Self.seal.make(until: Self.end)
        for other in [
            Seal(secret: "other", purpose: "session"), Seal(secret: "secret", purpose: "link"),
            Seal(secret: "", purpose: "session"), Seal(secret: "secretsession", purpose: ""),
        ] {
            #expect(other.open(text, now: Self.now) == nil)
        }
    }

    @Test("A sealed text that was changed anywhere is nothing")
    func forged() throws {
        let text = Self.seal.make(until: Self.end)
        for place in text.indices {
            var forged = text
            forged.replaceSubrange(place...place, with: text[place] == "0" ? "1" : "0")
            #expect(Self.seal.open(forged, now: Self.now) == nil, "\(forged)")
        }
        let parts = text.split(separator: ".")
        let later = "\(parts[0]).\((Self.end + .days(9)).milliseconds).\(parts[2])"
        for forged in [
            later, "", ".", "..", "...", "\(text).", ".\(text)", "\(text) ",
            String(text.dropLast()),
            "\(parts[0]).\(parts[1]).", "\(parts[0]).+\(parts[1]).\(parts[2])",
            text + String(repeating: "0", count: 200),
            String(repeating: "a", count: 1_000_000),
        ] {
            #expect(Self.seal.open(forged, now: Self.now) == nil)
        }
    }

    @Test("What was spent is spent once, and forgotten when it has ended anyway")
    func spent() throws {
        let spent = SpentIdentifiers()
        let sealed = try #require(
            Self.seal.open(Self.seal.make(until: Self.end), now: Self.now))
        #expect(!spent.contains(sealed))
        #expect(spent.spend(sealed, now: Self.now))
        #expect(!spent.spend(sealed, now: Self.now))
        #expect(spent.contains(sealed))
        let other = Sealed(identifier: "other", end: Self.end + .hours(1))
        #expect(spent.spend(other, now: Self.end))
        #expect(!spent.contains(sealed))
    }

    /// Where a form says that it comes from, and whether it is taken.
    private static let origins: [(site: String?, origin: String?, hasSession: Bool, holds: Bool)] =
        [
            ("same-origin", nil, true, true), ("none", nil, true, true),
            ("same-site", nil, true, false), ("cross-site", nil, true, false),
            ("cross-site", nil, false, false), ("", nil, true, false),
            ("SAME-ORIGIN", nil, true, false),
            // What the browser says itself counts more than what a page can say.
            ("cross-site", "http://store.example:8080", true, false),
            ("same-origin", "http://other.example", true, true),
            (nil, "http://store.example:8080", true, true),
            (nil, "https://store.example:8080", true, true),
            (nil, "http://store.example", true, false),
            (nil, "http://store.example:8081", true, false),
            (nil, "http://other.example:8080", true, false), (nil, "null", true, false),
            (nil, "null", false, false), (nil, "", true, false),
            (nil, "store.example:8080", true, false),
            (nil, "http://store.example:8080/", true, false),
            (nil, "http://evil.example/store.example:8080", true, false),
            (nil, nil, true, false), (nil, nil, false, true),
        ]

    @Test("A form is taken from a page of the same origin alone", arguments: origins.indices)
    func sameOrigin(place: Int) throws {
        let row = Self.origins[place]
        var fields = HTTPFields()
        fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = row.site
        fields[.origin] = row.origin
        #expect(
            SameOrigin.holds(
                fields, authority: "store.example:8080", hasSession: row.hasSession) == row.holds)
        if row.site == nil, row.origin != nil {
            #expect(!SameOrigin.holds(fields, authority: nil, hasSession: true))
        }
    }

    @Test("A cookie is for the server alone, and secure where there is TLS")
    func cookie() {
        let plain = SessionCookie(name: "session", path: "/console", isSecure: false)
        #expect(
            plain.setting("abc", for: .hours(1))
                == "session=abc; Max-Age=3600; Path=/console; HttpOnly; SameSite=Lax")
        #expect(plain.clearing == "session=; Max-Age=0; Path=/console; HttpOnly; SameSite=Lax")
        let secure = SessionCookie(name: "session", path: "/console", isSecure: true)
        #expect(secure.setting("abc", for: .hours(1)).hasSuffix("; Secure"))
    }

    @Test(
        "All values of a cookie are read, and none of another",
        arguments: [
            ("session=a", ["a"]), ("session=a; session=b", ["a", "b"]),
            ("other=a;session=b", ["b"]),
            ("sessions=a; xsession=b", []), ("session", []), ("", []), ("session=", [""]),
            ("session=a=b", ["a=b"]), (" session=a ;session=c", ["a ", "c"]),
        ])
    func cookieValues(header: String, values: [String]) {
        let cookie = SessionCookie(name: "session", path: "/", isSecure: false)
        var fields = HTTPFields()
        fields[.cookie] = header
        #expect(cookie.values(in: fields) == values)
    }
}
