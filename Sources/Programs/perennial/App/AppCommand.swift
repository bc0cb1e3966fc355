import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Store
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
        let id = try answer.text("bundleId")
        let products = counted(Int(try answer.integer("productCount")), "product")
        let settings = try settings(answer)
        let head = ", Apple id \(try answer.integer("appAppleId")), \(products)"
        let width = settings.map(\.option.count).max() ?? 0
        return [style.paint(id, .strong) + head]
            + settings.map {
                "  " + style.paint($0.option.filled(to: width + 2), .faint) + $0.value
            } + (try standing(answer))
    }

    /// How much of the Small Business Program's limit is used up; nothing for who is not in it.
    static func standing(_ answer: Answer) throws -> [String] {
        guard answer.value["smallBusinessStanding"] != nil else { return [] }
        let standing = try answer.object("smallBusinessStanding")
        func dollars(_ key: String) throws -> String {
            Money.plainText(try standing.integer(key), "USD")
        }
        let year = try standing.integer("year")
        var lines = [
            "Small Business Program: \(try dollars("proceedsThisYear")) in \(year) and "
                + "\(try dollars("proceedsLastYear")) in \(year - 1), of at most "
                + "\(try dollars("limit")) a year"
        ]
        let others = standing.texts("notCounted")
        if !others.isEmpty {
            lines.append(
                "not counted, since the store knows no rates of exchange: "
                    + others.joined(separator: ", "))
        }
        if try standing.bool("isExceeded") {
            lines.append(
                try answer.bool("smallBusinessLimit")
                    ? "warning: the limit is exceeded, so that the standard commission holds"
                    : "warning: the limit is exceeded, and not heeded: --small-business-limit is "
                        + "off")
        }
        return lines
    }

    /// What became other, in one line.
    static func change(from before: Answer, to after: Answer) throws -> String {
        let changed = try zip(settings(before), settings(after)).filter { $0.value != $1.value }
        guard !changed.isEmpty else { return "nothing changed: it was set so already" }
        return "changed: "
            + changed.map { "\($0.option) from \($0.value) to \($1.value)" }
            .joined(separator: ", ")
    }

    private static func settings(
        _ answer: Answer
    ) throws -> [(option: String, value: String)] {
        [
            ("name", try answer.text("name")), ("storefront", try answer.text("storefront")),
            ("locale", try answer.text("locale")),
            ("grace-period", grace(answer.optionalText("gracePeriod"))),
            ("sandbox-grace-period", sandboxGrace(answer.optionalText("sandboxGracePeriod"))),
            ("grace-scope", scope(try answer.text("graceScope"))),
            ("billing-zone", try answer.text("billingZone")),
            ("upgrade-in-trial", try answer.text("upgradeInTrial")),
            ("price-change-route", try answer.text("priceChangeRoute")),
            ("era", try answer.text("era")),
            (
                "pending-renewal-days",
                counted(Int(try answer.integer("pendingRenewalDays")), "day")
            ),
            (
                "sharing-delay-minutes",
                counted(Int(try answer.integer("sharingDelayMinutes")), "minute")
            ),
            ("sandbox-renewal-limit", answer.optionalText("sandboxRenewalLimit") ?? "0, no limit"),
            (
                "sandbox-availability",
                try answer.bool("sandboxIgnoresAvailability") ? "ignored" : "heeded"
            ),
            (
                "sandbox-approvals",
                try answer.bool("sandboxApprovesPurchases") ? "on" : "off"
            ),
            ("notify-production", answer.optionalText("notificationUrl") ?? "none"),
            ("notify-sandbox", answer.optionalText("sandboxNotificationUrl") ?? "none"),
            ("unsent-notifications", "\(try answer.integer("unsentNotifications"))"),
            ("refund-policy", try answer.text("refundPolicy")),
            ("sandbox-refund-policy", try answer.text("sandboxRefundPolicy")),
            ("small-business", try answer.bool("smallBusiness") ? "on" : "off"),
            ("small-business-limit", try answer.bool("smallBusinessLimit") ? "on" : "off"),
            ("mails", try answer.text("mails")),
            ("sandbox-mails", try answer.bool("sandboxMails") ? "on" : "off"),
            ("support-url", answer.optionalText("supportUrl") ?? "none"),
            ("privacy-url", answer.optionalText("privacyUrl") ?? "none"),
            ("failing-extensions", "\(try answer.integer("failingExtensions")) of 100"),
        ]
    }

    private static func grace(_ name: String?) -> String {
        guard let name else { return "none" }
        return GracePeriod(rawValue: name).map { "\($0.days) days" } ?? name
    }

    /// In Sandbox the length of the setting does not count.
    private static func sandboxGrace(_ name: String?) -> String {
        name == nil ? "none" : "\(grace(name)), which lasts as a week or a month does there"
    }

    private static func scope(_ name: String) -> String {
        GraceScopeName.allCases.first { $0.scope.rawValue == name }?.rawValue ?? name
    }
}
