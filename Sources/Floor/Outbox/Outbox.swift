package import DueWork
package import Logging
package import Storage
import TimeAndChance

/// Delivers a program's messages: what was written in a transaction goes out after it, in lanes
/// side by side, the messages of one subject in their order, each until it has arrived or is given
/// up. Of the processes that share a database one at a time delivers in a lane.
package struct Outbox<Source: OutboxSource>: Sendable {
    let source: Source
    let database: any Database
    let membership: Membership
    let setAside: SetAside
    private let turns: LaneTurns
    /// How many messages of one lane are under way at once.
    let atOnce: Int

    package init(
        of source: Source, in database: any Database, by membership: Membership,
        turns: LaneTurns, atOnce: Int, passingOver setAside: SetAside
    ) {
        self.source = source
        self.database = database
        self.membership = membership
        self.turns = turns
        self.atOnce = atOnce
        self.setAside = setAside
    }

    /// The lanes in which something is due.
    ///
    /// - Returns: those that are free or this process's own, and those in which another process
    ///   delivers.
    package func lanes(
        _ due: DueMessages = DueMessages()
    ) async throws -> (free: [Lane], elsewhere: [Lane]) {
        try await source.read { [table = source.table, setAside, membership] session, now in
            let lanes = try table.lanes(in: session).filter { lane in
                let attempts = table.attempts(table.condition(of: lane) + " AND " + due.which)
                let next = try session.earliest(in: [attempts], passingOver: setAside)
                return next.map { $0 <= due.moment ?? now } ?? false
            }
            guard !lanes.isEmpty else { return ([], []) }
            let held = try Claim.held(byOthersThan: membership.id, in: session)
            return (
                lanes.filter { !held.contains($0.claim) }, lanes.filter { held.contains($0.claim) }
            )
        }
    }

    /// Tries what is due in all lanes, side by side.
    ///
    /// - Returns: how many went out, which the program may have put off all; nil when none was due.
    package func deliver(_ due: DueMessages) async throws -> Int? {
        let (lanes, elsewhere) = try await lanes(due)
        if lanes.isEmpty, !elsewhere.isEmpty, due.waitsForOthers {
            await SystemTime.wait(.milliseconds(50))
            try Task.checkCancellation()
            return 0
        }
        let results = await withTaskGroup(of: Result<Int?, any Error>.self) { group in
            for lane in lanes {
                group.addTask {
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
    /// - Returns: how many went out, which the program may have put off all; nil when none was due.
    package func deliver(_ due: DueMessages, in lane: Lane) async throws -> Int? {
        let turn = turns[lane]
        return try await turn.take {
            var window = DeliveryWindow(of: due, in: lane, outbox: self) { turn.isWanted }
            return try await window.run()
        }
    }

    /// Does something while nobody delivers in any of these lanes, in this process or another.
    ///
    /// - Parameter patience: how long each is waited for.
    /// - Throws: `ClaimIsTaken` when that is over, and whatever the body throws.
    package func holding(
        _ lanes: some Collection<Lane> & Sendable, patience: Duration,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let lane = lanes.first else { return try await body() }
        let others = Array(lanes.dropFirst())
        try await turns[lane].take {
            try await membership.holding(lane.claim, patience: patience) {
                try await holding(others, patience: patience, body)
            }
        }
    }

    /// Delivers whatever is due by the clock, until the task is cancelled: looks again and again
    /// in which lanes something is due, and serves those that are not being served.
    ///
    /// - Parameters:
    ///   - work: what is delivered, for the log.
    ///   - wait: how time passes between two looks, replaced in tests.
    package func serve(
        _ work: String, log: Logger, wait: @escaping @Sendable (Duration) async -> Void
    ) async {
        let looking = Setbacks(work, log: log)
        var setbacks: [Lane: Setbacks] = [:]
        await withTaskGroup(of: Lane?.self) { group in
            var served: Set<Lane> = []
            group.addTask { nil }
            for await lane in group {
                if let lane {
                    served.remove(lane)
                    continue
                }
                if Task.isCancelled { continue }
                let due = await looking.attempt(waiting: wait) { try await lanes().free } ?? []
                for lane in due where served.insert(lane).inserted {
                    let own = setbacks[lane] ?? Setbacks(work, log: log)
                    setbacks[lane] = own
                    group.addTask {
                        await own.attempt(waiting: wait) {
                            let due = DueMessages(looksAgain: true)
                            while try await deliver(due, in: lane) ?? 0 > 0 {}
                        }
                        return lane
                    }
                }
                group.addTask {
                    await wait(.milliseconds(50))
                    return nil
                }
            }
        }
    }
}
