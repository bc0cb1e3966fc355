public import SubscriptionRules
internal import Synchronization

/// A machine's clock that a test sets.
public final class ManualClock: Sendable {
    private let moment: Mutex<Instant>

    public init(_ moment: Instant) { self.moment = Mutex(moment) }

    /// What it shows.
    public var now: Instant { moment.withLock { $0 } }

    /// Lets it show a later moment.
    public func set(_ moment: Instant) { self.moment.withLock { $0 = moment } }
}

/// A stopwatch that shows what it is told; it stands still otherwise.
public final class ManualStopwatch: Sendable {
    private let state = Mutex(Duration.zero)

    public init() {}

    /// What it shows.
    public var reading: Duration {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
