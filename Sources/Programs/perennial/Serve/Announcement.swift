import AppStoreSigning
import AppStoreWire
import AsyncHTTPClient
import Console
import ServiceLifecycle
import Store
import SubscriptionRules
import TimeAndChance
import Timeline

/// Waits for both servers, then writes the ready files and says how to use the store.
struct Announcement: Service {
    let plan: ServePlan
    let directory: DataDirectory
    let identity: Identity
    let opening: Opening
    /// How many things were assumed about the catalogue.
    let warnings: Int
    /// Where ready files go.
    let readyFiles: [String]
    private let ports: AsyncStream<(StoreEnvironment, Int)>
    private let mouth: AsyncStream<(StoreEnvironment, Int)>.Continuation

    init(
        plan: ServePlan, directory: DataDirectory, identity: Identity, opening: Opening,
        warnings: Int, readyFiles: [String]
    ) {
        self.plan = plan
        self.directory = directory
        self.identity = identity
        self.opening = opening
        self.warnings = warnings
        self.readyFiles = readyFiles
        (ports, mouth) = AsyncStream.makeStream()
    }

    /// A server answers at a port.
    func heard(_ environment: StoreEnvironment, _ port: Int) {
        mouth.yield((environment, port))
    }

    func run() async throws {
        var known: [StoreEnvironment: Int] = [:]
        for await (environment, port) in ports.cancelOnGracefulShutdown() {
            known[environment] = port
            guard let production = known[.production], let sandbox = known[.sandbox] else {
                continue
            }
            try await announce(production: production, sandbox: sandbox)
        }
        // The stream ends only with the process.
    }

    private func announce(production: Int, sandbox: Int) async throws {
        let ready = ReadyFile(
            productionURL: plan.url(ofPort: production), sandboxURL: plan.url(ofPort: sandbox),
            bundleID: opening.app.bundleID, appAppleID: opening.app.appleID,
            issuerID: identity.key.issuerID, keyID: identity.key.keyID,
            privateKeyFile: identity.privateKeyFile,
            rootCertificateFile: identity.rootCertificateFile,
            receiptRootCertificateFile: identity.receiptRootCertificateFile,
            operatorToken: identity.operatorToken)
        for file in readyFiles { try ready.write(to: file) }
        let clock = try await opening.store.clockReading()
        let products = opening.app.catalogue.products.filter { $0.deleted == nil }
        let welcome = Welcome(
            ready: ready,
            consoleCode: ConsoleAccess(operatorToken: identity.operatorToken)
                .makeCode(now: SystemTime.now()), readyFile: plan.readyFile ?? directory.readyFile,
            clock: clock.mode, now: clock.now, isDelivering: opening.store.isDelivering,
            products: products.count,
            example: (products.first { $0.subscription != nil } ?? products.first)?.id,
            catalogueFile: plan.catalogueFile, storefront: opening.app.settings.storefront,
            warnings: warnings,
            home: home, isUsualHome: directory.readyFile == usualReadyFile, host: plan.host,
            program: CommandLine.arguments.first ?? "perennial")
        if plan.printsJSON {
            Output.line(PrettyJSON.text(of: welcome.json))
        } else {
            for line in welcome.lines(Output.style()) { Output.line(line) }
        }
    }

    private var usualReadyFile: String { DataDirectory.absolute(StoreAddress.usualReadyFile) }

    private var home: String {
        let database = plan.databaseURL == nil ? "" : ", database in PostgreSQL"
        return directory.isTemporary
            ? "temporary, gone when the store stops" : directory.path + database
    }
}

/// The service group logs its services by reflection; what this one says goes to people only.
extension Announcement: CustomStringConvertible, CustomReflectable {
    var description: String { "Announcement" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
