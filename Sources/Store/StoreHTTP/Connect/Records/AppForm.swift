import AppStoreWire
package import HTTPSurface
package import Store
package import SubscriptionRules

/// An app, its settings declared once each: for requests, answers, the command line and the
/// console. A setting that is new is a constant here, a line in the list below, and an option of
/// `perennial app set`.
package enum AppForm {
    package typealias Setting<Value: Sendable> = TypedMember<App.Settings, Value>
    private typealias Fact<Value: Sendable> = TypedMember<AppSheet, Value>
    private typealias Part<Value: Sendable> = TypedMember<AppSheet.Standing, Value>

    // MARK: What it is called, and where it is at home

    package static let name = Setting<String>("name", "The app's name.", .line(1...255), \.name)
    package static let storefront = Setting<Storefront>(
        "storefront",
        "Where accounts are at home that name no storefront when they first sign in. Importing a "
            + "catalogue makes it the one for which its prices are meant.", .storefront(),
        \.storefront)
    package static let locale = Setting<String>(
        "locale",
        "The language of accounts that name none, such as de_DE, and of texts where the "
            + "customer's is missing; a catalogue that names one sets it.", .locale, \.locale)

    // MARK: Rules

    private static let grace = MemberKind<GracePeriod>.choice(typed: { String($0.days) })
        .or(.string("NONE"), typed: "none", for: "no grace")
    package static let gracePeriod = Setting<GracePeriod?>(
        "gracePeriod", "The Billing Grace Period in Production.", grace, \.gracePeriod,
        unit: "day")
    package static let sandboxGracePeriod = Setting<GracePeriod?>(
        "sandboxGracePeriod",
        "The Billing Grace Period in Sandbox, where each lasts as a week or a month does.", grace,
        \.sandboxGracePeriod, unit: "day", note: "which lasts as a week or a month does there")
    package static let graceScope = Setting<GraceScope>(
        "graceScope",
        "Which failed renewals get a grace period: all, or not the step from a free trial to the "
            + "first payment.",
        .choice(typed: { $0 == .allRenewals ? "allRenewals" : "paidToPaidOnly" }), \.graceScope)
    package static let billingZone = Setting<BillingZone>(
        "billingZone", "The zone in which days and months are counted.", .choice(), \.billingZone)
    package static let upgradeInTrial = Setting<UpgradeInTrial>(
        "upgradeInTrial", "What an upgrade does to a running free trial.", .choice(),
        \.upgradeInTrial)
    package static let priceChangeRoute = Setting<PriceChangeRoute>(
        "priceChangeRoute",
        "Who tells subscribers of higher prices in Advanced Commerce: the store, which asks where "
            + "consent is needed, or the merchant, before it calls.",
        .choice(of: [.storeManaged, .merchantManaged]), \.priceChangeRoute)
    package static let era = Setting<Era>(
        "era",
        "Whose ways hold where those that session 308 of 2012 tells of and today's differ. 2012 "
            + "sets the Pacific billing zone and six renewals in Sandbox as well, unless the same "
            + "request says otherwise.", .choice(), \.era)
    package static let pendingRenewalDays = Setting<Int>(
        "pendingRenewalDays",
        "For how many days a customer keeps access while the bank has not answered a renewal.",
        .count(App.Settings.pendingRenewalDaysAllowed), \.pendingRenewalDays, unit: "day")
    package static let sharingDelayMinutes = Setting<Int>(
        "sharingDelayMinutes",
        "How many minutes after a purchase the purchaser's family has access.",
        .count(FamilySharing.delayMinutesAllowed), \.sharingDelayMinutes, unit: "minute")

    // MARK: Sandbox

    package static let sandboxRenewalLimit = Setting<Int?>(
        "sandboxRenewalLimit", "After how many renewals Sandbox cancels.",
        MemberKind<Int>.count(1...1000).or(.integer(0), typed: "0", for: "never"),
        \.sandboxRenewalLimit)
    package static let sandboxIgnoresAvailability = Setting<Bool>(
        "sandboxIgnoresAvailability",
        "Whether in Sandbox everything is for sale that was not deleted, whatever was taken off "
            + "sale.", .boolean("ignored", "heeded"), \.sandboxIgnoresAvailability,
        option: "sandbox-availability")
    package static let sandboxApprovesPurchases = Setting<Bool>(
        "sandboxApprovesPurchases",
        "Whether in Sandbox purchases that ask for approval can be approved; Apple's cannot.",
        .boolean(), \.sandboxApprovesPurchases, option: "sandbox-approvals")

    // MARK: Notifications

    package static let notificationURL = Setting<String?>(
        "notificationUrl", "Where Production notifications go.", nowhere, \.notificationURL,
        option: "notify-production")
    package static let sandboxNotificationURL = Setting<String?>(
        "sandboxNotificationUrl", "Where Sandbox notifications go.", nowhere,
        \.sandboxNotificationURL, option: "notify-sandbox")
    package static let unsentNotifications = Setting<Int>(
        "unsentNotifications",
        "How many notifications are kept in the log of each environment while it has no URL; 0 "
            + "for none. A fork keeps all.", .count(App.Settings.unsentNotificationsAllowed),
        \.unsentNotifications)

    private static let nowhere = MemberKind<String>.url.or(
        .string(""), typed: "none", for: "nowhere")

    // MARK: Money

    package static let refundPolicy = Setting<RefundPolicy>(
        "refundPolicy",
        "Who decides about refunds in Production: manual is the operator; developer is what the "
            + "developer prefers, and grants them where it says nothing within 12 hours.",
        .choice(), \.refundPolicy)
    package static let sandboxRefundPolicy = Setting<RefundPolicy>(
        "sandboxRefundPolicy", "The same in Sandbox.", .choice(), \.sandboxRefundPolicy)
    package static let smallBusiness = Setting<Bool>(
        "smallBusiness",
        "Whether the developer is in the Small Business Program and keeps 85 per cent.",
        .boolean(), \.smallBusiness)
    package static let smallBusinessLimit = Setting<Bool>(
        "smallBusinessLimit",
        "Whether the program's reduced rate ends where its limit of proceeds is exceeded: for the "
            + "rest of the year, and until a year within the limit is over.", .boolean(),
        \.heedsSmallBusinessLimit)
    package static let failingExtensions = Setting<Int>(
        "failingExtensions",
        "Of a hundred subscriptions in a mass extension, how many fail on purpose.",
        .count(0...100), \.failingExtensions)

    // MARK: Mails

    package static let mails = Setting<MailPolicy>(
        "mails",
        "Who gets mails: those who have an address, everybody, or nobody. What has no address is "
            + "kept in the mailbox. Only mail needs an address, pushes and the app do not.",
        .choice(), \.mails)
    package static let sandboxMails = Setting<Bool>(
        "sandboxMails", "Whether mails are written in Sandbox too.", .boolean(), \.sandboxMails)
    package static let supportURL = Setting<String?>(
        "supportUrl", "Where customers find help.", nowhere, \.supportURL)
    package static let privacyURL = Setting<String?>(
        "privacyUrl", "The privacy policy.",
        MemberKind<String>.url.or(.string(""), typed: "none", for: "none"), \.privacyURL)

    // MARK: The objects

    /// All that can be set.
    package static let settings = ObjectForm<App.Settings>(
        "How an app is set up.",
        all: [
            name.member, storefront.member, locale.member, gracePeriod.member,
            sandboxGracePeriod.member, graceScope.member, billingZone.member,
            upgradeInTrial.member, priceChangeRoute.member, era.member, pendingRenewalDays.member,
            sharingDelayMinutes.member, sandboxRenewalLimit.member,
            sandboxIgnoresAvailability.member, sandboxApprovesPurchases.member,
            notificationURL.member, sandboxNotificationURL.member, unsentNotifications.member,
            refundPolicy.member, sandboxRefundPolicy.member, smallBusiness.member,
            smallBusinessLimit.member, failingExtensions.member, mails.member,
            sandboxMails.member, supportURL.member, privacyURL.member,
        ])

    /// An app with its settings.
    package static let app: ObjectForm<AppSheet> = {
        let identity: [ObjectForm<AppSheet>.Member] = [
            Fact<String>(
                "bundleId", "Its bundle identifier.", .text(1...155, .bundleID), \.bundleID
            ).fact, Fact<Int64>("appAppleId", "The App Store's number.", .number(), \.appleID).fact,
        ]
        let rest: [ObjectForm<AppSheet>.Member] = [
            .optionalPart(
                "smallBusinessStanding", \.standing, of: standing, blank: AppSheet.Standing()),
            Fact<Int>(
                "productCount", "How many products it has.", .count(0...Int.max), \.productCount
            ).fact,
        ]
        let set: [ObjectForm<AppSheet>.Member] = settings.lifted(to: \AppSheet.settings)
        return ObjectForm<AppSheet>("An app and how it is set up.", all: identity + set + rest)
    }()

    private static let standing = ObjectForm<AppSheet.Standing>(
        "How much of the program's limit is used up by what all apps brought in Production; only "
            + "of an app that is in the program.",
        all: [
            Part<Int>("year", "The calendar year, in UTC.", .count(0...Int.max), \.year).fact,
            Part<Int64>(
                "limit", "The limit, in milliunits of US dollars.", .number(), \.limit
            ).fact,
            Part<Int64>(
                "proceedsThisYear",
                "What the developer gained in it, in milliunits of US dollars.",
                .number(.min ... .max), \.proceedsThisYear
            ).fact,
            Part<Int64>(
                "proceedsLastYear", "The same of the year before.", .number(.min ... .max),
                \.proceedsLastYear
            ).fact,
            Part<Bool>(
                "isExceeded", "Whether one of the two exceeds the limit.", .boolean(),
                \.isExceeded
            ).fact,
            Part<[String]>(
                "notCounted",
                "Other currencies in which something was gained, which are not counted: the store "
                    + "knows no rates of exchange.", .texts("The code of a currency."),
                \.notCounted
            ).fact,
        ])
}
