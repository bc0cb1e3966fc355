import DueWork
import TimeAndChance

/// The deliveries of one lane while somebody has its turn: a window that slides over what is due.
///
/// Side by side go at most so many posts, one taking up of what goes out next, and one write of
/// what came of posts, which takes all that were answered since the last one. A subject is busy
/// from its post until what came of it is kept, so that its next one goes out after that.
struct DeliveryWindow<Source: OutboxSource> {
    typealias Attempt = Source.Attempt

    private enum Event {
        case taken(Result<Taken<Attempt>?, any Error>)
        case tried(Attempt)
        case kept([Attempt], Result<Void, any Error>)
        case waited
    }

    private let due: DueMessages
    private let lane: Lane
    private let outbox: Outbox<Source>
    private let isWanted: @Sendable () -> Bool

    /// What was taken up and is not under way, in order.
    private var waiting: [Attempt] = []
    private var busy: Set<Attempt.Subject> = []
    /// What was taken up and is not kept: the database still shows it as due.
    private var held: Set<Int64> = []
    private var underWay = 0
    private var answered: [Attempt] = []
    private var isTaking = false
    private var isKeeping = false
    /// Whether the lane is let go of with what is being kept.
    private var isReleasing = false
    /// Whether the last taking up found all that there was.
    private var isDry = false
    private var isWaiting = false
    private var taken: Int?
    private var failure: (any Error)?

    /// How long it is until somebody looks again.
    private static var pause: Duration { .milliseconds(50) }

    /// - Parameter isWanted: whether somebody else waits for the turn.
    init(
        of due: DueMessages, in lane: Lane, outbox: Outbox<Source>,
        isWanted: @escaping @Sendable () -> Bool
    ) {
        self.due = due
        self.lane = lane
        self.outbox = outbox
        self.isWanted = isWanted
    }

    /// Delivers until nothing is due, or until somebody else wants the turn.
    ///
    /// - Returns: how many went out, which rules may have held up all; nil when none was due.
    mutating func run() async throws -> Int? {
        await withTaskGroup(of: Event.self) { group in
            begin(&group)
            while isTaking || isKeeping || underWay > 0, let event = await group.next() {
                take(event)
                if failure != nil { group.cancelAll() }
                begin(&group)
            }
            group.cancelAll()
        }
        // What was looked for last was not found, or something failed: nobody has let go yet.
        if outbox.membership.has(lane.claim) {
            try await Task { [outbox, lane] in
                try await outbox.membership.release(lane.claim)
            }.value
        }
        if let failure { throw failure }
        try Task.checkCancellation()
        return taken
    }

    /// Whether nothing new is begun.
    private var isEnding: Bool { failure != nil || Task.isCancelled || isLost }

    /// Whether another process may deliver in the lane by now: what was taken up stays due.
    private var isLost: Bool { !held.isEmpty && !outbox.membership.holds(lane.claim) }

    private mutating func begin(_ group: inout TaskGroup<Event>) {
        if !isEnding {
            post(&group)
            takeUp(&group)
        }
        keep(&group)
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .taken(let result):
            isTaking = false
            do {
                guard let next = try result.get() else { return isDry = true }
                isDry = next.isAll
                // Whoever waits for what is due there looks again.
                taken = (taken ?? 0) + next.attempts.count
                waiting += next.attempts
                held.formUnion(next.attempts.map(\.id))
            } catch {
                failure = failure ?? error
            }
        case .tried(let attempt):
            underWay -= 1
            // An attempt that our own end broke off was none: it stays due.
            if attempt.hasArrived || !isEnding { answered.append(attempt) }
        case .kept(let attempts, let result):
            isKeeping = false
            isReleasing = false
            busy.subtract(attempts.map(\.subject))
            held.subtract(attempts.map(\.id))
            if case .failure(let error) = result { failure = failure ?? error }
        case .waited:
            isWaiting = false
            isDry = false
        }
    }

    /// Posts the first ones whose subjects are not busy. What waits is overtaken only while fewer
    /// than may be under way are busy, so that one at once keeps the order of all.
    private mutating func post(_ group: inout TaskGroup<Event>) {
        let most = outbox.atOnce
        var place = 0
        while place < waiting.count, underWay < most, place == 0 || busy.count < most {
            let next = waiting[place]
            guard !isTooEarly(next), busy.insert(next.subject).inserted else {
                place += 1
                continue
            }
            underWay += 1
            group.addTask { [outbox, attempt = waiting.remove(at: place)] in
                .tried(await outbox.source.carry(attempt))
            }
        }
    }

    /// Whether something earlier was not tried yet, or what came of it is not kept, that an attempt
    /// sums up. What is earlier was taken up before it, in order.
    private func isTooEarly(_ attempt: Attempt) -> Bool {
        attempt.sumsUp && held.contains { $0 < attempt.id }
    }

    /// Takes up what goes out next, before the last ones have gone.
    private mutating func takeUp(_ group: inout TaskGroup<Event>) {
        let portion = max(2 * outbox.atOnce, 20)
        let limit = min(portion, due.limit - (taken ?? 0))
        // Those of one subject may be many, and nobody waits for them besides.
        let isLow = waiting.count < portion || underWay < outbox.atOnce
        guard !isTaking, !isReleasing, limit > 0, isLow, held.count < 10 * portion,
            taken == nil || !isWanted()
        else { return }
        guard !isDry else {
            if due.looksAgain, underWay > 0, !isWaiting {
                isWaiting = true
                group.addTask {
                    await SystemTime.wait(Self.pause)
                    return .waited
                }
            }
            return
        }
        isTaking = true
        group.addTask { [outbox, due, lane, held] in
            do {
                return .taken(
                    .success(
                        try await outbox.takeUp(due, in: lane, limit: limit, except: held)))
            } catch {
                return .taken(.failure(error))
            }
        }
    }

    /// Keeps what was answered, all of it at once.
    private mutating func keep(_ group: inout TaskGroup<Event>) {
        guard !isKeeping, !answered.isEmpty else { return }
        isKeeping = true
        isReleasing = waiting.isEmpty && underWay == 0 && !isTaking
        if isReleasing { outbox.membership.forget(lane.claim) }
        group.addTask { [outbox, answered, released = isReleasing ? lane : nil] in
            do {
                // Whoever stops meanwhile has sent them all the same.
                try await Task { try await outbox.keep(answered, releasing: released) }.value
                return .kept(answered, .success(()))
            } catch {
                return .kept(answered, .failure(error))
            }
        }
        answered = []
    }
}
