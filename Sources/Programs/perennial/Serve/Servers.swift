import Account
import AppStoreForgery
import AppStoreSigning
import Console
import HTMLPages
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Store
import StoreHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The two HTTP servers: the one place of the command line that knows how a store is reached.
struct Servers: Sendable {
    private let plan: ServePlan
    private var server: StoreServer

    /// - Parameter framers: who may show its pages within their own.
    init(
        _ plan: ServePlan, identity: Identity, store: Store, forks: any ForkHost,
        framers: PageFramers = PageFramers(), log: Logger
    ) throws {
        self.plan = plan
        var options = StoreServer.Options()
        switch plan.limits {
        case .usual: break
        case .apple: (options.rateLimits, options.sandboxRateLimits) = (.apple, .apple)
        case .none: (options.rateLimits, options.sandboxRateLimits) = (.none, .none)
        }
        server = StoreServer(
            store: store,
            tokenVerifier: RequestTokenVerifier(
                keys: [identity.key.keyID: VerificationKey(identity.key)],
                issuerID: identity.key.issuerID),
            operatorToken: identity.operatorToken, options: options, forks: forks,
            forger: Forger(
                chain: identity.chain, key: identity.key, receiptChain: identity.receiptChain),
            log: log)
        server.showConsole(operatorToken: identity.operatorToken, framers: framers)
        server.showAccount(
            secret: identity.operatorToken, letsAnybodySignIn: plan.hasDevelopmentSignIn,
            framers: framers)
    }

    /// Listens at both ports for a moment, before anything is made for a store that nobody could
    /// reach.
    ///
    /// - Throws: `Failure` that names the option.
    static func tryPorts(of plan: ServePlan) async throws {
        let ports =
            [(plan.port, "--port"), (plan.sandboxPort, "--sandbox-port")]
            + (plan.merchantPort.map { [($0, "--merchant-port")] } ?? [])
        for (port, option) in ports {
            try await listening(at: "\(plan.host):\(port)", option) {
                let channel = try await ServerBootstrap(
                    group: .singletonMultiThreadedEventLoopGroup
                )
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: plan.host, port: port).get()
                try await channel.close().get()
            }
        }
    }

    /// Does something that listens at an address; a failure to do so is said in words.
    ///
    /// - Parameter option: what chooses the port.
    fileprivate static func listening(
        at address: String, _ option: String, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch is SocketAddressError.UnknownHost {
            throw Failure.refused(
                "Nothing can listen at \(address): --host names no address of this machine; "
                    + "write 127.0.0.1, or 0.0.0.0 for all that it has.")
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw Failure.refused(
                "Nothing can listen at \(address) (\(reason)); choose another port with "
                    + "\(option), 0 for a free one.")
        }
    }

    /// One environment's server.
    ///
    /// - Parameter onRunning: is told the port once the server answers.
    func service(
        for environment: StoreEnvironment, onRunning: @escaping @Sendable (Int) async -> Void
    ) -> any Service {
        let isSandbox = environment == .sandbox
        let port = isSandbox ? plan.sandboxPort : plan.port
        return Listener(
            application: server.application(
                for: environment, host: plan.host, port: port, onRunning: onRunning),
            address: "\(plan.host):\(port)", option: isSandbox ? "--sandbox-port" : "--port")
    }
}

extension ServePlan {
    /// Where a client on this machine reaches a port.
    func url(ofPort port: Int) -> String {
        switch host {
        case "0.0.0.0": "http://127.0.0.1:\(port)"
        case "::": "http://[::1]:\(port)"
        case let host where host.contains(":"): "http://[\(host)]:\(port)"
        case let host: "http://\(host):\(port)"
        }
    }
}

/// A server whose failure to listen is said in words.
struct Listener<Application: ApplicationProtocol>: Service {
    let application: Application
    let address: String
    let option: String

    func run() async throws {
        try await Servers.listening(at: address, option) { try await application.run() }
    }
}
