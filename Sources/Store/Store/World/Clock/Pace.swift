import Synchronization

/// How many subscriptions one transaction takes up where work is about many: so many that nobody
/// who wants to write meanwhile waits long. There is one writer, and it cannot be interrupted.
/// Where nobody else has written for a while it is as many as there may be, which is faster.
final class Pace: Sendable {
    /// How long the work of one transaction should take at most.
    static let limit = Duration.milliseconds(5)
    /// Fewer are never taken up: beginning and committing cost something too.
    private static let least = 50
    /// For how many pieces others are thought of after one of them wrote.
    private static let memory = 50

    private let most: Int
    private let state: Mutex<(considerate: Int, pieces: Int)>
    private let stopwatch: @Sendable () -> Duration

    init(most: Int, stopwatch: @escaping @Sendable () -> Duration) {
        self.most = most
        self.stopwatch = stopwatch
        state = Mutex((most, 0))
    }

    /// How many the next transaction takes up.
    var size: Int { state.withLock { $0.pieces > 0 ? $0.considerate : most } }

    /// Somebody else writes.
    func makeWay() { state.withLock { $0.pieces = Self.memory } }

    /// Measures the work of a transaction that takes up as many as `size` was, or fewer.
    func measure<Value>(
        _ size: Int, _ work: () throws -> (Value, count: Int)
    ) rethrows -> Value {
        let begun = stopwatch()
        let (value, count) = try work()
        learn(from: count, of: size, in: stopwatch() - begun)
        return value
    }

    /// What took too long becomes as much less as it took too long; what was done in half the
    /// time becomes twice as much, if there was no less to do.
    private func learn(from count: Int, of size: Int, in time: Duration) {
        state.withLock { $0.pieces = max(0, $0.pieces - 1) }
        let next: Int
        if time > Self.limit {
            next = Int(Double(count) * (Self.limit / time))
        } else if time * 2 < Self.limit, count >= size {
            next = size * 2
        } else {
            return
        }
        state.withLock { $0.considerate = min(max(next, Self.least), most) }
    }
}
