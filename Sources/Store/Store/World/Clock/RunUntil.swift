public import AppStoreWire
import Storage
public import SubscriptionRules
import TimeAndChance

/// A notification that is waited for.
public struct NotificationWanted: Sendable, Hashable {
    public let type: NotificationTypeV2
    /// Nil for any subtype and none.
    public let subtype: Subtype?
    /// The subscription that it must be about; nil for any, and for none.
    public let subscription: Int64?

    public init(_ type: NotificationTypeV2, _ subtype: Subtype?, subscription: Int64? = nil) {
        self.type = type
        self.subtype = subtype
        self.subscription = subscription
    }
}

/// How far time may go; subscriptions renew endlessly, so somebody has to say when it is enough.
public enum TimeLimit: Sendable, Hashable {
    case moment(Instant)
    /// Counted from what the clock shows at the beginning.
    case step(CalendarStep)

    /// Two years.
    public static let usual = TimeLimit.step(CalendarStep(iso8601: "P2Y")!)
}

/// What running until a notification came to.
public struct Occurrence: Sendable {
    /// What the clock shows now.
    public let now: Instant
    /// How many events of subscriptions happened on the way.
    public let changes: Int
    /// What was waited for, with the attempts to deliver it so far.
    public let notification: NotificationLogEntry
}

extension Store {
    /// Lets time pass from event to event until a notification comes into being, delivered or not.
    /// Those that are there at the beginning do not count; what is under way then is waited for,
    /// and is there. Everything due at its moment is done.
    ///
    /// - Throws: `StoreError.clock(.isSystem)`, `.setting(.invalid)` where the type does not have
    ///   the subtype, `.unknown(.originalTransaction)`, `.setting(.noNotificationURL)` where none
    ///   would be kept, `.clock(.wouldGoBack)` and `.clock(.outOfRange)` of the limit; and with the
    ///   clock moved `.clock(.limitReached)` and `.clock(.nothingAhead)`.
    public func runUntil(
        _ wanted: NotificationWanted, in environment: StoreEnvironment,
        limit: TimeLimit = .usual
    ) async throws -> Occurrence {
        try wanted.type.check(wanted.subtype)
        return try await movingClock {
            try await checkMovable()
            let limit = try limit.end(from: try await now())
            var search = try await beginSearch(wanted, in: environment)
            var changes = try await run(to: nil, movesClock: false, progress: nil)
            while true {
                if let notification = try await findNotification(for: &search) {
                    return Occurrence(
                        now: try await now(), changes: changes, notification: notification)
                }
                guard let moment = try await nextMoment() else {
                    throw StoreError.clock(.nothingAhead(try await now()))
                }
                guard moment <= limit else {
                    _ = try await go(to: limit)
                    throw StoreError.clock(.limitReached(limit))
                }
                changes += try await go(to: moment)
            }
        }
    }

    /// Where a search has got to.
    private struct Search {
        let wanted: NotificationWanted
        let environment: StoreEnvironment
        /// The number from which on notifications have not been looked at.
        var next: Int64
    }

    private func beginSearch(
        _ wanted: NotificationWanted, in environment: StoreEnvironment
    ) async throws -> Search {
        try await read { [isFork] reader in
            var apps = reader.apps.all
            if let id = wanted.subscription {
                let app = try SubscriptionRecord.app(of: id, environment, in: reader.session)
                guard let app else { throw StoreError.unknown(.originalTransaction, String(id)) }
                apps = [try reader.apps[app]]
            }
            guard
                isFork
                    || apps.contains(where: { $0.settings.notificationURL(in: environment) != nil })
            else { throw StoreError.setting(.noNotificationURL) }
        }
        return Search(
            wanted: wanted, environment: environment,
            next: try await write { try $0.comingNumber() })
    }

    /// Looks while nothing else is changed. A change that goes beside others may have drawn a lower
    /// number than this one and still be under way: it is waited for, so that all that is numbered
    /// lower is seen now, and what comes later is numbered higher.
    private func findNotification(for search: inout Search) async throws -> NotificationLogEntry? {
        let asked = search
        let (found, next) = try await write { work in
            let found = try NotificationRecord.first(
                asked.wanted, from: asked.next, in: asked.environment, work.session)
            let reader = StoreReader(session: work.session, now: work.now, apps: work.apps)
            return (try found.map(reader.logEntry), try work.comingNumber())
        }
        search.next = next
        return found
    }
}

extension TimeLimit {
    func end(from now: Instant) throws(StoreError) -> Instant {
        let end: Instant
        switch self {
        case .moment(let moment): end = moment
        case .step(let step): end = step.applied(to: now)
        }
        guard end >= now else { throw .clock(.wouldGoBack(now)) }
        guard end < .latest else {
            // What nobody asked for is no reason to refuse.
            guard self == .usual else { throw .clock(.outOfRange(end)) }
            return Instant.latest - .seconds(1)
        }
        return end
    }
}

extension NotificationTypeV2 {
    /// Refuses a subtype that the type never has; none stands for any.
    fileprivate func check(_ subtype: Subtype?) throws(StoreError) {
        guard subtype == nil || allows(subtype) else { throw refusal(of: subtype) }
    }

    /// Says which subtypes the type has.
    func refusal(of subtype: Subtype?) -> StoreError {
        let allowed = Self.allowedSubtypes[self] ?? []
        let names = allowed.compactMap { $0?.rawValue }.sorted().joined(separator: ", ")
        let words =
            switch (names.isEmpty, allowed.contains(nil)) {
            case (true, _): "\(rawValue) has none"
            case (false, true): "\(rawValue) has none, \(names)"
            case (false, false): "\(rawValue) has \(names)"
            }
        return .setting(.invalid("subtype", reason: words))
    }
}
