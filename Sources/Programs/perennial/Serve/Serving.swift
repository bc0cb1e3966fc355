import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import HTMLPages
import Logging
import Merchant
import MerchantPages
import ServiceLifecycle
import Store
import StoreKitFile
import SubscriptionRules
import Timeline
import UnixSignals

/// One run of a store, from its files to its end.
enum Serving {
    /// Serves until a signal ends it.
    ///
    /// - Throws: `Failure`; where the catalogue has errors nothing was made or changed.
    static func run(_ plan: ServePlan) async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        try await serve(plan)
    }

    /// Serves, in a process whose log is set up, until a signal ends it or the plan's guest leaves.
    static func serve(_ plan: ServePlan) async throws {
        var log = Logger(label: "perennial")
        log.logLevel = plan.logLevel
        let catalogue = try plan.catalogueFile.map(read)
        if let url = plan.databaseURL { try await Opening.checkDatabase(url) }
        if !DataDirectory.isComplete(plan.home) { try await Servers.tryPorts(of: plan) }
        let directory = try home(plan)
        defer { directory.remove() }
        try await serve(plan, catalogue, in: directory, log)
    }

    private static func serve(
        _ plan: ServePlan, _ catalogue: StoreKitFile?, in directory: DataDirectory, _ log: Logger
    ) async throws {
        let readyFiles = [directory.readyFile] + (plan.readyFile.map { [$0] } ?? [])
        // What an earlier run left would look as if this one were ready.
        for file in readyFiles { try remove(readyFile: file) }
        let identity = try Identity(in: directory, sharing: plan.sharedCertificates)
        let opening = try await Opening.open(
            plan, in: directory, identity: identity, catalogue: catalogue, log: log)
        for note in opening.notes { Output.complain("note: \(note)") }
        do {
            let merchant = try await merchant(plan, of: opening, identity, in: directory, log)
            let announcement = Announcement(
                plan: plan, directory: directory, identity: identity, opening: opening,
                merchant: merchant, warnings: catalogue?.warnings.count ?? 0,
                readyFiles: readyFiles)
            do {
                try await run(plan, identity, announcement, log)
            } catch {
                await merchant?.close()
                throw error
            }
            await merchant?.close()
        } catch {
            await opening.close()
            try? remove(readyFile: directory.readyFile)
            throw Opening.failure(error, in: directory)
        }
        await opening.close()
        // The one that --ready-file names belongs to whoever named it, as long as the world that
        // its token opens can be served again.
        for file in directory.isTemporary ? readyFiles : [directory.readyFile] {
            try? remove(readyFile: file)
        }
    }

    /// Removes a ready file, and nothing else that has its name: a directory is refused.
    static func remove(readyFile path: String) throws {
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            return
        }
        guard !isDirectory else {
            throw Failure.refused("--ready-file \(path) is a directory: name a file.")
        }
        try FileManager.default.removeItem(atPath: path)
    }

    /// The merchant beside the store, where there is to be one: its time is the store's.
    private static func merchant(
        _ plan: ServePlan, of opening: Opening, _ identity: Identity,
        in directory: DataDirectory, _ log: Logger
    ) async throws -> MerchantHouse? {
        guard plan.merchantPort != nil else { return nil }
        let store = opening.store
        return try await MerchantHouse.open(
            in: directory, apps: [try setup(of: opening, identity, plan)],
            means: CampaignMeans(keptIn: directory.file("outbox")),
            time: { try await store.clockReading().now }, log: log)
    }

    /// The store's app, as the merchant beside it knows it.
    static func setup(
        of opening: Opening, _ identity: Identity, _ plan: ServePlan
    ) throws -> AppSetup {
        var setup = try AppSetup(
            bundleID: opening.app.bundleID, appAppleID: opening.app.appleID,
            rootDER: [identity.chain.rootDER, identity.receiptChain.rootDER])
        setup.look = plan.look
        return setup
    }

    private static func run(
        _ plan: ServePlan, _ identity: Identity, _ announcement: Announcement, _ log: Logger
    ) async throws {
        let opening = announcement.opening
        let forks = ForkHouse(
            of: opening.store, app: opening.app, plan: plan, identity: identity,
            folder: announcement.directory.path, log: log)
        // Only the demonstration's pages may show the store's within themselves.
        let framers = PageFramers()
        let beside = announcement.beside
        let servers = try Servers(
            plan, identity: identity, store: opening.store, forks: forks, framers: framers,
            log: log)
        var services: [any Service] = [forks, Timekeeper(opening.store)]
        services += StoreEnvironment.allCases.map { environment in
            servers.service(for: environment) { port in
                if environment == .production { beside.heard(port) }
                announcement.heard(.store(environment), port)
            }
        }
        if let merchant = announcement.merchant {
            services.append(merchant.tokenWatch { try announcement.tokensChanged() })
            services.append(
                merchant.service(
                    host: plan.host, port: plan.merchantPort ?? 0, option: "--merchant-port",
                    processesFirst: true,
                    demo: announcement.demo.map { access in
                        demo(access, plan, identity, beside, framers)
                    }
                ) { port in
                    framers.allow(port)
                    announcement.heard(.merchant, port)
                })
        }
        services.append(announcement)
        try await run(services, log)
    }

    /// What the merchant beside a store shows at `/`.
    private static func demo(
        _ access: DemoAccess, _ plan: ServePlan, _ identity: Identity, _ beside: StoreBeside,
        _ framers: PageFramers
    ) -> Demo {
        let shop = Shop(
            ShopAccess(
                secret: identity.operatorToken, letsAnybodySignIn: plan.hasDevelopmentSignIn),
            store: beside, framers: framers)
        return Demo(access, shop: shop, host: beside)
    }

    /// Runs services until a signal ends them, or one of them fails.
    static func run(_ services: [any Service], _ log: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map { service in
                // Also where one cannot begin, the others end in order; and where a guest leaves,
                // for which the announcement waits.
                .init(
                    service: service,
                    successTerminationBehavior: service is Announcement
                        ? .gracefullyShutdownGroup : .cancelGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
        // Who holds a connection open must not hold the process.
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Opens the data directory of a plan.
    static func home(_ plan: ServePlan) throws -> DataDirectory {
        switch plan.home {
        case .directory(let path): try DataDirectory(path)
        case .ephemeral:
            try DataDirectory(
                temporaryIn: Variables.current.variable("TMPDIR") ?? "/tmp")
        }
    }

    /// Reads the catalogue before anything is made.
    private static func read(_ path: String) throws -> StoreKitFile {
        do {
            return try StoreKitFile.read(path: path)
        } catch {
            for problem in error.problems { Output.complain("\(problem)") }
            throw Failure.refused(
                "\(path) cannot be imported (\(counted(error.problems.count, "error"))); nothing "
                    + "was changed.")
        }
    }
}
