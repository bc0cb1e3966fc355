import AppStoreWire
import ArgumentParser
import ConnectAnswers
import HTTPSurface
import NIOHTTP1
import Outbox
import StoreHTTP

/// Sets an app up.
struct AppSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change the settings of an app.",
        discussion: """
            Options that you leave out stay as they are. A setting applies to everything that \
            happens from now on.

              perennial app set --grace-period 16 --grace-scope paidToPaidOnly
              perennial app set --notify http://127.0.0.1:3000/notifications
              perennial app set --pending-renewal-days 3
              perennial app set --price-change-route merchantManaged
              perennial app set --refund-policy manual --small-business on
              perennial app set --mails everybody --support-url https://example.com/help
              perennial app set --sandbox-renewal-limit 0 --notify-production none
            """)

    @Option(AppForm.name) var name: MemberChange?
    @Option(AppForm.storefront, reading: Reading.storefront) var storefront: MemberChange?
    @Option(AppForm.locale) var locale: MemberChange?
    @Option(AppForm.gracePeriod) var gracePeriod: MemberChange?
    @Option(AppForm.sandboxGracePeriod) var sandboxGracePeriod: MemberChange?
    @Option(AppForm.graceScope) var graceScope: MemberChange?
    @Option(AppForm.billingZone) var billingZone: MemberChange?
    @Option(AppForm.upgradeInTrial) var upgradeInTrial: MemberChange?
    @Option(AppForm.priceChangeRoute) var priceChangeRoute: MemberChange?
    @Option(AppForm.era) var era: MemberChange?
    @Option(AppForm.pendingRenewalDays) var pendingRenewalDays: MemberChange?
    @Option(AppForm.sharingDelayMinutes) var sharingDelayMinutes: MemberChange?
    @Option(AppForm.sandboxRenewalLimit) var sandboxRenewalLimit: MemberChange?
    @Option(AppForm.sandboxIgnoresAvailability) var sandboxIgnoresAvailability: MemberChange?
    @Option(AppForm.sandboxApprovesPurchases) var sandboxApprovesPurchases: MemberChange?

    @Option(
        help: ArgumentHelp(
            "Where notifications of both environments go, or none.", valueName: "url"),
        transform: AppSetCommand.url)
    var notify: String?

    @Option(AppForm.notificationURL, reading: AppSetCommand.url)
    var notificationURL: MemberChange?
    @Option(AppForm.sandboxNotificationURL, reading: AppSetCommand.url)
    var sandboxNotificationURL: MemberChange?
    @Option(AppForm.unsentNotifications) var unsentNotifications: MemberChange?
    @Option(AppForm.refundPolicy) var refundPolicy: MemberChange?
    @Option(AppForm.sandboxRefundPolicy) var sandboxRefundPolicy: MemberChange?
    @Option(AppForm.smallBusiness) var smallBusiness: MemberChange?
    @Option(AppForm.smallBusinessLimit) var smallBusinessLimit: MemberChange?
    @Option(AppForm.mails) var mails: MemberChange?
    @Option(AppForm.sandboxMails) var sandboxMails: MemberChange?
    @Option(AppForm.supportURL, reading: AppSetCommand.page) var supportURL: MemberChange?
    @Option(AppForm.privacyURL, reading: AppSetCommand.page) var privacyURL: MemberChange?
    @Option(AppForm.failingExtensions) var failingExtensions: MemberChange?

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment(
            instead: "--sandbox-grace-period, --sandbox-renewal-limit, --sandbox-refund-policy "
                + "and --notify-sandbox")
        guard !changes.isEmpty else {
            throw ValidationError("Say what to set, such as --grace-period 16.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app()
        let path = StorePath("connect", "v1", "apps", app)
        let before = try await client.get(path)
        let answer = try await client.send(.PATCH, path, write)
        try store.show(answer, of: which) { style in
            try AppSettings.words(ofChange: before, to: answer, style)
        }
    }

    func write(to json: inout JSONWriter) {
        for change in changes { json.write(change) }
    }

    /// What was given, in the order of help.
    private var changes: [MemberChange] {
        let production = notify.flatMap { AppForm.notificationURL.setting.change(typed: $0) }
        let sandbox = notify.flatMap { AppForm.sandboxNotificationURL.setting.change(typed: $0) }
        let all: [MemberChange?] = [
            name, storefront, locale, gracePeriod, sandboxGracePeriod, graceScope,
            billingZone, upgradeInTrial, priceChangeRoute, era, pendingRenewalDays,
            sharingDelayMinutes, sandboxRenewalLimit, sandboxIgnoresAvailability,
            sandboxApprovesPurchases, notificationURL ?? production,
            sandboxNotificationURL ?? sandbox, unsentNotifications, refundPolicy,
            sandboxRefundPolicy, smallBusiness, smallBusinessLimit, mails, sandboxMails,
            supportURL, privacyURL, failingExtensions,
        ]
        return all.compactMap(\.self)
    }

    /// A URL for notifications, or none.
    private static func url(_ text: String) throws -> String {
        guard text == "none" || PostURL(text) != nil else {
            throw ValidationError(
                "'\(text)' is no URL for notifications: write none, or \(PostURL.rule).")
        }
        return text
    }

    /// A URL of a page, or none.
    private static func page(_ text: String) throws -> String {
        guard text == "none" || PostURL(text) != nil else {
            throw ValidationError("'\(text)' is no URL: write none, or \(PostURL.rule).")
        }
        return text
    }
}
