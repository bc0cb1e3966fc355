import Storage
import SubscriptionRules
import TimeAndChance

/// What becomes of an attempt to deliver a notification.
enum DeliveryFault: Hashable, Sendable {
    case straight
    /// It never arrives, and fails.
    case dropped
    /// It never arrives, and counts as delivered.
    case lost
    /// It arrives, and so many times more.
    case repeated(times: Int)
}

extension UnitOfWork {
    /// Lets the rules decide what becomes of notifications that are due by a moment. Each decides
    /// once for an attempt, inside the transaction that takes the notifications up, so that a
    /// crash changes no choice. Those that are held back are left out.
    func goingOut(
        _ due: [DeliveryAttempt], by moment: Instant
    ) throws -> [DeliveryAttempt] {
        var rules = try FaultRecord.all(passingOver: setAside, session)
            .filter { $0.notificationFault != nil }
        guard !rules.isEmpty else { return due }
        // They are of all apps, and count.
        try needToBeAlone()
        // First when it goes out, then what becomes of it.
        rules = rules.filter(\.isAboutTime) + rules.filter { !$0.isAboutTime }
        return try due.compactMap { attempt in
            var attempt = attempt
            for place in rules.indices where rules[place].isAboutTime {
                try hold(&attempt.notification, by: &rules[place])
            }
            if let later = attempt.notification.nextAttempt, later > moment { return nil }
            for place in rules.indices where !rules[place].isAboutTime {
                guard try decide(&rules[place], attempt.notification) != nil else { continue }
                switch rules[place].notificationFault {
                case .drop: attempt.fault = .dropped
                case .lose: attempt.fault = .lost
                case .repeats(let times): attempt.fault = .repeated(times: times)
                case .delay, .reorder, nil: continue
                }
                return attempt
            }
            return attempt
        }
    }

    /// Puts the first attempt off, once.
    private func hold(_ notification: inout NotificationRecord, by rule: inout FaultRecord) throws {
        guard notification.attempts == 0, let due = notification.nextAttempt,
            case .isNew(let candidate)? = try decide(&rule, notification)
        else { return }
        switch rule.notificationFault {
        case .delay(let span): notification.nextAttempt = due + span
        case .reorder(let span):
            let seconds = DerivedNumber.below(
                span.milliseconds / 1000 + 1, seed: rule.seed, purpose: "delay",
                number: candidate)
            notification.nextAttempt = due + .seconds(Int(seconds))
        case .drop, .lose, .repeats, nil: break
        }
        try notification.saveNextAttempt(in: session)
    }

    /// That a rule takes an attempt.
    private enum Taking {
        case isNew(candidate: Int64)
        /// It was decided before a crash, or before the notification was held back.
        case wasDecided
    }

    /// - Returns: nil when the rule leaves the attempt alone.
    private func decide(
        _ rule: inout FaultRecord, _ notification: NotificationRecord
    ) throws -> Taking? {
        guard rule.concerns(notification) else { return nil }
        let attempt = notification.attempts + 1
        let earlier = try FaultDecision.find(
            rule.id, notification: notification.id, attempt: attempt, in: session)
        if let earlier { return earlier ? .wasDecided : nil }
        guard !rule.isSpent else { return nil }
        let candidate = rule.take()
        try rule.saveCounters(in: session)
        try FaultDecision.insert(
            rule, isApplied: candidate != nil, notification: notification.id, attempt: attempt,
            at: now, in: session)
        return candidate.map(Taking.isNew)
    }
}

extension FaultRecord {
    fileprivate var notificationFault: NotificationFault? {
        if case .notifications(let fault, _, _) = effect { fault } else { nil }
    }

    fileprivate var isAboutTime: Bool { notificationFault?.isAboutTime ?? false }

    fileprivate func concerns(_ notification: NotificationRecord) -> Bool {
        guard case .notifications(_, let type, let subtype) = effect else { return false }
        return environment == notification.environment
            && (app ?? notification.app) == notification.app
            && (type ?? notification.type) == notification.type
            && (subtype == nil || subtype == notification.subtype)
    }
}
