import DueWork
import Outbox
import Storage
import SubscriptionRules

/// What one run of the sweeper waits for, of the notifications that are due.
///
/// Commands go on while the clock is moved, and each of them may bring a notification that is due
/// at once: a run that waited for all would not end as long as somebody buys. So it waits for
/// those that were there when it began, for those of the events that it makes happen, and for
/// those that were put off to a later moment; in each step others are tried as well, as many as
/// the step's own and a few more, and what is left of them once, at the end. What was left is
/// waited for where an event of the step is about the same subscription, since it comes first.
///
/// Nor do its steps become ever more: what others buy meanwhile renews on the way, and where a
/// clock goes on by itself each purchase has moments of its own. The clock stops at those as often
/// as at its own and a hundred times more; from then on they happen on the way to its own next one.
struct Run: Sendable {
    /// Numbers below this one were given before the run began.
    let first: Int64
    /// The numbers that were given while the events of the present step happened.
    var step: Range<Int64> = 0..<0

    /// How many notifications of others' commands a step tries beyond as many as its own: enough
    /// for a developer's server that answers what it is told with a command, and that one with
    /// another.
    static let others = 100
    /// How many times a step looks for them. Each look may find one more while somebody buys.
    static let looks = 4
    /// How often the clock may still stop for what others bought.
    private var stopsForOthers = Run.others

    init(first: Int64) { self.first = first }

    /// Whether the clock stops at the next moment at which something happens.
    ///
    /// - Parameter own: the next moment of what was there when the run began.
    mutating func stops(at next: Instant, own: Instant?) -> Bool {
        if let own, own <= next {
            stopsForOthers += 1
            return true
        }
        guard stopsForOthers > 0 else { return false }
        stopsForOthers -= 1
        return true
    }

    /// The condition on the table of subscriptions that one was there when the run began.
    var isOwn: SQL {
        let (production, sandbox) = (StoreEnvironment.production, StoreEnvironment.sandbox)
        return """
            ((environment = \(production) AND id < \(production.firstTransactionID + first))
                OR (environment = \(sandbox) AND id < \(sandbox.firstTransactionID + first)))
            """
    }

    /// The condition on the table of notifications.
    var isWaitedFor: SQL {
        """
        (id < \(first) OR next_attempt > created_at
            OR (id >= \(step.lowerBound) AND id < \(step.upperBound))
            OR (id < \(step.lowerBound)
        """ + " AND " + NotificationRecord.hasLater(in: step) + "))"
    }
}

extension Store {
    /// Delivers notifications. A step of a run is over without looking again: it is about what was
    /// there.
    var outbox: Outbox<Notifications> {
        Outbox(
            of: Notifications(store: self), in: database, by: membership, turns: laneTurns,
            atOnce: deliveriesAtOnce, passingOver: setAside)
    }

    /// Tries what a run waits for in the present step, then others. The step is over when all
    /// lanes are done with it.
    func deliverStep(of run: Run, dueBy horizon: Instant) async throws {
        var due = DueMessages(by: horizon, which: run.isWaitedFor)
        var others = Run.others
        while let tried = try await outbox.deliver(due) { others += tried }
        due.which = "TRUE"
        due.waitsForOthers = false
        var looks = Run.looks
        while others > 0, looks > 0 {
            due.limit = others
            guard let tried = try await outbox.deliver(due) else { return }
            others -= tried
            looks -= 1
        }
    }

    /// Tries once what is due and was left of others' notifications.
    func deliverRest(dueBy moment: Instant) async throws {
        let next = try await read { [self] in try world($0.session).nextNumber }
        let due = DueMessages(by: moment, which: "id < \(next)")
        while try await outbox.deliver(due) != nil {}
    }
}
