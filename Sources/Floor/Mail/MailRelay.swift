/// Hands a mail to the server that takes it further.
package protocol MailRelay: Sendable {
    /// Hands a message over for one recipient and says what came of it; never throws, since every
    /// failure is an outcome.
    ///
    /// - Parameters:
    ///   - message: as `Mail.message` makes it.
    ///   - sender: to whom servers on the way report failures.
    func send(
        _ message: [UInt8], from sender: EmailAddress, to recipient: EmailAddress
    ) async -> RelayOutcome
}

/// What came of handing a mail over.
package enum RelayOutcome: Sendable, Hashable {
    /// The server took it, and answers for it from now on.
    case delivered(RelayReply)
    /// The server refused this mail for good.
    case refused(RelayReply)
    /// The server has not taken it, and may later.
    case postponed(RelayTrouble)
    /// Everything was sent and no answer came: the server may have taken it or not, and SMTP has
    /// no way to ask. Who sends it again keeps its Message-ID.
    case unknown(RelayTrouble)
}

/// What a server said: a code of three digits and a text (RFC 5321 section 4.2).
package struct RelayReply: Sendable, Hashable {
    package let code: Int
    /// The lines of its text, with a space between them; without control characters, and cut off
    /// after 500 characters.
    package let text: String

    package init(code: Int, text: String) {
        self.code = code
        let shown = text.unicodeScalars.lazy.map { $0.isControl ? " " : $0 }.prefix(500)
        self.text = String(String.UnicodeScalarView(shown))
    }
}

/// Why a mail could not be handed over.
package enum RelayTrouble: Sendable, Hashable {
    /// What the server said: a code of 400 to 499, or that it takes nothing from us at all.
    case reply(RelayReply)
    /// The server could not be found or reached.
    case noConnection
    /// The connection broke.
    case connectionLost
    case timedOut
    /// There was no encryption that could be agreed on, or the certificate is not good.
    case tls
    /// The server does not know the user, or the password is wrong.
    case credentials
    /// The program ends.
    case stopped
    /// Something else, in the library's words.
    case other(String)
}
