internal import Dispatch
internal import Storage
internal import Synchronization

/// A few connections, handed out in the order in which they were asked for.
///
/// While the server is away nobody waits for a connection: each one asks first whether it is back.
final class ConnectionPool: Sendable {
    private typealias Waiter = CheckedContinuation<PostgresConnection, any Error>

    private let state: Mutex<State>
    private let url: PostgresURL
    private let size: Int
    private let limits: DatabaseLimits
    private let pulse: Pulse

    private struct State {
        var idle: [PostgresConnection]
        var line = WaitingLine<Waiter>()
        var refused = 0
        /// Whether the server could not be reached, or said nothing, the last time.
        var isAway = false
        var isClosed = false
        var closed = 0
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    init(_ url: PostgresURL, size: Int, limits: DatabaseLimits) {
        self.url = url
        self.size = size
        self.limits = limits
        let pulse = Pulse(url, limits: limits)
        self.pulse = pulse
        state = Mutex(
            State(
                idle: (0..<size).map { _ in
                    PostgresConnection(url, limits: limits, pulse: pulse)
                }))
    }

    /// How busy it is.
    var load: DatabaseLoad {
        state.withLock { state in
            DatabaseLoad(
                size: size, inUse: state.isClosed ? 0 : size - state.idle.count,
                waiting: state.line.count, refused: state.refused, lost: pulse.lostConnections)
        }
    }

    /// Asks the server whether it is there, beside everybody who waits; throws `connectionLost`.
    func check() async throws {
        if state.withLock({ $0.isClosed }) { throw StorageError.closed }
        try await pulse.check()
        state.withLock { $0.isAway = false }
    }

    /// Runs work with a connection on that connection's queue, without blocking the caller's
    /// thread.
    func perform<T: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        if state.withLock({ $0.isAway && !$0.isClosed }) { try await check() }
        let connection = try await take()
        return try await withCheckedThrowingContinuation { continuation in
            connection.queue.async {
                let result = Result { try work(connection) }
                connection.dropIfLost()
                if connection.isUnreachable { self.goAway() }
                // Given back first, so that who gets the result finds the connection free.
                self.giveBack(connection)
                continuation.resume(with: result)
            }
        }
    }

    /// Runs work on a connection of its own, which takes none from those who wait for theirs and
    /// is ended afterwards.
    func performBeside<T: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        if state.withLock({ $0.isClosed }) { throw StorageError.closed }
        let connection = PostgresConnection(url, limits: limits, pulse: pulse)
        return try await withCheckedThrowingContinuation { continuation in
            connection.queue.async {
                let result = Result {
                    try connection.connectIfNeeded()
                    return try work(connection)
                }
                connection.close()
                continuation.resume(with: result)
            }
        }
    }

    /// Refuses new work and waits until all connections are given back and closed.
    func close() async {
        await withCheckedContinuation { continuation in
            let (idle, waiting) = state.withLock { state in
                defer { state.idle = [] }
                state.isClosed = true
                state.closing.append(continuation)
                return (state.idle, state.line.takeAll())
            }
            for waiter in waiting { waiter.resume(throwing: StorageError.closed) }
            for connection in idle { connection.queue.async { self.giveBack(connection) } }
            finishClosing(0)
        }
        await pulse.close()
    }

    private func take() async throws -> PostgresConnection {
        let place = Mutex<Int?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in enter(waiter, place) }
        } onCancel: {
            // Under the lock under which the place was taken: who finds none here is refused there.
            state.withLock { state in
                place.withLock { $0 }.flatMap { state.line.leave($0) }
            }?.resume(throwing: CancellationError())
        }
    }

    /// Hands over a connection that is free, refuses, or lets wait.
    private func enter(_ waiter: Waiter, _ place: borrowing Mutex<Int?>) {
        let answer = state.withLock { state -> Result<PostgresConnection, any Error>? in
            if state.isClosed { return .failure(StorageError.closed) }
            // The last one used has the warmest caches, and the others need never connect.
            if let connection = state.idle.popLast() { return .success(connection) }
            if Task.isCancelled { return .failure(CancellationError()) }
            guard state.line.count < limits.waiting else {
                state.refused += 1
                return .failure(StorageError.tooManyWait(limits))
            }
            let number = state.line.enter(waiter)
            place.withLock { $0 = number }
            expireLater(number)
            return nil
        }
        if let answer { waiter.resume(with: answer) }
    }

    private func expireLater(_ number: Int) {
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .milliseconds(limits.turn.milliseconds)
        ) { [weak self, limits] in
            self?.state.withLock { state in
                let waiter = state.line.leave(number)
                if waiter != nil { state.refused += 1 }
                return waiter
            }?.resume(throwing: StorageError.waitedTooLong(limits))
        }
    }

    /// Lets nobody wait for a server that is away.
    private func goAway() {
        let waiting = state.withLock { state in
            state.isAway = true
            return state.line.takeAll()
        }
        let error = StorageError(.connectionLost, "PostgreSQL cannot be reached")
        for waiter in waiting { waiter.resume(throwing: error) }
    }

    private func giveBack(_ connection: PostgresConnection) {
        let (waiter, isClosed) = state.withLock { state -> (Waiter?, Bool) in
            guard !state.isClosed else { return (nil, true) }
            if let waiter = state.line.takeFirst().first { return (waiter, false) }
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
