public import AppStoreWire
import Store
import SubscriptionRules
public import Testing
import TimeAndChance

/// The notifications of one test, in the order in which they came.
public struct Notifications: Sendable {
    private let store: Store
    private let environment: StoreEnvironment
    private let inbox: Inbox

    init(store: Store, in environment: StoreEnvironment, _ inbox: Inbox) {
        self.store = store
        self.environment = environment
        self.inbox = inbox
    }

    /// Passes on to your server whatever comes from now on, and answers as it does.
    public func forward(to url: String) { inbox.forward(to: .url(url)) }

    /// Hands what comes from now on, a `signedPayload` each, to your server's own function. One
    /// that throws answers 500, and the store tries again.
    public func forward(to function: @escaping @Sendable (String) async throws -> Void) {
        inbox.forward(to: .function(function))
    }

    /// Everything that came.
    public var all: [ReceivedNotification] { inbox.all }

    /// Type and subtype of each: `["SUBSCRIBED/INITIAL_BUY", "DID_RENEW"]`.
    public var names: [String] { all.map(\.name) }

    /// The first such notification that no call before has returned.
    ///
    /// - Parameters:
    ///   - subtype: nil for any, and for none.
    ///   - transaction: one of the subscription that it must be about.
    ///   - time: how long it waits, in real time, for what your server asked of the store.
    /// - Throws: ``MissingNotification``, which says what came instead.
    @discardableResult
    public func expect(
        _ type: NotificationTypeV2, _ subtype: Subtype? = nil,
        about transaction: SignedTransaction? = nil, within time: Duration = .seconds(5),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ReceivedNotification {
        let deadline = SystemTime.uptime() + time
        while true {
            try await store.settle()
            if let found = inbox.take(type, subtype, about: transaction?.originalID) {
                return found
            }
            guard SystemTime.uptime() < deadline else { break }
            await SystemTime.wait(.milliseconds(10))
        }
        throw MissingNotification(
            wanted: ReceivedNotification.name(type, subtype), originalID: transaction?.originalID,
            place: "\(sourceLocation)", came: all, missing: try await missing())
    }

    /// What the store has that did not arrive.
    private func missing() async throws -> [NotificationLogEntry] {
        let arrived = Set(all.map(\.payload.notificationUUID))
        return try await store.notificationLog(in: environment, before: nil, limit: 100)
            .filter { !arrived.contains($0.uuid) }.reversed()
    }
}

/// A notification that was expected and did not come.
public struct MissingNotification: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(
        wanted: String, originalID: String?, place: String, came: [ReceivedNotification],
        missing: [NotificationLogEntry]
    ) {
        var lines = ["No \(wanted) came\(originalID.map { " about \($0)" } ?? "") (\(place))."]
        lines.append(
            came.isEmpty ? "Nothing came." : "These came, with the answers that they got:")
        for one in came {
            let moment = Instant(milliseconds: one.payload.signedDate).iso8601
            let answer = one.answer.map { "\($0)" } ?? "no answer"
            let product = one.transaction.map { " \($0.productID)" } ?? ""
            lines.append("  \(moment) \(one.name) \(answer)\(product)")
        }
        if !missing.isEmpty { lines.append("These the store has, and they did not arrive:") }
        for one in missing {
            let faults = one.faults.map { " \($0.kind.rawValue) (rule \($0.fault))" }
            let next = one.nextAttempt.map { " next attempt \($0.iso8601)" } ?? ""
            lines.append(
                "  \(ReceivedNotification.name(one.type, one.subtype))\(faults.joined())\(next)")
        }
        description = lines.joined(separator: "\n")
    }
}
