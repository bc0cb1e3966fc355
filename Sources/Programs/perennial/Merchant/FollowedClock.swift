import ConnectAnswers
import Logging
import Merchant
import MerchantConfiguration
import NIOCore
import SubscriptionRules
import TimeAndChance

/// A store's clock, as a merchant goes by it. A clock that runs is asked once a second at most,
/// unless somebody moves it as well; one that stands still may be moved any moment, and is asked
/// each time.
actor FollowedClock {
    private var client: StoreClient
    private var reading: Reading
    private var isAsking = false
    private var isAway = false
    private let isMoved: Bool
    private let uptime: @Sendable () -> Duration
    private let log: Logger

    /// What the clock showed, and when that was.
    private struct Reading {
        let shown: Instant
        let isRunning: Bool
        let heard: Duration

        func now(_ uptime: Duration) -> Instant {
            guard isRunning else { return shown }
            let (seconds, attoseconds) = (uptime - heard).components
            return shown
                + Span(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        }
    }

    /// Asks a store for the first time.
    ///
    /// - Parameter isMoved: whether it is asked each time though it runs, since it is moved.
    /// - Throws: `Failure` where it does not answer.
    init(
        _ store: StoreReady, isMoved: Bool = false,
        uptime: @escaping @Sendable () -> Duration = SystemTime.uptime, log: Logger
    ) async throws {
        let client = Self.client(of: store)
        reading = try await Self.read(client, uptime)
        self.client = client
        self.isMoved = isMoved
        self.uptime = uptime
        self.log = log
    }

    /// Asks this store from now on: it may have started anew, at another port.
    func follow(_ store: StoreReady) { client = Self.client(of: store) }

    /// What the clock shows. While the store does not answer, the last that it said goes on.
    func now() async -> Instant {
        let isFresh =
            reading.isRunning && !isMoved && (isAsking || uptime() - reading.heard < .seconds(1))
        let current = isFresh ? reading : await ask()
        return current.now(uptime())
    }

    private func ask() async -> Reading {
        isAsking = true
        defer { isAsking = false }
        do {
            let answer = try await Self.read(client, uptime)
            reading = answer
            isAway = false
            return answer
        } catch {
            if !isAway {
                log.error(
                    "the store's clock cannot be read, what it showed last goes on",
                    metadata: ["error": "\(error)"])
            }
            isAway = true
            return reading
        }
    }

    private static func client(of store: StoreReady) -> StoreClient {
        StoreClient(
            StoreAddress(
                url: store.urls[.production] ?? "", operatorToken: store.operatorToken),
            patience: .seconds(2))
    }

    private static func read(
        _ client: StoreClient, _ uptime: @Sendable () -> Duration
    ) async throws -> Reading {
        let answer = try await client.get(StorePath("connect", "v1", "clock"))
        return Reading(
            shown: try answer.moment("now"),
            isRunning: try answer.text("mode") != "frozen" && answer.optionalText("held") == nil,
            heard: uptime())
    }
}
