import DueWork
import Outbox
import Storage
public import SubscriptionRules
import TimeAndChance

/// What moving the clock came to.
public struct Advance: Sendable, Hashable {
    /// What the clock shows now.
    public let now: Instant
    /// How many events of subscriptions happened on the way.
    public let changes: Int
}

extension Store {
    /// Moves the clock to a later moment. Returns when everything due until then has happened and
    /// every notification due was tried, in the order of their moments. What others' commands
    /// bring about meanwhile is done as well, but their notifications keep nobody waiting: see
    /// `Run`.
    ///
    /// A developer's server that asks back on a notification sees the store as it was at that
    /// moment: where somebody listens, the clock goes from event to event.
    ///
    /// Advances take turns; one that is asked for while another runs waits for it.
    ///
    /// - Throws: `StoreError.clock(.isSystem)`, `.clock(.wouldGoBack)` or `.clock(.outOfRange)`.
    public func advance(
        to target: Instant, progress: (@Sendable (Advance) -> Void)? = nil
    ) async throws -> Advance {
        try await advance(progress) { _ in target }
    }

    /// Moves the clock by a calendar length from what it shows when this advance's turn comes.
    ///
    /// - Throws: as `advance(to:)`.
    public func advance(
        by step: CalendarStep, progress: (@Sendable (Advance) -> Void)? = nil
    ) async throws -> Advance {
        try await advance(progress) { step.applied(to: $0) }
    }

    private func advance(
        _ progress: (@Sendable (Advance) -> Void)?, to target: @Sendable (Instant) -> Instant
    ) async throws -> Advance {
        try await movingClock {
            let target = target(try await clockReading().now)
            try await checkTarget(target)
            let changes = try await run(to: target, movesClock: true, progress: progress)
            return Advance(now: try await now(), changes: changes)
        }
    }

    /// Runs what moves the clock while nobody else does, of this process or another one.
    func movingClock<T: Sendable>(
        _ body: @Sendable () async throws -> T
    ) async throws -> T {
        try await turn.take {
            try await membership.holding(.clock) { try await body() }
        }
    }

    /// Does what is due by the clock as it stands, and tries every notification that is due.
    ///
    /// - Returns: how many events happened.
    @discardableResult
    public func settle() async throws -> Int {
        try await turn.take { try await run(to: nil, movesClock: false, progress: nil) }
    }

    /// Makes all events happen that are due by the clock as it stands.
    func settleEvents() async throws {
        try await turn.take { try await catchUp() }
    }

    private func checkTarget(_ target: Instant) async throws {
        let (clock, now) = try await database.read { [self] session in
            let world = try world(session)
            return (world.clock, time(of: world).now)
        }
        guard clock.mode != .system else { throw StoreError.clock(.isSystem) }
        guard target >= now else { throw StoreError.clock(.wouldGoBack(now)) }
        guard target < .latest else { throw StoreError.clock(.outOfRange(target)) }
    }

    /// Does everything due by a moment, and moves the clock there where it is to be moved.
    ///
    /// - Parameter target: how far to go; nil for what the clock shows now.
    /// - Returns: how many events of subscriptions happened.
    func run(
        to target: Instant?, movesClock: Bool, progress: (@Sendable (Advance) -> Void)?
    ) async throws -> Int {
        let (now, first) = try await read { [self] reader in
            (reader.now, try world(reader.session).nextNumber)
        }
        let target = target ?? now
        var run = Run(first: first)
        let before = try await tally()
        while true {
            try Task.checkCancellation()
            // What a bank outside answers by now comes before what is due later.
            try await runErrands()
            let agenda = try await self.agenda(of: run)
            guard let next = agenda.next, next <= target else {
                if movesClock, try await !goOn(to: target, unlessDueBy: target) { continue }
                try await deliverRest(dueBy: target)
                try await keepMails(dueBy: target)
                return try await tally().since(before)
            }
            // Somebody waits for news: one moment after the other. Nobody does: as far as the next
            // thing that concerns many.
            let isStep =
                bank != nil
                || agenda.somebodyListens && run.stops(at: next, own: agenda.nextOwn)
            let far = agenda.somebodyListens ? agenda.nextOwn : agenda.nextJob
            let horizon = isStep ? next : min(max(far ?? target, next), target)
            let passed = isStep ? horizon - Span(milliseconds: 1) : nil
            if movesClock, try await !goOn(to: horizon, unlessDueBy: passed) { continue }
            try await sweepAll(to: horizon) { swept in
                progress?(Advance(now: horizon, changes: swept))
            }
            let last = try await read { [self] in try world($0.session).nextNumber }
            run.step = agenda.nextNumber..<last
            try await deliverStep(of: run, dueBy: horizon)
        }
    }

    /// Moves the clock on. What is due by then is done afterwards, by whoever is free: each event
    /// has a moment of its own.
    ///
    /// - Parameter limit: where something is due by then, the clock stays; nil for going on anyway.
    /// - Returns: whether it is there; it is not where something came into being meanwhile.
    private func goOn(to moment: Instant, unlessDueBy limit: Instant?) async throws -> Bool {
        try await write { work in
            if let limit,
                let next = try work.session.nextDue(
                    passingOver: work.setAside, writing: work.mailroom != nil),
                next <= limit
            {
                return false
            }
            if moment > work.now { work.moveClock(to: moment) }
            return true
        }
    }

