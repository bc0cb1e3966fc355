import Outbox
import Storage
public import SubscriptionRules
import TimeAndChance

/// What stepping the clock came to.
public struct Steps: Sendable, Hashable {
    /// What the clock shows now.
    public let now: Instant
    /// How many steps were made; fewer than asked for where nothing was ahead any more.
    public let count: Int
    /// How many events of subscriptions happened on the way.
    public let changes: Int
}

extension Store {
    /// Moves the clock to the next moment at which something happens by itself, and lets all of
    /// it happen, as often as asked for. What is due before the first step happens first, so that
    /// every step moves the clock.
    ///
    /// - Parameter count: how many steps, 1 or more.
    /// - Throws: `StoreError.clock(.isSystem)`, and `.clock(.nothingAhead)` when there is no first
    ///   step.
    public func step(_ count: Int = 1) async throws -> Steps {
        precondition(count >= 1, "a clock is stepped at least once")
        return try await movingClock {
            try await checkMovable()
            var changes = try await run(to: nil, movesClock: false, progress: nil)
            var made = 0
            while made < count, let moment = try await nextMoment() {
                changes += try await go(to: moment)
                made += 1
            }
            let now = try await now()
            guard made > 0 else { throw StoreError.clock(.nothingAhead(now)) }
            return Steps(now: now, count: made, changes: changes)
        }
    }

    /// Refuses where the clock cannot be moved.
    func checkMovable() async throws {
        guard try await clockReading().mode != .system else { throw StoreError.clock(.isSystem) }
    }

    /// The moment of what happens next by itself, within the clock's range. A notification that a
    /// command brought meanwhile is due already, and is no next moment.
    func nextMoment() async throws -> Instant? {
        try await read { [setAside, writes = mailroom != nil] reader in
            let next = try reader.session.nextDue(
                passingOver: setAside, writing: writes,
                or: [NotificationRecord.outbox.attempts("next_attempt > \(reader.now)")])
            return next.flatMap { $0 < .latest ? $0 : nil }
        }
    }

    /// Moves the clock to a moment with everything that happens on the way; only for who has the
    /// turn.
    ///
    /// - Returns: how many events of subscriptions happened.
    func go(to moment: Instant) async throws -> Int {
        try await run(to: moment, movesClock: true, progress: nil)
    }
}
