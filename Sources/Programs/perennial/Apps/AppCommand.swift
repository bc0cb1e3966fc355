import ArgumentParser
import ConnectAnswers
import HTTPSurface
import Store
import StoreHTTP
import SubscriptionRules
import Timeline

/// How an app is set up.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "List, add and set up apps, their keys and secrets.",
        discussion: """
            If a store has several apps, --bundle-id names one. Without it, a command uses the app \
            that was served last, or the only app with the named product.

              perennial app
              perennial app list
              perennial app add Garden.storekit --bundle-id com.example.garden
              perennial app set --grace-period 16
              perennial app set --notify https://example.com/notifications
            """,
        subcommands: [
            AppShowCommand.self, AppSetCommand.self, AppsListCommand.self, AppsAddCommand.self,
            KeysCommand.self, SharedSecretCommand.self, OptInCommand.self,
        ],
        defaultSubcommand: AppShowCommand.self)
}

/// Shows how an app is set up.
struct AppShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the settings of an app.",
        discussion: """
            Each setting has the name of the option of `perennial app set` that sets it.

              perennial app show
              perennial app show --bundle-id com.example.garden --json
            """)

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app()
        let answer = try await client.get(StorePath("connect", "v1", "apps", app))
        try store.show(answer, of: which) { style in try AppSettings.words(answer, style) }
    }
}

/// An app's settings in words.
enum AppSettings {
    /// A line a setting, with the name of the option that sets it and the value as it is typed.
    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let app = try answer.read(AppForm.app, into: AppSheet())
        let settings = AppForm.settings.lines(of: app.settings)
        let head = ", Apple id \(app.appleID), \(counted(app.productCount, "product"))"
        let width = settings.map(\.option.count).max() ?? 0
        return [style.paint(app.bundleID, .strong) + head]
            + settings.map {
                "  " + style.paint($0.option.filled(to: width + 2), .faint) + $0.words
            } + standing(of: app)
    }

    /// What became other by setting an app, in one line, and what it comes to.
    static func words(ofChange before: Answer, to after: Answer, _ style: Style) throws -> [String]
    {
        let (old, new) = (
            try before.read(AppForm.app, into: AppSheet()),
            try after.read(AppForm.app, into: AppSheet())
        )
        let changed = zip(
            AppForm.settings.lines(of: old.settings), AppForm.settings.lines(of: new.settings)
        ).filter { $0.words != $1.words }.map { "\($0.option) from \($0.words) to \($1.words)" }
        let words =
            changed.isEmpty
            ? "nothing changed: it was set so already"
            : "changed: " + changed.joined(separator: ", ")
        return [style.paint(new.bundleID, .strong) + ": " + words] + standing(of: new)
    }

    /// How much of the Small Business Program's limit is used up; nothing for who is not in it.
    private static func standing(of app: AppSheet) -> [String] {
        guard let standing = app.standing else { return [] }
        func dollars(_ amount: Int64) -> String { Money.plainText(amount, "USD") }
        var lines = [
            "Small Business Program: \(dollars(standing.proceedsThisYear)) in \(standing.year) "
                + "and \(dollars(standing.proceedsLastYear)) in \(standing.year - 1), of at most "
                + "\(dollars(standing.limit)) a year"
        ]
        if !standing.notCounted.isEmpty {
            lines.append(
                "not counted, since the store knows no rates of exchange: "
                    + standing.notCounted.joined(separator: ", "))
        }
        if standing.isExceeded {
            lines.append(
                app.settings.heedsSmallBusinessLimit
                    ? "warning: the limit is exceeded, so that the standard commission holds"
                    : "warning: the limit is exceeded, and not heeded: "
                        + "--\(AppForm.smallBusinessLimit.setting.option) is off")
        }
        return lines
    }
}
