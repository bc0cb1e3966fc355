public import ArgumentParser
import Logging
import Outbox
import Storage
import StoragePostgres
import Store
import SubscriptionRules

extension StoreClock.Mode: ExpressibleByArgument {}

/// Runs a store.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a store: Production on one port, Sandbox on the other.",
        discussion: """
            The first start creates a data directory with a database, certificates, an API key and \
            an operator token. Later starts use it again. --clock and --at apply only to a new \
            world. SIGTERM and Control-C stop the store in order.

              perennial serve Garden.storekit
              perennial serve Garden.storekit --ephemeral --clock frozen --at 2026-01-31 \\
                  --port 0 --sandbox-port 0 --ready-file /tmp/ready.json
              perennial serve --data /srv/store --database-url postgres://store@db/store \\
                  --clock system --notify https://example.com/notifications

            The store writes the ready file once both ports answer: {"production":{"url"}, \
            "sandbox":{"url"}, "bundleId", "appAppleId", "issuerId", "keyId", "privateKeyFile", \
            "rootCertificateFile", "receiptRootCertificateFile", "operatorToken"}.
            """)

    @Argument(
        help: ArgumentHelp(
            "The app's products, in a .storekit file from Xcode.", valueName: "file"),
        completion: .file(extensions: ["storekit"]))
    var catalogue: String?

    @Option(
        help: ArgumentHelp(
            "The data directory. (default: perennial-data)", valueName: "directory"),
        completion: .directory)
    var data: String?

    @Flag(help: "Use a temporary directory that is deleted on exit.")
    var ephemeral = false

    @Option(help: ArgumentHelp("Use this PostgreSQL database instead of a file.", valueName: "url"))
    var databaseURL: String?

    @Option(
        help: ArgumentHelp(
            "How many connections to PostgreSQL are used at once, 1 to 100. (default: "
                + "\(PostgresDatabase.usualConnections))", valueName: "n"),
        transform: Reading.number(PostgresDatabase.connectionsRange))
    var databaseConnections = PostgresDatabase.usualConnections

    @Option(
        help: ArgumentHelp(
            "How many seconds a request waits for the database, 1 to 60, before it gets 503. "
                + "(default: 5)", valueName: "seconds"),
        transform: Reading.number(1...60))
    var databaseWait = 5

    @Option(
        help: ArgumentHelp(
            "Give a new store the certificates in this directory, which the first store makes: "
                + "whoever trusts the root of one trusts all. (default: PERENNIAL_CERTIFICATES, "
                + "or new ones)", valueName: "directory"),
        completion: .directory)
    var certificates: String?

    @Flag(
        help: ArgumentHelp(
            "Use this directory's certificates for a database that had other certificates."))
    var adopt = false

    @Option(help: ArgumentHelp("The address to listen at.", valueName: "host"))
    var host = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "Production's port; 0 picks a free one. (default: 8080)", valueName: "n"),
        transform: Reading.number(0...65535))
    var port = 8080

    @Option(
        help: ArgumentHelp("Sandbox's port; 0 picks a free one. (default: 8081)", valueName: "n"),
        transform: Reading.number(0...65535))
    var sandboxPort = 8081

    @Option(
        help: ArgumentHelp(
            "A new world's clock: the machine's own, one that can be moved, or one that stands "
                + "still until it is moved. (default: running)"))
    var clock: StoreClock.Mode?

    @Option(
        help: ArgumentHelp("What a new world's clock shows first.", valueName: "instant"),
        transform: Reading.moment)
    var at: Instant?

    @Option(
        help: ArgumentHelp(
            "The app. (default: \(ServePlan.usualBundleID), or the one that is there)",
            valueName: "id"))
    var bundleID: String?

    @Option(
        help: ArgumentHelp(
            "The App Store's number for a new app. (default: \(App.firstAppleID), then the next)",
            valueName: "n"), transform: Reading.number(1...Int64.max))
    var appAppleID: Int64?

    @Option(
        help: ArgumentHelp(
            "Where notifications of both environments are sent.", valueName: "url"))
    var notify: String?

    @Option(
        help: ArgumentHelp(
            "How many notifications of one app and environment are sent at once, 1 to 1000; "
                + "those of one subscription keep their order. (default: "
                + "\(Store.usualDeliveriesAtOnce))", valueName: "n"),
        transform: Reading.number(Store.deliveriesAtOnceRange))
    var deliveriesAtOnce = Store.usualDeliveriesAtOnce

    @Option(
        help: ArgumentHelp(
            "How long this process keeps what it has to itself without being heard of, where "
                + "several serve one database: 1 to 600 "
                + "seconds. (default: 15)", valueName: "seconds"),
        transform: Reading.number(Store.claimSeconds))
    var claimTime = Store.usualClaimTime.milliseconds / 1000

    @OptionGroup(title: "Mails to customers")
    var mails: MailOptions

    /// How the rate limits can be set.
    enum Limits: String, ExpressibleByArgument, CaseIterable {
        case apple, none
    }

    @Option(
        help: ArgumentHelp(
            "Rate limits of the App Store Server API. (default: Apple's in Production, none in "
                + "Sandbox)"))
    var rateLimits: Limits?

    @Option(
        help: ArgumentHelp("Another ready file, besides the data directory's.", valueName: "path"),
        completion: .file())
    var readyFile: String?

    /// What can be logged, from everything to next to nothing.
    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    @Option(help: ArgumentHelp("What is logged to standard error.", valueName: "level"))
    var logLevel = LogLevel.warning

    @Flag(
        help: ArgumentHelp(
            "Begin a new world a year ago, with a dozen customers and their purchases since "
                + "then, which a merchant beside it knows too; for Examples/Garden.storekit, "
                + "which an installed program finds by itself."))
    var example = false

    @Flag(
        help: ArgumentHelp(
            "Let customers sign in to /account only by a link from the app, not by their names "
                + "alone."))
    var noDevelopmentSignIn = false

    @Flag(help: "Print JSON instead of text once the store is ready.")
    var json = false

    func validate() throws {
        guard data == nil || !ephemeral else {
            throw ValidationError("--data and --ephemeral exclude each other.")
        }
        guard databaseURL == nil || !ephemeral else {
            throw ValidationError("--database-url and --ephemeral exclude each other.")
        }
        guard port != sandboxPort || port == 0 else {
            throw ValidationError("--port and --sandbox-port must differ.")
        }
        guard !example || (at == nil && clock != .system) else {
            throw ValidationError(
                "--example lets a year go by until today: it goes with neither --at nor a system "
                    + "clock.")
        }
        guard at == nil || clock != .system else {
            throw ValidationError("--at cannot set a system clock, which is the machine's own.")
        }
        if let at, at < .earliest || at >= .latest {
            throw ValidationError("--at must lie in the years 2000 to 2099.")
        }
        if let bundleID, !App.isBundleID(bundleID) {
            throw ValidationError(
                "--bundle-id must be 1 to 155 letters, digits, dots and hyphens.")
        }
        if let notify, PostURL(notify) == nil {
            throw ValidationError(
                "'\(notify)' is no URL for notifications: write \(PostURL.rule).")
        }
    }

    /// What was asked for.
    var plan: ServePlan {
        var plan = ServePlan()
        plan.catalogueFile = catalogue ?? (example ? InstalledFiles.exampleCatalogue : nil)
        if let data { plan.home = .directory(data) }
        if ephemeral { plan.home = .ephemeral }
        plan.databaseURL = databaseURL
        plan.databaseConnections = databaseConnections
        plan.databaseLimits.wait(.seconds(databaseWait))
        if let certificates { plan.sharedCertificates = certificates }
        plan.adopts = adopt
        plan.host = host
        plan.port = port
        plan.sandboxPort = sandboxPort
        plan.clockMode = clock
        plan.moment = at
        plan.hasExample = example
        plan.bundleID = bundleID
        plan.appAppleID = appAppleID
        plan.notificationURL = notify
        plan.deliveriesAtOnce = deliveriesAtOnce
        plan.claimTime = Span(milliseconds: claimTime * 1000)
        switch rateLimits {
        case .apple: plan.limits = .apple
        case .none?: plan.limits = .none
        case nil: plan.limits = .usual
        }
        plan.hasDevelopmentSignIn = !noDevelopmentSignIn
        plan.readyFile = readyFile
        plan.logLevel = Logger.Level(rawValue: logLevel.rawValue) ?? .warning
        plan.printsJSON = json
        return plan
    }

    func run() async throws { try await Serving.run(try completePlan()) }

    /// What was asked for, with whoever writes to customers.
    func completePlan() throws -> ServePlan {
        var plan = plan
        plan.mailroom = try mails.mailroom()
        return plan
    }
}
