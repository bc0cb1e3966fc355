import AppStoreWire
import ArgumentParser
import ConnectAnswers
import FoundationEssentials
import Timeline

/// What all commands have in common that talk to a store. Help has one line for where it is
/// (`HelpText.common`), `--help-hidden` all of it. In one group and not in groups of groups: a
/// debug build of the parser judges a group four times for each that it stands in.
struct TalkOptions<Scope: TalkScope>: ParsableArguments {
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

    @Flag(help: Scope.sandbox)
    var sandbox = false

    @Flag(help: ArgumentHelp(Scope.json, visibility: .hidden))
    var json = false
}

/// What of a store a command is about.
protocol TalkScope: Sendable {
    /// What help says of --sandbox.
    static var sandbox: ArgumentHelp { get }
    /// What it prints with --json.
    static var json: String { get }
}

extension TalkScope {
    static var json: String { "Print the store's JSON, and errors as JSON." }
}

enum OneEnvironment: TalkScope {
    static let sandbox: ArgumentHelp = "Talk to the Sandbox environment."
}

/// What is set holds in both environments.
enum BothEnvironments: TalkScope {
    static let sandbox: ArgumentHelp = .hidden
}

/// A story says itself which environment it is played in.
enum Stories: TalkScope {
    static let sandbox: ArgumentHelp = .hidden
    static let json = "Print what became of each story as JSON, and errors too."
}

/// Commands that talk to a store about one of its environments.
typealias StoreOptions = TalkOptions<OneEnvironment>
typealias WholeAppOptions = TalkOptions<BothEnvironments>

extension TalkOptions {
    /// The store that was meant.
    ///
    /// - Parameters:
    ///   - app: the app to which accounts and subscriptions are narrowed, if one was named.
    ///   - prefersSandbox: whether a ready file's Sandbox is meant without --sandbox.
    func client(of app: AppOption? = nil, prefersSandbox: Bool = false) throws -> StoreClient {
        StoreClient(
            try StoreAddress.find(
                StoreAddress.Wanted(
                    readyFile: ready, url: url, token: token,
                    isSandbox: sandbox, prefersSandbox: prefersSandbox),
                environment: Variables.current),
            bundleID: app?.bundleID, isSilent: json, waits: !noWait)
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
