package import SubscriptionRules

/// Hands a push to the service that takes it to the device.
package protocol PushService: Sendable {
    /// Hands a push over and says what came of it; never throws, since every failure is an
    /// outcome. When to try again is the caller's decision.
    func send(_ push: Push) async -> PushOutcome
}

/// What came of handing a push over.
package enum PushOutcome: Sendable, Hashable {
    /// APNs took it. Whether a device shows it, nobody learns.
    case sent(apnsID: String)
    /// The app is gone from the device since that moment, if APNs named one. Delete the token,
    /// unless the device registered it again afterwards.
    case tokenGone(since: Instant?)
    /// The token is not one of this environment or topic. Try the other environment once, or mark
    /// the token; never delete many tokens for it, since the settings can be at fault.
    case wrongDevice(PushReply)
    /// APNs never takes such a push: a bug, or the settings. Stop sending.
    case refused(PushReply)
    /// APNs takes nothing from us with this key. Stop sending, and call the operator.
    case notConfigured(PushReply)
    /// APNs has not taken it as far as we know, and may later, but not before that time is over.
    /// The second attempt keeps the push's `id`.
    case retry(after: Duration, PushTrouble)
}

/// What APNs said: a status and a reason.
package struct PushReply: Sendable, Hashable {
    package let status: Int
    /// One of `APNsReason`, or a word that is new; empty where the answer has none. Without control
    /// characters, and cut off after 100 characters.
    package let reason: String

    package init(status: Int, reason: String) {
        self.status = status
        let shown = reason.unicodeScalars.lazy.map { $0.isControl ? " " : $0 }.prefix(100)
        self.reason = String(String.UnicodeScalarView(shown))
    }
}

/// Why a push could not be handed over.
package enum PushTrouble: Error, Sendable, Hashable {
    /// What APNs said: too many pushes, or it has a fault itself.
    case reply(PushReply)
    /// APNs could not be found or reached.
    case noConnection
    /// The connection broke. APNs may have taken the push.
    case connectionLost
    /// APNs may have taken the push.
    case timedOut
    /// There was no encryption that could be agreed on, or the certificate is not good.
    case tls
    /// The program ends.
    case stopped
    /// The answer is none that HTTP knows.
    case noHTTP
    /// Something else, in the library's words.
    case other(String)
}

extension Unicode.Scalar {
    /// Whether it ends a line, or is no sign at all.
    fileprivate var isControl: Bool {
        switch self {
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
