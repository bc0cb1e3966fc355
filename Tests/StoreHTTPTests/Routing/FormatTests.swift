import AppStoreWire
import HTTPSurface
import SubscriptionRules
import Testing

@testable import StoreHTTP

@Suite("The forms of texts, as they are described and as they are taken")
struct FormatTests {
    /// Texts of every form, and texts that are nearly so.
    private static let texts = [
        "", " ", " a", "a ", "a b", "\u{3000}b", "\u{2003}", "a\u{A0}",
        "a", "Z", "0", "7", "00", "01", "-1", "+1", "1.0", "9223372036854775807",
        "9223372036854775808", "9999999999999999999", "1000000000000000000", "92233720368547758070",
        "2026-01-31", "2026-02-29", "2024-02-29", "2000-02-29", "2100-02-29", "1900-02-29",
        "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "0999-01-01", "3000-01-01",
        "1969-12-31", "1970-01-01", "1972-02-29", "1974-02-29", "2096-02-29", "2104-02-29",
        "2199-12-31", "2200-01-01", "2026-01-31T00:00:00Z", "2026-01-31t00:00:00z",
        "2026-01-31T24:00:00Z", "2026-01-31T23:59:60Z", "2026-01-31T23:59:59.1Z",
        "2026-01-31T23:59:59.123456789Z", "2026-01-31T23:59:59.1234567890Z",
        "2026-01-31T23:59:59.Z", "2026-01-31T00:00:00", "2026-01-31T00:00:00+02:00",
        "2026-01-31T00:00:00-23:59", "2026-01-31T00:00:00+24:00", "2026-01-31T00:00:00+0200",
        "2026-01-31 00:00:00Z", "P1M", "P1Y2M3D", "P1Y2M3DT4H5M6S", "PT1H", "PT5M", "PT1S",
        "PT1H5S", "P1W", "P99999W", "P100000W", "P1W1D", "P1D1M", "P", "PT", "P1", "P1DT", "p1m",
        "PT9999999999S", "PT99999999999S", "P007D", "P0D", "P1Y5D", "-P1M", "P1.5M", "P1M1Y",
        "P0M", "P0Y1D", "com.example.app", "com example", "com_example", "http://a",
        "https://a/b?c",
        "HTTP://A", "http://", "http:///a", "http://:80", "http://?", "ftp://a", "http://a b",
        "http://é", "en", "en_US", "pt-BR", "en US", "Idempotency", "line\nbreak", "nul\0",
        "\u{7F}", "\u{85}", "\u{9F}", "\u{A0}", "emoji 🌱", "P１M", "２０２６-01-31",
        "12345678-90ab-cdef-1234-567890ABCDEF", "12345678-90ab-cdef-1234-567890ABCDEG",
        "1234567890ab-cdef-1234-567890ABCDEF-", "12345678-90ab-cdef-1234-567890ABCDEF_0",
        "12345678-90ab-cdef-1234-567890ABCDEF_1767225600000",
        "12345678-90ab-cdef-1234-567890ABCDEF_01", "12345678-90ab-cdef-1234-567890ABCDEF_",
    ]

    @Test(
        "A pattern is exactly what is taken",
        arguments: Schema.Format.general + Schema.Format.ofStore)
    func patterns(format: Schema.Format) throws {
        guard let pattern = format.pattern else { return }
        // ECMA-262 writes code points so; Swift wants braces.
        let regex = try Regex(pattern.replacing(#/\\u([0-9A-F]{4})/#) { "\\u{\($0.output.1)}" })
            .matchingSemantics(.unicodeScalar)
        var taken = 0
        for text in Self.texts {
            let fits = format.fits(text)
            #expect(fits == (text.wholeMatch(of: regex) != nil), "\(pattern): \(text)")
            taken += fits ? 1 : 0
        }
        #expect(taken > 0 && taken < Self.texts.count)
    }

    @Test("A list of storefronts says all that are taken")
    func storefronts() throws {
        guard case .choice(let codes) = Schema.storefronts.kind else {
            Issue.record("storefronts are no choice")
            return
        }
        #expect(codes == Storefront.all.map(\.code).sorted())
        #expect(codes.allSatisfy(Schema.Format.storefront.fits))
        #expect(!Schema.Format.storefront.fits("AAA"))
    }
}
