import AppStoreWire
import ArgumentParser
import FoundationEssentials
import Timeline

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

/// Commands that are named in what is said to people: they are meant for the environment and the
/// app that the command was about which says it.
struct Remedies: Hashable {
    /// Whether it was about Sandbox.
    var areInSandbox = false
    /// The app that was named.
    var app: String?

    /// Verbs that know one environment alone, or both at once.
    private static let ofBoth = [
        "serve", "check", "catalog", "apps add", "app set", "prices set", "price-change schedule",
        "price-change withdraw", "price-change unpreserve", "price-change explain", "availability",
        "thresholds",
        "advance", "step", "clock",
    ]

    /// Verbs to which an app is new, or which name accounts that all apps share.
    private static let ofAllApps = ["serve", "apps add", "customers"]

    private static let vocabulary = Vocabulary()

    /// A text with commands that do what was meant.
    func meant(_ text: String) -> String {
        guard areInSandbox || app != nil else { return text }
        return text.replacing(/`perennial ([^`]+)`/) { match in
            let command = String(match.output.1)
            return "`perennial \(command)\(narrowing(command))\(environment(of: command))`"
        }
    }

    private func environment(of command: String) -> String {
        guard areInSandbox, !Self.isAny(of: Self.ofBoth, command), !command.contains("--sandbox")
        else { return "" }
        return " --sandbox"
    }

    private func narrowing(_ command: String) -> String {
        guard let app, !Self.isAny(of: Self.ofAllApps, command),
            !command.contains("--bundle-id"),
            Self.vocabulary.parameters(of: command).contains("--bundle-id")
        else { return "" }
        return " --bundle-id \(app)"
    }

    private static func isAny(of verbs: [String], _ command: String) -> Bool {
        verbs.contains { command == $0 || command.hasPrefix($0 + " ") }
    }
}

extension Remedies {
    /// What a command line was about, whatever came of it.
    init(to arguments: [String]) {
        let options = Array(arguments.prefix { $0 != "--" })
        areInSandbox = options.contains("--sandbox")
        let name = "--bundle-id"
        let joined = options.first { $0.hasPrefix(name + "=") }
        app =
            options.firstIndex(of: name).flatMap { options.dropFirst($0 + 1).first }
            ?? joined.map { String($0.dropFirst(name.count + 1)) }
    }
}
