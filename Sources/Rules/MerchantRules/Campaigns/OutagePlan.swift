public import SubscriptionRules

/// What an outage campaign means for one subscriber: a dry run of its extension.
public struct OutagePlan: Hashable, Sendable {
    /// Whether the renewal date moves.
    public enum Decision: Hashable, Sendable {
        /// It moves to this moment.
        case extended(to: Instant)
        /// The store would refuse it.
        case notEligible(ExtensionRefusal)
        /// The outage did not concern the subscription.
        case leftOut(OutageLeftOutReason)
    }

    public var originalTransactionID: String
    public var decision: Decision
    /// How many days are given.
    public var days: Int
    public var warnings: [PlanWarning]

    public init(
        originalTransactionID: String, decision: Decision, days: Int, warnings: [PlanWarning]
    ) {
        self.originalTransactionID = originalTransactionID
        self.decision = decision
        self.days = days
        self.warnings = warnings
    }
}

/// Why an outage does not concern a subscription: a closed list.
public enum OutageLeftOutReason: String, Error, Hashable, Sendable, CaseIterable {
    case otherEnvironment
    case otherProduct
    case otherStorefront
    case otherAccount
    case otherEntitlement
    /// It was bought once the outage was over.
    case boughtAfterwards
    /// No signed text says where it was bought, or what a period costs.
    case unknownTerms
    /// The merchant stopped the campaign before its turn.
    case stopped

    /// The reason as a sentence.
    public var sentence: String {
        switch self {
        case .otherEnvironment: "The campaign is for another environment."
        case .otherProduct: "The campaign is for other products."
        case .otherStorefront: "The campaign is for other storefronts."
        case .otherAccount: "The campaign is for other accounts."
        case .otherEntitlement: "The subscription does not give the entitlement that failed."
        case .boughtAfterwards: "It was bought once the outage was over."
        case .unknownTerms:
            "No signed transaction says where it was bought, or what a period costs."
        case .stopped: "The campaign was stopped before its turn."
        }
    }
}

extension OutageCampaign {
    /// How many days everybody gets: within 1 to 90 whatever the file says (EXT-2). An outage of
    /// two hours has begun one day.
    public var grantedDays: Int {
        let wanted: Int
        switch days {
        case .fixed(let count):
            wanted = count
        case .forEachBegunDay:
            let day = Span.days(1).milliseconds
            wanted = Int((to.since(from).milliseconds + day - 1) / day)
        }
        let allowed = ExtensionEligibility.daysAllowed
        return min(max(wanted, allowed.lowerBound), allowed.upperBound)
    }

    /// Whether one call for each product reaches everybody. It knows products and storefronts only:
    /// who is chosen by account or entitlement is extended one by one.
    public var isMass: Bool { entitlement == nil && accounts == nil }

    /// What the campaign means for one subscription, before any call (EXT-3, EXT-4, EXT-11).
    public func plan(for subscriber: CampaignSubscriber, at now: Instant) -> OutagePlan {
        func plan(_ decision: OutagePlan.Decision) -> OutagePlan {
            let isSecond =
                ExtensionEligibility.nextAllowed(
                    after: subscriber.extensions + [now], tempo: subscriber.tempo
                ).map { $0 > now } ?? false
            var warnings: [PlanWarning] = []
            if case .extended = decision, isSecond { warnings.append(.extensionLimit) }
            return OutagePlan(
                originalTransactionID: subscriber.originalTransactionID, decision: decision,
                days: grantedDays, warnings: warnings)
        }
        if let reason = reasonToLeaveOut(subscriber) { return plan(.leftOut(reason)) }
        if let refusal = refusal(of: subscriber, at: now) { return plan(.notEligible(refusal)) }
        return plan(.extended(to: end(of: subscriber)))
    }

    /// Why the store would not extend a subscription at a moment; nil where it would.
    public func refusal(of subscriber: CampaignSubscriber, at now: Instant) -> ExtensionRefusal? {
        ExtensionEligibility(
            status: subscriber.status, expires: subscriber.renews, period: subscriber.period,
            isInFreeOffer: subscriber.items.allSatisfy { $0.offer?.mode == .freeTrial },
            paidPeriods: subscriber.paidPeriods, extensions: subscriber.extensions,
            isFamilyMember: subscriber.isFamilyMember
        ).refusal(at: now, tempo: subscriber.tempo)
    }

    private func reasonToLeaveOut(_ subscriber: CampaignSubscriber) -> OutageLeftOutReason? {
        if !environments.contains(subscriber.environment) { return .otherEnvironment }
        if !products.contains(subscriber.productID) { return .otherProduct }
        if let storefronts, !storefronts.contains(subscriber.storefront) {
            return .otherStorefront
        }
        if let accounts {
            guard let account = subscriber.account, accounts.contains(account) else {
                return .otherAccount
            }
        }
        if let entitlement, !subscriber.entitlements.contains(entitlement) {
            return .otherEntitlement
        }
        // One call for a product extends everybody who is active when it runs.
        return !isMass && subscriber.purchased >= to ? .boughtAfterwards : nil
    }

    private func end(of subscriber: CampaignSubscriber) -> Instant {
        do throws(ExtensionRefusal) {
            let request = try ExtensionRequest(days: grantedDays, reasonCode: reason.rawValue)
            return ExtendedPeriod(
                BillingCycle(anchor: subscriber.renews), by: request, period: subscriber.period,
                tempo: subscriber.tempo
            ).end
        } catch {
            preconditionFailure("the days are within 1 to 90 and the reason is one: \(error)")
        }
    }
}
