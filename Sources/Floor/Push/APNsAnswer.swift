import AppStoreWire
import SubscriptionRules

/// What APNs answered to a request, as it came.
package struct APNsAnswer: Sendable {
    package let status: Int
    /// The field `apns-id`.
    package let apnsID: String?
    package let body: [UInt8]

    package init(status: Int, apnsID: String?, body: [UInt8]) {
        self.status = status
        self.apnsID = apnsID
        self.body = body
    }

    /// Whether the same push may go out at once with another provider token.
    package var asksForNewToken: Bool {
        status != 200 && members?["reason"]?.string == APNsReason.expiredProviderToken.rawValue
    }

    /// What the answer means for the push.
    package func outcome(of push: Push) -> PushOutcome {
        guard status != 200 else { return .sent(apnsID: apnsID ?? push.id) }
        let members = members
        let reply = PushReply(status: status, reason: members?["reason"]?.string ?? "")
        let since = members?["timestamp"]?.integer.map(Instant.init(milliseconds:))
        // A moment of another unit would delete tokens that are good, or none.
        let isMoment = since.map { (Instant.earliest..<Instant.latest).contains($0) } ?? false
        return outcome(reply, since: isMoment ? since : nil)
    }

    private func outcome(_ reply: PushReply, since: Instant?) -> PushOutcome {
        if let reason = APNsReason(rawValue: reply.reason) {
            return reason.outcome(reply, since: since)
        }
        // A reason that is new: its status says what kind it is.
        switch status {
        case 410: return .tokenGone(since: since)
        case 403: return .notConfigured(reply)
        case 429: return .retry(after: .zero, .reply(reply))
        case 400..<500: return .refused(reply)
        case 500...: return .retry(after: APNsReason.faultDelay, .reply(reply))
        default: return .retry(after: .zero, .reply(reply))
        }
    }

    private var members: JSONValue? { try? JSONValue(parsing: body) }
}
