import ArgumentParser
import ConnectAnswers
import HTTPSurface
import NIOHTTP1
import StoreHTTP
import SubscriptionRules
import Timeline

/// What became of mass extensions.
struct ExtensionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "Extend renewal dates, of one subscriber or all, and list mass extensions.",
        discussion: """
              perennial extensions grant anna --days 30
              perennial extensions grant-all com.example.garden.estate.monthly --days 7
              perennial extensions
              perennial extensions failures 17
              perennial extensions retry 17
            """,
        subcommands: [
            ExtensionsListCommand.self, ExtendCommand.self, ExtendAllCommand.self,
            ExtensionsFailuresCommand.self, ExtensionsRetryCommand.self,
        ],
        defaultSubcommand: ExtensionsListCommand.self)
}

/// Lists the mass extensions.
struct ExtensionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the mass extensions, newest first.",
        discussion: """
            `perennial extensions grant-all` makes them.

              perennial extensions list
              perennial extensions list --limit 100 --json
            """)

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let answer = try await client.pages(
            StorePath("connect", "v1", "mass-extensions"), list: "massExtensions", limit: limit,
            where: try await client.isOfItsApp()
        ) { path, last in
            path.with("before", try last?.text(ExtensionForm.id.name))
        }
        let namesApps = try await client.mixesApps()
        try store.show(answer, of: which) { style in
            try Self.words(answer, namesApps: namesApps, style)
        }
    }

    /// - Parameter namesApps: whether each says whose it is.
    static func words(
        _ answer: Answer, namesApps: Bool = false, _ style: Style
    ) throws -> [String] {
        let all = try answer.list("massExtensions").map { try $0.massExtension }
        guard !all.isEmpty else {
            return [
                "no mass extensions; `perennial extensions grant-all PRODUCT --days N` makes one"
            ]
        }
        var table = Columns(
            [
                ("id", .right), ("ordered", .left), ("app", .left), ("product", .left),
                ("days", .right), ("extended", .right), ("failed", .right), ("why", .left),
                ("state", .left),
            ], without: namesApps ? [] : ["app"])
        for one in all {
            table.add([
                String(one.id), one.created.plainText, one.bundleID, one.order.productID,
                String(one.order.days), String(one.succeeded), String(one.failed),
                one.failureWords, one.isComplete ? "complete" : "going on",
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }
}

/// Lists whom a mass extension left out.
struct ExtensionsFailuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "failures",
        abstract: "List the subscriptions that a mass extension could not extend, and why.",
        discussion: """
            `perennial extensions retry` tries them again; the list says which it extended.

              perennial extensions failures 17
              perennial extensions failures 17 --limit 1000 --json
            """)

    @Argument(help: "The mass extension, by its number in the list.", transform: Reading.count)
    var id: Int

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.count)
    var limit = 50

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().pages(
            StorePath("connect", "v1", "mass-extensions", String(id), "failures"),
            list: "failures", limit: limit, largestPage: 1000
        ) { path, last in
            path.with("after", try last?.text(ExtensionForm.originalTransactionID.name))
        }
        try store.show(answer) { style in try Self.words(answer, style) }
    }

    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let failures = try answer.list("failures").map {
            try $0.read(ExtensionForm.failed, into: FailedExtension())
        }
        guard !failures.isEmpty else { return ["no subscription failed"] }
        let wereMended = failures.contains { $0.extended != nil }
        var table = Columns(
            [("subscription", .left), ("account", .left), ("why", .left), ("extended", .left)],
            without: wereMended ? [] : ["extended"])
        for one in failures {
            table.add([
                String(one.originalTransactionID), one.account, Words.failure(one.reason),
                one.extended?.plainText ?? "",
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }
}

/// Tries those again whom a mass extension left out.
struct ExtensionsRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Extend the subscriptions that a mass extension could not extend.",
        discussion: """
            Each that can be extended now, also one that failed on purpose. What still fails \
            stays in `perennial extensions failures`.

              perennial extensions retry 17
            """)

    @Argument(help: "The mass extension, by its number in the list.", transform: Reading.count)
    var id: Int

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().send(
            .POST, StorePath("connect", "v1", "mass-extensions", String(id), "retry"))
        try store.show(answer) { _ in try [Self.words(answer, id)] }
    }

    static func words(_ answer: Answer, _ id: Int) throws -> String {
        let retried = try answer.read(ExtensionForm.retried, into: RetriedExtensions())
        let (extended, failed) = (retried.extended, retried.failed)
        guard extended + failed > 0 else {
            return "nothing to try again: every failure of \(id) was extended, or there was none"
        }
        return "\(counted(Int(extended), "subscription")) extended"
            + (failed == 0
                ? ""
                : ", \(failed) failed again: `perennial extensions failures "
                    + "\(word: String(id))` says why")
    }
}
