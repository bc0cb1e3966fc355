/// The state of a subscription (API-5.3).
public struct Status: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Paid for.
    public static let active = Status(rawValue: 1)
    /// Ended.
    public static let expired = Status(rawValue: 2)
    /// Unpaid and without service; payment is retried.
    public static let billingRetry = Status(rawValue: 3)
    /// Unpaid but served; payment is retried.
    public static let billingGracePeriod = Status(rawValue: 4)
    /// Refunded, or family sharing ended.
    public static let revoked = Status(rawValue: 5)

    /// The published values, in the order of the reference.
    public static let known: [Status] = [
        .active, .expired, .billingRetry, .billingGracePeriod, .revoked,
    ]
}
