import AppStoreWire
public import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Outbox
import Store
import SubscriptionRules
import Timeline

/// What the parser reads, by the names on the wire.
extension BillingZone: ExpressibleByArgument {}
extension UpgradeInTrial: ExpressibleByArgument {}
extension Era: ExpressibleByArgument {}
extension RefundPolicy: ExpressibleByArgument {}
extension MailPolicy: ExpressibleByArgument {}

/// Which failed renewals get a grace period, as it is typed.
enum GraceScopeName: String, ExpressibleByArgument, CaseIterable {
    case allRenewals, paidToPaidOnly

    var scope: GraceScope {
        switch self {
        case .allRenewals: .allRenewals
        case .paidToPaidOnly: .paidToPaidOnly
        }
    }
}

/// The length of a grace period, as it is typed: in days.
enum GraceDays: String, ExpressibleByArgument, CaseIterable {
    case none, three = "3", sixteen = "16", twentyEight = "28"

    /// The name on the wire, where none has a name too.
    var wire: String {
        GracePeriod.allCases.first { String($0.days) == rawValue }?.rawValue ?? "NONE"
    }
}

/// Who tells subscribers of a merchant's higher prices, as it is typed.
enum PriceChangeRouteName: String, ExpressibleByArgument, CaseIterable {
    case storeManaged, merchantManaged

