import Synchronization

/// Lets one task at a time through, in the order of asking.
public final class AsyncTurn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// A turn that nobody has taken.
    public init() {}

    /// Whether somebody waits, for whom a long piece of work may make way.
    public var isWanted: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Runs a body while nobody else's body runs.
    public func take<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
        defer {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.isTaken = false
                return nil
            }
            next?.resume()
        }
        return try await body()
    }
}
