import CCurl
import Mail
import Synchronization

/// One mail's way to a server: gives libcurl the message, hears what is said, and knows from that
/// what came of it. libcurl's own codes do not tell a recipient that was refused from a connection
/// that broke.
///
/// Used on one thread but for `stop`.
final class SMTPConversation: @unchecked Sendable {
    /// What was last said to the server, as far as it matters.
    private enum Stage: Int {
        case greeting, sender, recipient, data, message
    }

    private let message: [UInt8]
    private let isStopped = Atomic(false)
    private var sent = 0
    private var stage = Stage.greeting
    /// Whether libcurl knows that there is no more: the mail's end goes out next.
    private var hasEnded = false
    /// Whether leave was taken: what is answered to that says nothing about the mail.
    private var hasLeft = false
    private var lines: [String] = []
    private var reply: RelayReply?

    init(_ message: [UInt8]) { self.message = message }

    /// Breaks it off, unless everything was sent: then the answer is worth waiting for.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Has libcurl ask and tell it; for as long as it lives.
    func listen(on handle: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let codes = [
            curl_set_source(
                handle,
                { buffer, size, count, context in
                    guard let buffer, let context else { return 0 }
                    return SMTPConversation.at(context).read(into: buffer, most: size * count)
                }, context),
            curl_set_listener(
                handle,
                { _, kind, text, count, context in
                    guard let text, let context else { return 0 }
                    let bytes = UnsafeRawBufferPointer(start: text, count: count)
                    SMTPConversation.at(context).hear(kind, String(decoding: bytes, as: UTF8.self))
                    return 0
                }, context),
            curl_set_watch(
                handle,
                { context, _, _, _, _ in
                    guard let context else { return 0 }
                    return SMTPConversation.at(context).isBrokenOff ? 1 : 0
                }, context),
        ]
        precondition(codes.allSatisfy { $0 == CURLE_OK }, "libcurl does not listen")
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> SMTPConversation {
        Unmanaged<SMTPConversation>.fromOpaque(context).takeUnretainedValue()
    }

    /// Nobody waits for an answer to the leave: from a server that had gone silent libcurl would
    /// for two minutes.
    private var isBrokenOff: Bool { hasLeft || !hasEnded && isStopped.load(ordering: .relaxed) }

    /// How long the message is stays unsaid, so that libcurl asks once more when all has gone out:
    /// until then the server cannot have taken it.
    private func read(into buffer: UnsafeMutablePointer<CChar>, most: Int) -> Int {
        enter(.message)
        let count = min(most, message.count - sent)
        hasEnded = count == 0
        message.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: buffer, count: count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + count]))
        }
        sent += count
        return count
    }

    private func hear(_ kind: curl_infotype, _ text: String) {
        switch kind {
        case CURLINFO_HEADER_OUT:
            if text.hasPrefix("MAIL FROM:") {
                enter(.sender)
            } else if text.hasPrefix("RCPT TO:") {
                enter(.recipient)
            } else if text == "DATA\r\n", stage == .recipient {
                enter(.data)
            } else if text == "QUIT\r\n" {
                hasLeft = true
            }
        case CURLINFO_HEADER_IN where !hasLeft: hear(line: text)
        default: break
        }
    }

    /// What was heard before was an answer to something else.
    private func enter(_ next: Stage) {
        guard next.rawValue > stage.rawValue else { return }
        reply = nil
        stage = next
    }

    /// A line is a code, a hyphen unless it is the last one, and a text.
    private func hear(line: String) {
        let text = line.drop { $0.isWhitespace }
        guard let code = Int(text.prefix(3)), (200...599).contains(code) else { return }
        lines.append(String(text.dropFirst(4).filter { !$0.isNewline }))
        guard text.dropFirst(3).first != "-" else { return }
        reply = RelayReply(code: code, text: lines.joined(separator: " "))
        lines = []
    }

    func outcome(of code: CURLcode) -> RelayOutcome {
        if code == CURLE_OK { return .delivered(reply ?? RelayReply(code: 250, text: "")) }
        if code == CURLE_LOGIN_DENIED { return .postponed(.credentials) }
        if let reply, reply.code >= 400 {
            return isAboutMail(reply) ? .refused(reply) : .postponed(.reply(reply))
        }
        let trouble = trouble(of: code)
        // The end of the mail that could not be sent was not read either.
        let mayBeTaken = hasEnded && reply == nil && code != CURLE_SEND_ERROR
        return mayBeTaken ? .unknown(trouble) : .postponed(trouble)
    }

    /// Whether a server refuses this mail for good, and not us altogether: before it is told of a
    /// mail it can mean no mail, and 530 asks for what the settings do not have.
    private func isAboutMail(_ reply: RelayReply) -> Bool {
        reply.code >= 500 && reply.code != 530 && stage.rawValue >= Stage.sender.rawValue
    }

    private func trouble(of code: CURLcode) -> RelayTrouble {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: .noConnection
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER:
            .tls
        case CURLE_ABORTED_BY_CALLBACK: .stopped
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY:
            .connectionLost
        default: .other(String(cString: curl_easy_strerror(code)))
        }
    }
}
