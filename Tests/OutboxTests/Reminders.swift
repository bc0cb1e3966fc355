import DueWork
import Logging
import Outbox
import Storage
import SubscriptionRules
import TestFloor
import TimeAndChance

/// A second program that delivers, as small as one can be: reminders of several people, each
/// posted to one of several receivers. It imports nothing of the store.
struct Reminders: OutboxSource {
    let database: any Database
    let clock: ManualClock
    let post: any Post

    /// What another process keeps as the text of each message before this one can.
    var sealedMeanwhile: String?
    /// Whether another process takes the lane as soon as this one has taken messages up.
    var isTakenMeanwhile = false
    /// Whether it fails to keep what came of any post.
    var isForgetful = false

    struct Forgotten: Error {}

    static let schedule = RetrySchedule([.hours(1), .hours(2)])

    static let migrations = [
        Migration("reminders") { dialect in
            [
                """
                CREATE TABLE reminder (
                    id \(dialect.integer) NOT NULL PRIMARY KEY,
                    receiver \(dialect.integer) NOT NULL, person TEXT NOT NULL,
                    body TEXT NOT NULL, sealed TEXT, attempts \(dialect.integer) NOT NULL,
                    next_attempt \(dialect.integer), arrived \(dialect.integer) NOT NULL
                )\(dialect.tableOptions)
                """
            ] + Claim.table(dialect) + ProcessRecord.table(dialect)
        }
    ]

    let table = OutboxTable(
        "reminder", laneColumns: ["receiver"],
        columns: "id, receiver, person, body, sealed, attempts")

    struct Attempt: OutboxAttempt {
        let id: Int64
        let receiver: Int64
        let subject: String
        let body: String
        var sealed: String?
        var attempts: Int
        let moment: Instant
        var outcome: PostOutcome?

        var hasArrived: Bool { outcome == .answered(status: 200) }
    }

    struct Work: OutboxWork {
        let session: any Session
        let now: Instant
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session, _ now: Instant) throws -> T
    ) async throws -> T {
        try await database.read { try body($0, clock.now) }
    }

    func change<T: Sendable>(_ body: @escaping @Sendable (Work) throws -> T) async throws -> T {
        let result = try await database.write { try body(Work(session: $0, now: clock.now)) }
        if isTakenMeanwhile {
            try await database.write { session in
                try session.execute("UPDATE claim SET process = 'another'")
            }
        }
        return result
    }

    func attempt(_ row: Row, in work: Work) throws -> Attempt {
        let body = try row.text(3)
        guard !body.isEmpty else { throw StorageError(.corrupt, "a reminder says nothing") }
        return Attempt(
            id: try row.integer(0), receiver: try row.integer(1), subject: try row.text(2),
            body: body, sealed: try row.textOrNil(4), attempts: try row.int(5) + 1,
            moment: work.now)
    }

    func goingOut(_ due: [Attempt], by moment: Instant, in work: Work) -> [Attempt] { due }

    func seal(_ attempt: Attempt) -> Attempt? {
        guard attempt.sealed == nil else { return nil }
        var attempt = attempt
        attempt.sealed = "\(attempt.body) \(Randomness.token("sealed-"))"
        return attempt
    }

    func saveSealed(_ attempt: Attempt, in session: any Session) throws -> Attempt {
        if let sealedMeanwhile {
            try session.execute(
                "UPDATE reminder SET sealed = \(sealedMeanwhile) WHERE id = \(attempt.id)")
        }
        let count = try session.execute(
            """
            UPDATE reminder SET sealed = \(attempt.sealed) WHERE id = \(attempt.id)
                AND sealed IS NULL
            """)
        guard count == 0 else { return attempt }
        var attempt = attempt
        let kept = try session.row("SELECT sealed FROM reminder WHERE id = \(attempt.id)")
        attempt.sealed = try kept?.text(0)
        return attempt
    }

    func carry(_ attempt: Attempt) async -> Attempt {
        var attempt = attempt
        let body = Array((attempt.sealed ?? "").utf8)
        attempt.outcome = await post.post(body, to: "http://\(attempt.receiver).example/")
        return attempt
    }

    func save(_ attempt: Attempt, in session: any Session) throws {
        if isForgetful { throw Forgotten() }
        let next =
            attempt.hasArrived
            ? nil : Self.schedule.next(after: attempt.attempts, at: attempt.moment)
        try session.execute(
            """
            UPDATE reminder SET attempts = \(attempt.attempts), next_attempt = \(next),
                arrived = \(attempt.hasArrived)
            WHERE id = \(attempt.id)
            """)
    }

    func kept(_ attempts: [Attempt]) {}

    /// The outbox of one of the processes that share the database.
    func outbox(
        atOnce: Int = 8, claimTime: Span = .minutes(10),
        stopwatch: @escaping @Sendable () -> Duration = SystemTime.uptime
    ) -> Outbox<Reminders> {
        let membership = Membership(
            in: database, name: "reminders", version: "1", claimTime: claimTime,
            stopwatch: stopwatch)
        return Outbox(
            of: self, in: database, by: membership, turns: LaneTurns(), atOnce: atOnce,
            passingOver: SetAside(log: Logger(label: "reminders"), remedy: "mend it"))
    }

    /// Writes what is to be told.
    func add(_ reminders: [(receiver: Int64, person: String)]) async throws {
        try await database.write { [clock] session in
            let last = try session.row("SELECT COALESCE(MAX(id), 0) FROM reminder")?.integer(0)
            for (place, reminder) in reminders.enumerated() {
                let id = (last ?? 0) + Int64(place) + 1
                try session.execute(
                    """
                    INSERT INTO reminder
                        (id, receiver, person, body, attempts, next_attempt, arrived)
                    VALUES (\(id), \(reminder.receiver), \(reminder.person),
                        \("\(reminder.person) \(id)"), 0, \(clock.now), 0)
                    """)
            }
        }
    }
}
