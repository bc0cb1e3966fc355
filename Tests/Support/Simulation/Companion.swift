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
        /// Callers of `takeTurn` that wait.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    init(_ scenario: Scenario, in database: any Database, machine: ManualClock) {
        let database = FaultyDatabase(database)
        let task = Task { [weak self] in
            var chance = Chance(seed: scenario.seed ^ 0xC0)
            while !Task.isCancelled {
                database.arm(.statement(chance.number(1...100)))
                do {
                    let store = try await OpenWorld.open(scenario, in: database, machine: machine)
                    while !Task.isCancelled {
                        try await store.settle()
                        self?.endTurn()
                        await Task.yield()
                    }
                } catch {
                    guard let self, !Task.isCancelled else { return }
                    let isKilled = database.hasFailed
                    self.state.withLock { state in
                        if isKilled { state.kills += 1 } else { state.failure = error }
                    }
                    self.endTurn()
                    if !isKilled { return }
                }
            }
        }
        state.withLock { $0.task = task }
    }

    /// Waits until it has done what is due, or is killed. What it finishes may have begun before
    /// the call; it runs statements all the same, however busy the machine is.
    func takeTurn() async {
        await withCheckedContinuation { continuation in
            let hasFailed = state.withLock { state in
                if state.failure == nil { state.waiting.append(continuation) }
                return state.failure != nil
            }
            if hasFailed { continuation.resume() }
        }
    }

    private func endTurn() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
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
