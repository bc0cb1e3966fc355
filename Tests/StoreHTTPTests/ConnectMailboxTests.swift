import AppStoreWire
import HTTPTypes
import Letters
import Mail
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Connect: the mailbox")
struct ConnectMailboxTests {
    private static let path = "/connect/v1/mailbox"

    /// Writes letters in few words.
    private struct Writer: LetterWriter {
        func write(_ letter: Letter) -> WrittenLetter {
            WrittenLetter(
                subject: letter.content.kind.rawValue, text: "Help: \(letter.supportURL ?? "none")",
                html: "<p>Help</p>", language: "de")
        }

        func short(_ letter: Letter) -> ShortLetter? { nil }
    }

    private func world() async throws -> HTTPWorld {
        let sender = try #require(EmailAddress("store@shop.example"))
        return HTTPWorld(
            try await World(
                .sqlite, isListening: false, mailroom: Mailroom(writer: Writer(), sender: sender)))
    }

    @Test("Mails are listed by account, kind and moment, in pages, and shown in full")
    func listed() async throws {
        try await world().with { client in
            _ = try await client.ours(
                .patch, "/connect/v1/apps/\(World.bundleID)",
                #"{"supportUrl":"https://shop.example/help"}"#)
            for account in ["anna@example.com", "ben@example.com"] {
                try await client.buy("silver.monthly", as: try await client.signIn(account))
            }
            let all = try await client.ours(.get, Self.path)
            #expect(
                all["mails"]?.array?.map { $0["kind"]?.string } == [
                    "receipt", "welcome", "receipt", "welcome",
                ])
            #expect(all["mails"]?.array?.allSatisfy { $0["text"] == nil } == true)
            let one = try await client.ours(
                .get, "\(Self.path)?account=anna@example.com&kind=receipt&since=2026-01-01")
            let mail = try #require(one["mails"]?.array?.first)
            #expect(one["mails"]?.array?.count == 1)
            #expect(mail["to"]?.string == "anna@example.com")
            let waiting = try await client.ours(.get, "\(Self.path)?state=waiting")
            #expect(waiting["mails"]?.array?.count == 4)
            let refused = try await client.ours(.get, "\(Self.path)?state=refused")
            #expect(refused["mails"] == .array([]))
            #expect(refused["emptyBecause"]?.string == "filtered")
            #expect(all["emptyBecause"] == nil)
            _ = try await client.signIn("cy")
            let cy = try await client.ours(.get, "\(Self.path)?account=cy")
            #expect(cy["emptyBecause"]?.string == "noAddress")
            let subscription = try #require(mail["originalTransactionId"]?.string)
            let about = try await client.ours(
                .get, "\(Self.path)?originalTransactionId=\(subscription)")
            #expect(
                about["mails"]?.array?.map { $0["account"]?.string } == [
                    "anna@example.com", "anna@example.com",
                ])
            let page = try await client.ours(.get, "\(Self.path)?limit=3")
            #expect(page["hasMore"] == .bool(true))
            let none = try await client.ours(.get, "\(Self.path)?since=2026-01-02")
            #expect(none["mails"] == .array([]))
            let id = try #require(mail["id"]?.string)
            let full = try await client.ours(.get, "\(Self.path)/\(id)")
            #expect(full["text"]?.string == "Help: https://shop.example/help")
            #expect(full["html"]?.string == "<p>Help</p>")
            #expect(full["language"]?.string == "de")
        }
    }

    @Test("A mail is downloaded as the message that a relay is given")
    func downloaded() async throws {
        try await world().with { client in
            try await client.buy("coins", as: try await client.signIn("anna@example.com"))
            let all = try await client.ours(.get, Self.path)
            let id = try #require(all["mails"]?.array?.first?["id"]?.string)
            let reply = try await client.ours(.get, "\(Self.path)/\(id)/message.eml")
            #expect(reply.fields[.contentType] == "message/rfc822")
            #expect(
                reply.fields[.contentDisposition] == "attachment; filename=\"mail-\(id).eml\"")
            #expect(reply.text.hasPrefix("From: App <store@shop.example>\r\n"))
            #expect(reply.text.contains("\r\nTo: anna@example.com\r\nSubject: receipt\r\n"))
        }
    }

    @Test("What is shown on a device is listed by its channel, read there, and seen there")
    func devices() async throws {
        try await world().with { client in
            let anna = try await client.signIn("anna@example.com")
            try await client.buy("silver.monthly", as: anna)
            _ = try await client.ours(
                .put, "/connect/v1/customers/anna@example.com/payment-method",
                #"{"behaviour":"decline"}"#)
            _ = try await client.ours(
                .post, "/connect/v1/clock/advance", #"{"by":"P40D"}"#)
            let shown = try await client.ours(.get, "\(Self.path)?channel=inApp")
            let one = try #require(shown["mails"]?.array?.first)
            #expect(shown["mails"]?.array?.count == 1)
            #expect(one["kind"]?.string == "billingProblem")
            let id = try #require(one["id"]?.string)
            let file = try await client.ours(.get, "\(Self.path)/\(id)/message.eml")
            #expect(file.complaint == "unknownMail")
            let way = "/storefront/v1/in-app-messages"
            let read = try await client.ours(.get, way, as: .bearer(anna))
            #expect(read["messages"]?.array?.map { $0["id"]?.string } == [id])
            #expect(read["messages"]?.array?.first?["title"]?.string == "billingProblem")
            let seen = try await client.ours(
                .post, "\(way)/\(id)/seen", as: .bearer(anna))
            #expect(seen.status == 204)
            let again = try await client.ours(.get, way, as: .bearer(anna))
            #expect(again["messages"] == .array([]))
            let none = try await client.ours(
                .post, "\(way)/99/seen", as: .bearer(anna))
            #expect(none.complaint == "unknownMail")
            let full = try await client.ours(.get, "\(Self.path)/\(id)")
            #expect(full["seen"]?.string != nil)
        }
    }

    @Test("Who has no mail, and a mail that there is not, are refused by name")
    func refused() async throws {
        try await world().with { client in
            for path in ["/9", "/9/message.eml", "/x"] {
                let reply = try await client.ours(.get, Self.path + path)
                #expect(reply.complaint == "unknownMail")
            }
            let nobody = try await client.ours(.get, "\(Self.path)?account=nobody")
            #expect(nobody.complaint == "unknownAccount")
            let kind = try await client.ours(.get, "\(Self.path)?kind=letter")
            #expect(kind.status == 400)
            let stranger = try await client.send(.get, Self.path)
            #expect(stranger.status == 401)
        }
    }

    @Test("A customer's address is set, shown and taken away; what is none is refused")
    func address() async throws {
        try await world().with { client in
            _ = try await client.signIn("ada")
            let path = "/connect/v1/customers/ada"
            let wrong = try await client.ours(.patch, path, #"{"email":"ada"}"#)
            #expect(wrong.complaint == "invalidSetting")
            let set = try await client.ours(.patch, path, #"{"email":"ada@example.com"}"#)
            #expect(set["email"]?.string == "ada@example.com")
            let taken = try await client.ours(.patch, path, #"{"email":""}"#)
            #expect(taken["email"] == nil)
        }
    }
}
