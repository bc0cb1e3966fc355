import AppStoreWire
import ArgumentParser
import ConnectAnswers
import FoundationEssentials
import Timeline

/// Where a store is. Help has one line for it (`HelpText.common`), `--help-hidden` all of it.
struct StorePlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store's ready file. (default: \(StoreAddress.usualReadyFile))",
            valueName: "file", visibility: .hidden),
        completion: .file())
    var ready: String?

    @Option(
        help: ArgumentHelp(
            "The store's URL, in place of a ready file.", valueName: "url", visibility: .hidden))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The operator token that goes with --url.", valueName: "secret",
            visibility: .hidden))
    var token: String?

    @Flag(
        help: ArgumentHelp(
            "Return at once. Otherwise a change returns when the notifications that it caused "
                + "were tried, after \(StoreClient.usualWait) seconds at the latest.",
            visibility: .hidden))
    var noWait = false
}

/// What all commands have in common that talk to a store about one of its environments.
struct StoreOptions: ParsableArguments, StoreTalk {
    @OptionGroup var place: StorePlace

    @Flag(help: "Talk to the Sandbox environment.")
    var sandbox = false

    @Flag(
        help: ArgumentHelp("Print the store's JSON, and errors as JSON.", visibility: .hidden))
    var json = false
}

/// The same of commands that set what holds in both environments.
struct WholeAppOptions: ParsableArguments, StoreTalk {
    @OptionGroup var place: StorePlace

    @Flag(help: .hidden)
    var sandbox = false

    @Flag(
        help: ArgumentHelp("Print the store's JSON, and errors as JSON.", visibility: .hidden))
    var json = false
}

/// A command's talk with a store.
protocol StoreTalk {
    var place: StorePlace { get }
    var sandbox: Bool { get }
    var json: Bool { get }
}

extension StoreTalk {
    /// The store that was meant.
    ///
    /// - Parameters:
    ///   - app: the app to which accounts and subscriptions are narrowed, if one was named.
    ///   - prefersSandbox: whether a ready file's Sandbox is meant without --sandbox.
    func client(of app: AppOption? = nil, prefersSandbox: Bool = false) throws -> StoreClient {
        StoreClient(
            try StoreAddress.find(
                StoreAddress.Wanted(
                    readyFile: place.ready, url: place.url, token: place.token,
                    isSandbox: sandbox, prefersSandbox: prefersSandbox),
                environment: ProcessInfo.processInfo.environment),
            bundleID: app?.bundleID, isSilent: json, waits: !place.noWait)
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
    ///
    /// - Parameter app: the app that the command was narrowed to, if it can be.
    func show(
        _ answer: Answer, of app: AppOption? = nil, _ words: (Style) throws -> [String]
    ) throws {
        guard !json else { return Output.line(PrettyJSON.text(of: answer.opened.value)) }
        let style = Output.style()
        let remedies = Remedies(areInSandbox: sandbox, app: app?.bundleID)
        for line in try words(style) {
            for part in Folding.sentence(remedies.meant(line), width: style.lineWidth) {
                Output.line(part)
            }
        }
    }
}