    /// Makes all events of subscriptions happen that are due by now, without waiting for a turn:
    /// what a change calls that decides how due events end.
    func catchUp() async throws {
        let (now, next) = try await read { [setAside, writes = mailroom != nil] reader in
            (reader.now, try reader.session.nextDue(passingOver: setAside, writing: writes))
        }
        guard let next, next <= now else { return }
        try await sweepAll(to: now)
    }

    /// Makes all events happen that are due by a horizon; those that another process has taken up
    /// have happened as well when it returns.
    private func sweepAll(
        to horizon: Instant, progress: (Int) -> Void = { _ in }
    ) async throws {
        var changes = 0
        while true {
            try Task.checkCancellation()
            switch try await sweep(to: horizon) {
            case .nothingIsDue: return
            case .happened(let count):
                changes += count
                progress(changes)
            case .othersAreAtIt:
                await SystemTime.wait(.milliseconds(5))
            }
        }
    }

    /// What a run has to do next.
    private struct Agenda {
        /// When that is; nil for nothing.
        let next: Instant?
        /// When something is due that is not one subscription's own.
        let nextJob: Instant?
        /// When something is due but for subscriptions that others bought since the run began.
        let nextOwn: Instant?
        let nextNumber: Int64
        /// Whether anybody listens to notifications, or is still to be told.
        let somebodyListens: Bool
    }

    private func agenda(of run: Run) async throws -> Agenda {
        try await read { [self] reader in
            let attempts = NotificationRecord.outbox.attempts(run.isWaitedFor)
            let moments = try reader.session.earliest(
                inEach: [
                    [.changes()], [.changes(run.isOwn)], DueColumn.jobs,
                    mailroom == nil ? [] : [.letters], [attempts],
                ], passingOver: setAside)
            let (change, own, job) = (moments[0], moments[1], moments[2])
            let (letter, attempt) = (moments[3], moments[4])
            let hasURL = reader.apps.all.contains {
                $0.settings.notificationURL != nil || $0.settings.sandboxNotificationURL != nil
            }
            let world = try world(reader.session)
            return Agenda(
                next: [change, job, letter, attempt].compactMap { $0 }.min(), nextJob: job,
                nextOwn: [own, job, letter, attempt].compactMap { $0 }.min(),
                nextNumber: world.nextNumber,
                somebodyListens: attempt != nil || hasURL && world.isDelivering)
        }
    }

    /// Makes the events happen that are due by a horizon, one batch, in the order of their
    /// moments. A subscription whose next event also lies within the batch comes up again.
    func sweep(to horizon: Instant) async throws -> Swept {
        let swept = try await write(about: .whatIsTakenUp, isPiece: true) { [self] work in
            try pace.measure(work.batchSize) {
                let swept = try work.sweep(to: horizon)
                try work.writeStaged()
                if work.isShared, swept.count > 0 {
                    try membership.count(swept.count, in: work.session)
                }
                return (swept, count: swept.count)
            }
        }
        membership.count(swept.count)
        return swept
    }

    /// How many events all processes have made happen so far.
    private func tally() async throws -> Tally {
        let mine = membership.done
        guard database.dialect.isShared else { return Tally(mine: mine, theirs: [:]) }
        return try await database.read { [membership] session in
            Tally(
                mine: mine, theirs: try ProcessRecord.counts(except: membership.id, in: session))
        }
    }
}

/// What a batch came to.
enum Swept: Sendable, Equatable {
    case happened(Int)
    case nothingIsDue
    /// What is due has been taken up by other processes, and has not happened yet.
    case othersAreAtIt

    /// How many events happened.
    var count: Int {
        if case .happened(let count) = self { count } else { 0 }
    }
}

/// How many events happened so far, by whom they were made happen.
private struct Tally: Sendable {
    let mine: Int
    let theirs: [String: Int]

    /// How many it is since an earlier count. One that has left meanwhile is not known any more.
    func since(_ earlier: Tally) -> Int {
        theirs.reduce(mine - earlier.mine) { $0 + $1.value - (earlier.theirs[$1.key] ?? 0) }
    }
}

extension UnitOfWork {
    fileprivate func sweep(to horizon: Instant) throws -> Swept {
        var job = try Job.next(by: horizon, passingOver: setAside, in: session)
        var batch = try SweepBatch(work: self, horizon: job?.others ?? horizon)
        // What others changed before it was locked may have brought a bill, which comes first.
        if locked != nil, !batch.isEmpty,
            let first = try Job.next(by: batch.horizon, passingOver: setAside, in: session)
        {
            batch.end(at: first.others)
            job = first
        }
        while batch.done < batch.most, try batch.handleNext() {}
        guard batch.done == 0 else { return .happened(batch.events) }
        if let job {
            // It comes behind what others have taken up, and they wait for it.
            try needToBeAlone()
            return .happened(try job.goOn(self))
        }
        // What a batch cannot even read would be due for ever.
        let next = try session.nextDue(passingOver: setAside, writing: mailroom != nil)
        guard let next, next <= horizon else { return .nothingIsDue }
        if try SweepBatch.setAsideOrphans(self, horizon: horizon) { return .happened(0) }
        return locked == nil ? .nothingIsDue : .othersAreAtIt
    }
}
