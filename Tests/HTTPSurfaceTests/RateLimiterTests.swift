import HTTPSurface
import SubscriptionRules
import Testing

@Suite("Counting calls")
struct RateLimiterTests {
    private static let hour: Int64 = 3_600_000
    private let key = RateLimiter.Key(
        caller: "a", endpoint: "history", server: "production")

    @Test("So many calls an hour may be made, and the next hour begins anew")
    func hours() {
        var limiter = RateLimiter()
        let now = Instant(milliseconds: 100 * Self.hour + 5000)
        for _ in 0..<3 { #expect(limiter.take(key, limit: 3, at: now) == nil) }
        let next = Instant(milliseconds: 101 * Self.hour)
        #expect(limiter.take(key, limit: 3, at: now) == next)
        let last = Instant(milliseconds: 101 * Self.hour - 1)
        #expect(limiter.take(key, limit: 3, at: last) == next)
        #expect(limiter.take(key, limit: 3, at: next) == nil)
    }

    @Test("Callers, endpoints and servers are counted apart")
    func keys() {
        var limiter = RateLimiter()
        let now = Instant(milliseconds: 0)
        #expect(limiter.take(key, limit: 1, at: now) == nil)
        #expect(limiter.take(key, limit: 1, at: now) != nil)
        for other in [
            RateLimiter.Key(caller: "b", endpoint: "history", server: "production"),
            RateLimiter.Key(caller: "a", endpoint: "statuses", server: "production"),
            RateLimiter.Key(caller: "a", endpoint: "history", server: "sandbox"),
        ] {
            #expect(limiter.take(other, limit: 1, at: now) == nil)
        }
    }

    @Test("A clock that is set back does not lock anybody out")
    func clockSetBack() {
        var limiter = RateLimiter()
        let now = Instant(milliseconds: 50 * Self.hour)
        #expect(limiter.take(key, limit: 1, at: now) == nil)
        #expect(limiter.take(key, limit: 1, at: now) != nil)
        #expect(limiter.take(key, limit: 1, at: Instant(milliseconds: 49 * Self.hour)) == nil)
    }
}
