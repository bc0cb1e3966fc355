import Foundation
import Mail
import MailSMTP
import TestFloor
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A relay as people run it, unpacked by `scripts/opensmtpd`. It begins as root only, and in a
/// mount namespace of its own, so that it finds its users and its spool; elsewhere the test is left
/// out.
@Suite("Mails: a real relay", .enabled(if: OpenSMTPD.isThere, "OpenSMTPD is not unpacked"))
struct OpenSMTPDTests {
    @Test("A relay takes mails and carries the same bytes on")
    func relayed() async throws {
        let next = try await TestRelay()
        let server = try OpenSMTPD(before: next.port)
        let relay = SMTPRelay(try RelaySettings(url: server.url, startTLS: .off))
        for sample in Sample.all {
            #expect(try await server.send(sample.mail.message, to: "anna@example.com", by: relay))
        }
        var taken: [Data] = []
        while taken.count < Sample.all.count {
            await Task.yield()
            taken = try next.taken.map(\.message)
        }
        for sample in Sample.all {
            let found = taken.count { $0.suffix(sample.mail.message.count) == sample.mail.message }
            // What the relay adds stands in front.
            #expect(found == 1, "\(sample.name)")
        }
    }

    @Test("A relay refuses for good what it is not for")
    func refused() async throws {
        let server = try OpenSMTPD(before: 9)
        let relay = SMTPRelay(try RelaySettings(url: server.url, startTLS: .off))
        #expect(
            try await !server.send(
                Sample.all[0].mail.message, to: "anna@elsewhere.example", by: relay))
    }
}

/// OpenSMTPD, on a port of its own.
private final class OpenSMTPD: Sendable {
    private static let program = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent(
            "../../.build/opensmtpd/usr/sbin/smtpd"
        ).standardizedFileURL.path

    static var isThere: Bool {
        getuid() == 0 && FileManager.default.isExecutableFile(atPath: program)
    }

    let url: RelayURL
    private let process: ChildProcess
    private let folder: URL

    init(before next: Int) throws {
        folder = try temporaryFolder()
        // A port that was free a moment ago.
        let listener = try RawServer()
        listener.close()
        url = try #require(RelayURL(listener.url.replacing("http:", with: "smtp:")))
        let port = try #require(url.text.split(separator: ":").last.map(String.init))
        let libraries = Self.program.replacing("/usr/sbin/smtpd", with: "/usr/lib")
        process = try ChildProcess(
            path: "/usr/bin/env",
            arguments: [
                "unshare", "--mount", "--propagation", "private", "--pid", "--fork",
                "--kill-child",
                try TestRelay.file("opensmtpd.sh"), Self.program, folder.path, port, "\(next)",
            ], environment: ["LD_LIBRARY_PATH": "\(libraries)/\(Self.machine)-linux-gnu"])
    }

    private static var machine: String {
        #if arch(arm64)
            "aarch64"
        #else
            "x86_64"
        #endif
    }

    deinit {
        process.send(signal: SIGKILL)
        process.wait()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Sends when it has begun; throws if it never does.
    func send(_ message: [UInt8], to recipient: String, by relay: SMTPRelay) async throws -> Bool {
        while true {
            let outcome = await relay.send(
                message, from: Sample.shop.address, to: Sample.address(recipient))
            switch outcome {
            case .delivered(let reply):
                #expect(reply.code == 250)
                return true
            case .refused(let reply):
                #expect(reply.code == 550)
                return false
            case .postponed(.noConnection) where process.isRunning: await Task.yield()
            case .postponed, .unknown:
                throw StartFailure(outcome: outcome)
            }
        }
    }

    struct StartFailure: Error {
        let outcome: RelayOutcome
    }
}
