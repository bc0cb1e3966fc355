import AppStoreWire
import Logging
import Storage
import SubscriptionRules

/// One attempt to deliver a notification, from being taken up to being kept.
struct DeliveryAttempt: Sendable {
    var notification: NotificationRecord
    let fault: DeliveryFault
    /// As it was when the attempt was taken up.
    let app: App
    let moment: Instant
    /// Whether it is the first, whose text is not kept yet.
    var isNewlySigned = false
    /// What it came to, once it was made.
    var outcome: SendAttemptResult?
}

/// What was taken up at once.
struct DeliveryClaim: Sendable {
    var attempts: [DeliveryAttempt]
    /// Whether nothing else was due.
    let isAll: Bool
    /// Whether another process delivers in the lane, so that there is nothing for this one.
    var isElsewhere = false
}

extension Store {
    /// Takes up the next notifications of a lane, in order. What is signed is kept before it goes
    /// out, so that a crash in between repeats the same text.
    ///
    /// - Parameter held: those that are under way already.
    /// - Returns: nil when nothing is due.
    func claim(
        _ due: DueDeliveries, in lane: Lane, limit: Int, except held: Set<Int64>
    ) async throws -> DeliveryClaim? {
        let which: SQL = "\(lane.condition) AND \(due.which) AND \(CopyStanding.delivers)"
        let isDue = try await read { [setAside] reader in
            try !NotificationRecord.due(
                by: due.moment ?? reader.now, limit: 1, which: which, except: held,
                passingOver: setAside, in: reader.session
            ).isEmpty
        }
        guard isDue else { return nil }
        let deadline = membership.deadline()
        var claim = try await write(about: .whatIsTakenUp) { [membership] work in
            guard try lane.hold(for: membership.id, membership.claimTime, in: work.session) else {
                return DeliveryClaim(attempts: [], isAll: true, isElsewhere: true)
            }
            let moment = due.moment ?? work.now
            let found = try NotificationRecord.due(
                by: moment, limit: limit, which: which, except: held,
                passingOver: work.setAside, in: work.session)
            let attempts = try work.outgoing(found, by: moment).map { outgoing in
                let notification = outgoing.notification
                return try Damage.of("notification", notification.id) {
                    DeliveryAttempt(
                        notification: notification, fault: outgoing.fault,
                        app: try work.apps[notification.app], moment: work.now)
                }
            }
            if attempts.isEmpty, held.isEmpty {
                try lane.release(by: membership.id, in: work.session)
            }
            return DeliveryClaim(attempts: attempts, isAll: found.count < limit)
        }
        guard !claim.isElsewhere else { return claim }
        membership.hold(lane, until: deadline)
        guard let signed = try await sign(claim.attempts, in: lane) else {
            return DeliveryClaim(attempts: [], isAll: true, isElsewhere: true)
        }
        claim.attempts = signed
        return claim
    }

    /// Signs what goes out for the first time, in no transaction, since that would hold up every
    /// other change, and keeps the texts.
    ///
    /// - Returns: nil where the lane was lost meanwhile.
    private func sign(
        _ attempts: [DeliveryAttempt], in lane: Lane
    ) async throws -> [DeliveryAttempt]? {
        let signed = try attempts.compactMap { attempt -> DeliveryAttempt? in
            var attempt = attempt
            let notification = attempt.notification
            guard notification.signedPayload == nil else { return attempt }
            do {
                attempt.notification.signedPayload = try Damage.of(
                    "notification", notification.id
                ) { try courier.sign(notification, app: attempt.app) }
            } catch let damage as Damage {
                setAside.add(damage.row)
                return nil
            }
            attempt.isNewlySigned = true
            return attempt
        }
        guard signed.contains(where: \.isNewlySigned) else { return signed }
        do {
            return try await write(signed, holding: lane) { attempt, session in
                guard attempt.isNewlySigned else { return }
                try attempt.notification.saveSigned(in: session)
            }
        } catch is LaneIsLost {
            return nil
        }
    }

    private struct LaneIsLost: Error {}

    /// Makes an attempt.
    func make(_ attempt: DeliveryAttempt) async -> DeliveryAttempt {
        var attempt = attempt
        let (after, outcome) = await courier.deliver(
            attempt.notification, app: attempt.app, at: attempt.moment, fault: attempt.fault)
        (attempt.notification, attempt.outcome) = (after, outcome)
        return attempt
    }

    /// Keeps what attempts came to, in one transaction.
    ///
    /// - Parameter lane: what is let go of in it, since they were the last ones.
    func keep(_ attempts: [DeliveryAttempt], releasing lane: Lane? = nil) async throws {
        let kept = try await write(attempts, releasing: lane) { attempt, session in
            guard let outcome = attempt.outcome else {
                preconditionFailure("notification \(attempt.notification.uuid) was not tried")
            }
            try attempt.notification.save(
                attemptAt: attempt.moment, outcome: outcome, in: session)
        }
        for attempt in kept {
            log.debug(
                "notification tried",
                metadata: [
                    "type": "\(attempt.notification.type.rawValue)",
                    "outcome": "\(attempt.outcome?.rawValue ?? "")",
                    "attempt": "\(attempt.notification.attempts)",
                ])
        }
    }

    /// Writes about several attempts together. A notification about which nothing can be written
    /// would go out again and again, so it is set aside.
    ///
    /// - Parameters:
    ///   - lane: what must still be this process's; `LaneIsLost` where it is not.
    ///   - released: what is let go of in it.
    /// - Returns: those that were written about.
    private func write(
        _ attempts: [DeliveryAttempt], holding lane: Lane? = nil, releasing released: Lane? = nil,
        _ body: @escaping @Sendable (inout DeliveryAttempt, any Session) throws -> Void
    ) async throws -> [DeliveryAttempt] {
        var attempts = attempts
        while true {
            do {
                return try await database.write(.together) { [attempts, membership] session in
                    if let lane,
                        try !lane.keep(for: membership.id, membership.claimTime, in: session)
                    {
                        throw LaneIsLost()
                    }
                    try released?.release(by: membership.id, in: session)
                    return try attempts.map { attempt in
                        var attempt = attempt
                        try Damage.of("notification", attempt.notification.id) {
                            try body(&attempt, session)
                        }
                        return attempt
                    }
                }
            } catch let damage as Damage {
                setAside.add(damage.row)
                attempts.removeAll { $0.notification.id == damage.row.id }
            }
        }
    }
}
