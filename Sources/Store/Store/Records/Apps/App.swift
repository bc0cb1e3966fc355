import AppStoreSigning
public import SubscriptionRules

/// Who decides about a customer's request for a refund.
public enum RefundPolicy: String, Sendable, Hashable, CaseIterable {
    /// The operator, whenever it likes.
    case operatorDecides = "manual"
    /// It is granted in full.
    case approve
    /// It is declined.
    case decline
    /// What the developer prefers; granted in full where it prefers nothing.
    case developer
}

/// An app in the store: how it is set up, and what it sells.
public struct App: Sendable {
    let id: Int64
    /// The bundle identifier, which request tokens name.
    public let bundleID: String
    /// The App Store's number for it.
    public let appleID: Int64
    /// What the first app has for which none is given.
    public static let firstAppleID: Int64 = 1_000_000_001
    public internal(set) var settings: Settings
    /// Everything it sells, with the prices that were set.
    public internal(set) var catalogue: Catalogue {
        didSet { index() }
    }
    /// Storefronts in which a product was taken off sale.
    var offSale: [ExactText: Set<String>] = [:]
    /// Since when products can be shared that were sold before without it (FAM-1).
    var shareableSince: [ExactText: ShareableSince] = [:]
    /// The world's thresholds for consent, which every app goes by.
    var thresholds = ConsentThresholds.standard
    /// Whether and how customers are asked to share who they are with the publisher.
    public internal(set) var optIn = OptInTerms()
    /// The keys that are good, by their identifiers (API-2).
    var keys: [String: VerificationKey] = [:]
    private var products: [ExactText: Product] = [:]
    /// Whether it has any win-back offers, which is asked for each transaction that is shown.
    private(set) var winsBack = false

    /// What an operator can set for an app.
    public struct Settings: Sendable, Hashable {
        public var name: String
        /// Where accounts are at home that name no storefront when they first sign in. An imported
        /// catalogue says for which storefront its prices are meant, and sets it.
        public var storefront: Storefront = .usa
        /// The language of accounts that name none, and of texts where the customer's is missing.
        /// An imported catalogue may say in which language it is written first, and sets it.
        public var locale = "en_US"
        /// The Billing Grace Period in Production, or nil for none (GRA-1).
        public var gracePeriod: GracePeriod?
        /// The Billing Grace Period in Sandbox, which has a switch of its own.
        public var sandboxGracePeriod: GracePeriod?
        public var graceScope: GraceScope = .allRenewals
        public var billingZone: BillingZone = .utc
        public var upgradeInTrial: UpgradeInTrial = .endsTrial
        /// Who tells subscribers of higher prices of what the merchant describes itself: the store,
        /// or, as in the edition of 2025, the merchant (TAB-7.4).
        public var priceChangeRoute = PriceChangeRoute.storeManaged
        /// Whose ways hold where session 308 of 2012 and today's differ (TAB-19).
        public var era = Era.today
        /// For how many days access goes on while the bank has not answered a renewal; 0 to 28.
        public var pendingRenewalDays = 6
        /// After how many renewals a Sandbox subscription is cancelled; nil for never (SBX-1).
        public var sandboxRenewalLimit: Int? = 12
        /// Whether in Sandbox everything is for sale that was not deleted, wherever it was taken
        /// off sale (TAB-11).
        public var sandboxIgnoresAvailability = true
        /// Whether in Sandbox a purchase that asks for approval can be approved, which Apple's
        /// cannot (ATB-3).
        public var sandboxApprovesPurchases = false
        /// Where Production notifications are sent; nil sends none.
        public var notificationURL: String?
        /// Where Sandbox notifications are sent; nil sends none.
        public var sandboxNotificationURL: String?
        /// How many notifications are kept in the log in each environment while it has no URL;
        /// 0 to 1,000,000. A fork keeps all.
        public var unsentNotifications = 10_000

