/// What makes a product an auto-renewable subscription.
public struct SubscriptionTerms: Hashable, Sendable {
    /// The identifier of the group that it is in (GRP-1).
    public var groupID: String
    /// The level of service in the group; 1 is the highest (GRP-3).
    public var level: Int
    /// How long one period lasts (CAL-1).
    public var period: CalendarPeriod
    /// The offers that it has, of every kind.
    public var offers: [Offer]
    /// The plan of a year that is billed monthly under a commitment; nil where there is none
    /// (CMT-1).
    public var monthlyBilling: MonthlyBilling?

    public init(
        groupID: String, level: Int, period: CalendarPeriod, offers: [Offer] = [],
        monthlyBilling: MonthlyBilling? = nil
    ) {
        precondition(monthlyBilling == nil || period == Commitment.period)
        self.monthlyBilling = monthlyBilling
        self.groupID = groupID
        self.level = level
        self.period = period
        self.offers = offers
    }

    /// The introductory offer of a billing plan that can be had at a moment in a storefront, if
    /// there is one (INT-3).
    public func introductoryOffer(
        _ billing: BillingPlan = .upFront, at moment: Instant, in storefront: Storefront
    ) -> Offer? {
        offers.first {
            $0.kind == .introductory && $0.billing == billing
                && $0.availability.covers(moment, in: storefront.code)
        }
    }

    /// The offer of a kind with an identifier, whether it can be had now or not.
    public func offer(_ kind: Offer.Kind, _ id: String) -> Offer? {
        offers.first { $0.kind == kind && $0.id.utf8.elementsEqual(id.utf8) }
    }
}
