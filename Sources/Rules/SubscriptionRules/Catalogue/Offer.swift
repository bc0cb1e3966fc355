/// A discount on a subscription for a limited time; the standard price follows (TAB-5.2, OFF-2).
public struct Offer: Hashable, Sendable {
    /// The kinds of offer, with the numbers of `offerType` (OFF-1).
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// One a group, ever, and none on a plan change (INT-2).
        case introductory = 1
        case promotional = 2
        case offerCode = 3
        case winBack = 4
    }

    /// How an offer is paid, with the texts of `offerDiscountType` (OFF-3).
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        case freeTrial = "FREE_TRIAL"
        case payAsYouGo = "PAY_AS_YOU_GO"
        case payUpFront = "PAY_UP_FRONT"
    }

    /// The groups of customers that may redeem an offer code.
    public enum Audience: String, Hashable, Sendable, CaseIterable {
        case new
        case existing
        case expired
    }

    public var kind: Kind
    /// The lengths that a free trial, or an offer paid up front, can have (OFF-4).
    public static let lengths =
        [CalendarPeriod(3, .day), .week, CalendarPeriod(2, .week)]
        + CalendarPeriod.billing.filter { $0 != .week }

    /// The offer identifier; empty for introductory offers, which have none (OFF-1).
    public var id: String
    public var referenceName: String
    public var mode: Mode
    /// The length of one discounted period; for a free trial or an offer paid up front the whole
    /// length.
    public var period: CalendarPeriod
    /// How many discounted periods there are: 1 unless pay as you go (OFF-4).
    public var periodCount: Int
    /// What one discounted period costs, in milliunits, as a number in every currency; 0 when
    /// free.
    public var basePrice: Int64
    /// What one discounted period costs in single storefronts, in milliunits, by alpha-3 code.
    public var prices: [String: Int64] = [:]
    /// When and where it can be taken up.
    public var availability = OfferAvailability()
    /// Who may be won back with it; nil for other kinds.
    public var winBack: WinBackTerms?
    /// Who may redeem an offer code; empty for other kinds.
    public var audiences: [Audience]
    /// Whether an offer code may follow the introductory offer (COD-3).
    public var isStackable: Bool
    /// Whether the offer belongs to the plan that is billed monthly under a commitment.
    public var isForMonthlyBilling: Bool

    /// The billing plan that it belongs to (CMT-1).
    public var billing: BillingPlan { isForMonthlyBilling ? .monthly : .upFront }

    public init(
        kind: Kind, id: String = "", referenceName: String = "", mode: Mode,
        period: CalendarPeriod, periodCount: Int = 1, basePrice: Int64 = 0,
        audiences: [Audience] = [], isStackable: Bool = false, isForMonthlyBilling: Bool = false
    ) {
        self.kind = kind
        self.id = id
        self.referenceName = referenceName
        self.mode = mode
        self.period = period
        self.periodCount = periodCount
        self.basePrice = basePrice
        self.audiences = audiences
        self.isStackable = isStackable
        self.isForMonthlyBilling = isForMonthlyBilling
    }

    /// The whole discounted time, as `offerPeriod` gives it: 2 × `P1M` is `P2M`.
    public var wholePeriod: CalendarPeriod { period.repeated(periodCount) }

    /// What one discounted period costs in a storefront.
    public func price(in storefront: Storefront) -> Money {
        let currency = storefront.currency
        guard mode != .freeTrial else { return Money(milliunits: 0, currency) }
        return Money(
            milliunits: prices[storefront.code] ?? currency.rounded(basePrice), currency)
    }
}
