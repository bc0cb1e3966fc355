public import Outbox
import Storage
public import SubscriptionRules
public import TimeAndChance

/// A notification whose body is to go on to another server, or could not.
public struct ForwardedNotification: Hashable, Sendable {
    /// What has become of it; one that has arrived is here no more.
    public enum State: Int64, Hashable, Sendable, CaseIterable {
        case waiting = 0
        /// It is not tried again.
        case givenUp = 2
    }

    /// Its place in the order in which notifications were accepted.
    public let id: Int64
    public let bundleID: String
    /// The URL that it goes to.
    public let target: String
    public let acceptedAt: Instant
    public let attempts: Int64
    /// When it is tried next; nil where it is given up.
    public let nextAttempt: Instant?
    public let state: State
    /// What came of the last attempt; nil before the first.
    public let problem: String?
}

/// A body that is to go on (IN-8): a row for each server, of one transaction with the letter.
struct NewForwarding: Sendable {
    let app: Int64
    let target: String
    let accepted: Instant
    let body: [UInt8]

    func insert(_ session: any Session) throws(StorageError) {
        try session.execute(
            """
            INSERT INTO forwarded (app, target, accepted_at, attempts, next_attempt, claimed_until,
                state, body)
            VALUES (\(app), \(target), \(accepted), 0, \(accepted), 0, 0, \(body))
            """)
    }
}

/// One server of one app, to which bodies go on in their order.
struct ForwardLane: Hashable, Sendable {
    let app: Int64
    let target: String
}

/// The first body of a lane, while this process sends it.
private struct ForwardAttempt: Sendable {
    let id: Int64
    let attempts: Int64
    let accepted: Instant
    let body: [UInt8]

    /// For how long nobody else sends it: longer than any attempt takes.
    private static let claim = Span.minutes(2)
    /// How long a server may be away.
    static let patience = Span.days(3)

    /// - Returns: nil where nothing is due: the first holds up all behind it.
    static func next(
        in lane: ForwardLane, at now: Instant, _ session: any Session
    ) throws(StorageError) -> ForwardAttempt? {
        let row = try session.row(
            """
            SELECT id, attempts, accepted_at, next_attempt, claimed_until, body FROM forwarded
            WHERE app = \(lane.app) AND target = \(lane.target) AND state = 0
            ORDER BY id LIMIT 1\(raw: session.dialect.lockRow)
            """)
        guard let row, try row.instant(3) <= now, try row.instant(4) <= now else { return nil }
        let id = try row.integer(0)
        try session.execute(
            "UPDATE forwarded SET claimed_until = \(now + claim) WHERE id = \(id)")
        return ForwardAttempt(
            id: id, attempts: try row.integer(1), accepted: try row.instant(2),
            body: try row.bytes(5))
    }

    /// Keeps what came of it. What has arrived is needed no more.
    func keep(
        _ outcome: PostOutcome, at now: Instant, _ session: any Session
    ) throws(StorageError) {
        if case .answered(let status) = outcome, (200..<300).contains(status) {
            try session.execute("DELETE FROM forwarded WHERE id = \(id)")
            return
        }
        let pause = Span.backOff(after: attempts, from: .seconds(5), upTo: .hours(1))
        try session.execute(
            """
            UPDATE forwarded SET attempts = attempts + 1, next_attempt = \(now + pause),
                claimed_until = 0, problem = \(Self.words(outcome))
            WHERE id = \(id)
            """)
    }

    private static func words(_ outcome: PostOutcome) -> String {
        if case .answered(let status) = outcome { return "answered \(status)" }
        return "\(outcome)"
    }
}

extension Merchant.ServedApp {
    /// What of a body goes on, and to whom.
    func forwarding(_ body: [UInt8], at now: Instant) -> [NewForwarding] {
        setup.forward.map { NewForwarding(app: id, target: $0, accepted: now, body: body) }
    }
}

extension Merchant {
    /// Where bodies may go on to, by the configuration.
    var forwardLanes: [ForwardLane] {
        apps.values.flatMap { app in
            app.setup.forward.map { ForwardLane(app: app.id, target: $0) }
        }
    }

    /// Sends the bodies that are due to one server, each after the one before has arrived.
    ///
    /// - Parameter now: the machine's time: a server is waited for in true time, whatever clock
    ///   access ends by.
    /// - Returns: whether there was one.
    @discardableResult
    func forwardNext(
        in lane: ForwardLane, by post: any Post, at now: @Sendable () -> Instant
    ) async throws -> Bool {
        let begun = now()
        let attempt = try await database.write(.together) { session in
            try ForwardAttempt.next(in: lane, at: begun, session)
        }
        guard let attempt else { return false }
        let outcome = await post.post(attempt.body, to: lane.target)
        let ended = now()
        try await database.write(.together) { session in
            try attempt.keep(outcome, at: ended, session)
        }
        return true
    }

    /// Sends every body that is due, in the order of each server, and returns then.
    ///
    /// - Parameter now: the machine's time.
    public func forward(
        by post: any Post, at now: @escaping @Sendable () -> Instant = SystemTime.now
    ) async throws {
        try await giveUpForwarding(at: now())
        for lane in forwardLanes {
            while try await forwardNext(in: lane, by: post, at: now) {}
        }
    }

    /// Gives up what could not be sent in three days, and forgets what was given up a month ago.
    func giveUpForwarding(at now: Instant) async throws {
        try await database.write(.together) { session in
            try session.execute(
                """
                UPDATE forwarded SET state = 2, body = \([UInt8]())
                WHERE state = 0 AND accepted_at <= \(now - ForwardAttempt.patience)
                    AND claimed_until <= \(now)
                """)
            try session.execute(
                "DELETE FROM forwarded WHERE state = 2 AND accepted_at <= \(now - .days(33))")
        }
    }

    /// What waits to go on or was given up, the newest first.
    ///
    /// - Parameters:
    ///   - state: only these; nil for both.
    ///   - before: the number before which they are; nil for the newest.
    public func forwarded(
        _ state: ForwardedNotification.State? = nil, before: Int64? = nil, limit: Int
    ) async throws -> [ForwardedNotification] {
        try await database.read { session in
            let only: SQL = state.map { state -> SQL in "f.state = \(state.rawValue)" } ?? "TRUE"
            return try session.rows(
                """
                SELECT f.id, a.bundle_id, f.target, f.accepted_at, f.attempts, f.next_attempt,
                    f.state, f.problem
                FROM forwarded f JOIN app a ON a.id = f.app
                WHERE \(only) AND f.id < \(before ?? Int64.max)
                ORDER BY f.id DESC LIMIT \(limit)
                """
            ).map { row throws(StorageError) in try ForwardedNotification(row) }
        }
    }
}

extension ForwardedNotification {
    fileprivate init(_ row: Row) throws(StorageError) {
        id = try row.integer(0)
        bundleID = try row.text(1)
        target = try row.text(2)
        acceptedAt = try row.instant(3)
        attempts = try row.integer(4)
        state = State(rawValue: try row.integer(6)) ?? .givenUp
        nextAttempt = state == .waiting ? try row.instant(5) : nil
        problem = try row.textOrNil(7)
    }
}
