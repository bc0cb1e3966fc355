import StoreKitFile
import Testing

@Suite("Texts that cannot be kept are refused, with their place")
struct TextTests {
    /// What is wrong with a file whose members stand in a template.
    private func places(_ replacing: (String, String)) throws -> [String] {
        let whole = """
            {"version": {"major": 4, "minor": 0}, "settings": {}, "nonRenewingSubscriptions": [],
             "products": [{"productID": "coins", "type": "Consumable", "displayPrice": "0.99",
               "referenceName": "Coins", "localizations": [
                 {"locale": "en_US", "displayName": "Coins", "description": "Many"}]}],
             "subscriptionGroups": [{"id": "21", "name": "Club", "localizations": [],
               "subscriptions": [{"productID": "gold", "groupNumber": 1, "displayPrice": "9.99",
                 "recurringSubscriptionPeriod": "P1M", "referenceName": "Gold",
                 "type": "RecurringSubscription", "adHocOffers": [{"offerID": "save",
                   "paymentMode": "free", "subscriptionPeriod": "P1W",
                   "referenceName": "Save"}]}]}]}
            """
        let text = whole.replacing(replacing.0, with: replacing.1)
        #expect(text != whole)
        do throws(StoreKitFileError) {
            _ = try StoreKitFile.read(bytes: Array(text.utf8), name: "test.storekit")
            return []
        } catch {
            return error.problems.map(\.path)
        }
    }

    private static let subscription = "$.subscriptionGroups[0].subscriptions[0]"

    @Test(
        "A NUL, another control character or an endless text",
        arguments: [
            (#""coins""#, "$.products[0].productID"),
            (#""Coins", "loc"#, "$.products[0].referenceName"),
            (#""en_US""#, "$.products[0].localizations[0].locale"),
            (#""Coins", "desc"#, "$.products[0].localizations[0].displayName"),
            (#""21""#, "$.subscriptionGroups[0].id"), (#""Club""#, "$.subscriptionGroups[0].name"),
            (#""gold""#, subscription + ".productID"),
            (#""Gold""#, subscription + ".referenceName"),
            (#""save""#, subscription + ".adHocOffers[0].offerID"),
            (#""Save""#, subscription + ".adHocOffers[0].referenceName"),
        ] as [(String, String)])
    func refused(_ written: String, _ place: String) throws {
        for wrong in [
            #"a\u0000b"#, #"a\nb"#, #"\u001b[2J"#, #"a\u0085"#, String(repeating: "x", count: 256),
        ] {
            // The first text in the quoted piece is what is replaced.
            let rest = written.dropFirst().drop { $0 != "\"" }
            let found = try places((written, "\"\(wrong)" + rest))
            #expect(found == [place], "\(wrong.prefix(20))")
        }
    }

    @Test("A description may have lines, and nothing else of the kind")
    func description() throws {
        #expect(try places((#""Many""#, #""Many\nlines\tand\r\ntabs""#)).isEmpty)
        let place = "$.products[0].localizations[0].description"
        #expect(try places((#""Many""#, #""Many\u0000""#)) == [place])
        let long = String(repeating: "x", count: 4001)
        #expect(try places((#""Many""#, #""\#(long)""#)) == [place])
    }

    @Test(
        "Identifiers that read alike are one identifier, taken twice",
        arguments: [("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "A\u{30A}")])
    func alike(_ one: String, _ other: String) throws {
        let entries = [one, other].map {
            #"{"productID": "\#($0)", "type": "Consumable", "displayPrice": "0.99"}"#
        }.joined(separator: ",")
        let problems = #expect(throws: StoreKitFileError.self) {
            try StoreKitFile.read(
                bytes: Array(#"{"products": [\#(entries)]}"#.utf8), name: "test.storekit")
        }?.problems
        #expect(problems?.map(\.path) == ["$.products[1].productID"])
    }
}
