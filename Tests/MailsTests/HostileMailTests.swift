import Foundation
import Letters
import Mail
import Mails
import SubscriptionRules
import Testing

@Suite("Mails: hostile text")
struct HostileMailTests {
    static let texts = [
        "<script>alert(1)</script>", "\" onmouseover=\"alert(1)", "'><img src=x onerror=alert(1)>",
        "\u{600}<b>\u{600}", "\"\u{301} autofocus onfocus=alert(1) x=\"\u{301}",
        "x\r\nBcc: everybody@example.com\r\n\r\n<p>", "x\u{2028}Bcc: y", "a\u{0}b", "&lt;b&gt;",
        "\u{202E}evil\u{2066}", "{{name}} {{{name}}}", "</title></style></head><body>",
        "=?UTF-8?Q?=0D=0ABcc:_x?=", "javascript:alert(1)",
    ]

    /// What is written of letters in which everything that people name is hostile.
    private func letters(_ text: String) -> [Letter] {
        Sample.readers.flatMap { _, locale, code in
            let home = Sample.home(code)
            return Sample.contents(in: home, name: text, other: text).map { _, content in
                Sample.letter(
                    content, locale: locale, storefront: home, app: text, account: text,
                    support: text, privacy: "https://gardens.example/" + text)
            }
        }
    }

    /// The names of the elements and attributes of a text, read as a browser reads it.
    private func shape(_ html: String) -> [String] {
        var shape: [String] = []
        var name: String?
        var isQuoted = false
        for scalar in html.unicodeScalars {
            guard let current = name else {
                if scalar == "<" { name = "" }
                continue
            }
            if scalar == "\"" { isQuoted.toggle() }
            if scalar == ">", !isQuoted {
                shape.append(current.filter { !$0.isWhitespace })
                name = nil
            } else if !isQuoted {
                name?.unicodeScalars.append(scalar)
            }
        }
        return shape
    }

    @Test("Nobody's text becomes markup", arguments: texts)
    func markup(_ text: String) {
        // The same letters with a harmless text have the same elements and attributes.
        let harmless = letters("Herbs").map { MailWriter().write($0) }
        for (letter, plain) in zip(letters(text), harmless) {
            let written = MailWriter().write(letter)
            let links = Set(["ahref=\"\"", "ahref=\"", "/a"])
            let shapes = [written, plain].map { shape($0.html).filter { !links.contains($0) } }
            #expect(shapes[0] == shapes[1], "\(text)")
            #expect(!written.html.contains("=\"javascript:"))
        }
    }

    @Test("Nobody's text becomes a field, or a line of its own", arguments: texts)
    func fields(_ text: String) throws {
        let harmless = letters("Herbs").map { MailWriter().write($0) }
        for (letter, plain) in zip(letters(text), harmless) {
            let written = MailWriter().write(letter)
            let shop = try #require(EmailAddress("store@gardens.example"))
            // It is refused where the subject had a line break left.
            _ = try Mail(
                from: Mail.Party("Store", shop), to: Mail.Party(nil, shop),
                subject: written.subject, text: written.text, html: written.html,
                date: Sample.instant("2026-03-03T00:00:00Z"), messageID: "1@gardens.example",
                language: written.language)
            let lines = written.text.split(separator: "\n", omittingEmptySubsequences: false)
            let others = plain.text.split(separator: "\n", omittingEmptySubsequences: false)
            // Only links that are none are left out.
            #expect(others.count - lines.count <= 2)
            #expect(lines.count <= others.count)
            #expect(!lines.contains { $0.hasPrefix("Bcc:") })
        }
    }

    @Test("Nothing is fetched, nothing is run, and nobody is followed", arguments: Sample.all)
    func remote(sample: Sample) {
        let html = MailWriter().write(sample.letter).html
        for part in ["<img", "<link", "<script", "<iframe", "<form", "url(", "@import", " src="] {
            #expect(!html.contains(part))
        }
        let addresses = html.split(separator: "\"").filter { $0.hasPrefix("http") }
        #expect(
            Set(addresses).isSubset(of: [
                "https://store.example/account", "https://gardens.example/help",
                "https://gardens.example/privacy",
            ]))
    }
}
