import AppStoreSigning
import AppStoreWire
import AsyncHTTPClient
import Console
import Merchant
import MerchantPages
import ServiceLifecycle
import Store
import SubscriptionRules
import TimeAndChance
import Timeline

/// Waits for all servers, then writes the ready files and says how to use the store.
struct Announcement: Service {
    /// Something that answers at a port.
    enum Part: Hashable, Sendable {
        case store(StoreEnvironment)
        case merchant
    }

    let plan: ServePlan
    let directory: DataDirectory
    let identity: Identity
    let opening: Opening
    /// The merchant beside the store, if there is one.
    let merchant: MerchantHouse?
    /// The store, as the merchant and its customers reach it.
    let beside: StoreBeside
    /// What opens the demonstration; nil without a merchant.
    let demo: DemoAccess?
    /// How many things were assumed about the catalogue.
    let warnings: Int
    /// Where ready files go.
    let readyFiles: [String]
    private let ports: AsyncStream<(Part, Int)>
    private let mouth: AsyncStream<(Part, Int)>.Continuation

    init(
        plan: ServePlan, directory: DataDirectory, identity: Identity, opening: Opening,
        merchant: MerchantHouse?, warnings: Int, readyFiles: [String]
    ) {
        self.plan = plan
        self.directory = directory
        self.identity = identity
        self.opening = opening
        self.merchant = merchant
        beside = StoreBeside(plan, operatorToken: identity.operatorToken)
        demo = merchant.map { _ in DemoAccess(operatorToken: identity.operatorToken) }
        self.warnings = warnings
        self.readyFiles = readyFiles
        (ports, mouth) = AsyncStream.makeStream()
    }

    /// A server answers at a port.
    func heard(_ part: Part, _ port: Int) { mouth.yield((part, port)) }

    /// The merchant beside the store has other tokens from now on.
    func tokensChanged() throws {
        guard let merchant else { return }
        for file in readyFiles {
            guard var ready = try? ReadyFile.read(file), let url = ready.merchant?.url else {
                continue
            }
            ready.merchant = merchant.ready(url: url)
            try ready.write(to: file)
        }
    }

    func run() async throws {
        var known: [Part: Int] = [:]
        for await (part, port) in ports.cancelOnGracefulShutdown() {
            known[part] = port
            guard let production = known[.store(.production)],
                let sandbox = known[.store(.sandbox)],
                merchant == nil || known[.merchant] != nil
            else { continue }
            let ready = known[.merchant].flatMap { merchant?.ready(url: plan.url(ofPort: $0)) }
            if let ready, let merchant {
                try await connect(
                    merchant.merchant, ready,
                    [
                        .production: plan.url(ofPort: production),
                        .sandbox: plan.url(ofPort: sandbox),
                    ])
            }
            try await announce(production: production, sandbox: sandbox, merchant: ready)
            guard let guest = plan.guest else { continue }
            let readyFile = directory.readyFile
            return try await cancelWhenGracefulShutdown { try await guest(readyFile) }
        }
        // The stream ends only with the process.
    }

    /// Lets the store send its notifications to the merchant, before anybody can buy, and the
    /// merchant ask the store.
    private func connect(
        _ merchant: Merchant, _ ready: MerchantReady, _ urls: [MerchantEnvironment: String]
    ) async throws {
        var setup = try Serving.setup(of: opening, identity, plan)
        setup.serverAPI = ServerAPI(urls: urls, key: identity.key)
        try await merchant.serve([setup])
        let url = ready.notificationURL(of: opening.app.bundleID)
        try await opening.store.configure(bundleID: opening.app.bundleID) { settings in
            settings.notificationURL = url
            settings.sandboxNotificationURL = url
        }
        // Of what is done for them the rebuild is begun last, and the keeper brings it to its end.
        guard plan.hasExample, try await merchant.rebuilds(limit: 1).isEmpty else { return }
        try await introduceCustomers(to: merchant)
    }

    /// Sends the merchant what the example's customers have bought, as their apps would. The store
    /// sent no notifications during their year, so the merchant reads the rest by a rebuild.
    private func introduceCustomers(to merchant: Merchant) async throws {
        let bundleID = opening.app.bundleID
        var lines: [RebuildLine] = []
        for account in try await beside.customers(200) {
            var known: MerchantCustomer?
            for text in try await beside.signedTransactions(of: account, in: bundleID) {
                known = try await merchant.take(transaction: text, from: account, of: bundleID)
            }
            lines += (known?.purchases ?? []).map {
                RebuildLine(account: account, transactionID: $0.originalTransactionID)
            }
        }
        var rebuild = try await merchant.rebuild(lines, of: bundleID)
        // The keeper works on the same rebuild; either may do the next step.
        while rebuild.ended == nil, rebuild.problem == nil {
            try await merchant.workOnRebuilds()
            await SystemTime.wait(.milliseconds(20))
            try Task.checkCancellation()
            rebuild = try await merchant.rebuild(rebuild.id)
        }
        if let problem = rebuild.problem {
            Output.complain("The merchant does not know all of the example's year: \(problem).")
        }
    }

    private func announce(
        production: Int, sandbox: Int, merchant: MerchantReady?
    ) async throws {
        let ready = ReadyFile(
            productionURL: plan.url(ofPort: production), sandboxURL: plan.url(ofPort: sandbox),
            bundleID: opening.app.bundleID, appAppleID: opening.app.appleID,
            issuerID: identity.key.issuerID, keyID: identity.key.keyID,
            privateKeyFile: identity.privateKeyFile,
            rootCertificateFile: identity.rootCertificateFile,
            receiptRootCertificateFile: identity.receiptRootCertificateFile,
            operatorToken: identity.operatorToken, merchant: merchant)
        for file in readyFiles { try ready.write(to: file) }
        guard plan.guest == nil else { return }
        let clock = try await opening.store.clockReading()
        let products = opening.app.catalogue.products.filter { $0.deleted == nil }
        let welcome = Welcome(
            ready: ready,
            consoleCode: ConsoleAccess(operatorToken: identity.operatorToken)
                .makeCode(now: SystemTime.now()),
            demo: merchant.flatMap { merchant in
                demo.map { merchant.url + $0.link(now: SystemTime.now()) }
            },
            merchantConsole: merchant?.consoleLink(now: SystemTime.now()),
            readyFile: plan.readyFile ?? directory.readyFile,
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
