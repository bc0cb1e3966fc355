import Foundation
import Mail
import MailSMTP
import Testing

@Suite("Mails: handing over in confidence")
struct RelaySecurityTests {
    private let message = Sample.all[0].mail.message
    private let anna = Sample.address("anna@example.com")

    private func send(
        to url: RelayURL, _ startTLS: RelaySettings.StartTLS = .required,
        as credentials: RelayCredentials? = nil, trusting authority: String? = nil
    ) async throws -> RelayOutcome {
        let settings = try RelaySettings(
            url: url, startTLS: startTLS, credentials: credentials, authorityFile: authority,
            connecting: .seconds(60), inAll: .seconds(60))
        return await SMTPRelay(settings).send(message, from: Sample.shop.address, to: anna)
    }

    private func encrypting(_ more: String...) async throws -> TestRelay {
        try await TestRelay(
            [
                "--certificate", TestRelay.file("localhost.pem"),
                "--key", TestRelay.file("localhost.key"),
            ] + more)
    }

    private let delivered = RelayOutcome.delivered(RelayReply(code: 250, text: "2.0.0 Taken"))

    @Test("A connection is encrypted where that is demanded", arguments: [true, false])
    func encrypted(fromTheStart: Bool) async throws {
        let server = try await fromTheStart ? encrypting("--encrypted") : encrypting()
        let url = try server.url(fromTheStart ? "smtps" : "smtp")
        let authority = try TestRelay.file("localhost.pem")
        #expect(try await send(to: url, trusting: authority) == delivered)
        #expect(try server.taken.map(\.encrypted) == [true])
    }

    @Test(
        "A certificate that nobody vouches for, or of another host, is refused",
        arguments: [true, false], [true, false])
    func certificates(fromTheStart: Bool, isKnown: Bool) async throws {
        let server = try await fromTheStart ? encrypting("--encrypted") : encrypting()
        let url = try server.url(
            fromTheStart ? "smtps" : "smtp", host: isKnown ? "127.0.0.1" : "localhost")
        let authority = isKnown ? try TestRelay.file("localhost.pem") : nil
        #expect(try await send(to: url, trusting: authority) == .postponed(.tls))
        #expect(try server.taken.isEmpty)
    }

    @Test("Nothing is sent in the clear unless that is allowed")
    func startTLS() async throws {
        let server = try await TestRelay()
        #expect(try await send(to: server.url(), .required) == .postponed(.tls))
        #expect(try server.taken.isEmpty)
        #expect(try await send(to: server.url(), .opportunistic) == delivered)
        let offering = try await encrypting()
        let authority = try TestRelay.file("localhost.pem")
        #expect(
            try await send(to: offering.url(), .opportunistic, trusting: authority) == delivered)
        #expect(try await send(to: offering.url(), .off) == delivered)
        #expect(try offering.taken.map(\.encrypted) == [true, false])
    }

    @Test("A server that demands encryption is not refusing the mail")
    func demanded() async throws {
        let server = try await encrypting("--demands-starttls")
        guard case .postponed(.reply(let reply)) = try await send(to: server.url(), .off) else {
            Issue.record("it was not put off")
            return
        }
        #expect(reply.code == 530)
    }

    /// A file of a user and a password.
    private func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = try temporaryFolder().appendingPathComponent("password").path
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        #expect(isMade)
        return path
    }

    @Test("A user signs in with the password of the file")
    func authentication() async throws {
        let server = try await encrypting("--user", "shop", "--password", "pass word")
        let authority = try TestRelay.file("localhost.pem")
        let right = try RelayCredentials(file: file("shop\npass word\n"))
        #expect(try await send(to: server.url(), as: right, trusting: authority) == delivered)
        #expect(try server.taken.map(\.user) == ["shop"])
        let wrong = try RelayCredentials(file: file("shop\r\nsecret\r\n"))
        #expect(
            try await send(to: server.url(), as: wrong, trusting: authority)
                == .postponed(.credentials))
        #expect(try server.taken.count == 1)
    }

    @Test("A password that others can read, or that is none, is refused")
    func passwordFiles() throws {
        for mode in [0o644, 0o640, 0o604] {
            let path = try file("shop\nsecret\n", mode: mode)
            #expect(throws: RelaySettingError.readableByOthers(path)) {
                try RelayCredentials(file: path)
            }
        }
        for text in ["", "shop", "shop\n", "\nsecret", "a\nb\nc", "a\nb\n\n", "a\u{1}\nb"] {
            let path = try file(text)
            #expect(throws: RelaySettingError.noUserAndPassword(path)) {
                try RelayCredentials(file: path)
            }
        }
        #expect(throws: RelaySettingError.unreadable("nowhere")) {
            try RelayCredentials(file: "nowhere")
        }
        let credentials = try RelayCredentials(file: file("shop\nsecret"))
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!"\(credentials) \(String(reflecting: credentials)) \(dumped)".contains("secret"))
    }

    @Test("A password goes over encrypted connections only, or to the machine itself")
    func inTheClear() throws {
        let credentials = try RelayCredentials(file: file("shop\nsecret"))
        let far = try #require(RelayURL("smtp://mail.example.com:587"))
        for startTLS in [RelaySettings.StartTLS.opportunistic, .off] {
            #expect(throws: RelaySettingError.passwordInTheClear) {
                try RelaySettings(url: far, startTLS: startTLS, credentials: credentials)
            }
        }
        let encrypted = try #require(RelayURL("smtps://mail.example.com"))
        _ = try RelaySettings(url: encrypted, startTLS: .off, credentials: credentials)
        _ = try RelaySettings(url: far, credentials: credentials)
        let near = try #require(RelayURL("smtp://127.0.0.1:25"))
        _ = try RelaySettings(url: near, startTLS: .off, credentials: credentials)
    }

    @Test(
        "The address of a relay is a scheme, a host and a port, and no more",
        arguments: [
            "", "smtp", "smtp://", "smtp:mail", "http://mail.example.com", "smtp://a:99999",
            "smtp://user@mail.example.com", "smtp://user:secret@mail.example.com",
            "smtp://mail.example.com/path", "smtp://mail.example.com?x", "smtp://mail#x",
            "smtp://mail.example.com:0", "smtp://a b", "smtp://mail:x",
        ])
    func noURLs(_ text: String) {
        #expect(RelayURL(text) == nil)
    }

    @Test(
        "A relay's address is shown as it was written",
        arguments: [
            ("smtp://mail.example.com", "smtp://mail.example.com"),
            ("SMTPS://mail.example.com:465/", "smtps://mail.example.com:465"),
            ("smtp://[::1]:2525", "smtp://[::1]:2525"),
        ])
    func urls(written: String, text: String) {
        #expect(RelayURL(written)?.text == text)
    }
}
