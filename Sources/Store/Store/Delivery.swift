import AppStoreWire
import Storage
import SubscriptionRules
import TimeAndChance

/// What one run of the sweeper waits for, of the notifications that are due.
///
/// Commands go on while the clock is moved, and each of them may bring a notification that is due
/// at once: a run that waited for all would not end as long as somebody buys. So it waits for
/// those that were there when it began, for those of the events that it makes happen, and for
/// those that were put off to a later moment; in each step others are tried as well, as many as
/// the step's own and a few more, and what is left of them once, at the end. What was left is
/// waited for where an event of the step is about the same subscription, since it comes first.
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
            OR (id >= \(step.lowerBound) AND id < \(step.upperBound))
            OR (id < \(step.lowerBound)
        """ + " AND " + NotificationRecord.hasLater(in: step) + "))"
    }
}

/// Which of the notifications that are due are tried.
struct DueDeliveries: Sendable {
    /// Until when; nil for what the clock shows, which may go on meanwhile.
    var moment: Instant?
    /// How many of a lane at most.
    var limit = Int.max
    /// A condition on the table of notifications.
    var which: SQL = "TRUE"
    /// Whether it is looked again while a slow server has a post and nothing else was due. A step
    /// of a run is over without it: it is about what was there.
    var looksAgain = false
    /// Whether what another process is delivering is waited for.
    var waitsForOthers = true
}

extension Store {
    /// Tries what a run waits for in the present step, then others. The step is over when all
    /// lanes are done with it.
    func deliverStep(of run: Run, dueBy horizon: Instant) async throws {
        var due = DueDeliveries(moment: horizon, which: run.isWaitedFor)
        var others = Run.others
        while let tried = try await deliver(due) { others += tried }
        due.which = "TRUE"
        due.waitsForOthers = false
        while others > 0 {
            due.limit = others
            guard let tried = try await deliver(due) else { return }
            others -= max(tried, 1)
        }
    }

    /// Tries once what is due and was left of others' notifications.
    func deliverRest(dueBy moment: Instant) async throws {
        let next = try await read { [self] in try world($0.session).nextNumber }
        let due = DueDeliveries(moment: moment, which: "id < \(next)")
        while try await deliver(due) != nil {}
    }

    /// The lanes in which something is due.
    ///
    /// - Returns: those that are free or this process's own, and those in which another process
    ///   delivers.
    func lanes(
        _ due: DueDeliveries = DueDeliveries()
    ) async throws -> (free: [Lane], elsewhere: [Lane]) {
        try await read { [setAside, membership] reader in
            let lanes = try Lane.all(in: reader.session).filter { lane in
                let next = try reader.session.nextAttempt(
                    lane.condition + " AND " + due.which, passingOver: setAside)
                return next.map { $0 <= due.moment ?? reader.now } ?? false
            }
            guard !lanes.isEmpty else { return ([], []) }
            let held = try Lane.held(byOthersThan: membership.id, in: reader.session)
            return (lanes.filter { !held.contains($0) }, lanes.filter(held.contains))
        }
    }

    /// Tries what is due in all lanes, side by side.
    ///
    /// - Returns: how many went out, which rules may have held up all; nil when none was due.
    private func deliver(_ due: DueDeliveries) async throws -> Int? {
        let (lanes, elsewhere) = try await lanes(due)
        if lanes.isEmpty, !elsewhere.isEmpty, due.waitsForOthers {
            await SystemTime.wait(.milliseconds(50))
            try Task.checkCancellation()
            return 0
        }
        let results = await withTaskGroup(of: Result<Int?, any Error>.self) { group in
            for lane in lanes {
                group.addTask { [self] in
                    do {
                        return .success(try await deliver(due, in: lane))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            // One that fails breaks no other off.
            return await group.reduce(into: []) { $0.append($1) }
        }
        return try results.compactMap { try $0.get() }.reduce(nil) { ($0 ?? 0) + $1 }
    }

    /// Tries what is due in one lane, as its turn comes.
    ///
    /// - Returns: how many went out, which rules may have held up all; nil when none was due.
    func deliver(_ due: DueDeliveries, in lane: Lane) async throws -> Int? {
        let turn = turn(of: lane)
        return try await turn.take { [self] in
            var window = DeliveryWindow(of: due, in: lane, store: self) { turn.isWanted }
            return try await window.run()
        }
    }
}
