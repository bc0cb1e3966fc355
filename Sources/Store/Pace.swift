import Synchronization

/// How many subscriptions one transaction takes up where work is about many: so many that nobody
/// who wants to write meanwhile waits long. There is one writer, and it cannot be interrupted.
final class Pace: Sendable {
    /// How long the work of one transaction should take at most.
    static let limit = Duration.milliseconds(5)
    /// Fewer are never taken up: beginning and committing cost something too.
    private static let least = 50

    private let most: Int
    private let current: Mutex<Int>
    private let stopwatch: @Sendable () -> Duration

    init(most: Int, stopwatch: @escaping @Sendable () -> Duration) {
        self.most = most
        self.stopwatch = stopwatch
        current = Mutex(most)
    }

    /// How many the next transaction takes up.
    var size: Int { current.withLock { $0 } }

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
        let next: Int
        if time > Self.limit {
            next = Int(Double(count) * (Self.limit / time))
        } else if time * 2 < Self.limit, count >= size {
            next = size * 2
        } else {
            return
        }
        current.withLock { $0 = min(max(next, Self.least), most) }
    }
}