    var route: PriceChangeRoute {
        switch self {
        case .storeManaged: .storeManaged
        case .merchantManaged: .merchantManaged
        }
    }
}

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

    /// A switch, as it is typed.
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    /// Whether a setting counts, as it is typed.
    enum Heed: String, ExpressibleByArgument, CaseIterable {
        case ignored, heeded
    }

    @Option(help: ArgumentHelp("The app's name.", valueName: "text"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The storefront of new customers who name none. Importing a .storekit file later "
                + "sets its own.", valueName: "code"),
        transform: Reading.storefront)
    var storefront: String?

    @Option(
        help: ArgumentHelp(
            "The language of new customers who name none, such as de_DE. A .storekit file with "
                + "a language sets its own.", valueName: "locale"))
    var locale: String?

    @Option(help: "The Billing Grace Period in Production, in days.")
    var gracePeriod: GraceDays?

    @Option(
        help: """
            The Billing Grace Period in Sandbox. There it lasts as long as a week or a month does, \
            whichever it is: 3 or 5 minutes at the usual speed.
            """)
    var sandboxGracePeriod: GraceDays?

    @Option(help: "Whether the step from a free trial to the first payment has grace too.")
    var graceScope: GraceScopeName?

    @Option(help: "The zone in which days and months are counted.")
    var billingZone: BillingZone?

    @Option(help: "What an upgrade does to a running free trial.")
    var upgradeInTrial: UpgradeInTrial?

    @Option(
        help: """
            Who tells subscribers of higher prices in Advanced Commerce: the store, which asks \
            where consent is needed, or you, before you call.
            """)
    var priceChangeRoute: PriceChangeRouteName?

    @Option(
        help: """
            Whose ways hold where those of 2012, as session 308 tells them, and today's differ: \
            then a higher price turns renewal off ten days before the end until the subscriber \
            agrees, and a failed renewal is given up after a day. 2012 sets --billing-zone pacific \
            and --sandbox-renewal-limit 6 as well, unless they are given.
            """)
    var era: Era?

    @Option(
        help: ArgumentHelp(
            "For how many days there is access while the bank has not answered a renewal, 0 to 28.",
            valueName: "n"), transform: Reading.number(0...28))
    var pendingRenewalDays: Int?

    @Option(
        help: ArgumentHelp(
            "How many minutes after a purchase the family has access, 0 to 60.", valueName: "n"),
        transform: Reading.number(0...60))
    var sharingDelayMinutes: Int?

    @Option(
        help: ArgumentHelp(
            "After how many renewals Sandbox cancels, up to 1000; 0 for never.", valueName: "n"),
        transform: Reading.number(0...1000))
    var sandboxRenewalLimit: Int?

    @Option(
        help: """
            Whether what was taken off sale is off sale in Sandbox too; what was deleted is anyway.
            """)
    var sandboxAvailability: Heed?

    @Option(help: "Whether requests to buy can be approved in Sandbox; Apple's cannot.")
    var sandboxApprovals: Switch?

    @Option(
        help: ArgumentHelp(
            "Where notifications of both environments go, or none.", valueName: "url"),
        transform: AppSetCommand.url)
    var notify: String?

    @Option(
        help: ArgumentHelp("Where Production notifications go, or none.", valueName: "url"),
        transform: AppSetCommand.url)
    var notifyProduction: String?

    @Option(
        help: ArgumentHelp("Where Sandbox notifications go, or none.", valueName: "url"),
        transform: AppSetCommand.url)
    var notifySandbox: String?

    @Option(
        help: ArgumentHelp(
            "How many notifications are kept in the log of an environment without a URL, up to "
                + "1000000; 0 for none.", valueName: "n"),
        transform: Reading.number(0...1_000_000))
    var unsentNotifications: Int?

    @Option(
        help: """
            Who decides about refunds in Production: you (manual); what you prefer (developer), \
            where no word of yours within 12 hours grants them.
            """)
    var refundPolicy: RefundPolicy?

    @Option(help: "The same in Sandbox.")
    var sandboxRefundPolicy: RefundPolicy?

    @Option(help: "Whether you are in the Small Business Program and keep 85 per cent.")
    var smallBusiness: Switch?

    @Option(
        help: """
            Whether the program's rate ends where your proceeds exceed its limit, a million US \
            dollars a year.
            """)
    var smallBusinessLimit: Switch?

    @Option(help: "To whom mails are sent in Production: accounts with an address, all, or none.")
    var mails: MailPolicy?

    @Option(help: "Whether mails are sent in Sandbox too.")
    var sandboxMails: Switch?

    @Option(help: ArgumentHelp("Where customers find help, or none.", valueName: "url"))
    var supportURL: String?

    @Option(help: ArgumentHelp("The privacy policy, or none.", valueName: "url"))
    var privacyURL: String?

    @Option(
        help: ArgumentHelp(
            "How many of 100 subscriptions fail in a mass extension, on purpose.", valueName: "n"),
        transform: Reading.number(0...100))
    var failingExtensions: Int?

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment(
            instead: "--sandbox-grace-period, --sandbox-renewal-limit, --sandbox-refund-policy "
                + "and --notify-sandbox")
        guard StoreClient.members(write) != StoreClient.members({ _ in }) else {
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
            [
                style.paint(try answer.text("bundleId"), .strong) + ": "
                    + (try AppSettings.change(from: before, to: answer))
            ] + (try AppSettings.standing(answer))
        }
    }

    func write(to json: inout JSONWriter) {
        json.field("name", name)
        json.field("storefront", storefront)
        json.field("locale", locale)
        json.field("gracePeriod", gracePeriod?.wire)
        json.field("sandboxGracePeriod", sandboxGracePeriod?.wire)
        json.field("graceScope", graceScope?.scope.rawValue)
        json.field("billingZone", billingZone?.rawValue)
        json.field("upgradeInTrial", upgradeInTrial?.rawValue)
        json.field("priceChangeRoute", priceChangeRoute?.route.rawValue)
        json.field("era", era?.rawValue)
        json.field("pendingRenewalDays", pendingRenewalDays)
        json.field("sharingDelayMinutes", sharingDelayMinutes)
        json.field("sandboxRenewalLimit", sandboxRenewalLimit)
        json.field("sandboxIgnoresAvailability", sandboxAvailability.map { $0 == .ignored })
        json.field("sandboxApprovesPurchases", sandboxApprovals.map { $0 == .on })
        json.field("notificationUrl", notifyProduction ?? notify)
        json.field("sandboxNotificationUrl", notifySandbox ?? notify)
        json.field("unsentNotifications", unsentNotifications)
        json.field("refundPolicy", refundPolicy?.rawValue)
        json.field("sandboxRefundPolicy", sandboxRefundPolicy?.rawValue)
        json.field("smallBusiness", smallBusiness.map { $0 == .on })
        json.field("smallBusinessLimit", smallBusinessLimit.map { $0 == .on })
        json.field("failingExtensions", failingExtensions)
        json.field("mails", mails?.rawValue)
        json.field("sandboxMails", sandboxMails.map { $0 == .on })
        json.field("supportUrl", supportURL.map { $0 == "none" ? "" : $0 })
        json.field("privacyUrl", privacyURL.map { $0 == "none" ? "" : $0 })
    }

    /// A URL for notifications; none is empty on the wire.
    private static func url(_ text: String) throws -> String {
        if text == "none" { return "" }
        guard PostURL(text) != nil else {
            throw ValidationError(
                "'\(text)' is no URL for notifications: write none, or \(PostURL.rule).")
        }
        return text
    }
}
