public import SubscriptionRules

/// Days for everybody whom an outage has hit, by extending renewal dates (EXT-1): who, how many
/// days, and why. Whether one subscription can be extended is `ExtensionEligibility`'s to say.
public struct OutageCampaign: Hashable, Sendable {
    /// How many days each subscriber gets.
    public enum DaysRule: Hashable, Sendable {
        /// So many, 1 to 90.
        case fixed(Int)
        /// One for each 24 hours that the outage has begun, 90 at most.
        case forEachBegunDay
    }

    /// The name, by which operators know it.
    public var name: String
    /// The app.
    public var bundleID: String
    public var environments: Set<CampaignSubscriber.Environment>
    /// When the outage began and ended.
    public var from: Instant
    public var to: Instant
    /// The product identifiers.
    public var products: Set<String>
    /// Alpha-3 codes; nil for all storefronts, never empty.
    public var storefronts: Set<String>?
    /// Only who has this entitlement; nil for everybody.
    public var entitlement: String?
    /// Only these accounts; nil for everybody.
    public var accounts: Set<String>?
    public var days: DaysRule
    public var reason: ExtensionReason
    public var pace: CampaignPace

    public init(
        name: String, bundleID: String,
        environments: Set<CampaignSubscriber.Environment> = [.production], from: Instant,
        to: Instant, products: Set<String>, storefronts: Set<String>? = nil,
        entitlement: String? = nil, accounts: Set<String>? = nil, days: DaysRule,
        reason: ExtensionReason = .serviceIssueOrOutage, pace: CampaignPace = CampaignPace()
    ) {
        precondition(from <= to, "an outage ends after it began")
        self.name = name
        self.bundleID = bundleID
        self.environments = environments
        self.from = from
        self.to = to
        self.products = products
        self.storefronts = storefronts
        self.entitlement = entitlement
        self.accounts = accounts
        self.days = days
        self.reason = reason
        self.pace = pace
    }
}
