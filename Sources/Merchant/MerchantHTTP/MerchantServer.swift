import HTTPSurface
public import Hummingbird
public import Logging
public import Merchant
import SubscriptionRules
public import TimeAndChance

/// A merchant's HTTP server: notifications from the store, apps, servers and the operator.
public struct MerchantServer: Sendable {
    /// The secrets that open its parts.
    public struct Tokens: Sendable {
        /// For the app on customers' devices: it posts purchases and reads one account.
        public let app: String
        /// For the developer's own servers: they read.
        public let server: String
        /// For whoever runs it.
        public let theOperator: String

        /// - Precondition: none is empty.
        public init(app: String, server: String, theOperator: String) {
            self.app = app
            self.server = server
            self.theOperator = theOperator
        }
    }

    /// The largest notification that is read, in bytes: 256 KiB, many times what the App Store
    /// sends.
    static let largestNotification = 1 << 18
    /// The same of version 1, which has a whole receipt and a hundred transactions in it: 4 MiB.
    static let largestVersionOneNotification = 1 << 22

    public let merchant: Merchant
    let tokens: SharedTokens
    /// Whether a notification is answered once it is processed, and not when it is kept: so that
    /// whoever waits for the answer, as `perennial advance` does, finds everything done.
    let processesFirst: Bool
    let metrics = MetricsRegistry()
    let health: HealthWatch
    private let log: Logger

    public init(
        merchant: Merchant, tokens: Tokens, processesFirst: Bool = false,
        uptime: @escaping @Sendable () -> Duration = SystemTime.uptime, log: Logger
    ) {
        self.merchant = merchant
        self.tokens = SharedTokens(tokens)
        self.processesFirst = processesFirst
        health = HealthWatch(uptime: uptime)
        self.log = log
    }

    private var server: EndpointServer<MerchantSite> {
        EndpointServer(
            MerchantSite(server: self), name: ServerName("program", "merchant"),
            table: MerchantRoutes.table, metrics: metrics, machineTime: SystemTime.now, log: log)
    }

    /// The routes, for tests.
    public func router() -> Router<BasicRequestContext> { server.router() }

    /// The server, a service to be run.
    ///
    /// - Parameters:
    ///   - port: 0 picks a free one.
    ///   - onRunning: is told the port once the server answers.
    public func application(
        host: String = "127.0.0.1", port: Int,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        server.application(host: host, port: port, onRunning: onRunning)
    }
}

/// The tokens, compared in constant time.
struct SharedTokens: Sendable {
    let app: SharedSecret
    let server: SharedSecret
    let theOperator: SharedSecret

    init(_ tokens: MerchantServer.Tokens) {
        app = SharedSecret(tokens.app)
        server = SharedSecret(tokens.server)
        theOperator = SharedSecret(tokens.theOperator)
    }
}

/// A merchant's server, as the endpoints see it.
struct MerchantSite: Sendable {
    let server: MerchantServer
}

typealias Endpoint = HTTPSurface.Endpoint<MerchantSite>
typealias Call = HTTPSurface.Call<MerchantSite>

extension Call {
    var merchant: Merchant { site.server.merchant }

    /// The app that the path names; an unknown one is refused by the merchant.
    func bundleID() throws -> String {
        guard let bundleID = parameter("bundleId") else {
            throw MerchantError.unknownApp("")
        }
        return bundleID
    }
}
