import DueWork
import Storage

/// What was taken up at once.
struct Taken<Attempt: OutboxAttempt>: Sendable {
    var attempts: [Attempt]
    /// Whether nothing else was due.
    let isAll: Bool
    /// Whether another process delivers in the lane, so that there is nothing for this one.
    var isElsewhere = false
}

private struct LaneIsLost: Error {}

extension Outbox {
    /// Takes up the next messages of a lane, in order. What is sealed is kept before it goes out,
    /// so that a crash in between repeats the same text.
    ///
    /// - Parameter held: those that are under way already.
    /// - Returns: nil when nothing is due.
    func takeUp(
        _ due: DueMessages, in lane: Lane, limit: Int, except held: Set<Int64>
    ) async throws -> Taken<Source.Attempt>? {
        let isDue = try await source.read { [table = source.table, setAside] session, now in
            try !table.due(
                by: due.moment ?? now, in: lane, limit: 1, which: due.which, except: held,
                passingOver: setAside, in: session
            ) { _ in () }.isEmpty
        }
        guard isDue else { return nil }
        let deadline = membership.deadline()
        var taken = try await source.change { work in
            let claim = lane.claim
            guard try claim.hold(for: membership.id, membership.claimTime, in: work.session) else {
                return Taken<Source.Attempt>(attempts: [], isAll: true, isElsewhere: true)
            }
            let moment = due.moment ?? work.now
            let found = try source.table.due(
                by: moment, in: lane, limit: limit, which: due.which, except: held,
                passingOver: setAside, in: work.session
            ) { try source.attempt($0, in: work) }
            let attempts = try source.goingOut(found, by: moment, in: work)
            if attempts.isEmpty, held.isEmpty {
                try claim.release(by: membership.id, in: work.session)
            }
            return Taken(attempts: attempts, isAll: found.count < limit)
        }
        guard !taken.isElsewhere else { return taken }
        membership.hold(lane.claim, until: deadline)
        guard let sealed = try await seal(taken.attempts, in: lane) else {
            return Taken(attempts: [], isAll: true, isElsewhere: true)
        }
        taken.attempts = sealed
        return taken
    }

    /// Seals what goes out for the first time, in no transaction, since that would hold up every
    /// other change, and keeps the texts.
    ///
    /// - Returns: nil where the lane was lost meanwhile.
    private func seal(
        _ attempts: [Source.Attempt], in lane: Lane
    ) async throws -> [Source.Attempt]? {
        var new: Set<Int64> = []
        let sealed = try attempts.compactMap { attempt -> Source.Attempt? in
            do {
                let sealed = try Damage.of(source.table.name, attempt.id) {
                    try source.seal(attempt)
                }
                if sealed != nil { new.insert(attempt.id) }
                return sealed ?? attempt
            } catch let damage as Damage {
                setAside.add(damage.row)
                return nil
            }
        }
        guard !new.isEmpty else { return sealed }
        do {
            return try await write(sealed, holding: lane) { [source, new] attempt, session in
                guard new.contains(attempt.id) else { return attempt }
                return try source.saveSealed(attempt, in: session)
            }
        } catch is LaneIsLost {
            return nil
        }
    }

    /// Keeps what attempts came to, in one transaction.
    ///
    /// - Parameter lane: what is let go of in it, since they were the last ones.
    func keep(_ attempts: [Source.Attempt], releasing lane: Lane?) async throws {
        let kept = try await write(attempts, releasing: lane) { [source] attempt, session in
            try source.save(attempt, in: session)
            return attempt
        }
        source.kept(kept)
    }

    /// Writes about several attempts together. A message about which nothing can be written would
    /// go out again and again, so it is set aside.
    ///
    /// - Parameters:
    ///   - lane: what must still be this process's; `LaneIsLost` where it is not.
    ///   - released: what is let go of in it.
    /// - Returns: those that were written about.
    private func write(
        _ attempts: [Source.Attempt], holding lane: Lane? = nil, releasing released: Lane? = nil,
        _ body: @escaping @Sendable (Source.Attempt, any Session) throws -> Source.Attempt
    ) async throws -> [Source.Attempt] {
        var attempts = attempts
        while true {
            do {
                return try await database.write(.together) {
                    [attempts, membership, table = source.table] session in
                    if let claim = lane?.claim,
                        try !claim.keep(for: membership.id, membership.claimTime, in: session)
                    {
                        throw LaneIsLost()
                    }
                    try released?.claim.release(by: membership.id, in: session)
                    return try attempts.map { attempt in
                        try Damage.of(table.name, attempt.id) { try body(attempt, session) }
                    }
                }
            } catch let damage as Damage {
                setAside.add(damage.row)
                attempts.removeAll { $0.id == damage.row.id }
            }
        }
    }
}
