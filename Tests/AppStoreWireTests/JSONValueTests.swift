import AppStoreWire
import Testing

@Suite("Reading JSON strictly")
struct JSONValueTests {
    @Test(
        "A valid text is read",
        arguments: [
            (" \t\r\nnull ", .null), ("true", .bool(true)), ("false", .bool(false)),
            ("0", .integer(0)), ("-0", .integer(0)), ("7.0", .number(7)), ("7e2", .number(700)),
            ("-1.5E-1", .number(-0.15)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("1e-400", .number(0)), ("[]", .array([])), ("{}", .object([:])),
            (
                "[1,[2,{\"a\":null}]]",
                .array([.integer(1), .array([.integer(2), .object(["a": .null])])])
            ),
            (#"{ "a" : 1 , "b" : "x" }"#, .object(["a": .integer(1), "b": .string("x")])),
            (#""\u0041\/\ud83d\ude00\u00E9""#, .string("A/😀é")),
            ("\"\u{FFFF}\"", .string("\u{FFFF}")), ("\"e\u{301}\"", .string("e\u{301}")),
        ] as [(String, JSONValue)])
    func valid(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
        #expect(try JSONValue(parsing: value.jsonBytes()) == value)
    }

    @Test("What was read is written again with its members in the order of their names")
    func written() throws {
        let text = #"{"b":[1,2.5,"\u0022",null],"a":{},"c":{"z":true,"y":[]}}"#
        let value = try JSONValue(parsing: text.utf8)
        #expect(
            value.jsonText() == #"{"a":{},"b":[1,2.5,"\"",null],"c":{"y":[],"z":true}}"#)
    }

    @Test(
        "An invalid text is refused with its place",
        arguments: [
            ("", 0), ("  ", 2), ("nul", 0), ("nulll", 4), ("True", 0), ("[1,]", 3), ("[1 2]", 3),
            ("[1", 2), ("{", 1), ("{a:1}", 1), (#"{"a" 1}"#, 5), (#"{"a":1,}"#, 7),
            (#"{"a":1"#, 6), (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"\u0061":2}"#, 7), ("01", 0),
            ("-01", 0), ("00", 0), ("1.", 2), (".5", 0), ("+1", 0), ("-", 1), ("1e", 2),
            ("1e+", 3), ("1e400", 0), ("-1e400", 0), ("0x10", 1), ("NaN", 0), ("Infinity", 0),
            ("\"a", 0), ("\"\n\"", 1), ("\"\u{00}\"", 1), (#""\x""#, 1), (#""\u12G4""#, 5),
            (#""\u+123""#, 3), (#""\ud800""#, 1), (#""\udc00""#, 1), (#""\ud800\ud800""#, 1),
            (#""\ud800x""#, 1), ("'a'", 0), ("1 1", 2), ("{} x", 3), ("[1]//", 3),
            ("\u{FEFF}1", 0), ("\u{A0}1", 0),
        ] as [(String, Int)])
    func invalid(text: String, offset: Int) throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: Array(text.utf8))
        }
        #expect(error.offset == offset)
        #expect(error.message.hasSuffix("."))
    }

    @Test(
        "A string that is not UTF-8 is refused",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
            [0x80],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: [quote] + bytes + [quote])
        }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    }

    @Test("A string ends, is escaped or breaks at any place", arguments: 0...24)
    func places(length: Int) throws {
        // Bytes above 127 are beside what is looked for, on either side.
        let plain = String(String(repeating: "aé ~!#[]\u{7F}ÿ", count: 3).prefix(length))
        let rest = "\u{A2}é, and more"
        let read = try JSONValue(parsing: "\"\(plain)\\\"\(rest)\\n\"".utf8)
        #expect(read == .string("\(plain)\"\(rest)\n"))
        #expect(try JSONValue(parsing: "\"\(plain)\"".utf8) == .string(plain))
        for control in ["\u{0}", "\u{1F}"] {
            let error = try #require(throws: JSONSyntaxError.self) {
                try JSONValue(parsing: "\"\(plain)\(control)\(rest)\"".utf8)
            }
            #expect(error.offset == 1 + plain.utf8.count)
        }
        #expect(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: "\"\(plain)\(rest)".utf8)
        }
    }

    @Test("Texts nest 64 levels deep and no deeper")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONValue(parsing: nested(64))
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(65)) }
        #expect(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
        }
    }

    @Test("Siblings do not count as depth")
    func siblings() throws {
        let text = "[" + Array(repeating: "[[]]", count: 200).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: Array(text.utf8)).array?.count == 200)
    }

    @Test("Accessors answer for their own kind only")
    func accessors() throws {
        let value = try JSONValue(
            parsing: Array(#"{"s":"x","i":7,"n":7.0,"b":true,"a":[1],"z":null}"#.utf8))
        #expect(value["s"]?.string == "x")
        #expect(value["s"]?.integer == nil)
        #expect(value["i"]?.integer == 7)
        #expect(value["i"]?.number == 7)
        #expect(value["n"]?.integer == nil)
        #expect(value["n"]?.number == 7)
        #expect(value["b"]?.bool == true)
        #expect(value["b"]?.integer == nil)
        #expect(value["a"]?.array == [.integer(1)])
        #expect(value["z"]?.isNull == true)
        #expect(value["absent"] == nil)
        #expect(value["s"]?["x"] == nil)
        #expect(value.object?.count == 6)
    }

    @Test(
        "A whole number is one however it is written",
        arguments: [
            ("7", 7), ("7.0", 7), ("7e0", 7), ("70e-1", 7), ("-7.00", -7),
            ("1e18", 1_000_000_000_000_000_000),
            ("7.5", nil), ("1e19", nil), ("9223372036854775808", nil), ("true", nil),
            (#""7""#, nil), ("null", nil),
        ])
    func wholeNumbers(text: String, number: Int64?) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)).wholeNumber == number)
    }
}
