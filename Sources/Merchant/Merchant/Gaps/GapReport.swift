public import SubscriptionRules

/// What one kind of look for what was missed has found in one environment of an app: the one that
/// runs, or the last one.
public struct GapReport: Hashable, Sendable {
    /// What is looked at.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Notifications that the store knows it could not deliver.
        case failures
        /// All notifications: what was taken here and lost as well.
        case history
        /// Subscriptions that should have renewed or ended, and of which nothing was heard.
        case statuses
        /// A test notification, and whether it arrived here.
        case test
    }

    /// How far it is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case running
        /// It ended early; the next look goes on where this one was.
        case interrupted
        case done
    }

    public internal(set) var bundleID: String
    public internal(set) var environment: MerchantEnvironment
    public internal(set) var kind: Kind
    public internal(set) var state = State.interrupted
    /// From when notifications are looked at.
    public internal(set) var since: Instant
    /// Up to when.
    public internal(set) var until: Instant
    public internal(set) var started: Instant
    /// When it got on last.
    public internal(set) var moved: Instant
    /// Nil until it is done.
    public internal(set) var ended: Instant?
    /// How many notifications or subscriptions it has read so far.
    public internal(set) var read: Int64 = 0
    /// How many of the notifications were missing here and were taken.
    public internal(set) var healed: Int64 = 0
    /// How many of the subscriptions had changed.
    public internal(set) var changed: Int64 = 0
    /// Whether the test notification came in here; nil for other kinds, and until that is known.
    public internal(set) var arrived: Bool?
    /// What the store says of its attempts to deliver the test notification, in Apple's words.
    public internal(set) var sendAttempts: [String] = []
    /// What could not be taken, or why it ended early: the last of it.
    public internal(set) var problem: String?
}
