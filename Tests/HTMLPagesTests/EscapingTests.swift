import TestFloor
import Testing

@testable import HTMLPages

@Suite("Text in pages")
struct EscapingTests {
    @Test(
        "What could end a text or an attribute is replaced, whatever it shares a character with",
        arguments: [
            ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;"),
            ("\u{600}<img src=x>\u{600}", "\u{600}&lt;img src=x&gt;\u{600}"),
            ("\u{600}<\u{600}>", "\u{600}&lt;\u{600}&gt;"),
            ("\"\u{301} onclick=\"\u{301}", "&quot;\u{301} onclick=&quot;\u{301}"),
            ("'\u{200D}", "&#39;\u{200D}"), ("&\u{20DD}lt;", "&amp;\u{20DD}lt;"),
            ("<\u{338}", "&lt;\u{338}"), (">\u{FE0F}", "&gt;\u{FE0F}"),
            ("plain", "plain"), ("", ""), ("ä 你好 👩‍👩‍👧", "ä 你好 👩‍👩‍👧"), ("a\tb\nc", "a\tb\nc"),
            ("&amp;", "&amp;amp;"),
        ] as [(String, String)])
    func escaped(text: String, expected: String) {
        #expect(Array(HTMLText.escaped(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        "What HTML does not allow becomes a mark that says so",
        arguments: [
            0x00, 0x01, 0x08, 0x0B, 0x0C, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x9F, 0xFDD0, 0xFDEF,
            0xFFFE, 0xFFFF, 0x1FFFE, 0x1FFFF, 0x10FFFF,
        ] as [UInt32])
    func forbidden(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(
            HTMLText.escaped("a\(Character(scalar))b").unicodeScalars.elementsEqual(
                "a\u{FFFD}b".unicodeScalars))
    }

    @Test("Of any text nothing is left that is markup, and a browser reads the text again")
    func random() throws {
        var generator = SeededGenerator(seed: 20_260)
        let signs: [Unicode.Scalar] = [
            "<", ">", "\"", "'", "&", "\u{600}", "\u{301}", "\u{200D}", "\u{FE0F}", ";", "#",
        ]
        for _ in 0..<3000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...24, using: &generator) {
                if Bool.random(using: &generator) {
                    text.append(signs[Int.random(in: 0..<signs.count, using: &generator)])
                } else if let scalar = Unicode.Scalar(
                    UInt32.random(in: 0...0x10FFFF, using: &generator))
                {
                    text.append(scalar)
                }
            }
            let escaped = HTMLText.escaped(String(text))
            let left = escaped.unicodeScalars.filter { "<>\"'".unicodeScalars.contains($0) }
            try #require(left.isEmpty, "\(escaped)")
            let read = try #require(HTML.unescaped(escaped), "\(escaped)")
            try #require(read.unicodeScalars.elementsEqual(text.map(HTML.allowed)), "\(escaped)")
        }
    }
}

/// As much of HTML as tests read.
enum HTML {
    private static let entities: [(name: String, scalar: Unicode.Scalar)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
    ]

    /// The text that a browser reads; nil where a sign begins no entity of ours.
    static func unescaped(_ html: String) -> String? {
        var text = String.UnicodeScalarView()
        var rest = html.unicodeScalars[...]
        while let first = rest.first {
            guard first == "&" else {
                text.append(first)
                rest = rest.dropFirst()
                continue
            }
            guard let entity = entities.first(where: { rest.starts(with: $0.name.unicodeScalars) })
            else { return nil }
            text.append(entity.scalar)
            rest = rest.dropFirst(entity.name.unicodeScalars.count)
        }
        return String(text)
    }

    /// What HTML allows stays; anything else is the mark for what cannot be shown.
    static func allowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let isControl =
            (scalar.value < 0x20 && scalar != "\t" && scalar != "\n")
            || (0x7F...0x9F).contains(scalar.value)
        let isNoncharacter =
            (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value & 0xFFFF >= 0xFFFE
        return isControl || isNoncharacter ? "\u{FFFD}" : scalar
    }

    /// How often each sign stands there that makes markup.
    static func signs(in html: String) -> [Unicode.Scalar: Int] {
        html.unicodeScalars.reduce(into: [:]) { counts, scalar in
            if "<>\"'".unicodeScalars.contains(scalar) { counts[scalar, default: 0] += 1 }
        }
    }
}
