import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

@Suite("Notifications: delivery")
struct DeliveryTests {
    private static let failure = PostOutcome.answered(status: 500)
    private static let toldFailure = SendAttemptResult.unsuccessfulHTTPResponseCode

    @Test(
        "Production tries five times more, at +1, +12, +24, +48 and +72 hours, then gives up",
        arguments: Backend.available)
    func retries(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        world.listener.answer([
            .timedOut, Self.failure, .socketIssue, .tlsIssue, .noResponse, .unusable,
        ])
        let bought = "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.yearly 99.99 until 2027-01-01"
        try await world.buy("silver.yearly", by: ada, telling: [bought])
        // Cumulative 1, 13, 37, 85 and 157 hours.
        for time in ["01T01", "01T13", "02T13", "04T13", "07T13"] {
            try await world.advance(to: "2026-01-\(time):00:00Z".minusOneSecond, telling: [])
            try await world.advance(to: "2026-01-\(time):00:00Z", telling: [bought])
        }
        try await world.advance(to: "2026-12-31", telling: [])

        let arrivals = world.listener.arrivals
        #expect(arrivals.count == 6)
        #expect(Set(arrivals.map(\.signedPayload)).count == 1)
        let log = try await world.store.notificationLog(in: .production, before: nil, limit: 10)
        let one = try #require(log.first)
        #expect(log.count == 1)
        #expect(!one.isDelivered)
        #expect(one.nextAttempt == nil)
        #expect(
            one.attempts.map { "\(World.text($0.attemptDate)) \($0.sendAttemptResult)" } == [
                "2026-01-01 TIMED_OUT", "2026-01-01 01:00 UNSUCCESSFUL_HTTP_RESPONSE_CODE",
                "2026-01-01 13:00 SOCKET_ISSUE", "2026-01-02 13:00 TLS_ISSUE",
                "2026-01-04 13:00 NO_RESPONSE", "2026-01-07 13:00 OTHER",
            ])
    }

    @Test("A retry that succeeds is the last one", arguments: Backend.available)
    func retrySucceeds(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        world.listener.answer([Self.failure, Self.failure])
        let bought = "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.yearly 99.99 until 2027-01-01"
        try await world.buy("silver.yearly", by: ada, telling: [bought])
        try await world.advance(to: "2026-06-01", telling: [bought, bought])
        let one = try #require(
            try await world.store.notificationLog(in: .production, before: nil, limit: 1).first)
        #expect(one.isDelivered)
        #expect(
            one.attempts.map(\.sendAttemptResult)
                == [Self.toldFailure, Self.toldFailure, .success])
        #expect(one.signedPayload == world.listener.arrivals.last?.signedPayload)
    }

    @Test(
        "One long step delivers in the order of moments, retries among the others",
        arguments: Backend.available)
    func interleaved(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        let weekly = "SUBSCRIBED/INITIAL_BUY 1 bronze.weekly 0.99 until 2026-01-08"
        try await world.buy("bronze.weekly", by: ada, telling: ["2026-01-01 \(weekly)"])
        try await world.advance(to: "2026-01-07T23:30:00Z", telling: [])
        // Fails at 23:30 and half past midnight, and is tried again twelve hours later.
        world.listener.answer([Self.failure, .taken, Self.failure])
        let news =
            "2026-01-07 23:30 SUBSCRIBED/INITIAL_BUY 1 news.monthly 2.99 until 2026-02-07 23:30"
        try await world.buy("news.monthly", by: bea, telling: [news])
        try await world.advance(
            to: "2026-01-15",
            telling: [
                "2026-01-08 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-15", news, news,
                "2026-01-15 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-22",
            ])
    }

    @Test(
        "Who asks back on arrival sees the store as it was at the moment of the event",
        arguments: Backend.available)
    func asksBack(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2025-12-31") { $0.gracePeriod = .sixteenDays }
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: World.instant("2026-02-20"), left: nil))
        let seen = Seen()
        world.listener.onArrival { _ in
            await seen.note {
                let now = try await world.store.clockReading().now
                return "\(World.text(now)): \(try await world.shows(id).joined())"
            }
        }
        _ = try await world.store.advance(to: World.instant("2026-03-20"))
        #expect(
            seen.all == [
                """
                2026-01-31: 4 silver.monthly on 2026-01-31 9.99 intent 2 retrying \
                grace 2026-02-16
                """,
                """
                2026-02-16: 3 silver.monthly on 2026-01-31 9.99 intent 2 retrying \
                grace 2026-02-16
                """,
                "2026-02-20: 1 silver.monthly on 2026-03-20 9.99",
                "2026-03-20: 1 silver.monthly on 2026-04-20 9.99",
            ])
    }

    @Test("At a retry the clock shows the moment of the retry", arguments: Backend.available)
    func clockAtRetry(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let seen = Seen()
        world.listener.onArrival { _ in
            await seen.note { World.text(try await world.store.clockReading().now) }
        }
        world.listener.answer([Self.failure])
        try await world.buy("silver.yearly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        #expect(seen.all == ["2026-01-01", "2026-01-01 01:00"])
    }

    @Test("Without a URL nothing is kept, and nothing comes later", arguments: Backend.available)
    func noURL(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        try await world.buy("silver.monthly", by: ada, telling: [])
        try await world.advance(to: "2026-02-01", telling: [])
        #expect(try await Tables(world.database).counts["notification"] == 0)
        try await world.store.configure(bundleID: World.bundleID) {
            $0.notificationURL = "http://developer.example/late"
        }
        try await world.advance(
            to: "2026-03-01",
            telling: ["2026-03-01 DID_RENEW 1 silver.monthly 9.99 until 2026-04-01"])
        #expect(world.listener.arrivals.map(\.url) == ["http://developer.example/late"])
    }

    @Test(
        "After the URL is taken away the attempts that are left fail, each at its moment",
        arguments: Backend.available)
    func removedURL(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        world.listener.answer([Self.failure])
        try await world.buy("silver.yearly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.store.configure(bundleID: World.bundleID) {
            $0.notificationURL = nil
            $0.sandboxNotificationURL = nil
        }
        try await world.advance(to: "2026-02-01", telling: [])
        let one = try #require(
            try await world.store.notificationLog(in: .production, before: nil, limit: 1).first)
        #expect(!one.isDelivered)
        #expect(
            one.attempts.map(\.sendAttemptResult)
                == [Self.toldFailure] + Array(repeating: .other, count: 5))
        #expect(
            one.attempts.map { World.text($0.attemptDate) } == [
                "2026-01-01", "2026-01-01 01:00", "2026-01-01 13:00", "2026-01-02 13:00",
                "2026-01-04 13:00", "2026-01-07 13:00",
            ])
        #expect(one.nextAttempt == nil)
    }

    @Test("A URL that changes takes over what is still due", arguments: Backend.available)
    func changedURL(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        world.listener.answer([Self.failure])
        try await world.buy("silver.yearly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.store.configure(bundleID: World.bundleID) {
            $0.notificationURL = "http://developer.example/new"
        }
        try await world.advance(by: "PT1H", expecting: ["SUBSCRIBED/INITIAL_BUY"])
        #expect(
            world.listener.arrivals.map(\.url) == [
                "http://developer.example/production", "http://developer.example/new",
            ])
    }

    @Test("A test notification can be asked for and looked up", arguments: Backend.available)
    func testNotification(_ backend: Backend) async throws {
        let world = try await World(backend)
        for environment in StoreEnvironment.allCases {
            let token = try await world.store.requestTestNotification(
                bundleID: World.bundleID, in: environment)
            let early = try await world.store.testNotification(
                token: token, for: world.caller(environment))
            #expect(early == nil)
            world.listener.answer([Self.failure])
            try await world.settle(telling: ["2026-01-01 TEST"])
            let result = try #require(
                try await world.store.testNotification(
                    token: token, for: world.caller(environment)))
            #expect(result.sendAttempts.map(\.sendAttemptResult) == [Self.toldFailure])
            #expect(result.signedPayload == world.listener.arrivals.last?.signedPayload)
            let other: StoreEnvironment = environment == .production ? .sandbox : .production
            for (token, caller) in [
                (token, world.caller(other)), (token + "1", world.caller(environment)),
                ("nonsense", world.caller(environment)), ("", world.caller(environment)),
            ] {
                #expect(try await world.store.testNotification(token: token, for: caller) == nil)
            }
        }
    }

    @Test(
        "What became of a test notification is kept for half a year", arguments: Backend.available)
    func oldTestNotification(_ backend: Backend) async throws {
        let world = try await World(backend)
        let token = try await world.store.requestTestNotification(
            bundleID: World.bundleID, in: .production)
        try await world.settle(telling: ["2026-01-01 TEST"])
        try await world.advance(to: "2026-06-30", expecting: [])
        let kept = try await world.store.testNotification(token: token, for: world.caller())
        #expect(kept != nil)
        try await world.advance(to: "2026-06-30T00:00:00.001Z", expecting: [])
        let gone = try await world.store.testNotification(token: token, for: world.caller())
        #expect(gone == nil)
    }

    @Test("Without a URL a test notification is refused", arguments: Backend.available)
    func testWithoutURL(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        await #expect(throws: StoreError.setting(.noNotificationURL)) {
            try await world.store.requestTestNotification(
                bundleID: World.bundleID, in: .production)
        }
    }
}

/// What was seen while notifications arrived.
private final class Seen: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func note(_ lookUp: () async throws -> String) async {
        let text: String
        do { text = try await lookUp() } catch { text = "\(error)" }
        texts.withLock { $0.append(text) }
    }
}

extension String {
    /// The second before a moment.
    fileprivate var minusOneSecond: String {
        (World.instant(self) - .seconds(1)).iso8601
    }
}
