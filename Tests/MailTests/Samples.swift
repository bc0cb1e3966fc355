import Foundation
import Mail
import SubscriptionRules
import Testing

/// Mails, each with its golden file.
struct Sample: CustomTestStringConvertible {
    let name: String
    let mail: Mail

    var testDescription: String { name }

    static let all: [Sample] = {
        do {
            return [
                Sample(name: "text", mail: try plain()),
                Sample(name: "latin", mail: try latin()),
                Sample(name: "japanese", mail: try japanese()),
                Sample(name: "odd", mail: try odd()),
            ]
        } catch {
            preconditionFailure("a sample is refused: \(error)")
        }
    }()

    static func address(_ text: String) -> EmailAddress {
        guard let address = EmailAddress(text) else { preconditionFailure("\(text)") }
        return address
    }

    static let shop = Mail.Party("Garden", address("store@garden.example"))
    static let anna = Mail.Party(nil, address("anna@example.com"))
    static let moment = Instant(milliseconds: 1_768_493_109_250)

    /// A mail with one thing changed by a test.
    static func mail(
        from: Mail.Party = shop, to: Mail.Party = anna, subject: String = "Hello",
        text: String = "Hello\n", html: String? = nil, messageID: String = "1@garden.example",
        language: String? = nil, fields: [Mail.Field] = []
    ) throws -> Mail {
        try Mail(
            from: from, to: to, subject: subject, text: text, html: html, date: moment,
            messageID: messageID, language: language, fields: fields)
    }

    static func golden(_ name: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Golden")
        return Array(try Data(contentsOf: folder.appendingPathComponent("\(name).eml")))
    }

    private static func plain() throws -> Mail {
        try mail(
            subject: "Your receipt",
            text: "Dear Anna,\n\n.\nA line with a dot in front of it came before.\n",
            fields: [Mail.Field("Auto-Submitted", "auto-generated")])
    }

    private static func latin() throws -> Mail {
        try mail(
            from: Mail.Party("Gärten & Söhne", address("store@garden.example")),
            to: Mail.Party("Anna \"Ännchen\" Groß", address("anna@example.com")),
            subject: "Ihr Abonnement „Gärten der Welt – Jahresausgabe“ verlängert sich am 3. März",
            text: "Grüß Gott!\r\n" + String(repeating: "Übermäßig lange Zeile. ", count: 8)
                + "\r\n\r\nAm Ende Leerzeichen: \r\n",
            html: "<!doctype html>\n<p style=\"color: #333\">Grüß Gott!</p>\n", language: "de",
            fields: [
                Mail.Field("Auto-Submitted", "auto-generated"),
                Mail.Field("X-Entity", "a b c " + String(repeating: "word ", count: 30) + "end"),
            ])
    }

    private static func japanese() throws -> Mail {
        try mail(
            from: Mail.Party("庭園", address("store@garden.example")),
            subject: "サブスクリプション「世界の庭園」の更新のお知らせ（2026年3月3日）をお送りします",
            text: "こんにちは。\n更新日は3月3日です。\n",
            html: "<!doctype html>\n<p lang=\"ja\">こんにちは。</p>\n", language: "ja")
    }

    private static func odd() throws -> Mail {
        try mail(
            from: Mail.Party("Store, \"The\" <best>", address("store@garden.example")),
            subject: "=?UTF-8?Q?not_one?= of ours",
            text: "No line end, a tab at the end\t\r\r\nand a lone CR\u{0}", html: "")
    }
}
