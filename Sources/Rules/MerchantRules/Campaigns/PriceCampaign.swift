public import SubscriptionRules

/// A change of prices for many subscribers: what changes for whom, by which route, from when, and
/// what happens to those who decline or stay silent. It decides nothing about consent or days
/// itself: that is `PriceIncreaseExplanation`'s.
public struct PriceCampaign: Hashable, Sendable {
    /// Which changes it may make. Whoever pays more than the new price is left alone by a
    /// campaign that raises prices.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case increases
        case decreases
        case both
    }

    /// What happens to a subscriber who declines the new price.
    public enum DeclinePolicy: String, Hashable, Sendable, CaseIterable {
        /// The subscription goes on at the old price.
        case keepOldPrice
        /// The merchant turns renewal off, so that it ends with the running period.
        case cancel
    }

    /// What happens to a subscriber who has not answered when the renewal comes.
    public enum SilencePolicy: String, Hashable, Sendable, CaseIterable {
        /// The old price is charged once more, and the merchant asks again for the next renewal.
        case keepAsking
        /// The old price stays.
        case keepOldPrice
    }

    /// What happens where another campaign is running for the same subscriber.
    public enum RunningCampaignPolicy: String, Hashable, Sendable, CaseIterable {
        /// The new campaign leaves the subscriber out.
        case refuse
        /// The new campaign ends the other one for the subscriber.
        case supersede
    }

    /// Who is left out whatever the targets say.
    public struct Exclusions: Hashable, Sendable {
        /// The merchant's names of accounts.
        public var accounts: Set<String>
        /// Alpha-3 codes.
        public var storefronts: Set<String>
        /// SKUs, or product identifiers.
        public var products: Set<String>

        public init(
            accounts: Set<String> = [], storefronts: Set<String> = [], products: Set<String> = []
        ) {
            self.accounts = accounts
            self.storefronts = storefronts
            self.products = products
        }
    }

    /// The name, by which operators know it.
    public var name: String
    /// The app.
    public var bundleID: String
    public var environments: Set<CampaignSubscriber.Environment>
    public var route: PriceChangeRoute
    /// The new prices in milliunits: by SKU or product identifier, then by storefront.
    public var targets: [String: [String: Int64]]
    public var direction: Direction
    public var exclusions: Exclusions
    /// App Store Connect: when the price goes live. Otherwise: when the merchant decides, before
    /// which nothing is sent or called.
    public var live: Instant
    public var pace: CampaignPace
    public var whenDeclined: DeclinePolicy
    public var whenSilent: SilencePolicy
    public var whenAnotherRuns: RunningCampaignPolicy
    /// From which amounts an increase needs consent.
    public var thresholds: ConsentThresholds

    public init(
        name: String, bundleID: String,
        environments: Set<CampaignSubscriber.Environment> = [.production],
        route: PriceChangeRoute, targets: [String: [String: Int64]],
        direction: Direction = .increases, exclusions: Exclusions = Exclusions(), live: Instant,
        pace: CampaignPace = CampaignPace(), whenDeclined: DeclinePolicy = .keepOldPrice,
        whenSilent: SilencePolicy = .keepOldPrice,
        whenAnotherRuns: RunningCampaignPolicy = .refuse,
        thresholds: ConsentThresholds = .standard
    ) {
        self.name = name
        self.bundleID = bundleID
        self.environments = environments
        self.route = route
        self.targets = targets
        self.direction = direction
        self.exclusions = exclusions
        self.live = live
        self.pace = pace
        self.whenDeclined = whenDeclined
        self.whenSilent = whenSilent
        self.whenAnotherRuns = whenAnotherRuns
        self.thresholds = thresholds
    }

    /// Whether the merchant sends the messages and asks for consent; otherwise the store does.
    public var isToldByMerchant: Bool { route == .merchantManaged }
}

/// How fast a campaign works at most.
public struct CampaignPace: Hashable, Sendable {
    /// Mails and pushes a minute, each channel by itself.
    public var messagesPerMinute: Int
    /// Calls of the store a second.
    public var callsPerSecond: Int

    public init(messagesPerMinute: Int = 600, callsPerSecond: Int = 10) {
        precondition(messagesPerMinute > 0 && callsPerSecond > 0, "a campaign moves")
        self.messagesPerMinute = messagesPerMinute
        self.callsPerSecond = callsPerSecond
    }
}
