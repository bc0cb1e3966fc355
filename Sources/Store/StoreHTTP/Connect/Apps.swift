import AppStoreWire
package import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// The apps in the store.
    static let listApps = Endpoint.operatorOnly(
        .get, "/connect/v1/apps", "listApps",
        OperationDescription(
            .theOperator, "List the apps",
            success: .ok(
                "The apps.",
                .object(
                    "Apps.",
                    .required("apps", .list("In the order of adding.", of: .named("App"))))))
    ) { call, _ in
        let apps = try await call.store.apps()
        let standing = try await standing(of: apps, call)
        return .object { json in
            json.array("apps") { json in
                for app in apps { json.elementObject { app.write(to: &$0, standing) } }
            }
        }
    }

    /// Adds an app, which sells nothing yet.
    static let addApp = Endpoint.operatorOnly(
        .post, "/connect/v1/apps", "addApp",
        OperationDescription(
            .theOperator, "Add an app",
            body: .members(
                .object(
                    "The new app.",
                    .required("bundleId", .bundleID("Its bundle identifier.")),
                    .optional(
                        "appAppleId",
                        .integer(
                            "The App Store's number; the next that is free unless given.",
                            1...Int64.max)),
                    .optional(
                        "name", .text("Its name; the bundle identifier unless given.", 1...255)))),
            success: .created("Added.", .named("App")),
            failures: [.init(.badRequest, "invalidSetting"), .init(.conflict, "appExists")])
    ) { call, input in
        let bundleID = input.requiredText("bundleId")
        try await call.store.addApp(
            bundleID: bundleID,
            appleID: input.integer("appAppleId"),
            settings: App.Settings(name: input.text("name") ?? bundleID))
        return try await reply(bundleID, call, .created)
    }

    /// One app.
    static let getApp = Endpoint.operatorOnly(
        .get, "/connect/v1/apps/{bundleId}", "getApp",
        OperationDescription(
            .theOperator, "Get an app", parameters: [bundleIDParameter],
            success: .ok("The app.", .named("App")), failures: [.init(.notFound, "unknownApp")])
    ) { call, _ in
        try await reply(call.text("bundleId"), call)
    }

    /// Sets an app up: grace periods, rules, where notifications go.
    static let changeApp = Endpoint.operatorOnly(
        .patch, "/connect/v1/apps/{bundleId}", "changeApp", canRehearse: true,
        OperationDescription(
            .theOperator, "Set an app up",
            detail: "What is not given stays. What is set holds for everything that happens from "
                + "now on.",
            parameters: [bundleIDParameter], body: .members(changeSchema),
            success: .ok("The app as it is now.", .named("App")),
            failures: [.init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp")])
    ) { call, input in
        let bundleID = call.text("bundleId")
        try await call.store.configure(bundleID: bundleID) { $0.apply(input) }
        return try await reply(bundleID, call)
    }

    private static func reply(
        _ bundleID: String, _ call: Call, _ status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let app = try await call.store.app(bundleID: bundleID)
        let standing = try await standing(of: [app], call)
        return .object(status: status) { app.write(to: &$0, standing) }
    }

    /// Nil where no app asks for it: where several processes write, the whole ledger of two years
    /// is summed for it each time.
    private static func standing(
        of apps: [App], _ call: Call
    ) async throws -> SmallBusinessStanding? {
        guard apps.contains(where: \.settings.smallBusiness) else { return nil }
        return try await call.store.smallBusinessStanding()
    }

    static let bundleIDParameter = OperationDescription.Parameter.path(
        "bundleId", .bundleID("The app."))

    /// The members that stand for "none" are spelled out: an absent member means "as it is".
    fileprivate static let changeSchema: Schema = {
        let grace = GracePeriod.allCases.map(\.rawValue) + [noGracePeriod]
        return .object(
            "The settings to change.",
            .optional("name", .text("The app's name.", 1...255)),
            .optional("storefront", storefront), .optional("locale", locale),
            .optional("gracePeriod", .choice("The Billing Grace Period in Production.", grace)),
            .optional("sandboxGracePeriod", .choice("The same in Sandbox.", grace)),
            .optional("graceScope", graceScope), .optional("billingZone", billingZone),
            .optional("upgradeInTrial", upgradeInTrial),
            .optional("priceChangeRoute", priceChangeRoute), .optional("era", era),
            .optional("pendingRenewalDays", pendingRenewalDays),
            .optional("sharingDelayMinutes", sharingDelayMinutes),
            .optional(
                "sandboxRenewalLimit",
                .integer("After how many renewals Sandbox cancels; 0 for never.", 0...1000)),
            .optional("sandboxIgnoresAvailability", sandboxIgnoresAvailability),
            .optional("sandboxApprovesPurchases", sandboxApprovesPurchases),
            .optional(
                "notificationUrl",
                .text("Where Production notifications go; empty for nowhere.", 0...2048, .url)),
            .optional(
                "sandboxNotificationUrl", .text("The same in Sandbox.", 0...2048, .url)),
            .optional("unsentNotifications", unsentNotifications),
            .optional("refundPolicy", refundPolicy),
            .optional("sandboxRefundPolicy", refundPolicy),
            .optional("smallBusiness", smallBusiness),
            .optional("smallBusinessLimit", smallBusinessLimit),
            .optional("failingExtensions", failingExtensions),
            .optional("mails", mails), .optional("sandboxMails", sandboxMails),
            .optional(
                "supportUrl",
                .text("Where customers find help; empty for nowhere.", 0...2048, .url)),
            .optional(
                "privacyUrl",
                .text("The privacy policy; empty for none.", 0...2048, .url)))
    }()

    private static let storefront = Schema.storefront(
        "Where accounts are at home that name no storefront when they first sign in. Importing a "
            + "catalogue makes it the one for which its prices are meant.")
    private static let locale = Schema.text(
        "The language of accounts that name none, and of texts where the customer's is missing; a "
            + "catalogue that names one sets it.", 2...35, .locale)
    private static let refundPolicy = Schema.choice(
        "Who decides about refunds in Production, or in Sandbox: manual is the operator, developer "
            + "is what the developer prefers.", RefundPolicy.allCases.map(\.rawValue))
    private static let smallBusiness = Schema.boolean(
        "Whether the developer is in the Small Business Program and keeps 85 per cent.")
    private static let smallBusinessLimit = Schema.boolean(
        "Whether the program's reduced rate ends where its limit of proceeds is exceeded: for the "
            + "rest of the year, and until a year within the limit is over.")
    private static let mails = Schema.choice(
        "Who gets mails: those who have an address, everybody, or nobody. What has no address is "
            + "kept in the mailbox. Only mail needs an address, pushes and the app do not.",
        MailPolicy.allCases.map(\.rawValue))
    private static let sandboxMails = Schema.boolean("Whether mails are written in Sandbox too.")
    private static let smallBusinessStanding = Schema.object(
        "How much of the program's limit is used up by what all apps brought in Production; only "
            + "of an app that is in the program.",
        .required("year", .integer("The calendar year, in UTC.")),
        .required("limit", .integer("The limit, in milliunits of US dollars.")),
        .required(
            "proceedsThisYear",
            .integer(
                "What the developer gained in it, in milliunits of US dollars.", .min ... .max)),
        .required("proceedsLastYear", .integer("The same of the year before.", .min ... .max)),
        .required("isExceeded", .boolean("Whether one of the two exceeds the limit.")),
        .required(
            "notCounted",
            .list(
                "Other currencies in which something was gained, which are not counted: the store "
                    + "knows no rates of exchange.", of: .text("The code of a currency."))))
    private static let sandboxIgnoresAvailability = Schema.boolean(
        "Whether in Sandbox everything is for sale that was not deleted, whatever was taken off "
            + "sale.")
    private static let sandboxApprovesPurchases = Schema.boolean(
        "Whether in Sandbox purchases that ask for approval can be approved; Apple's cannot.")
    private static let failingExtensions = Schema.integer(
        "Of a hundred subscriptions in a mass extension, how many fail on purpose.", 0...100)

    private static let pendingRenewalDays = Schema.integer(
        "For how many days a customer keeps access while the bank has not answered a renewal.",
        0...28)

    private static let sharingDelayMinutes = Schema.integer(
        "How many minutes after a purchase the purchaser's family has access.", 0...60)

    private static let unsentNotifications = Schema.integer(
        "How many notifications are kept in the log of each environment while it has no URL; 0 for "
            + "none. A fork keeps all.", 0...1_000_000)

    static let noGracePeriod = "NONE"

    private static let graceScope = Schema.choice(
        "Which failed renewals get a grace period.", GraceScope.allCases.map(\.rawValue))
    private static let billingZone = Schema.choice(
        "The zone in which days and months are counted.", BillingZone.allCases.map(\.rawValue))
    private static let priceChangeRoute = Schema.choice(
        "Who tells subscribers of higher prices of what the merchant describes itself.",
        [PriceChangeRoute.storeManaged, .merchantManaged].map(\.rawValue))
    private static let era = Schema.choice(
        "Whose ways hold where those that session 308 of 2012 tells of and today's differ. 2012 "
            + "sets the Pacific billing zone and six renewals in Sandbox as well, unless the same "
            + "request says otherwise.", Era.allCases.map(\.rawValue))
    private static let upgradeInTrial = Schema.choice(
        "What an upgrade does to a running free trial.", UpgradeInTrial.allCases.map(\.rawValue))

    static let appSchema: Schema = {
        let grace = GracePeriod.allCases.map(\.rawValue)
        return .object(
            "An app and how it is set up.",
            .required("bundleId", .bundleID("Its bundle identifier.")),
            .required("appAppleId", .integer("The App Store's number.")),
            .required("name", .text("Its name.")), .required("storefront", storefront),
            .required("locale", locale),
            .optional("gracePeriod", .choice("The Billing Grace Period in Production.", grace)),
            .optional("sandboxGracePeriod", .choice("The same in Sandbox.", grace)),
            .required("graceScope", graceScope), .required("billingZone", billingZone),
            .required("upgradeInTrial", upgradeInTrial),
            .required("priceChangeRoute", priceChangeRoute), .required("era", era),
            .required("pendingRenewalDays", pendingRenewalDays),
            .required("sharingDelayMinutes", sharingDelayMinutes),
            .optional(
                "sandboxRenewalLimit",
                .integer("After how many renewals Sandbox cancels; absent for never.")),
            .required("sandboxIgnoresAvailability", sandboxIgnoresAvailability),
            .required("sandboxApprovesPurchases", sandboxApprovesPurchases),
            .optional("notificationUrl", .text("Where Production notifications go.")),
            .optional("sandboxNotificationUrl", .text("The same in Sandbox.")),
            .required("unsentNotifications", unsentNotifications),
            .required("refundPolicy", refundPolicy),
            .required("sandboxRefundPolicy", refundPolicy),
            .required("smallBusiness", smallBusiness),
            .required("smallBusinessLimit", smallBusinessLimit),
            .optional("smallBusinessStanding", smallBusinessStanding),
            .required("failingExtensions", failingExtensions), .required("mails", mails),
            .required("sandboxMails", sandboxMails),
            .optional("supportUrl", .text("Where customers find help.")),
            .optional("privacyUrl", .text("The privacy policy.")),
            .required("productCount", .integer("How many products it has.")))
    }()
}

extension Schema {
    /// What of an app can be set.
    package static let appSettings = ConnectSurface.changeSchema
}

extension App.Settings {
    /// Takes over what a request gives.
    fileprivate mutating func apply(_ input: Input) {
        if let name = input.text("name") { self.name = name }
        if let storefront = input.storefront("storefront") { self.storefront = storefront }
        if let locale = input.text("locale") {
            self.locale = locale.replacing("-", with: "_")
        }
        // "NONE" is no grace period, and reads as nil.
        if let text = input.text("gracePeriod") { gracePeriod = GracePeriod(rawValue: text) }
        if let text = input.text("sandboxGracePeriod") {
            sandboxGracePeriod = GracePeriod(rawValue: text)
        }
        if let scope = input.text("graceScope").flatMap(GraceScope.init(rawValue:)) {
            graceScope = scope
        }
        if let zone = input.text("billingZone").flatMap(BillingZone.init(rawValue:)) {
            billingZone = zone
        }
        if let route = input.text("priceChangeRoute").flatMap(PriceChangeRoute.init(rawValue:)) {
            priceChangeRoute = route
        }
        if let era = input.text("era").flatMap(Era.init(rawValue:)) {
            self.era = era
            if era == .session2012 {
                if !input.has("billingZone") { billingZone = .pacific }
                if !input.has("sandboxRenewalLimit") { sandboxRenewalLimit = 6 }
            }
        }
        if let rule = input.text("upgradeInTrial").flatMap(UpgradeInTrial.init(rawValue:)) {
            upgradeInTrial = rule
        }
        if let limit = input.integer("sandboxRenewalLimit") {
            sandboxRenewalLimit = limit == 0 ? nil : Int(limit)
        }
        if let ignores = input.boolean("sandboxIgnoresAvailability") {
            sandboxIgnoresAvailability = ignores
        }
        if let approves = input.boolean("sandboxApprovesPurchases") {
            sandboxApprovesPurchases = approves
        }
        if let url = input.text("notificationUrl") { notificationURL = url.isEmpty ? nil : url }
        if let url = input.text("sandboxNotificationUrl") {
            sandboxNotificationURL = url.isEmpty ? nil : url
        }
        if let policy = input.text("refundPolicy").flatMap(RefundPolicy.init(rawValue:)) {
            refundPolicy = policy
        }
        if let policy = input.text("sandboxRefundPolicy").flatMap(RefundPolicy.init(rawValue:)) {
            sandboxRefundPolicy = policy
        }
        if let days = input.integer("pendingRenewalDays") { pendingRenewalDays = Int(days) }
        if let delay = input.integer("sharingDelayMinutes") { sharingDelayMinutes = Int(delay) }
        if let isSmall = input.boolean("smallBusiness") { smallBusiness = isSmall }
        if let heeds = input.boolean("smallBusinessLimit") { heedsSmallBusinessLimit = heeds }
        if let share = input.integer("failingExtensions") { failingExtensions = Int(share) }
        if let most = input.integer("unsentNotifications") { unsentNotifications = Int(most) }
        applyMails(input)
    }
}

extension App.Settings {
    private mutating func applyMails(_ input: Input) {
        if let policy = input.text("mails").flatMap(MailPolicy.init(rawValue:)) { mails = policy }
        if let writes = input.boolean("sandboxMails") { sandboxMails = writes }
        if let url = input.text("supportUrl") { supportURL = url.isEmpty ? nil : url }
        if let url = input.text("privacyUrl") { privacyURL = url.isEmpty ? nil : url }
    }
}

extension App {
    fileprivate func write(to json: inout JSONWriter, _ standing: SmallBusinessStanding?) {
        json.field("bundleId", bundleID)
        json.field("appAppleId", appleID)
        json.field("name", settings.name)
        json.field("storefront", settings.storefront.code)
        json.field("locale", settings.locale)
        json.field("gracePeriod", settings.gracePeriod?.rawValue)
        json.field("sandboxGracePeriod", settings.sandboxGracePeriod?.rawValue)
        json.field("graceScope", settings.graceScope.rawValue)
        json.field("billingZone", settings.billingZone.rawValue)
        json.field("upgradeInTrial", settings.upgradeInTrial.rawValue)
        json.field("priceChangeRoute", settings.priceChangeRoute.rawValue)
        json.field("era", settings.era.rawValue)
        json.field("pendingRenewalDays", settings.pendingRenewalDays)
        json.field("sharingDelayMinutes", settings.sharingDelayMinutes)
        json.field("sandboxRenewalLimit", settings.sandboxRenewalLimit)
        json.field("sandboxIgnoresAvailability", settings.sandboxIgnoresAvailability)
        json.field("sandboxApprovesPurchases", settings.sandboxApprovesPurchases)
        json.field("notificationUrl", settings.notificationURL)
        json.field("sandboxNotificationUrl", settings.sandboxNotificationURL)
        json.field("unsentNotifications", settings.unsentNotifications)
        json.field("refundPolicy", settings.refundPolicy.rawValue)
        json.field("sandboxRefundPolicy", settings.sandboxRefundPolicy.rawValue)
        json.field("smallBusiness", settings.smallBusiness)
        json.field("smallBusinessLimit", settings.heedsSmallBusinessLimit)
        if let standing, settings.smallBusiness {
            json.object("smallBusinessStanding") { standing.write(to: &$0) }
        }
        json.field("failingExtensions", settings.failingExtensions)
        json.field("mails", settings.mails.rawValue)
        json.field("sandboxMails", settings.sandboxMails)
        json.field("supportUrl", settings.supportURL)
        json.field("privacyUrl", settings.privacyURL)
        json.field("productCount", catalogue.products.count { $0.deleted == nil })
    }
}

extension SmallBusinessStanding {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("year", year)
        json.field("limit", SmallBusinessProgram.limit)
        json.field("proceedsThisYear", proceedsThisYear)
        json.field("proceedsLastYear", proceedsLastYear)
        json.field("isExceeded", isExceeded)
        json.field("notCounted", notCounted.map(\.code))
    }
}

extension Call {
    /// A path parameter as a name; what cannot be one names nothing.
    func text(_ parameter: String) -> String {
        guard let text = self.parameter(parameter), text.isPlainName else { return "" }
        return text
    }
}

extension String {
    /// Whether it can be an identifier at all: 1 to 1024 bytes without control characters.
    fileprivate var isPlainName: Bool {
        (1...1024).contains(utf8.count) && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
