import Synchronization

/// Counts what happens, so that somebody can wait for more of it.
final class Steps: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var waiting: [(count: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    /// Something has happened.
    func step() {
        let reached = state.withLock { state in
            state.count += 1
            let reached = state.waiting.filter { $0.count <= state.count }
            if !reached.isEmpty { state.waiting.removeAll { $0.count <= state.count } }
            return reached
        }
        for waiting in reached { waiting.continuation.resume(returning: true) }
    }

    /// Nothing more happens.
    func end() {
        let left = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in left { waiting.continuation.resume(returning: false) }
    }

    /// Waits until so much more has happened.
    ///
    /// - Returns: false when that will not be.
    func wait(for more: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append((state.count + more, continuation)) }
                return state.isOver
            }
            if isOver { continuation.resume(returning: false) }
        }
    }
}
