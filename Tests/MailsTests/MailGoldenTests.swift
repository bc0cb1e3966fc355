import Foundation
import Letters
import Mail
import Mails
import SubscriptionRules
import Testing

@Suite("Mails: what customers read")
struct MailGoldenTests {
    /// Subject, text and what a device shows, in one file; the HTML, which can be looked at, in
    /// another.
    @Test("A letter is written as its golden files", arguments: Sample.all)
    func golden(sample: Sample) throws {
        let writer = MailWriter()
        let written = writer.write(sample.letter)
        var text = "\(written.subject)\n\n\(written.text)"
        if let short = writer.short(sample.letter) {
            text += "\n== \(short.title)\n\(short.body)\n"
            if !short.buttons.isEmpty { text += "[\(short.buttons.joined(separator: "] ["))]\n" }
        }
        if let folder = ProcessInfo.processInfo.environment["PERENNIAL_WRITE_MAILS"] {
            let path = "\(folder)/MailsTests/Golden/\(sample.name)"
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path).txt"))
            try Data(written.html.utf8).write(to: URL(fileURLWithPath: "\(path).html"))
            return
        }
        #expect(try text == Sample.golden("\(sample.name).txt"))
        #expect(try written.html == Sample.golden("\(sample.name).html"))
    }

    @Test("Every golden file belongs to a letter, and every kind has one in each language")
    func complete() throws {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Golden")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let names = Set(Sample.all.flatMap { ["\($0.name).txt", "\($0.name).html"] })
        #expect(Set(files) == names)
        for (language, _, _) in Sample.readers {
            let kinds = Sample.all.filter { $0.name.hasSuffix(".\(language)") }
                .map(\.letter.content.kind)
            #expect(Set(kinds) == Set(MailKind.allCases))
        }
        #expect(Sample.readers.map(\.0) == MailWriter.languages)
    }

    @Test("Every language says everything in words of its own")
    func languages() {
        let english = Dictionary(
            uniqueKeysWithValues: Sample.all.filter { $0.name.hasSuffix(".en") }.map {
                ($0.name.prefix { $0 != "." }, MailWriter().write($0.letter).text)
            })
        for sample in Sample.all where !sample.name.hasSuffix(".en") {
            let written = MailWriter().write(sample.letter)
            let other = english[sample.name.prefix { $0 != "." }] ?? ""
            let shared = Set(written.text.split(separator: "\n")).intersection(
                other.split(separator: "\n"))
            // Names of things are the same.
            #expect(
                shared.allSatisfy {
                    ["Gardens of the World", "Herbs", "Small Plants", "-- "].contains($0)
                        || $0 == "3 × Small Plants" || $0.hasPrefix("Support:")
                        || $0.hasPrefix("  Total:")
                }, "\(sample.name): \(shared)")
            #expect(!written.subject.isEmpty)
        }
    }

    @Test(
        "A reader has the nearest language that there is",
        arguments: [
            ("de_CH", "de"), ("de-AT", "de"), ("DE", "de"), ("fr", "fr"), ("zh_Hant_TW", "en"),
            ("", "en"), ("ar_EG", "ar"), ("arn", "en"), ("enm", "en"),
        ])
    func fallback(locale: String, language: String) {
        let letter = Sample.letter(.sharing(.init(name: "Herbs")), locale: locale)
        #expect(MailWriter().write(letter).language == language)
    }

    @Test(
        "Days are those of the reader's home, and amounts are written as there",
        arguments: [
            ("en_US", "USA", "March 2, 2026", "$4.99"), ("en_GB", "GBR", "3 March 2026", "£4.99"),
            ("de_DE", "DEU", "3. März 2026", "4,99\u{A0}€"),
            ("de_CH", "CHE", "3. März 2026", "CHF\u{A0}4.99"),
            ("ja", "JPN", "2026年3月3日", "¥499"), ("en", "AUS", "3 March 2026", "$4.99"),
        ])
    func local(locale: String, storefront: String, day: String, amount: String) {
        let home = Sample.home(storefront)
        let content = Sample.contents(in: home).first { $0.0 == "welcome" }?.1
        let letter = Sample.letter(
            content ?? .sharing(.init(name: "")), locale: locale, storefront: home)
        let written = MailWriter().write(letter)
        #expect(written.text.contains(day), "\(written.text)")
        #expect(written.text.contains(amount), "\(written.text)")
    }

    @Test("Every storefront has a region and a zone whose days it has")
    func places() {
        let day = Sample.instant("2026-03-03T12:00:00Z")
        for storefront in Storefront.all {
            let letter = Sample.letter(
                .refundDecided(.init(name: "Herbs", bought: day, amount: nil)),
                locale: "en", storefront: storefront)
            let text = MailWriter().write(letter).text
            #expect(text.contains("2026"), "\(storefront.code)")
        }
    }
}
