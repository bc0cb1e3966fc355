import HTTPSurface
import HTTPTypes
import Hummingbird
import NIOCore
import SubscriptionRules
import Testing

@testable import HTMLPages

@Suite("Errors that no page has told")
struct PageErrorsTests {
    private struct Unforeseen: Error {}

    private static let now = Instant(milliseconds: 1_767_225_600_000)

    private let errors = PageErrors(
        PageErrors.Words(
            title: { "Status \($0)" }, signIn: "Sign in.", tooOften: "Too often.",
            tooLarge: "Too large.", unknownPage: "Unknown.", method: "Other methods.",
            busy: "Busy.", databaseIsAway: "Away.", failed: { "Failed: \($0)" },
            back: PageLink("Back", "/")),
        in: PageFrame(
            site: "Site", home: "/", assets: "/assets", environment: "Sandbox",
            environmentKind: "sandbox", foot: "Foot", locale: .english))

    private static let troubles: [(trouble: RequestTrouble, status: Int, retryAfter: String?)] = [
        (.unauthenticated, 401, nil),
        (.tooOften(RateLimitExceeded(nextAllowed: now, now: now)), 429, nil),
        (.bodyTooLarge(limit: 1), 413, nil), (.unknownPath("/nothing"), 404, nil),
        (.methodNotAllowed("GET"), 405, nil), (.passing(.busy, now: now), 503, "1"),
        (.passing(.unreachable, now: now), 503, "5"),
        (.failed(Unforeseen(), request: "r1"), 500, nil),
    ]

    @Test("Each trouble is a page with its status", arguments: troubles.indices)
    func trouble(place: Int) {
        let row = Self.troubles[place]
        let response = errors.answer(to: row.trouble)
        #expect(response.status.code == row.status)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.retryAfter] == row.retryAfter)
    }

    @Test(
        "Errors are told in the language that a request asks for, in English where there is none",
        arguments: [("de-CH, en;q=0.5", "de"), ("ar", "ar"), ("pl", "en"), (nil, "en")]
            as [(String?, String)])
    func languages(accepted: String?, language: String) throws {
        let byLanguage = ErrorsByLanguage { locale in
            PageErrors(
                PageErrors.Words(
                    title: { "Status \($0)" }, signIn: "", tooOften: "", tooLarge: "",
                    unknownPage: "Unknown.", method: "", busy: "", databaseIsAway: "",
                    failed: { $0 }, back: PageLink("Back", "/")),
                in: PageFrame(
                    site: "Site", home: "/", assets: "/assets", environment: "Sandbox",
                    environmentKind: "sandbox", foot: "Foot", locale: locale))
        }
        var fields = HTTPFields()
        fields[.acceptLanguage] = accepted
        let request = Request(
            head: HTTPRequest(
                method: .get, scheme: nil, authority: nil, path: "/nothing", headerFields: fields),
            body: RequestBody(buffer: ByteBuffer()))
        let answer = byLanguage.speaking(to: request).answer(to: .unknownPath("/nothing"))
        #expect(answer.status == .notFound)
        #expect(answer.headers[.contentLanguage] == language)
        // To whoever is not known it is said in English.
        #expect(byLanguage.answer(to: .unauthenticated).headers[.contentLanguage] == "en")
    }

    @Test("A refusal is a page with its status, and nothing else is")
    func refusals() throws {
        let response = try #require(errors.answer(to: ErrorBody.unknownPage))
        #expect(response.status == .notFound)
        #expect(errors.answer(to: Unforeseen()) == nil)
    }
}
