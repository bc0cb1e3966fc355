import AppStoreWire
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("Objects and arrays nest, and absent members leave no trace")
    func nesting() {
        var json = JSONWriter()
        json.object { json in
            json.field("absent", String?.none)
            json.field("text", "a")
            json.field("none", Int?.none)
            json.field("count", 3)
            json.object("inner") { json in
                json.field("no", [Int64]?.none)
                json.field("list", [Int64(1), 2])
            }
            json.array("mixed") { json in
                json.element(true)
                json.elementObject { json in json.field("status", Status.revoked) }
                json.elementObject { _ in }
                json.element([String]())
            }
            json.field(named: "a\"b", Int32(-7))
            json.rawField("raw", Array("[0]".utf8))
            json.field("last", false)
        }
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"text":"a","count":3,"inner":{"list":[1,2]},"mixed":[true,{"status":5},{},"#
                + #"[]],"a\"b":-7,"raw":[0],"last":false}"#)
    }

    @Test(
        "Strings are escaped as RFC 8259 demands and no further",
        arguments: [
            ("", #""""#), ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#),
            ("\u{08}\t\n\u{0C}\r", #""\b\t\n\f\r""#), ("\u{00}\u{1F}", #""\u0000\u001f""#),
            ("/", #""/""#), ("\u{7F}", "\"\u{7F}\""), ("é日😀\u{2028}", "\"é日😀\u{2028}\""),
        ])
    func escaping(text: String, json: String) throws {
        #expect(text.jsonText() == json)
        #expect(try JSONValue(parsing: Array(json.utf8)) == .string(text))
    }

    @Test("What needs an escape is found wherever it stands in a long string")
    func escapingAnywhere() throws {
        for byte in UInt8(0)...0x7F {
            for place in 0..<17 {
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 17)
                bytes[place] = byte
                // Beside what is not ASCII, whose highest bit is set.
                let text = String(decoding: bytes, as: UTF8.self) + "é"
                let isPlain = byte >= 0x20 && byte != 0x22 && byte != 0x5C
                let json = text.jsonText()
                #expect((json == "\"\(text)\"") == isPlain, "\(byte) at \(place)")
                #expect(try JSONValue(parsing: Array(json.utf8)) == .string(text))
            }
        }
    }

    @Test(
        "Whole numbers are plain digits",
        arguments: [
            (0, "0"), (-1, "-1"), (10, "10"), (1_735_689_601_000, "1735689601000"),
            (Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808"),
        ] as [(Int64, String)])
    func integers(value: Int64, json: String) throws {
        #expect(value.jsonText() == json)
        #expect(try JSONValue(parsing: Array(json.utf8)) == .integer(value))
    }

    @Test("A writer passes on what its body throws")
    func throwing() {
        struct Stop: Error {}
        var json = JSONWriter()
        #expect(throws: Stop.self) { try json.object { _ in throw Stop() } }
    }
}
