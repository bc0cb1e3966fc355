import AppStoreWire
import Logging
import Storage
import SubscriptionRules

/// What one run of the sweeper waits for, of the notifications that are due.
///
/// Commands go on while the clock is moved, and each of them may bring a notification that is due
/// at once: a run that waited for all would not end as long as somebody buys. So it waits for
/// those that were there when it began, for those of the events that it makes happen, and for
/// those that were put off to a later moment; in each step others are tried as well, as many as
/// the step's own and a few more, and what is left of them once, at the end.
struct Run: Sendable {
    /// Numbers below this one were given before the run began.
    let first: Int64
    /// The numbers that were given while the events of the present step happened.
    var step: Range<Int64> = 0..<0

    /// How many notifications of others' commands a step tries beyond as many as its own: enough
    /// for a developer's server that answers what it is told with a command, and that one with
    /// another.
    static let others = 100

    init(first: Int64) { self.first = first }

    /// The condition on the table of notifications.
    var isWaitedFor: SQL {
        """
        (id < \(first) OR next_attempt > created_at
            OR (id >= \(step.lowerBound) AND id < \(step.upperBound)))
        """
    }
}

extension Store {
    /// Tries the notification that is due first by the clock as it stands.
    ///
    /// - Returns: whether there was one.
    func deliverNext() async throws -> Bool {
        try await deliver(dueBy: try await now(), limit: 1) != nil
    }

    /// Tries what a run waits for in the present step, then others.
    func deliverStep(of run: Run, dueBy horizon: Instant, movesClock: Bool) async throws {
        var others = Run.others
        while let tried = try await deliver(
            dueBy: horizon, movesClock: movesClock, limit: 20, which: run.isWaitedFor)
        {
            others += tried
        }
        while others > 0,
            let tried = try await deliver(
                dueBy: horizon, movesClock: movesClock, limit: min(others, 20))
        {
            others -= max(tried, 1)
        }
    }

    /// Tries once what is due and was left of others' notifications.
    func deliverRest(dueBy moment: Instant) async throws {
        let next = try await read { [self] in try world($0.session).nextNumber }
        while try await deliver(dueBy: moment, limit: 20, which: "id < \(next)") != nil {}
    }

    /// Tries the next notifications that are due by a moment, in order. What is signed is kept
    /// before it goes out, so that a crash in between repeats the same text.
    ///
    /// - Parameter which: a condition on the table of notifications.
    /// - Returns: how many went out, which rules may have held up all; nil when none was due.
    private func deliver(
        dueBy moment: Instant, movesClock: Bool = false, limit: Int, which: SQL = "TRUE"
    ) async throws -> Int? {
        try await deliveries.take {
            let due = try await claim(
                dueBy: moment, movesClock: movesClock, limit: limit, which: which)
            guard let due else { return nil }
            for outgoing in due.outgoing {
                let notification = outgoing.notification
                try Task.checkCancellation()
                let (after, outcome) = await courier.deliver(
                    notification, app: try due.apps[notification.app], at: due.now,
                    fault: outgoing.fault)
                // An attempt that our own end broke off was none: it stays due.
                if outcome != .success { try Task.checkCancellation() }
                try await keep(after, outcome, at: due.now)
                log.debug(
                    "notification tried",
                    metadata: [
                        "type": "\(notification.type.rawValue)", "outcome": "\(outcome.rawValue)",
                        "attempt": "\(after.attempts)",
                    ])
            }
            return due.outgoing.count
        }
    }

    /// Keeps what an attempt came to. Where that cannot be kept the notification would go out again
    /// and again, so it is set aside.
    private func keep(
        _ notification: NotificationRecord, _ outcome: SendAttemptResult, at moment: Instant
    ) async throws {
        do {
            try await database.write { session in
                try Damage.of("notification", notification.id) {
                    try notification.save(attemptAt: moment, outcome: outcome, in: session)
                }
            }
        } catch let damage as Damage {
            setAside.add(damage.row)
        }
    }

    /// The next notifications to go out, signed; nil when nothing is due.
    private func claim(
        dueBy moment: Instant, movesClock: Bool, limit: Int, which: SQL
    ) async throws -> (outgoing: [Outgoing], now: Instant, apps: Apps)? {
        let next = try await read { [setAside] in
            try $0.session.nextAttempt(which, passingOver: setAside)
        }
        guard let next, next <= moment else { return nil }
        return try await write { [courier] work in
            if movesClock, moment > work.now { work.moveClock(to: moment) }
            let due = try NotificationRecord.due(
                by: moment, limit: limit, which: which, passingOver: work.setAside,
                in: work.session)
            let signed = try work.outgoing(due, by: moment).map { outgoing in
                let notification = outgoing.notification
                return try Damage.of("notification", notification.id) {
                    let app = try work.apps[notification.app]
                    guard notification.signedPayload == nil else { return outgoing }
                    var signed = outgoing
                    signed.notification.signedPayload = try courier.sign(notification, app: app)
                    try signed.notification.saveSigned(in: work.session)
                    return signed
                }
            }
            return (signed, work.now, work.apps)
        }
    }
}
