public import AppStoreSigning
import AppStoreWire
import FoundationEssentials
public import SubscriptionRules
public import TimeAndChance

/// A client of the App Store Server API for one app in one environment: Apple's, or that of a
/// Perennial store.
///
/// ```swift
/// let client = try ServerAPIClient(
///     baseURL: ServerAPIClient.productionURL, bundleID: "com.example.app", key: key)
/// let statuses = try await client.statuses(of: transactionID)
/// for try await page in client.transactionHistoryPages(of: transactionID) { … }
/// ```
///
/// Every function throws ``ServerAPIError`` once nothing is left to try: what Apple calls
/// retryable, 429, 503 and lost connections are asked again (``RequestRetries``), and a 401 with
/// the next key. A call waits where it would exceed Apple's limits (``RequestLimits``): copies of a
/// client count together, two clients for themselves.
///
/// Replies hold signed texts as they came: `SignedDataVerifier` verifies them.
public struct ServerAPIClient: Sendable {
    /// Apple's server for Production; it answers 401 to everything before an app's first release.
    public static let productionURL = "https://api.storekit.apple.com"
    /// Apple's server for Sandbox and TestFlight.
    public static let sandboxURL = "https://api.storekit-sandbox.apple.com"

    private let baseURL: String
    private let bundleID: String
    private let keys: KeyRing
    private let retries: RequestRetries
    private let pace: RequestPace
    private let connection: APIConnection
    private let machineTime: @Sendable () -> Instant
    private let wait: @Sendable (Duration) async -> Void
    private let uptime: @Sendable () -> Duration
    private let chance: @Sendable () -> UInt64

    /// A client that has asked nothing yet.
    ///
    /// - Parameters:
    ///   - baseURL: ``productionURL``, ``sandboxURL``, or a store's address: http or https.
    ///   - key: signs the request tokens; every key of a team is good for all of its apps.
    ///   - otherKeys: take its place where the server answers 401, as after a key was revoked.
    ///   - limits: nil for Apple's of the environment: a tenth at ``sandboxURL``.
    ///   - timeout: how long a whole answer may take.
    ///   - machineTime: the machine's clock, by which servers judge tokens; replaced in tests.
    ///   - wait: how a call waits, replaced in tests; returns early when the task is cancelled.
    ///   - uptime: a stopwatch that never goes back, replaced in tests.
    ///   - chance: random numbers that spread retries, replaced in tests.
    /// - Throws: ``ServerAPIError`` of the kind `unusableRequest` where `baseURL` is no such URL.
    public init(
        baseURL: String, bundleID: String, key: APIKey, otherKeys: [APIKey] = [],
        limits: RequestLimits? = nil, retries: RequestRetries = RequestRetries(),
        timeout: Duration = .seconds(30),
        machineTime: @escaping @Sendable () -> Instant = SystemTime.now,
        wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait,
        uptime: @escaping @Sendable () -> Duration = SystemTime.uptime,
        chance: @escaping @Sendable () -> UInt64 = { Randomness.number() }
    ) throws(ServerAPIError) {
        guard Self.isUsable(baseURL) else {
            throw ServerAPIError(
                .unusableRequest, "\(baseURL) is no http or https URL with a host and no query.")
        }
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.bundleID = bundleID
        keys = KeyRing([key] + otherKeys)
        self.retries = retries
        // Apple has two names for each of its servers.
        let isSandbox = baseURL.hasPrefix("https://api.storekit-sandbox.")
        pace = RequestPace(limits ?? (isSandbox ? .sandbox : .production))
        connection = APIConnection(timeout: timeout)
        self.machineTime = machineTime
        self.wait = wait
        self.uptime = uptime
        self.chance = chance
    }

    /// The HTTP library traps at a port that fits no number.
    static func isUsable(_ text: String) -> Bool {
        guard let url = URL(string: text), let scheme = url.scheme,
            ["http", "https"].contains(scheme), let host = url.host(), !host.isEmpty
        else { return false }
        return (1...65_535).contains(url.port ?? 443) && url.query() == nil
            && url.fragment() == nil && url.user() == nil
    }

    // MARK: Calling

    /// Calls an endpoint, and again where that makes sense.
    ///
    /// - Parameter values: what takes the place of the parts in braces of the path, in order.
    func call<Query, Body, Reply>(
        _ endpoint: APIEndpoint<Query, Body, Reply>, _ values: [String] = [], query: Query? = nil,
        body: Body? = nil
    ) async throws(ServerAPIError) -> Reply {
        guard let target = endpoint.target(values, query) else {
            throw ServerAPIError(.unusableRequest, "an identifier in the path is empty.")
        }
        let request = APIRequest(
            method: endpoint.method, url: baseURL + target, body: body?.jsonBytes())
        let answer = try await answer(to: request, endpoint.quota)
        do {
            return try endpoint.read(answer.body)
        } catch {
            throw ServerAPIError(.unreadableReply, status: answer.status, "\(error)")
        }
    }

    private func answer(
        to request: APIRequest, _ quota: RequestQuota
    ) async throws(ServerAPIError) -> APIAnswer {
        var failures = 0
        while true {
            let failure: ServerAPIError
            do throws(ServerAPIError) {
                return try await attempt(request, quota)
            } catch {
                failure = error
            }
            failures += 1
            guard let delay = delay(after: failure, failures) else { throw failure }
            try await pause(delay)
        }
    }

    /// Asks once, and with every other key once where the server does not take the first.
    private func attempt(
        _ request: APIRequest, _ quota: RequestQuota
    ) async throws(ServerAPIError) -> APIAnswer {
        var unauthorized = ServerAPIError(.refused, status: 401)
        for key in keys.inOrder {
            try await pause(pace.take(quota, at: uptime()))
            let answer = try await connection.send(request, token: try token(key))
            switch answer.status {
            case 401: unauthorized = ServerAPIError(answer)
            case 200..<300:
                keys.prefer(key)
                return answer
            default:
                keys.prefer(key)
                throw ServerAPIError(answer)
            }
        }
        throw unauthorized
    }

    private func token(_ key: APIKey) throws(ServerAPIError) -> String {
        do {
            return try RequestToken.make(
                key: key, bundleID: bundleID, now: Double(machineTime().milliseconds) / 1000)
        } catch {
            throw ServerAPIError(.unusableRequest, "the key \(key.keyID) signs nothing.")
        }
    }

    /// - Returns: nil where nothing is tried again.
    private func delay(after failure: ServerAPIError, _ failures: Int) -> Duration? {
        guard failure.canBeRetried, failures < retries.attempts else { return nil }
        let named = failure.retryAfter.map {
            Duration.milliseconds($0.since(machineTime()).milliseconds)
        }
        guard named ?? .zero <= retries.longestDelay else { return nil }
        return max(
            named ?? .zero, retries.delay(afterFailures: failures, chance: chance()))
    }

    private func pause(_ duration: Duration) async throws(ServerAPIError) {
        if duration > .zero { await wait(duration) }
        if Task.isCancelled { throw ServerAPIError(.cancelled) }
    }
}
