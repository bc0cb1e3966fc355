public import MerchantRules
public import SubscriptionRules

/// A campaign as its file describes it: the rules of `MerchantRules`, and what a merchant needs
/// besides them.
public struct CampaignDefinition: Hashable, Sendable {
    /// What a campaign does.
    public enum Work: Hashable, Sendable {
        case price(PriceCampaign)
        case outage(OutageCampaign)
    }

    /// The word for it in files and answers.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case price
        case outage
    }

    public let work: Work
    /// How long the periods of a product or SKU are, where the file says so: what is signed about
    /// an ordinary product does not name the length of its plan.
    public let periods: [String: CalendarPeriod]
    public let texts: CampaignTexts

    public init(
        _ work: Work, periods: [String: CalendarPeriod] = [:],
        texts: CampaignTexts = CampaignTexts()
    ) {
        self.work = work
        self.periods = periods
        self.texts = texts
    }

    public var kind: Kind {
        switch work {
        case .price: .price
        case .outage: .outage
        }
    }

    /// The name, by which operators know it.
    public var name: String {
        switch work {
        case .price(let campaign): campaign.name
        case .outage(let campaign): campaign.name
        }
    }

    public var bundleID: String {
        switch work {
        case .price(let campaign): campaign.bundleID
        case .outage(let campaign): campaign.bundleID
        }
    }

    public var environments: Set<CampaignSubscriber.Environment> {
        switch work {
        case .price(let campaign): campaign.environments
        case .outage(let campaign): campaign.environments
        }
    }

    /// The products or SKUs that it is about.
    public var products: Set<String> {
        switch work {
        case .price(let campaign): Set(campaign.targets.keys)
        case .outage(let campaign): campaign.products
        }
    }

    /// Whether its products are SKUs of Advanced Commerce, which stand inside a generic product.
    public var namesSKUs: Bool {
        switch work {
        case .price(let campaign): campaign.route != .appStoreConnect
        case .outage: false
        }
    }
}
