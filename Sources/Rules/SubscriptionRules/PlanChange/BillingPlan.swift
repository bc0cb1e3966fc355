/// How a subscription is paid, with the texts of `billingPlanType` (CMT-1).
public enum BillingPlan: String, Hashable, Sendable, CaseIterable {
    /// Each period at once, when it begins.
    case upFront = "BILLED_UPFRONT"
    /// A year month by month: whoever begins it has agreed to all of its months.
    case monthly = "MONTHLY"
}

/// What a plan that is billed monthly binds its subscriber to (CMT-1).
public enum Commitment {
    /// How many months it has.
    public static let months = 12
    /// How long it lasts.
    public static let period = CalendarPeriod.year
    /// The storefronts, by alpha-3 code, in which nothing is sold under one.
    public static let storefrontsWithout: Set<String> = ["SGP", "USA"]

    /// What all its months cost together at the price of one, in milliunits.
    public static func price(ofMonth price: Int64) -> Int64 { price * Int64(months) }
}

/// The plan of a yearly subscription that is billed monthly (CMT-1).
public struct MonthlyBilling: Hashable, Sendable {
    /// The price of a month in milliunits, as a number in every currency, unless `prices` has the
    /// storefront.
    public var basePrice: Int64
    /// Prices of a month that were set for single storefronts, by alpha-3 code.
    public var prices: [String: Int64]
    /// Whether it is sold; whoever has it keeps it to the end of the commitment.
    public var isEnabled: Bool

    public init(basePrice: Int64, prices: [String: Int64] = [:], isEnabled: Bool = true) {
        self.basePrice = basePrice
        self.prices = prices
        self.isEnabled = isEnabled
    }

    /// The price of a month in a storefront.
    public func price(in storefront: Storefront) -> Money {
        Money(
            milliunits: prices[storefront.code] ?? storefront.currency.rounded(basePrice),
            storefront.currency)
    }

    /// Whether it is sold in a storefront.
    public func isSold(in storefront: Storefront) -> Bool {
        isEnabled && !Commitment.storefrontsWithout.contains(storefront.code)
    }
}
