import AppStoreWire
import ArgumentParser
import FoundationEssentials

/// What all commands that talk to a store have in common.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store's ready file. (default: \(StoreAddress.usualReadyFile))",
            valueName: "file"),
        completion: .file())
    var ready: String?

    @Option(help: ArgumentHelp("The store's URL, in place of a ready file.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("The operator token that goes with --url.", valueName: "secret"))
    var token: String?

    @Flag(help: "Talk to the Sandbox environment.")
    var sandbox = false

    @Flag(help: "Print the store's JSON, and errors as JSON.")
    var json = false

    /// The store that was meant.
    ///
    /// - Parameters:
    ///   - app: the app to which accounts and subscriptions are narrowed, if one was named.
    ///   - prefersSandbox: whether a ready file's Sandbox is meant without --sandbox.
    func client(of app: AppOption? = nil, prefersSandbox: Bool = false) throws -> StoreClient {
        StoreClient(
            try StoreAddress.find(
                StoreAddress.Wanted(
                    readyFile: ready, url: url, token: token, isSandbox: sandbox,
                    prefersSandbox: prefersSandbox),
                environment: ProcessInfo.processInfo.environment),
            bundleID: app?.bundleID)
    }

    /// Refuses --sandbox where what is set holds for the app as a whole.
    ///
    /// - Parameter instead: what is there for Sandbox alone, if anything is.
    func checkNoEnvironment(instead: String? = nil) throws {
        guard sandbox else { return }
        throw ValidationError(
            "This holds in both environments: leave --sandbox out."
                + (instead.map { " For Sandbox alone there are \($0)." } ?? ""))
    }

    /// Prints an answer as JSON or in words.
    func show(_ answer: Answer, _ words: (Style) throws -> [String]) throws {
        if json {
            Output.line(PrettyJSON.text(of: answer.opened.value))
        } else {
            for line in try words(Output.style()) { Output.line(line) }
        }
    }
}
