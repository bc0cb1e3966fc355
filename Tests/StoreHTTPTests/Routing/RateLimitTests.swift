import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Rate limits")
struct RateLimitTests {
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
