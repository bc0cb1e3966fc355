/// What one period delivers and costs: a plan, and the offer that applies to that period.
public struct Selection: Hashable, Sendable {
    public var plan: Plan
    /// Nil where the plan's own price is charged.
    public var offer: AppliedOffer?

    public init(_ plan: Plan, offer: AppliedOffer? = nil) {
        self.plan = plan
        self.offer = offer
    }

    /// What is charged: the offer's price in place of the plan's while an offer runs.
    public var price: Money {
        guard let offer else { return plan.price }
        return Money(milliunits: offer.price, plan.currency)
    }

    /// How long the period lasts (CAL-12).
    public var length: CalendarPeriod { offer?.runningLength ?? plan.period }
}
