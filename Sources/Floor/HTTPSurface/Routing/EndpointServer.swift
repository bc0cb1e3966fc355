package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
package import SubscriptionRules

/// An HTTP server that is made of endpoints, with what all its requests pass through.
///
/// An object, of which each request holds one reference: as a value it would have a dozen in it,
/// which are counted with each copy, and a request is handed on many times.
package final class EndpointServer<Site: Sendable>: Sendable {
    /// What its endpoints are about.
    package let site: Site
    package let name: ServerName
    let table: RouteTable<Site>
    let limits: ServerLimits
    /// What is counted of its requests; several servers may share it.
    package let metrics: MetricsRegistry
    package let machineTime: @Sendable () -> Instant
    let log: Logger

    /// - Parameter machineTime: the machine's clock, replaced in tests.
    package init(
        _ site: Site, name: ServerName, table: RouteTable<Site>,
        limits: ServerLimits = ServerLimits(), metrics: MetricsRegistry = MetricsRegistry(),
        machineTime: @escaping @Sendable () -> Instant, log: Logger
    ) {
        self.site = site
        self.name = name
        self.table = table
        self.limits = limits
        self.metrics = metrics
        self.machineTime = machineTime
        self.log = log
    }

    /// The same server, about something else.
    package func at(_ site: Site) -> EndpointServer {
        EndpointServer(
            site, name: name, table: table, limits: limits, metrics: metrics,
            machineTime: machineTime, log: log)
    }

    /// Its routes.
    package func router() -> Router<BasicRequestContext> {
        let router = Router(
            context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: Reception(server: self))
        for endpoint in table.endpoints {
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
                try await endpoint.answer(
                    Call(server: self, request: request, parameters: context.parameters))
            }
        }
        return router
    }

    /// The server as a service to be run.
    ///
    /// - Parameters:
    ///   - port: 0 picks a free one.
    ///   - onRunning: is told the port once the server answers.
    package func application(
        host: String = "127.0.0.1", port: Int,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: router(),
            server: HTTPServerBuilder { [limits] responder in
                GuardedChannel(
                    HTTP1Channel(
                        responder: responder,
                        configuration: .init(idleTimeout: .seconds(limits.idleTimeout))))
            },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), serverName: "Perennial",
                availableConnectionsDelegate: .maximum(limits.connections, logger: log)),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) },
            logger: log)
    }
}

/// What tells a server from others of its program, in metrics and logs: `environment`, `Sandbox`.
package struct ServerName: Sendable, Hashable {
    package let label: String
    package let value: String

    /// Neither may need escaping.
    package init(_ label: String, _ value: String) {
        self.label = label
        self.value = value
    }
}

/// How much a server takes.
package struct ServerLimits: Sendable {
    /// The largest request body, in bytes.
    package var body = 1 << 20
    /// The largest body that is a whole file, in bytes.
    package var file = 1 << 24
    /// How many connections are held at a time; more wait to be accepted.
    package var connections = 1024
    /// After how many seconds without traffic a connection is closed, also one whose client stops
    /// in the middle of a request. Longer than the minute for which clients usually keep one that
    /// they do not use, or one of them might ask just when it is closed.
    package var idleTimeout: Int64 = 180

    /// The limits described above, each at its usual value.
    package init() {}
}
