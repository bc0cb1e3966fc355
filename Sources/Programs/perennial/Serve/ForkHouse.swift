import AppStoreSigning
import FoundationEssentials
import Logging
import OutboxHTTP
import ServiceLifecycle
import Storage
import Store
import SubscriptionRules
import Synchronization

/// Serves the forks of a store beside it, in the same process, each on two free ports.
///
/// A fork has a data directory of its own, `forks/NAME` in its original's, with the same keys: it
/// can be served alone as well. Those that are there when the process starts are served again.
final class ForkHouse: ForkHost, Service {
    private let store: Store
    private let app: App
    private let plan: ServePlan
    private let identity: Identity
    /// The original's data directory.
    private let folder: String
    private let log: Logger
    private let served = Mutex<[String: Residence]>([:])

    /// A fork that is served.
    private struct Residence {
        let address: ServedFork.Address
        let group: ServiceGroup
        /// Ends when the fork does, with everything let go of.
        let life: Task<Void, Never>
    }

    init(
        of store: Store, app: App, plan: ServePlan, identity: Identity, folder: String, log: Logger
    ) {
        self.store = store
        self.app = app
        var plan = plan
        (plan.port, plan.sandboxPort) = (0, 0)
        self.plan = plan
        self.identity = identity
        self.folder = folder
        self.log = log
    }

    /// Serves what is there, until the process is to end.
    func run() async throws {
        do {
            for name in try await store.forkNames() where isHome(name) {
                do {
                    _ = try await serve(name)
                } catch {
                    log.error(
                        "a fork is not served",
                        metadata: ["fork": "\(name)", "reason": "\(error)"])
                }
            }
        } catch {
            log.error("no fork is served", metadata: ["reason": "\(error)"])
        }
        try? await gracefulShutdown()
        for residence in served.withLock({ Array($0.values) }) { await end(residence) }
    }

    func open(fork name: String, delivers: Bool) async throws -> ServedFork {
        let copy = try await store.fork(name, delivers: delivers)
        return ServedFork(copy: copy, address: try await serve(name))
    }

    func forks(after name: String?, limit: Int) async throws -> [ServedFork] {
        let addresses = served.withLock { $0.mapValues(\.address) }
        return try await store.forks(after: name, limit: limit).map {
            ServedFork(copy: $0, address: addresses[$0.name])
        }
    }

    func remove(fork name: String) async throws {
        if let residence = served.withLock({ $0.removeValue(forKey: name) }) {
            await end(residence)
        }
        try await store.removeFork(name)
        try? FileManager.default.removeItem(atPath: directory(of: name))
    }

    // MARK: One fork

    private func directory(of name: String) -> String { "\(folder)/forks/\(name)" }

    /// Whether a fork has its directory here, and not at another process of the same database.
    private func isHome(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: directory(of: name))
    }

    private func end(_ residence: Residence) async {
        await residence.group.triggerGracefulShutdown()
        await residence.life.value
    }

    /// Opens a fork and lets it answer.
    private func serve(_ name: String) async throws -> ServedFork.Address {
        let directory = try DataDirectory(directory(of: name))
        try identity.copy(to: directory)
        let database = try await store.openFork(name)
        let post = HTTPPost()
        do {
            let fork = try await Opening.store(
                on: database, plan, identity: identity, mustExist: true, post: post, log: log)
            return try await serve(name, fork, in: directory) {
                try? await fork.leave()
                await post.close()
                await database.close()
            }
        } catch {
            await post.close()
            await database.close()
            throw error
        }
    }

    /// - Parameter leave: lets go of the fork once it has ended.
    private func serve(
        _ name: String, _ fork: Store, in directory: DataDirectory,
        leaving leave: @escaping @Sendable () async -> Void
    ) async throws -> ServedFork.Address {
        let house = ForkHouse(
            of: fork, app: app, plan: plan, identity: identity, folder: directory.path, log: log)
        let servers = try Servers(plan, identity: identity, store: fork, forks: house, log: log)
        let (ports, mouth) = AsyncStream<(StoreEnvironment, Int)?>.makeStream()
        let services: [any Service] =
            [house, Timekeeper(fork)]
            + StoreEnvironment.allCases.map { environment in
                servers.service(for: environment) { mouth.yield((environment, $0)) }
            }
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, logger: log)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: configuration)
        let life = Task { [log] in
            do {
                try await group.run()
            } catch {
                log.error("a fork ended", metadata: ["fork": "\(name)", "reason": "\(error)"])
            }
            mouth.yield(nil)
            await leave()
            try? FileManager.default.removeItem(atPath: directory.readyFile)
        }
        var known: [StoreEnvironment: Int] = [:]
        for await heard in ports {
            guard let heard else { break }
            known[heard.0] = heard.1
            guard let production = known[.production], let sandbox = known[.sandbox] else {
                continue
            }
            let address = ServedFork.Address(
                productionURL: plan.url(ofPort: production),
                sandboxURL: plan.url(ofPort: sandbox), readyFile: directory.readyFile)
            try ready(address).write(to: directory.readyFile)
            served.withLock {
                $0[name] = Residence(address: address, group: group, life: life)
            }
            return address
        }
        await life.value
        throw Failure.refused("The fork \(name) could not be served.")
    }

    private func ready(_ address: ServedFork.Address) -> ReadyFile {
        ReadyFile(
            productionURL: address.productionURL, sandboxURL: address.sandboxURL,
            bundleID: app.bundleID, appAppleID: app.appleID, issuerID: identity.key.issuerID,
            keyID: identity.key.keyID, privateKeyFile: identity.privateKeyFile,
            rootCertificateFile: identity.rootCertificateFile,
            receiptRootCertificateFile: identity.receiptRootCertificateFile,
            operatorToken: identity.operatorToken)
    }
}

/// The service group logs its services by reflection, and this one holds keys.
extension ForkHouse: CustomStringConvertible, CustomReflectable {
    var description: String { "ForkHouse" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
