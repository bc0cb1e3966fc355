/// Why a customer cannot have an offer now (TAB-5.2).
public enum OfferRefusal: String, Hashable, Sendable, CaseIterable {
    /// It is over, has not begun, or is not had in this storefront (INT-3).
    case notAvailable
    /// It belongs to the other billing plan of the product (CMT-1).
    case ofOtherBillingPlan
    /// A promotional or win-back offer is for those who subscribe or did.
    case neverSubscribed
    /// The code is for others: new, existing or expired subscribers.
    case notInAudience
    /// The code is for others: by what they paid for in the app, and when (COD-6).
    case notAmongSpenders
    /// Whoever subscribes can redeem a code for the same level or an upgrade only (COD-4).
    case wouldDowngrade
    /// The subscription goes on, or its renewal is being tried again (WIN-1).
    case notLapsed
    /// A family shares a subscription of the group with the customer, which is an active one
    /// (WIN-1).
    case hasSharedAccess
    /// The paid service was too short (WIN-1).
    case paidTooLittle
    /// It ended too recently or too long ago (WIN-1).
    case lapsedAtOtherTime
    /// The last win-back offer is too recent (WIN-1).
    case wonBackRecently
}

extension Offer {
    /// Why a customer cannot have it for a plan; nil where it can be had.
    ///
    /// Of an introductory offer only when and where it can be had is looked at: who may have it is
    /// decided when it is applied (INT-1, INT-2).
    ///
    /// - Parameters:
    ///   - plan: the plan that it is an offer of.
    ///   - subscription: the customer's in the group; nil where there never was one.
    public func refusal(
        of plan: Plan, for subscription: Subscription?, at now: Instant,
        under conditions: Conditions
    ) -> OfferRefusal? {
        guard billing == plan.billing else { return .ofOtherBillingPlan }
        guard availability.covers(now, in: conditions.storefront) else { return .notAvailable }
        switch kind {
        case .introductory:
            return nil
        case .promotional:
            return subscription == nil ? .neverSubscribed : nil
        case .offerCode:
            guard audiences.contains(Audience(subscription)) else { return .notInAudience }
            if let subscription, !subscription.isOver, plan.level > subscription.plan.level {
                return .wouldDowngrade
            }
            return nil
        case .winBack:
            guard let subscription else { return .neverSubscribed }
            return subscription.refusal(of: winBack ?? WinBackTerms(), at: now, under: conditions)
        }
    }
}

extension Offer.Audience {
    /// The one that a customer belongs to, given the customer's subscription in the group.
    public init(_ subscription: Subscription?) {
        switch subscription {
        case nil: self = .new
        case let running? where !running.isOver: self = .existing
        case _?: self = .expired
        }
    }
}

extension Subscription {
    /// Sandbox has every customer back whose subscription has ended, however short and long ago
    /// (SBX-6).
    fileprivate func refusal(
        of terms: WinBackTerms, at now: Instant, under conditions: Conditions
    ) -> OfferRefusal? {
        guard isOver else { return .notLapsed }
        guard conditions.tempo == .real else { return nil }
        let end = min(newestPeriod.refund?.moment ?? newestPeriod.end, newestPeriod.end)
        func months(_ count: Int, after moment: Instant) -> Instant {
            var cycle = BillingCycle(anchor: moment)
            return cycle.advance(
                by: CalendarPeriod(count, .month), from: moment, tempo: .real,
                zone: conditions.zone)
        }
        // A month may have 28 days, and whoever paid for it has paid for a month.
        guard paidDays(under: conditions) >= 28 * terms.paidMonths else { return .paidTooLittle }
        if let since = terms.monthsSinceEnd {
            // The last month counts to its end.
            guard now >= months(since.lowerBound, after: end),
                now < months(since.upperBound + 1, after: end)
            else { return .lapsedAtOtherTime }
        }
        if let wait = terms.waitMonths,
            let last = offersUsed.last(where: { $0.kind == .winBack })?.at,
            now < months(wait, after: last)
        {
            return .wonBackRecently
        }
        return nil
    }
}
