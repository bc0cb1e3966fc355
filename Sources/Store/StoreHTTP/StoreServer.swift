public import AppStoreForgery
public import AppStoreSigning
import AppStoreWire
package import HTTPSurface
public import Hummingbird
public import Logging
public import Store
import StoreKitFile
public import SubscriptionRules
public import TimeAndChance

/// The store's two HTTP servers and everything that they share: one store, one team's request
/// tokens, one operator token, one set of limits and metrics.
///
/// Apple has two hosts with the same paths, one an environment (API-1);
/// here each environment has a port of its own.
public struct StoreServer: Sendable {
    /// The store that is served.
    public let store: Store
    let options: Options
    let log: Logger
    /// The machine's clock, by which request tokens and rate limits go. Not the store's: a token
    /// that a client made a second ago is fresh, wherever the store's clock was moved to.
    let machineTime: @Sendable () -> Instant
    /// Makes the secret of a device that signs in.
    let newToken: @Sendable () -> String
    /// Holds a call up.
    let wait: @Sendable (Duration) async -> Void
    /// Serves forks beside the store; nil where nobody does.
    let forks: (any ForkHost)?
    /// Makes proofs that are wrong; nil where nobody does.
    let forger: Forger?
    let gate: Gate
    let traffic: Traffic
    let metrics: MetricsRegistry
    let health: HealthWatch
    /// Where its environments are found.
    package let ports = ServedPorts()
    /// What people look at, at both servers.
    package var pages: [HTTPSurface.Endpoint<StoreSite>] = []
    /// Makes links to a customer's pages; nil where there are none.
    package var accountLinks: (any AccountLinks)?

    /// What can be set for both servers.
    public struct Options: Sendable, Hashable {
        /// The largest request body, in bytes: 1 MiB.
        public var bodyLimit = 1 << 20
        /// The largest body that is a whole file, in bytes: 16 MiB, as for one that is read from
        /// a disk.
        public var fileLimit = StoreKitFile.largestSize
        /// The rate limits of the App Store Server API in Production.
        public var rateLimits = RateLimits.apple
        /// The rate limits of the App Store Server API in Sandbox; none unless it is said, since
        /// a test run calls as fast as it can.
        public var sandboxRateLimits = RateLimits.none
        /// How many connections one server holds at a time; more wait to be accepted.
        public var connectionLimit = 1024
        /// After how many seconds without traffic a connection is closed, also one whose client
        /// stops in the middle of a request.
        public var idleTimeout = ServerLimits().idleTimeout

        /// How many devices may wait for changes at a server: most of its connections, and some
        /// are left for everything else.
        var waitingLimit: Int { max(1, connectionLimit - connectionLimit / 8) }

        /// The options described above, each at its usual value.
        public init() {}

        var limits: ServerLimits {
            var limits = ServerLimits()
            limits.body = bodyLimit
            limits.file = fileLimit
            limits.connections = connectionLimit
            limits.idleTimeout = idleTimeout
            return limits
        }

        func rateLimits(in environment: StoreEnvironment) -> RateLimits {
            switch environment {
            case .production: rateLimits
            case .sandbox: sandboxRateLimits
            }
        }
    }

    /// Joins what the two servers need.
    ///
    /// - Parameters:
    ///   - tokenVerifier: judges the request tokens of developers' servers.
    ///   - operatorToken: the secret that opens `/connect`; must not be empty.
    ///   - newToken: makes the secret of a device that signs in.
    ///   - machineTime: the machine's clock, replaced in tests.
    ///   - wait: how a call is held up, replaced in tests.
    ///   - uptime: measures how old an answer is, replaced in tests.
    ///   - forks: serves forks beside the store; without one they are refused.
    ///   - forger: makes proofs that are wrong; without one they are refused.
    public init(
        store: Store, tokenVerifier: RequestTokenVerifier, operatorToken: String,
        options: Options = Options(),
        newToken: @escaping @Sendable () -> String = { Randomness.token("device_") },
        machineTime: @escaping @Sendable () -> Instant = SystemTime.now,
        wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait,
        uptime: @escaping @Sendable () -> Duration = SystemTime.uptime,
        forks: (any ForkHost)? = nil, forger: Forger? = nil, log: Logger
    ) {
        self.store = store
        self.options = options
        self.log = log
        self.machineTime = machineTime
        self.newToken = newToken
        self.wait = wait
        self.forks = forks
        self.forger = forger
        gate = Gate(verifier: tokenVerifier, operatorToken: operatorToken)
        traffic = Traffic()
        metrics = MetricsRegistry()
        health = HealthWatch(uptime: uptime)
    }

    /// The routes of one environment's server.
    public func router(for environment: StoreEnvironment) -> Router<BasicRequestContext> {
        endpointServer(for: environment).router()
    }

    private func endpointServer(
        for environment: StoreEnvironment
    ) -> EndpointServer<StoreSite> {
        EndpointServer(
            StoreSite(server: self, environment: environment),
            name: ServerName("environment", environment.wire.rawValue),
            table: StoreRoutes(environment, pages: pages), limits: options.limits, metrics: metrics,
            machineTime: machineTime, log: log)
    }

    /// One environment's server, a service to be run.
    ///
    /// - Parameters:
    ///   - port: 0 picks a free one.
    ///   - onRunning: is told the port once the server answers.
    public func application(
        for environment: StoreEnvironment, host: String = "127.0.0.1", port: Int,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        endpointServer(for: environment).application(host: host, port: port) { port in
            ports.note(port, of: environment)
            await onRunning(port)
        }
    }
}