        /// Who decides about refunds in Production.
        public var refundPolicy: RefundPolicy = .approve
        /// Who decides about refunds in Sandbox.
        public var sandboxRefundPolicy: RefundPolicy = .approve
        /// Whether the developer is in the Small Business Program (COM-5).
        public var smallBusiness = false
        /// Whether the program's reduced rate ends where its limit of proceeds is exceeded.
        public var heedsSmallBusinessLimit = true
        /// Of a hundred subscriptions in a mass extension, how many fail on purpose.
        public var failingExtensions = 0
        /// To which customers mails are written.
        public var mails = MailPolicy.addressed
        /// Whether they are in Sandbox too.
        public var sandboxMails = false
        /// Where customers find help; mails lead there.
        public var supportURL: String?
        /// What the app says of privacy; mails lead there.
        public var privacyURL: String?
        /// How many minutes after a purchase the purchaser's family has access; 0 to 60 (FAM-4).
        public var sharingDelayMinutes = 0

        /// The days that `pendingRenewalDays` can be.
        public static let pendingRenewalDaysAllowed = 0...28
        /// How many `unsentNotifications` can be kept.
        public static let unsentNotificationsAllowed = 0...1_000_000

        public init(name: String) { self.name = name }

        /// Who decides about an environment's refunds.
        public func refundPolicy(in environment: StoreEnvironment) -> RefundPolicy {
            switch environment {
            case .production: refundPolicy
            case .sandbox: sandboxRefundPolicy
            }
        }

        /// Where an environment's notifications are sent.
        public func notificationURL(in environment: StoreEnvironment) -> String? {
            switch environment {
            case .production: notificationURL
            case .sandbox: sandboxNotificationURL
            }
        }
    }

    init(
        id: Int64, bundleID: String, appleID: Int64, settings: Settings,
        catalogue: Catalogue = Catalogue()
    ) {
        self.id = id
        self.bundleID = bundleID
        self.appleID = appleID
        self.settings = settings
        self.catalogue = catalogue
        index()
    }

    private mutating func index() {
        products = Dictionary(
            catalogue.products.map { (ExactText($0.id), $0) }, uniquingKeysWith: { one, _ in one })
        winsBack = catalogue.products.contains { product in
            product.subscription?.offers.contains { $0.kind == .winBack } ?? false
        }
    }

    /// Whether a text has the form of a bundle identifier.
    public static func isBundleID(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The product with an identifier, on sale or not.
    public func product(_ id: String) -> Product? { products[ExactText(id)] }

    /// The storefronts in which a product was taken off sale; an empty one means everywhere.
    public func offSale(of productID: String) -> Set<String> { offSale[ExactText(productID)] ?? [] }

    /// Whether a product can be bought and renewed in a storefront (TAB-11).
    public func isForSale(
        _ productID: String, in storefront: Storefront, _ environment: StoreEnvironment
    ) -> Bool {
        let id = ExactText(productID)
        guard let product = products[id], product.deleted == nil else { return false }
        if environment == .sandbox, settings.sandboxIgnoresAvailability { return true }
        guard let places = offSale[id] else { return true }
        return !places.contains("") && !places.contains(storefront.code)
    }

    /// The conditions under which a customer's subscriptions live.
    func conditions(for customer: Customer, in storefront: Storefront) -> Conditions {
        let isSandbox = customer.environment == .sandbox
        var conditions = Conditions(
            zone: settings.billingZone, tempo: customer.tempo,
            gracePeriod: isSandbox ? settings.sandboxGracePeriod : settings.gracePeriod,
            graceScope: settings.graceScope, upgradeInTrial: settings.upgradeInTrial,
            pendingRenewalDays: settings.pendingRenewalDays,
            renewalLimit: renewalLimit(in: customer.environment),
            storefront: storefront.code, isInSmallBusinessProgram: settings.smallBusiness,
            thresholds: thresholds)
        conditions.merchantRoute = settings.priceChangeRoute
        conditions.era = settings.era
        return conditions
    }

    /// How often a subscription renews at most; nil where there is no limit (SBX-1).
    func renewalLimit(in environment: StoreEnvironment) -> Int? {
        environment == .sandbox ? settings.sandboxRenewalLimit : nil
    }
}
