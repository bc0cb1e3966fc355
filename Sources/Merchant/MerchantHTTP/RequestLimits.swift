import HTTPSurface
import SubscriptionRules

/// How many requests a second each token may send; nil for as many as it likes.
public struct RequestLimits: Hashable, Sendable {
    /// Of an app's token, which all of its devices share.
    public var app: Int? = 1000
    public var server: Int? = 1000
    public var theOperator: Int?

    public init() {}

    func limit(of scope: TokenScope) -> Int? {
        switch scope {
        case .app: app
        case .server: server
        case .theOperator: theOperator
        }
    }
}

/// Counts the requests of each token, in this process.
struct RequestGate: Sendable {
    let limits: RequestLimits
    private let traffic = Traffic(window: .seconds(1))

    init(_ limits: RequestLimits) { self.limits = limits }

    /// Lets a request in.
    ///
    /// - Parameter now: what the machine's clock shows.
    /// - Throws: `RateLimitExceeded`.
    func admit(_ holder: TokenHolder, at now: Instant) throws(RateLimitExceeded) {
        guard let limit = limits.limit(of: holder.scope) else { return }
        let key = RateLimiter.Key(
            caller: "\(holder.scope.rawValue) \(holder.bundleID ?? "")", endpoint: "all",
            server: "merchant")
        if let next = traffic.take(key, limit: limit, at: now) {
            throw RateLimitExceeded(nextAllowed: next, now: now)
        }
    }
}
