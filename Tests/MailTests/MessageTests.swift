import Foundation
import Mail
import SubscriptionRules
import Testing

@Suite("Mails: as messages")
struct MessageTests {
    @Test("A mail is written as its golden file", arguments: Sample.all)
    func golden(sample: Sample) throws {
        if let folder = ProcessInfo.processInfo.environment["PERENNIAL_WRITE_MAILS"] {
            try Data(sample.mail.message).write(
                to: URL(fileURLWithPath: "\(folder)/MailTests/Golden/\(sample.name).eml"))
            return
        }
        let golden = try Sample.golden(sample.name)
        #expect(
            String(decoding: sample.mail.message, as: UTF8.self)
                == String(decoding: golden, as: UTF8.self))
    }

    @Test("Lines end with CR LF, are ASCII and not too long", arguments: Sample.all)
    func lines(sample: Sample) {
        let text = String(decoding: sample.mail.message, as: UTF8.self)
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last?.isEmpty == true)
        for line in lines.dropLast() {
            #expect(line.last == "\r")
            #expect(line.dropLast().allSatisfy { $0.isASCII && $0 != "\r" })
            #expect(line.count <= 79)
        }
    }

    private static let breaks = ["\r\n", "\n", "\r", "\u{0}", "\u{85}", "\u{2028}", "\u{B}"]

    @Test("No text becomes a field of its own", arguments: breaks)
    func injection(_ break: String) throws {
        let text = "Hello\(`break`)Bcc: everybody@example.com"
        let shop = Sample.shop.address
        #expect(throws: MailError.controlCharacter(field: "Subject")) {
            try Sample.mail(subject: text)
        }
        #expect(throws: MailError.controlCharacter(field: "From")) {
            try Sample.mail(from: Mail.Party(text, shop))
        }
        #expect(throws: MailError.controlCharacter(field: "To")) {
            try Sample.mail(to: Mail.Party(text, shop))
        }
        #expect(throws: MailError.controlCharacter(field: "X-Note")) {
            try Sample.mail(fields: [Mail.Field("X-Note", text)])
        }
        #expect(throws: MailError.messageID) {
            try Sample.mail(messageID: "1\(`break`)@garden.example")
        }
        #expect(throws: MailError.language) { try Sample.mail(language: "en\(`break`)") }
        #expect(EmailAddress("anna\(`break`)@example.com") == nil)
    }

    @Test(
        "A field that the mail writes by itself, or that is none, is refused",
        arguments: [
            "Subject", "FROM", "bcc", "Content-Type", "Date", "Message-ID", "", "X Note", "X:",
            "Ä", "X\r\nBcc",
        ])
    func fieldNames(_ name: String) {
        #expect(throws: MailError.field(name)) {
            try Sample.mail(fields: [Mail.Field(name, "value")])
        }
    }

    @Test("A field's value is ASCII in words that a line can hold")
    func fieldValues() {
        for value in ["", "Ä", String(repeating: "x", count: 901)] {
            #expect(throws: MailError.value(field: "X-Note")) {
                try Sample.mail(fields: [Mail.Field("X-Note", value)])
            }
        }
    }

    @Test(
        "What is no Message-ID is refused",
        arguments: ["", "1", "<1@a>", "1@", "@a", "1@a@b", "1 @a", "a..b@c", "1@a>"])
    func messageIDs(_ text: String) {
        #expect(throws: MailError.messageID) { try Sample.mail(messageID: text) }
    }

    @Test("What is no tag of a language is refused", arguments: ["", "en_US", "-en", "e n", "ä"])
    func languages(_ text: String) {
        #expect(throws: MailError.language) { try Sample.mail(language: text) }
    }

    @Test(
        "An address is a dotted word, an @ and a domain",
        arguments: ["a@b", "anna+garden@mail.example.com", "o'hara@x-y.example", "1!#$%&'*@a.b"])
    func addresses(_ text: String) {
        #expect(EmailAddress(text)?.text == text)
    }

    @Test(
        "What is no address, or not one that every server takes, is refused",
        arguments: [
            "", "anna", "@b", "a@", "a@@b", "a@b@c", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b c",
            "a@-b", "a@b-", "a@b..c", "a@.b", "a@b.", "\"a b\"@c", "<a@b>", "a@[127.0.0.1]",
            "ä@b.de", "a@ä.de", "a,b@c", "a@b\r\nRCPT TO:<c@d>",
            String(repeating: "a", count: 65) + "@b",
            "a@" + String(repeating: "b", count: 64) + ".de",
            "a@" + String(repeating: "bb.", count: 90) + "de",
        ])
    func noAddresses(_ text: String) {
        #expect(EmailAddress(text) == nil)
    }
}
