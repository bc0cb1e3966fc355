import AppStoreSigning
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Store

#if canImport(Glibc)
    import Glibc
#endif

/// The two HTTP servers: the one place of the command line that knows how a store is reached.
struct Servers: Sendable {
    private let plan: ServePlan
    private let log: Logger

    init(_ plan: ServePlan, identity: Identity, store: Store, log: Logger) throws {
        self.plan = plan
        self.log = log
    }

    /// One environment's server.
    ///
    /// - Parameter onRunning: is told the port once the server answers.
    func service(
        for environment: StoreEnvironment, onRunning: @escaping @Sendable (Int) async -> Void
    ) -> any Service {
        let isSandbox = environment == .sandbox
        let port = isSandbox ? plan.sandboxPort : plan.port
        let router = Router(context: BasicRequestContext.self)
        router.get("/health") { _, _ in "ok" }
        return Listener(
            application: Application(
                router: router,
                configuration: ApplicationConfiguration(address: .hostname(plan.host, port: port)),
                onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) },
                logger: log),
            address: "\(plan.host):\(port)", option: isSandbox ? "--sandbox-port" : "--port")
    }
}

/// A server whose failure to listen is said in words.
private struct Listener<Application: ApplicationProtocol>: Service {
    let application: Application
    let address: String
    let option: String

    func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw Failure.refused(
                "nothing can listen at \(address) (\(reason)); choose another port with "
                    + "\(option), 0 for a free one.")
        }
    }
}
