internal import Dispatch
internal import Storage
internal import Synchronization

/// A few connections, handed out in the order in which they were asked for.
final class ConnectionPool: Sendable {
    private let state: Mutex<State>
    private let size: Int

    private struct State {
        var idle: [PostgresConnection]
        var waiting: [CheckedContinuation<PostgresConnection?, Never>] = []
        var isClosed = false
        var closed = 0
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    init(_ url: PostgresURL, size: Int) {
        self.size = size
        state = Mutex(State(idle: (0..<size).map { _ in PostgresConnection(url) }))
    }

    /// Runs work with a connection on that connection's queue, without blocking the caller's
    /// thread.
    func perform<T: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        guard let connection = await take() else {
            throw StorageError(.connectionLost, "the database is closed")
        }
        return try await withCheckedThrowingContinuation { continuation in
            connection.queue.async {
                let result = Result { try work(connection) }
                // Given back first, so that who gets the result finds the connection free.
                self.giveBack(connection)
                continuation.resume(with: result)
            }
        }
    }

    /// Refuses new work and waits until all connections are given back and closed.
    func close() async {
        await withCheckedContinuation { continuation in
            let (idle, waiting) = state.withLock { state in
                defer { (state.idle, state.waiting) = ([], []) }
                state.isClosed = true
                state.closing.append(continuation)
                return (state.idle, state.waiting)
            }
            for waiter in waiting { waiter.resume(returning: nil) }
            for connection in idle { connection.queue.async { self.giveBack(connection) } }
            finishClosing(0)
        }
    }

    private func take() async -> PostgresConnection? {
        await withCheckedContinuation { continuation in
            enum Answer {
                case now(PostgresConnection?)
                case later
            }
            let answer = state.withLock { state -> Answer in
                if state.isClosed { return .now(nil) }
                // The last one used has the warmest caches, and the others need never connect.
                if let connection = state.idle.popLast() { return .now(connection) }
                state.waiting.append(continuation)
                return .later
            }
            if case .now(let connection) = answer { continuation.resume(returning: connection) }
        }
    }

    private func giveBack(_ connection: PostgresConnection) {
        let (waiter, isClosed) = state.withLock { state in
            guard !state.isClosed else {
                return (CheckedContinuation<PostgresConnection?, Never>?.none, true)
            }
            guard state.waiting.isEmpty else { return (state.waiting.removeFirst(), false) }
            state.idle.append(connection)
            return (nil, false)
        }
        waiter?.resume(returning: connection)
        guard isClosed else { return }
        connection.close()
        finishClosing(1)
    }

    private func finishClosing(_ count: Int) {
        let closing = state.withLock { state in
            state.closed += count
            guard state.closed == size else { return [CheckedContinuation<Void, Never>]() }
            defer { state.closing = [] }
            return state.closing
        }
        for continuation in closing { continuation.resume() }
    }
}
