extension Subscription {
    /// The customer's first purchase in the group: the bill to be paid before `begin`.
    public static func firstBill(_ plan: Plan, introductory: AppliedOffer?) -> Bill {
        Bill(.purchase, plan, offer: introductory)
    }

    /// A subscription that begins with a paid bill, and what has to be done about it.
    public static func begin(
        _ bill: Bill, groupID: String, transactionID: Int64, at now: Instant,
        under conditions: Conditions
    ) -> (Subscription, [Action]) {
        var cycle = BillingCycle(anchor: now)
        let end = cycle.advance(
            by: bill.length, from: now, tempo: conditions.tempo, zone: conditions.zone)
        let term = Term(
            transactionID: transactionID, purchased: now, start: now, end: end,
            price: bill.amount.milliunits, offer: bill.offer,
            commission: conditions.isInSmallBusinessProgram ? .reduced : .standard)
        let subscription = Subscription(
            id: transactionID, groupID: groupID, plan: bill.plan, nextPlan: nil, term: term,
            cycle: cycle, state: .active, renewsAutomatically: true, renewalCount: 0,
            serviceStart: now, hasUsedIntroductoryOffer: bill.offer?.kind == .introductory,
            paidPeriods: term.price > 0 ? 1 : 0)
        return (
            subscription,
            [.open(term, bill.plan, reason: .purchase), .notify(.subscribed(.initialBuy))]
        )
    }

    /// Takes an event and says what has to be done; on a refusal nothing has changed.
    ///
    /// What is due comes first: whoever sends an event sends `becameDue` for every `nextChange`
    /// up to that moment before it. A `charge` is answered with `wasPaid` or `wasDeclined` before
    /// any other event; an answer to a bill that the subscription does not wait for is refused.
    ///
    /// - Parameters:
    ///   - now: the moment of the event; for `becameDue` the moment that was due.
    ///   - conditions: the conditions that hold at that moment.
    public mutating func handle(
        _ event: Event, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        switch (state, event) {
        case (.active, .chosePlan(let plan, _)), (.grace, .chosePlan(let plan, _)),
            (.retrying, .chosePlan(let plan, _)):
            return try choose(plan, at: now, under: conditions)
        case (.expired, .chosePlan(let plan, let introductory)),
            (.revoked, .chosePlan(let plan, let introductory)):
            let offer = hasUsedIntroductoryOffer ? nil : introductory
            return [.charge(Bill(.purchase, plan, offer: offer))]

        case (.active, .turnedRenewalOff): return setRenewal(false, at: now, under: conditions)
        case (.active, .turnedRenewalOn): return setRenewal(true, at: now, under: conditions)
        case (.grace, .turnedRenewalOff), (.retrying, .turnedRenewalOff):
            return giveUp(at: now, under: conditions)
        case (.grace, .turnedRenewalOn), (.retrying, .turnedRenewalOn): return []
        case (.expired, .turnedRenewalOff), (.expired, .turnedRenewalOn),
            (.revoked, .turnedRenewalOff), (.revoked, .turnedRenewalOn):
            throw .notActive

        case (.grace, .changedPaymentMethod), (.retrying, .changedPaymentMethod):
            return [.charge(nextBill)]
        case (.active, .changedPaymentMethod), (.expired, .changedPaymentMethod),
            (.revoked, .changedPaymentMethod):
            return []

        case (.active, .becameDue(let forSale)):
            return try comeDue(forSale: forSale, at: now, under: conditions)
        case (.grace(let retry, let until), .becameDue(let forSale)):
            return try retryInGrace(retry, until: until, forSale: forSale, at: now)
        case (.retrying(let retry, _), .becameDue(let forSale)):
            return try retryAgain(retry, forSale: forSale, at: now)
        case (.expired, .becameDue), (.revoked, .becameDue): throw .notDue

        case (_, .wasPaid(let bill, let transactionID)):
            return try settle(bill, transactionID: transactionID, at: now, under: conditions)
        case (_, .wasDeclined(let bill)):
            return try miss(bill, at: now, under: conditions)

        case (.active, .wasEnded), (.grace, .wasEnded), (.retrying, .wasEnded):
            return cutShort(at: now) + expire(.other, at: now)
        case (.expired, .wasEnded), (.revoked, .wasEnded): throw .notActive

        case (_, .priceWasChanged(let productID, let price)):
            return changePrice(of: productID, to: price, at: now, under: conditions)
        case (_, .answeredPriceIncrease(let agrees)):
            return try answerIncrease(agrees: agrees, at: now, under: conditions)

        case (_, .wasExtended(let request)):
            return try extend(request, at: now, under: conditions)

        case (_, .requestedRefund(let id)):
            return requestRefund(of: id, at: now, under: conditions)
        case (_, .refundWasDeclined): return [.notify(.refundDeclined)]
        case (_, .wasRefunded(let id, let fully)):
            return refund(id, fully: fully, at: now, under: conditions)
        case (_, .refundWasReversed(let id)): return reverseRefund(of: id, at: now)
        }
    }

    /// What a running subscription is in, as the plan-change tables see it (TAB-2.3).
    public var standing: PlanChange.Standing {
        switch state {
        case .grace: return .grace
        case .retrying, .expired, .revoked: return .retry
        case .active: break
        }
        switch term.offer?.mode {
        case .freeTrial: return .freeTrial
        case .payAsYouGo: return .discountedPayAsYouGo
        case .payUpFront: return .discountedPayUpFront
        case nil: return .paidPeriod
        }
    }
}
