import AppStoreWire
package import HTTPSurface
import HTTPTypes
public import Hummingbird
public import Logging
public import Merchant
import SubscriptionRules
public import TimeAndChance

/// A merchant's HTTP server: notifications from the store, apps, servers and the operator.
public struct MerchantServer: Sendable {
    /// The secrets that open its parts.
    public struct Tokens: Hashable, Sendable {
        /// Those of one app.
        public struct OfApp: Hashable, Sendable {
            /// For the app on customers' devices: it posts purchases and reads one account.
            public var app: String
            /// For the developer's own servers: they read, claim, merge and erase accounts.
            public var server: String

            /// - Precondition: none is empty.
            public init(app: String, server: String) {
                self.app = app
                self.server = server
            }
        }

        /// For whoever runs it.
        public var theOperator: String
        /// By bundle id: each opens its app alone.
        public var apps: [String: OfApp]

        /// - Precondition: none is empty.
        public init(theOperator: String, apps: [String: OfApp]) {
            self.theOperator = theOperator
            self.apps = apps
        }
    }

    /// The largest notification that is read, in bytes: 256 KiB, many times what the App Store
    /// sends.
    static let largestNotification = 1 << 18
    /// The same of version 1, which has a whole receipt and a hundred transactions in it: 4 MiB.
    static let largestVersionOneNotification = 1 << 22

    public let merchant: Merchant
    let tokens: TokenBook
    let gate: RequestGate
    /// Whether a notification is answered once it is processed, and not when it is kept: so that
    /// whoever waits for the answer, as `perennial advance` does, finds everything done.
    let processesFirst: Bool
    let metrics = MetricsRegistry()
    let health: HealthWatch
    /// What people look at.
    package var pages: [HTTPSurface.Endpoint<MerchantSite>] = []
    /// Makes links to the pages of the shop; nil where there is none.
    package var shopLinks: (any ShopLinks)?
    private let log: Logger

    public init(
        merchant: Merchant, tokens: TokenBook, limits: RequestLimits = RequestLimits(),
        processesFirst: Bool = false,
        uptime: @escaping @Sendable () -> Duration = SystemTime.uptime, log: Logger
    ) {
        self.merchant = merchant
        self.tokens = tokens
        gate = RequestGate(limits)
        self.processesFirst = processesFirst
        health = HealthWatch(uptime: uptime)
        self.log = log
    }

    private var server: EndpointServer<MerchantSite> {
        EndpointServer(
            MerchantSite(server: self), name: ServerName("program", "merchant"),
            table: MerchantRoutes.with(pages), metrics: metrics, machineTime: SystemTime.now,
            log: log)
    }

    /// What opens everything: it may be replaced while the server runs.
    package var operatorToken: @Sendable () -> String {
        let tokens = tokens
        return { tokens.theOperator }
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

typealias Endpoint = HTTPSurface.Endpoint<MerchantSite>
typealias Call = HTTPSurface.Call<MerchantSite>

extension Call {
    var merchant: Merchant { site.server.merchant }

    /// Whether the caller shows more than the app's token, which every customer's device has.
    func isTrusted() throws -> Bool { try holder().scope != .app }

    /// A text of the path, held against its description.
    func pathText(_ name: String, _ schema: Schema) throws -> String {
        guard let text = parameter(name) else {
            throw ErrorBody(
                .badRequest, "invalidMember", "`\(name)` in the path is no text.", field: name)
        }
        try schema.check(.string(text), field: name)
        return text
    }

    /// The app that the path names; an unknown one is refused by the merchant.
    func bundleID() throws -> String {
        guard let bundleID = parameter("bundleId") else {
            throw MerchantError.unknownApp("")
        }
        return bundleID
    }
}
