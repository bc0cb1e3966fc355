import AppStoreWire
import ArgumentParser
import FoundationEssentials

/// Where a store is.
struct StorePlace: ParsableArguments {
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
}

/// What all commands have in common that talk to a store about one of its environments.
struct StoreOptions: ParsableArguments, StoreTalk {
    @OptionGroup var place: StorePlace

    @Flag(help: "Talk to the Sandbox environment.")
    var sandbox = false

    @Flag(help: "Print the store's JSON, and errors as JSON.")
    var json = false
}

/// The same of commands that set what holds in both environments.
struct WholeAppOptions: ParsableArguments, StoreTalk {
    @OptionGroup var place: StorePlace

    @Flag(help: .hidden)
    var sandbox = false

    @Flag(help: "Print the store's JSON, and errors as JSON.")
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
        guard !json else { return Output.line(PrettyJSON.text(of: answer.opened.value)) }
        let style = Output.style()
        for line in try words(style) {
            let meant = sandbox ? Remedies.inSandbox(line) : line
            for part in Folding.sentence(meant, width: style.lineWidth) { Output.line(part) }
        }
    }
}

/// Commands that are named in what is said to people.
enum Remedies {
    /// Verbs that know one environment alone, or both at once.
    private static let ofBoth = [
        "serve", "check", "catalog", "apps add", "app set", "prices set", "price-change schedule",
        "price-change withdraw", "price-change unpreserve", "price-change explain", "availability",
        "advance", "step", "clock",
    ]

    /// A text whose commands are meant for Sandbox as the command was that says it.
    static func inSandbox(_ text: String) -> String {
        text.replacing(/`perennial ([^`]+)`/) { match in
            let command = match.output.1
            let isOfBoth = ofBoth.contains { command == $0 || command.hasPrefix($0 + " ") }
            return isOfBoth || command.contains("--sandbox")
                ? String(match.output.0) : "`perennial \(command) --sandbox`"
        }
    }
}
