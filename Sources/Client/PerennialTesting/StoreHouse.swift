import AppStoreSigning
import AppStoreWire
import Hummingbird
import Logging
import ServiceLifecycle
import StorageSQLite
import Store
import StoreHTTP
import SubscriptionRules
import Synchronization
import TimeAndChance

/// A store that runs in this process for one test, with its database and its server.
final class StoreHouse: Sendable {
    let store: Store
    let environment: StoreEnvironment
    let verifier: SignedDataVerifier
    let rootCertificate: [UInt8]
    let inbox: Inbox
    private let database: SQLiteDatabase
    private let served = Mutex<(group: ServiceGroup, life: Task<Void, Never>)?>(nil)

    /// Databases with an app and its catalogue, of which each test gets a copy: to fill one takes
    /// longer than most tests.
    private static let templates = Mutex<[StoreOptions: [UInt8]]>([:])

    /// Opens a world in which nobody has bought anything.
    init(_ options: StoreOptions) async throws {
        guard let start = Instant(iso8601: options.start) else {
            throw TestStoreFailure(
                "\(options.start) is no moment: write one such as 2026-01-31T10:00:00Z.")
        }
        let environment: StoreEnvironment =
            options.environment == .sandbox ? .sandbox : .production
        let chain = try Identity.chain.get()
        let verifier = SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: chain.rootDER), bundleID: options.bundleID,
            environment: environment.wire, appAppleID: App.firstAppleID)
        let template = Self.templates.withLock { $0[options] }
        let database = try SQLiteDatabase.ephemeral(contents: template ?? [])
        let inbox = Inbox(verifier)
        do {
            let store = try await Store(
                database: database, signer: JWSSigner(chain: chain),
                clock: StoreClock(.frozen, showing: start, machine: SystemTime.now()),
                seed: "perennial-testing", post: inbox, deliveriesAtOnce: 1,
                machineTime: SystemTime.now, log: Self.log)
            if template == nil {
                try await Self.fill(store, options)
                let contents = try await database.contents()
                Self.templates.withLock { $0[options] = contents }
            }
            self.store = store
        } catch {
            await inbox.close()
            await database.close()
            throw error
        }
        self.environment = environment
        self.verifier = verifier
        self.inbox = inbox
        self.database = database
        rootCertificate = chain.rootDER
    }

    /// Only what ends a store: tests are loud enough.
    private static let log: Logger = {
        var log = Logger(label: "perennial-testing")
        log.logLevel = .critical
        return log
    }()

    private static func fill(_ store: Store, _ options: StoreOptions) async throws {
        let (catalogue, storefront, locale) = try options.catalogue.read()
        var settings = App.Settings(name: options.bundleID)
        // The inbox takes whatever is sent, wherever to.
        settings.notificationURL = "http://developer.example/production"
        settings.sandboxNotificationURL = "http://developer.example/sandbox"
        try await store.addApp(
            bundleID: options.bundleID, appleID: App.firstAppleID, settings: settings)
        try await store.importCatalogue(
            catalogue, for: storefront, in: locale, bundleID: options.bundleID)
    }

    /// Serves the store at a free port of this machine.
    ///
    /// - Returns: its address.
    func serve() async throws -> String {
        let key = Identity.key
        var options = StoreServer.Options()
        (options.rateLimits, options.sandboxRateLimits) = (.none, .none)
        let server = StoreServer(
            store: store,
            tokenVerifier: RequestTokenVerifier(
                keys: [key.keyID: VerificationKey(key)], issuerID: key.issuerID),
            operatorToken: Randomness.token("operator_"), options: options, log: Self.log)
        let (ports, mouth) = AsyncStream<Int?>.makeStream()
        // Nothing works in the background: what is due is done when the test asks for it.
        let application = server.application(for: environment, port: 0) { mouth.yield($0) }
        var configuration = ServiceGroupConfiguration(
            services: [ServiceGroupConfiguration.ServiceConfiguration(service: application)],
            logger: Self.log)
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: configuration)
        let life = Task {
            // Why it ended is said by nobody being there.
            try? await group.run()
            mouth.yield(nil)
        }
        served.withLock { $0 = (group, life) }
        for await port in ports {
            guard let port else { break }
            return "http://127.0.0.1:\(port)"
        }
        throw TestStoreFailure("The store cannot listen at a port of 127.0.0.1.")
    }

    /// Ends everything, and removes the database.
    func close() async {
        let served = served.withLock { served in
            defer { served = nil }
            return served
        }
        if let served {
            await served.group.triggerGracefulShutdown()
            await served.life.value
        }
        await inbox.close()
        await database.close()
    }
}

extension TestStore {
    /// Opens a fresh world and serves it.
    static func open(_ options: StoreOptions) async throws -> TestStore {
        let house = try await StoreHouse(options)
        do {
            return try TestStore(house, url: try await house.serve(), options)
        } catch {
            await house.close()
            throw error
        }
    }
}
