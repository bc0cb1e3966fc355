import ArgumentParser
import Logging

/// Runs a merchant alone.
struct MerchantServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a merchant alone, for the App Store or for stores of yours.",
        discussion: """
            The apps are those of a YAML file, of stores' ready files, or of both. The file's \
            changes take effect while it runs. `perennial merchant check` says what is in it.

              perennial merchant serve --config merchant.yaml
              perennial merchant serve --store perennial-data/ready.json --clock store --ephemeral
              perennial merchant serve --config merchant.yaml --data /srv/merchant \\
                  --database-url postgres://merchant@db/merchant --port 8090

            The ready file is written once the port answers: {"url","operatorToken","database",\
            "apps":[{"bundleId","appToken","serverToken",\
            "notificationUrls":{"production","sandbox"}}]}.
            """)

    /// By whose clock access ends.
    enum Clock: String, ExpressibleByArgument, CaseIterable {
        case system, store
    }

    @Option(
        help: ArgumentHelp("What is served (YAML).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The ready file of a running store whose app is served too; may be repeated.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var store: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where everything is kept. (default: \(MerchantServePlan.usualHome))",
            valueName: "directory"),
        completion: .directory)
    var data: String?

    @Flag(help: "Keep everything in a temporary directory that is deleted on exit.")
    var ephemeral = false

    @Option(help: ArgumentHelp("PostgreSQL in place of a file.", valueName: "url"))
    var databaseURL: String?

    @Option(help: ArgumentHelp("The address to listen at. (default: 127.0.0.1)", valueName: "host"))
    var host: String?

    @Option(
        help: ArgumentHelp("The port; 0 picks a free one. (default: 8090)", valueName: "n"),
        transform: Reading.number(0...65535))
    var port: Int?

    @Option(help: "By whose clock access ends: the machine's, or that of the one store.")
    var clock = Clock.system

    @Option(
        help: ArgumentHelp("A ready file besides the data directory's.", valueName: "path"),
        completion: .file())
    var readyFile: String?

    @Option(help: ArgumentHelp("What is logged to standard error.", valueName: "level"))
    var logLevel = ServeCommand.LogLevel.warning

    @Flag(help: "Print JSON in place of words once the merchant is ready.")
    var json = false

    func validate() throws {
        guard config != nil || !store.isEmpty else {
            throw ValidationError(
                "Name what is served: --config merchant.yaml, or --store perennial-data/ready.json."
            )
        }
        guard data == nil || !ephemeral else {
            throw ValidationError("--data and --ephemeral exclude each other.")
        }
        guard databaseURL == nil || !ephemeral else {
            throw ValidationError("--database-url and --ephemeral exclude each other.")
        }
    }

    /// What was asked for.
    var plan: MerchantServePlan {
        var plan = MerchantServePlan()
        plan.configurationFile = config
        plan.stores = store
        if let data { plan.home = .directory(data) }
        if ephemeral { plan.home = .ephemeral }
        plan.databaseURL = databaseURL
        plan.host = host
        plan.port = port
        plan.followsStore = clock == .store
        plan.readyFile = readyFile
        plan.logLevel = Logger.Level(rawValue: logLevel.rawValue) ?? .warning
        plan.printsJSON = json
        return plan
    }

    func run() async throws { try await MerchantServing.run(plan) }
}
