/// The four types of in-app purchase (TAB-1).
public enum ProductType: String, Hashable, Sendable, CaseIterable {
    case consumable = "Consumable"
    case nonConsumable = "Non-Consumable"
    case nonRenewingSubscription = "Non-Renewing Subscription"
    case autoRenewableSubscription = "Auto-Renewable Subscription"

    /// Whether the store may give it to family members (FAM-1).
    public var canBeShared: Bool {
        switch self {
        case .nonConsumable, .autoRenewableSubscription: true
        case .consumable, .nonRenewingSubscription: false
        }
    }

    /// The most that one purchase may hold: consumables come in up to ten (TAB-1).
    public var largestQuantity: Int { self == .consumable ? 10 : 1 }
}

/// Something that the store sells.
public struct Product: Hashable, Sendable {
    /// The product identifier, unique in its app.
    public var id: String
    /// What kind of purchase it is.
    public var type: ProductType
    /// The developer's own name for it; customers never see it.
    public var referenceName: String
    /// Whether Family Sharing is on.
    public var isFamilyShareable: Bool
    /// Names and descriptions by locale, such as `en_US`; may be empty.
    public var localizations: [Localization]
    /// The price in milliunits: the same number in each storefront's currency, rounded to its
    /// decimals, unless `prices` has that storefront.
    public var basePrice: Int64
    /// Prices in milliunits that were set for single storefronts, by alpha-3 code.
    public var prices: [String: Int64]
    /// What an auto-renewable subscription has besides; nil for the other types.
    public var subscription: SubscriptionTerms?
    /// The offers of what is bought once, which codes give; auto-renewable subscriptions have
    /// theirs among their terms.
    public var oneTimeOffers: [OneTimeOffer]
    /// Whether it stands for what merchants describe themselves (ACM-1): it is sold with a signed
    /// request alone, and its own price and period say nothing.
    public var isGeneric = false
    /// When it was deleted; nil while it is not. Whoever bought it keeps what was paid for, so
    /// that it stays known, and its identifier never comes back (TAB-11).
    public var deleted: Instant?

    public init(
        id: String, type: ProductType, referenceName: String = "", isFamilyShareable: Bool = false,
        localizations: [Localization] = [], basePrice: Int64, prices: [String: Int64] = [:],
        subscription: SubscriptionTerms? = nil, oneTimeOffers: [OneTimeOffer] = [],
        deleted: Instant? = nil
    ) {
        precondition((subscription != nil) == (type == .autoRenewableSubscription))
        precondition(subscription == nil || oneTimeOffers.isEmpty)
        self.id = id
        self.type = type
        self.referenceName = referenceName
        self.isFamilyShareable = isFamilyShareable
        self.localizations = localizations
        self.basePrice = basePrice
        self.prices = prices
        self.subscription = subscription
        self.oneTimeOffers = oneTimeOffers
        self.deleted = deleted
    }

    /// The offer of something bought once with an identifier, whether it can be had now or not.
    public func oneTimeOffer(_ id: String) -> OneTimeOffer? {
        oneTimeOffers.first { $0.id.utf8.elementsEqual(id.utf8) }
    }

    /// What one billing event costs in a storefront under a billing plan; nil where there is none.
    public func price(_ billing: BillingPlan, in storefront: Storefront) -> Money? {
        switch billing {
        case .upFront: price(in: storefront)
        case .monthly: subscription?.monthlyBilling?.price(in: storefront)
        }
    }

    /// The plan that it stands for in a storefront, offers aside; nil where it is not billed so.
    public func plan(_ billing: BillingPlan = .upFront, in storefront: Storefront) -> Plan? {
        guard let subscription, let price = price(billing, in: storefront) else { return nil }
        return Plan(
            productID: id, level: subscription.level,
            period: billing == .monthly ? .month : subscription.period, billing: billing,
            price: price)
    }

    /// The price of one in a storefront.
    public func price(in storefront: Storefront) -> Money {
        Money(
            milliunits: prices[storefront.code] ?? storefront.currency.rounded(basePrice),
            storefront.currency)
    }
}

/// A name and a description in one language.
public struct Localization: Hashable, Sendable {
    /// An ICU locale with underscore, such as `en_US`.
    public var locale: String
    public var displayName: String
    public var description: String

    public init(locale: String, displayName: String, description: String) {
        self.locale = locale
        self.displayName = displayName
        self.description = description
    }
}
