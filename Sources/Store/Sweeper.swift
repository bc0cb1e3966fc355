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
        try await turn.take {
            let target = target(try await clockReading().now)
            try await checkTarget(target)
            let changes = try await run(to: target, movesClock: true, progress: progress)
            return Advance(now: try await now(), changes: changes)
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
        var changes = 0
        while true {
            try Task.checkCancellation()
            // What a bank outside answers by now comes before what is due later.
            try await runErrands()
            let agenda = try await self.agenda(of: run)
            guard let next = agenda.next, next <= target else {
                if movesClock, try await !arrive(at: target) { continue }
                try await deliverRest(dueBy: target)
                return changes
            }
            // Somebody waits for news: one moment after the other. Nobody does: as much as fits.
            let horizon = agenda.somebodyListens || bank != nil ? next : target
            changes += try await sweepAll(
                to: horizon, movesClock: movesClock, progress: progress, before: changes)
            let last = try await read { [self] in try world($0.session).nextNumber }
            run.step = agenda.nextNumber..<last
            try await deliverStep(of: run, dueBy: horizon, movesClock: movesClock)
        }
    }

    /// Moves the clock to where it was to go, unless it would pass over something that came into
    /// being meanwhile.
    ///
    /// - Returns: whether it is there.
    private func arrive(at target: Instant) async throws -> Bool {
        try await write { work in
            let next = try work.session.nextDue(passingOver: work.setAside)
            if let next, next <= target { return false }
            work.moveClock(to: target)
            return true
        }
    }

    /// Makes all events of subscriptions happen that are due by now, without waiting for a turn:
    /// what a change calls that decides how due events end.
    func catchUp() async throws {
        let (now, next) = try await read { [setAside] reader in
            (reader.now, try reader.session.nextDue(passingOver: setAside))
        }
        guard let next, next <= now else { return }
        _ = try await sweepAll(to: now, movesClock: false, progress: nil, before: 0)
    }

    private func sweepAll(
        to horizon: Instant, movesClock: Bool, progress: (@Sendable (Advance) -> Void)?,
        before: Int
    ) async throws -> Int {
        var changes = 0
        while true {
            try Task.checkCancellation()
            guard let swept = try await sweep(to: horizon, movesClock: movesClock) else {
                return changes
            }
            changes += swept
            progress?(Advance(now: horizon, changes: before + changes))
        }
    }

    /// When a run has something to do next, and whether anybody listens to notifications or is
    /// still to be told.
    private func agenda(
        of run: Run
    ) async throws -> (next: Instant?, nextNumber: Int64, somebodyListens: Bool) {
        try await read { [self] reader in
            let attempt = try reader.session.nextAttempt(run.isWaitedFor, passingOver: setAside)
            let due = try reader.session.nextDue(passingOver: setAside)
            let next = [due, attempt].compactMap { $0 }.min()
            let listens =
                attempt != nil
                || reader.apps.all.contains {
                    $0.settings.notificationURL != nil || $0.settings.sandboxNotificationURL != nil
                }
            return (next, try world(reader.session).nextNumber, listens)
        }
    }

    /// Makes the events happen that are due by a horizon, one batch, in the order of their
    /// moments. A subscription whose next event also lies within the batch comes up again.
    ///
    /// - Returns: how many events happened; nil when nothing is due.
    func sweep(to horizon: Instant, movesClock: Bool) async throws -> Int? {
        try await write(isPiece: true) { [pace] work in
            try pace.measure(work.batchSize) {
                let done = try work.sweep(to: horizon, movesClock: movesClock)
                try work.writeStaged()
                return (done, count: done ?? 0)
            }
        }
    }
}

extension UnitOfWork {
    fileprivate func sweep(to horizon: Instant, movesClock: Bool) throws -> Int? {
        let job = try Job.next(by: horizon, passingOver: setAside, in: session)
        var batch = try SweepBatch(work: self, horizon: job?.others ?? horizon)
        var done = 0
        while done < batch.mostEvents, let moment = try batch.handleNext() {
            done += 1
            if movesClock, moment > now { moveClock(to: moment) }
        }
        guard done == 0 else { return done }
        guard let job else {
            // What a batch cannot even read would be due for ever.
            let next = try session.nextDue(passingOver: setAside)
            guard let next, next <= horizon else { return nil }
            return try SweepBatch.setAsideOrphans(self, horizon: horizon) ? 0 : nil
        }
        if movesClock, job.moment > now { moveClock(to: job.moment) }
        return try job.goOn(self)
    }
}

