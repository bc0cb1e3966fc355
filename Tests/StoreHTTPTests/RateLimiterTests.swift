import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Rate limits")
struct RateLimiterTests {
    private static let hour: Int64 = 3_600_000
    private let key = RateLimiter.Key(
        bundleID: "a", endpoint: "history", environment: .production)

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

    @Test("Apps, endpoints and environments are counted apart")
    func keys() {
        var limiter = RateLimiter()
        let now = Instant(milliseconds: 0)
        #expect(limiter.take(key, limit: 1, at: now) == nil)
        #expect(limiter.take(key, limit: 1, at: now) != nil)
        for other in [
            RateLimiter.Key(bundleID: "b", endpoint: "history", environment: .production),
            RateLimiter.Key(bundleID: "a", endpoint: "statuses", environment: .production),
            RateLimiter.Key(bundleID: "a", endpoint: "history", environment: .sandbox),
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

    @Test(
        "Apple's numbers count by the hour, and Sandbox has a tenth of them",
        arguments: [
            (RateLimits.apple, 50, StoreEnvironment.production, 180_000 as Int?),
            (.apple, 50, .sandbox, 18_000), (.apple, 1, .production, 3600),
            (.apple, 1, .sandbox, 360), (.none, 50, .production, nil),
            (RateLimits(percent: 1), 1, .production, 36), (RateLimits(percent: 0), 50, .sandbox, 0),
        ])
    func numbers(
        limits: RateLimits, perSecond: Int, environment: StoreEnvironment, hourly: Int?
    ) {
        #expect(limits.perHour(perSecond, in: environment) == hourly)
    }

    @Test("Who calls too often is told when to come back, in milliseconds")
    func tooOften() async throws {
        var options = StoreServer.Options()
        options.rateLimits = RateLimits(percent: 1)
        let world = try await HTTPWorld(options: options)
        try await world.with { client in
            for _ in 0..<36 {
                #expect(
                    try await client.api(.post, "/v1/notifications/test").status == 200)
            }
            let before = try await world.everything()
            let reply = try await client.api(.post, "/v1/notifications/test")
            expect(reply, .rateLimitExceeded)
            let next = World.instant("2026-03-01T13:00:00Z")
            #expect(reply.fields[.retryAfter] == String(next.milliseconds))
            #expect(try await world.everything() == before)
            // Another endpoint and another app are free.
            expect(try await client.api(.get, "/v2/history/1"), .transactionIdNotFound)
            expect(
                try await client.send(
                    .post, "/inApps/v1/notifications/test", as: .developerOf("com.other")),
                .appNotFound)
            world.machine.now = next
            #expect(try await client.api(.post, "/v1/notifications/test").status == 200)
        }
        try await world.with(.sandbox) { client in
            for _ in 0..<40 {
                let reply = try await client.api(.post, "/v1/notifications/test")
                #expect(reply.status == 200)
            }
        }
    }

    @Test("Without a good token nothing is counted")
    func strangers() async throws {
        var options = StoreServer.Options()
        options.rateLimits = RateLimits(percent: 1)
        let world = try await HTTPWorld(options: options)
        try await world.with { client in
            for _ in 0..<50 {
                let reply = try await client.send(.post, "/inApps/v1/notifications/test")
                #expect(reply.status == 401)
            }
            #expect(try await client.api(.post, "/v1/notifications/test").status == 200)
        }
    }
}

@Suite("Query strings")
struct QueryStringTests {
    @Test(
        "A query is read as every client writes it",
        arguments: [
            ("", []), ("&&", []), ("a=1", ["a=1"]), ("a=1&a=2", ["a=1", "a=2"]), ("a", ["a="]),
            ("a=", ["a="]), ("a=b=c", ["a=b=c"]), ("a=x+y", ["a=x y"]), ("a=x%20y", ["a=x y"]),
            ("a=x%2By", ["a=x+y"]), ("a%5B=1", ["a[=1"]), ("a=%C3%BC", ["a=ü"]),
            ("a=%FF", ["a=%FF"]), ("a=%", ["a=%"]), ("a=%4", ["a=%4"]), ("a=%zz", ["a=%zz"]),
            ("a=%2", ["a=%2"]), ("=1", ["=1"]), ("a=100%25", ["a=100%"]),
        ])
    func reading(text: String, items: [String]) {
        #expect(QueryString(text).items.map { "\($0.name)=\($0.value)" } == items)
    }
}
