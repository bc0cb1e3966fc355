import Storage
import SubscriptionRules

/// The offers of a purchase: which one applies, and what has to be true for it. Nothing is changed
/// by asking.
struct PurchaseOffers {
    let app: App
    let customer: Customer
    let product: Product
    /// The offer that is asked for; nil for the introductory one where the customer may have it.
    let asked: OfferClaim?
    let now: Instant
    /// The secret from which codes are derived.
    let seed: String
    let session: any Session

    /// The customer's subscription in a group, if there is or was one. What is higher and what is
    /// lower is said by the levels of today (GRP-4).
    func running(in groupID: String) throws -> SubscriptionRecord? {
        var found = try SubscriptionRecord.find(
            customer: customer.id, app: app.id, groupID: groupID, in: session)
        let current = found.flatMap { app.product($0.subscription.plan.productID) }
        if let level = current?.subscription?.level { found?.subscription.rank(asLevel: level) }
        return found
    }

    /// Where a plan is bought: a running subscription stays in the storefront where it was.
    func storefront(for running: SubscriptionRecord?) -> Storefront {
        running.flatMap { $0.subscription.isOver ? nil : $0.storefront } ?? customer.storefront
    }

    /// What is chosen where a subscription is bought.
    struct Choice {
        var plan: Plan
        /// Whether the developer lets the customer have the introductory offer once more.
        var grantsIntroductory = false
        /// The code that is redeemed.
        var redemption: OfferRedemption?
    }

    /// The product's plan with the offers that were asked for, or, where none was, with the
    /// introductory one.
    ///
    /// - Parameter running: the customer's subscription in the group, if there is or was one.
    /// - Throws: `StoreError.purchase(.offer)`.
    func choice(
        of plan: Plan, _ terms: SubscriptionTerms, for running: SubscriptionRecord?,
        in storefront: Storefront
    ) throws -> Choice {
        let introductory = terms.introductoryOffer(plan.billing, at: now, in: storefront)
            .map { AppliedOffer($0, in: storefront) }
        guard let claim = asked else {
            return Choice(plan: plan.changingLines { $0.offer = introductory })
        }
        switch claim {
        case .introductory(let isAllowed, _):
            guard isAllowed else { return Choice(plan: plan) }
            guard let introductory else { throw StoreError.purchase(.offer(.unknown(""))) }
            return Choice(
                plan: plan.changingLines { $0.offer = introductory }, grantsIntroductory: true)
        case .promotional(let id, _):
            return Choice(
                plan: try redeemed(.promotional, id, of: plan, terms, running, in: storefront))
        case .winBack(let id):
            return Choice(
                plan: try redeemed(.winBack, id, of: plan, terms, running, in: storefront))
        case .code(let code):
            return try choice(
                code: code, terms, plan, introductory: introductory, for: running, in: storefront)
        }
    }

    private func redeemed(
        _ kind: Offer.Kind, _ id: String, of plan: Plan, _ terms: SubscriptionTerms,
        _ running: SubscriptionRecord?, in storefront: Storefront
    ) throws -> Plan {
        guard let offer = terms.offer(kind, id) else {
            throw StoreError.purchase(.offer(.unknown(id)))
        }
        let refusal = offer.refusal(
            of: plan, for: running?.subscription, at: now,
            under: app.conditions(for: customer, in: storefront))
        if let refusal { throw StoreError.purchase(.offer(.refused(refusal))) }
        if kind == .winBack,
            try FamilyShare.groups(of: customer.id, app: app.id, in: session)
                .contains(terms.groupID)
        {
            throw StoreError.purchase(.offer(.refused(.hasSharedAccess)))
        }
        return plan.changingLines { $0.offer = AppliedOffer(offer, in: storefront) }
    }
}
