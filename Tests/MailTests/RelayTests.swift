import Foundation
import Mail
import MailSMTP
import TestFloor
import Testing

@Suite("Mails: handing over")
struct RelayTests {
    private let sender = Sample.address("bounces@garden.example")

    /// A relay in the clear, as on the machine itself.
    private func plain(
        _ url: RelayURL, connecting: Duration = .seconds(60), inAll: Duration = .seconds(60)
    ) throws -> SMTPRelay {
        SMTPRelay(
            try RelaySettings(url: url, startTLS: .off, connecting: connecting, inAll: inAll))
    }

    private func recipient(_ name: String) -> EmailAddress {
        Sample.address("\(name)@example.com")
    }

    @Test("A server receives the bytes that the mail has", arguments: Sample.all)
    func delivered(sample: Sample) async throws {
        let server = try await TestRelay()
        let relay = try plain(server.url())
        let outcome = await relay.send(sample.mail.message, from: sender, to: recipient("anna"))
        #expect(outcome == .delivered(RelayReply(code: 250, text: "2.0.0 Taken")))
        let taken = try server.taken
        #expect(taken.map(\.from) == ["bounces@garden.example"])
        #expect(taken.map(\.to) == [["anna@example.com"]])
        #expect(taken.map { Array($0.message) } == [sample.mail.message])
        #expect(taken.map(\.encrypted) == [false])
    }

    @Test(
        "A mail that is refused for good is refused with what was said",
        arguments: [
            ("refused", "5.1.1 No such mailbox", 550),
            ("wordy", "5.7.1 We do not take mails from you. 5.7.1 Write to the postmaster", 550),
            ("unwanted", "5.7.1 This looks like advertising", 554),
        ])
    func refused(name: String, text: String, code: Int) async throws {
        let server = try await TestRelay()
        let relay = try plain(server.url())
        let message = Sample.all[0].mail.message
        #expect(
            await relay.send(message, from: sender, to: recipient(name))
                == .refused(RelayReply(code: code, text: text)))
        #expect(try server.taken.isEmpty)
        // Another one's mail is none the worse for it.
        let outcome = await relay.send(message, from: sender, to: recipient("anna"))
        #expect(outcome == .delivered(RelayReply(code: 250, text: "2.0.0 Taken")))
    }

    @Test(
        "A mail that is refused for now is taken later",
        arguments: [
            ("full", "4.2.2 The mailbox is full", 452), ("later", "4.3.0 Try again later", 451),
        ])
    func postponed(name: String, text: String, code: Int) async throws {
        let server = try await TestRelay()
        let relay = try plain(server.url())
        let message = Sample.all[0].mail.message
        #expect(
            await relay.send(message, from: sender, to: recipient(name))
                == .postponed(.reply(RelayReply(code: code, text: text))))
        #expect(try server.taken.isEmpty)
        let outcome = await relay.send(message, from: sender, to: recipient(name))
        #expect(outcome == .delivered(RelayReply(code: 250, text: "2.0.0 Taken")))
        #expect(try server.taken.count == 1)
    }

    @Test("A server that dies in the middle of a mail has not taken it")
    func diesInData() async throws {
        let server = try await TestRelay()
        let relay = try plain(server.url())
        let long = String(repeating: "A line of a long mail.\n", count: 200_000)
        let outcome = await relay.send(
            try Sample.mail(text: long).message, from: sender, to: recipient("dies-in-data"))
        #expect(outcome == .postponed(.connectionLost))
        #expect(try server.taken.isEmpty)
    }

    @Test("A server that dies after a mail's end may have taken it: nobody knows")
    func diesAfterEnd() async throws {
        let server = try await TestRelay()
        let relay = try plain(server.url())
        let message = Sample.all[1].mail.message
        let outcome = await relay.send(message, from: sender, to: recipient("dies-after-end"))
        #expect(outcome == .unknown(.connectionLost))
        #expect(try server.taken.count == 1)
    }

    @Test("A server that never answers a mail's end may have taken it")
    func silentAfterEnd() async throws {
        let server = try await TestRelay()
        // All but its end has to be over by then.
        let relay = try plain(server.url(), inAll: .seconds(15))
        let message = Sample.all[0].mail.message
        let outcome = await relay.send(message, from: sender, to: recipient("silent-after-end"))
        #expect(outcome == .unknown(.timedOut))
        #expect(try server.taken.count == 1)
    }

    @Test("A slow server is waited for, and holds up nobody else's mail")
    func slow() async throws {
        let server = try await TestRelay()
        let relay = try plain(server.url())
        let message = Sample.all[0].mail.message
        let sender = sender
        await withTaskGroup { group in
            for name in (0..<8).map({ $0 % 2 == 0 ? "slow" : "anna\($0)" }) {
                let recipient = recipient(name)
                group.addTask { await relay.send(message, from: sender, to: recipient) }
            }
            for await outcome in group {
                #expect(outcome == .delivered(RelayReply(code: 250, text: "2.0.0 Taken")))
            }
        }
        #expect(try server.taken.count == 8)
    }

    @Test("A server that is down, or takes nothing from us, may come back")
    func down() async throws {
        let message = Sample.all[0].mail.message
        let gone = try await TestRelay().url()
        #expect(
            await (try plain(gone)).send(message, from: sender, to: recipient("anna"))
                == .postponed(.noConnection))
        for (greeting, code, text) in [
            ("554 No service here\r\n", 554, "No service here"),
            ("421-Busy\r\n421 today\r\n", 421, "Busy today"),
        ] {
            let server = try RawServer(greeting: Array(greeting.utf8))
            defer { server.close() }
            let url = try #require(RelayURL(server.url.replacing("http:", with: "smtp:")))
            #expect(
                await (try plain(url)).send(message, from: sender, to: recipient("anna"))
                    == .postponed(.reply(RelayReply(code: code, text: text))))
        }
    }

    @Test("A server that says nothing, or what is no SMTP, has taken nothing")
    func noSMTP() async throws {
        let message = Sample.all[0].mail.message
        for (greeting, trouble) in [
            ("", RelayTrouble.timedOut), ("HTTP/1.1 200 OK\r\n\r\n", .timedOut),
        ] {
            let server = try RawServer(greeting: Array(greeting.utf8))
            defer { server.close() }
            let url = try #require(RelayURL(server.url.replacing("http:", with: "smtp:")))
            let relay = try plain(url, connecting: .seconds(1), inAll: .seconds(2))
            #expect(
                await relay.send(message, from: sender, to: recipient("anna"))
                    == .postponed(trouble))
        }
    }

    @Test("Whoever stops waits for no server that has not got all of the mail")
    func stopped() async throws {
        let server = try RawServer(greeting: [])
        defer { server.close() }
        let relay = try plain(#require(RelayURL(server.url.replacing("http:", with: "smtp:"))))
        let task = Task { [sender, to = recipient("anna")] in
            await relay.send([], from: sender, to: to)
        }
        task.cancel()
        #expect(await task.value == .postponed(.stopped))
    }
}
