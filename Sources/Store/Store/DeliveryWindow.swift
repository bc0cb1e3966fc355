import AppStoreWire
import Storage
import TimeAndChance

/// The deliveries of one lane while somebody has its turn: a window that slides over what is due.
///
/// Side by side go at most so many posts, one claim of what goes out next, and one write of what
/// came of posts, which takes all that were answered since the last one. A subject is busy from
/// its post until what came of it is kept, so that its next one goes out after that.
struct DeliveryWindow {
    private enum Event {
        case claimed(Result<DeliveryClaim?, any Error>)
        case tried(DeliveryAttempt)
        case kept([DeliveryAttempt], Result<Void, any Error>)
        case waited
    }

    private let due: DueDeliveries
    private let lane: Lane
    private let store: Store
    private let isWanted: @Sendable () -> Bool

    /// What was taken up and is not under way, in order.
    private var waiting: [DeliveryAttempt] = []
    private var busy: Set<DeliverySubject> = []
    /// What was taken up and is not kept: the database still shows it as due.
    private var held: Set<Int64> = []
    private var underWay = 0
    private var answered: [DeliveryAttempt] = []
    private var isClaiming = false
    private var isKeeping = false
    /// Whether the lane is let go of with what is being kept.
    private var isReleasing = false
    /// Whether the last claim found all that there was.
    private var isDry = false
    private var isWaiting = false
    private var claimed: Int?
    private var failure: (any Error)?

    /// How long it is until somebody looks again.
    private static let pause = Duration.milliseconds(50)

    /// - Parameter isWanted: whether somebody else waits for the turn.
    init(
        of due: DueDeliveries, in lane: Lane, store: Store,
        isWanted: @escaping @Sendable () -> Bool
    ) {
        self.due = due
        self.lane = lane
        self.store = store
        self.isWanted = isWanted
    }

    /// Delivers until nothing is due, or until somebody else wants the turn.
    ///
    /// - Returns: how many went out, which rules may have held up all; nil when none was due.
    mutating func run() async throws -> Int? {
        await withTaskGroup(of: Event.self) { group in
            begin(&group)
            while isClaiming || isKeeping || underWay > 0, let event = await group.next() {
                take(event)
                if failure != nil { group.cancelAll() }
                begin(&group)
            }
            group.cancelAll()
        }
        // What was looked for last was not found, or something failed: nobody has let go yet.
        if store.membership.has(lane) {
            try await Task { [store, lane] in try await store.release(lane) }.value
        }
        if let failure { throw failure }
        try Task.checkCancellation()
        return claimed
    }

    /// Whether nothing new is begun.
    private var isEnding: Bool { failure != nil || Task.isCancelled || isLost }

    /// Whether another process may deliver in the lane by now: what was taken up stays due.
    private var isLost: Bool { !held.isEmpty && !store.membership.holds(lane) }

    private mutating func begin(_ group: inout TaskGroup<Event>) {
        if !isEnding {
            post(&group)
            claim(&group)
        }
        keep(&group)
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .claimed(let result):
            isClaiming = false
            do {
                guard let claim = try result.get() else { return isDry = true }
                isDry = claim.isAll
                // Whoever waits for what is due there looks again.
                claimed = (claimed ?? 0) + claim.attempts.count
                waiting += claim.attempts
                held.formUnion(claim.attempts.map(\.notification.id))
            } catch {
                failure = failure ?? error
            }
        case .tried(let attempt):
            underWay -= 1
            // An attempt that our own end broke off was none: it stays due.
            if attempt.outcome == .success || !isEnding { answered.append(attempt) }
        case .kept(let attempts, let result):
            isKeeping = false
            isReleasing = false
            busy.subtract(attempts.map(\.notification.subject))
            held.subtract(attempts.map(\.notification.id))
            if case .failure(let error) = result { failure = failure ?? error }
        case .waited:
            isWaiting = false
            isDry = false
        }
    }

    /// Posts the first ones whose subjects are not busy. What waits is overtaken only while fewer
    /// than may be under way are busy, so that one at once keeps the order of all.
    private mutating func post(_ group: inout TaskGroup<Event>) {
        let most = store.deliveriesAtOnce
        var place = 0
        while place < waiting.count, underWay < most, place == 0 || busy.count < most {
            guard busy.insert(waiting[place].notification.subject).inserted else {
                place += 1
                continue
            }
            underWay += 1
            group.addTask { [store, attempt = waiting.remove(at: place)] in
                .tried(await store.make(attempt))
            }
        }
    }

    /// Takes up what goes out next, before the last ones have gone.
    private mutating func claim(_ group: inout TaskGroup<Event>) {
        let portion = max(2 * store.deliveriesAtOnce, 20)
        let limit = min(portion, due.limit - (claimed ?? 0))
        // Those of one subject may be many, and nobody waits for them besides.
        let isLow = waiting.count < portion || underWay < store.deliveriesAtOnce
        guard !isClaiming, !isReleasing, limit > 0, isLow, held.count < 10 * portion,
            claimed == nil || !isWanted()
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
        isClaiming = true
        group.addTask { [store, due, lane, held] in
            do {
                return .claimed(
                    .success(
                        try await store.claim(due, in: lane, limit: limit, except: held)))
            } catch {
                return .claimed(.failure(error))
            }
        }
    }

    /// Keeps what was answered, all of it at once.
    private mutating func keep(_ group: inout TaskGroup<Event>) {
        guard !isKeeping, !answered.isEmpty else { return }
        isKeeping = true
        isReleasing = waiting.isEmpty && underWay == 0 && !isClaiming
        if isReleasing { store.membership.release(lane) }
        group.addTask { [store, answered, released = isReleasing ? lane : nil] in
            do {
                // Whoever stops meanwhile has sent them all the same.
                try await Task { try await store.keep(answered, releasing: released) }.value
                return .kept(answered, .success(()))
            } catch {
                return .kept(answered, .failure(error))
            }
        }
        answered = []
    }
}