/// The subscriptions that are due first, in the order of their moments.
struct SweepBatch {
    /// How many events one transaction may hold.
    var mostEvents: Int { 2 * work.batchSize }

    private let work: UnitOfWork
    /// The last moment and, at that moment, the highest identifier that belong to the batch.
    private var end: (moment: Instant, id: Int64)
    private var items: [SubscriptionWork] = []
    /// When each of `items` is due, the earliest last; at one moment the lower identifier is
    /// earlier.
    private var due: [(moment: Instant, id: Int64, place: Int)] = []
    /// The customers met, each once, since one customer may have several subscriptions.
    private var customers: [Int64: Customer] = [:]

    init(work: UnitOfWork, horizon: Instant) throws {
        self.work = work
        end = (horizon, .max)
        items.reserveCapacity(work.batchSize)
        // Those that were set aside come again each time, and the batch is as long besides.
        let limit = work.batchSize + work.setAside.identifiers(of: "subscription").count
        var count = 0
        try SubscriptionRecord.forEachDue(by: horizon, limit: limit, in: work.session) { row in
            count += 1
            let item = try work.setAside.read("subscription", row.integer(0)) {
                let record = try SubscriptionRecord(row)
                if let due = record.subscription.nextChange, due > horizon {
                    throw StorageError(
                        .corrupt, "subscription \(record.subscription.id): its index is damaged")
                }
                return SubscriptionWork(
                    work: work, app: try work.apps[record.app],
                    customer: try Customer(row, first: SubscriptionRecord.columnCount),
                    record: record)
            }
            if let item { items.append(item) }
        }
        due = items.indices.reversed().compactMap(next)
        // What lies behind the last one read is not known, others of its moment neither, so the
        // batch ends there.
        if count == limit, let last = due.first { end = (last.moment, last.id) }
    }

    /// Sets those aside that are due and that a batch cannot read since their customer is missing.
    ///
    /// - Returns: whether there were any.
    static func setAsideOrphans(_ work: UnitOfWork, horizon: Instant) throws -> Bool {
        try SubscriptionRecord.dueOrphans(by: horizon, in: work.session).reduce(false) {
            found, orphan in
            let error = Stored.missing(
                "customer \(orphan.customer)", for: "subscription \(orphan.id)")
            return work.setAside.add(Damage("subscription", orphan.id, error).row) || found
        }
    }

    /// Handles the earliest event.
    ///
    /// - Returns: its moment, or nil when the batch is done.
    mutating func handleNext() throws -> Instant? {
        // A bill of this batch is answered before what comes after it.
        if let nextBill = work.nextBill, let moment = due.last?.moment, moment >= nextBill {
            return nil
        }
        guard let (moment, _, place) = due.popLast() else { return nil }
        if let customer = customers[items[place].customer.id] { items[place].customer = customer }
        try Damage.of("subscription", items[place].record.subscription.id) {
            try items[place].becomeDue()
        }
        if items[place].customerHasChanged {
            customers[items[place].customer.id] = items[place].customer
        }
        if let next = next(place), (next.moment, next.id) <= end {
            due.insert(next, at: position(of: next))
        }
        return moment
    }

    private func next(_ place: Int) -> (moment: Instant, id: Int64, place: Int)? {
        guard let moment = items[place].record.subscription.nextChange else { return nil }
        return (moment, items[place].record.subscription.id, place)
    }

    private func position(of item: (moment: Instant, id: Int64, place: Int)) -> Int {
        var (low, high) = (0, due.count)
        while low < high {
            let middle = (low + high) / 2
            if due[middle] > item { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SubscriptionWork {
    /// Lets the event happen that is due next, at its own moment.
    func becomeDue() throws {
        guard let moment = record.subscription.nextChange else {
            preconditionFailure("subscription \(record.subscription.id) has nothing due")
        }
        try handle(.becameDue(forSale: isNextForSale), at: moment)
    }
}
