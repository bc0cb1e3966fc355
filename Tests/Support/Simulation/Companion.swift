import Storage
import Store
import Synchronization
import TestFloor
import TestSupport

/// A second process that serves a simulated world: it does what is due beside the first one, and
/// is killed again and again, at whatever statement it has come to.
final class Companion: Sendable {
    private struct State {
        var kills = 0
        /// What went wrong although nobody killed it.
        var failure: (any Error)?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    init(_ scenario: Scenario, in database: any Database, machine: ManualClock) {
        let database = FaultyDatabase(database)
        let task = Task { [weak self] in
            var chance = Chance(seed: scenario.seed ^ 0xC0)
            while !Task.isCancelled {
                database.arm(.statement(chance.number(1...400)))
                do {
                    let store = try await OpenWorld.open(scenario, in: database, machine: machine)
                    while !Task.isCancelled {
                        try await store.settle()
                        await Task.yield()
                    }
                } catch {
                    guard let self, !Task.isCancelled else { return }
                    let isKilled = database.hasFailed
                    self.state.withLock { state in
                        if isKilled { state.kills += 1 } else { state.failure = error }
                    }
                    if !isKilled { return }
                }
            }
        }
        state.withLock { $0.task = task }
    }

    /// Ends it.
    ///
    /// - Returns: how often it was killed.
    /// - Throws: what went wrong although nobody killed it.
    func end() async throws -> Int {
        let task = state.withLock { $0.task }
        task?.cancel()
        await task?.value
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.kills
        }
    }
}
