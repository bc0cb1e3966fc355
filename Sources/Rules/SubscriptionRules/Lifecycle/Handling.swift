extension Subscription {
    /// Takes an event and says what has to be done; on a refusal nothing has changed.
    ///
    /// What is due comes first: whoever sends an event sends `becameDue` for every `nextChange`
    /// up to that moment before it. A `charge` makes its bill outstanding; the bank's answer to
    /// it, or that it is pending, is the next event. An answer to any other bill is refused.
    ///
    /// - Parameters:
    ///   - now: the moment of the event; for `becameDue` the moment that was due.
    ///   - conditions: the conditions that hold at that moment.
    ///   - newBill: draws the identifier of a bill, where the event makes one.
    public mutating func handle(
        _ event: Event, at now: Instant, under conditions: Conditions, newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        let actions = try carryOut(event, at: now, under: conditions, newBill)
        planConversion(at: now, under: conditions)
        forgetIncreasesOfWhatIsGone()
        return actions
    }

    private mutating func carryOut(
        _ event: Event, at now: Instant, under conditions: Conditions, _ newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        switch event {
        case .chosePlan(let plan, let grantsIntroductory):
            return try choose(
                plan, grantsIntroductory: grantsIntroductory, at: now, under: conditions, newBill)
        case .turnedRenewalOff: return try turnRenewalOff(at: now, under: conditions)
        case .turnedRenewalOn:
            guard !isOver else { throw .notActive }
            return setRenewal(true, at: now, under: conditions)
        case .changedPaymentMethod: return tryAgain(newBill)
        case .becameDue(let forSale):
            return try comeDue(forSale: forSale, at: now, under: conditions, newBill)
        case .wasEnded: return try end(at: now)

        case .billIsPending(let id): return try wait(for: id, at: now, under: conditions)
        case .billWasPaid(let id): return try settle(id, at: now, under: conditions)
        case .billWasDeclined(let id):
            return try miss(id, at: now, under: conditions, newBill)
        case .billWasVoided(let id, let forSale):
            return try giveUp(id, forSale: forSale, at: now, under: conditions, newBill)
        case .gaveUpWaiting: return voidOutstanding()

        case .priceWasChanged(let sku, let price, let billing):
            changePrice(of: sku, to: price, billing, at: now, under: conditions)
            return []
        case .merchantChangedPrices(let changes):
            return try changePrices(changes, at: now, under: conditions)
        case .merchantModified(let request):
            return try modify(request, at: now, under: conditions, newBill)
        case .merchantReactivated(let skus):
            return try reactivate(skus, at: now, under: conditions)
        case .merchantDescribed(let request): return try describe(request)
        case .merchantMigrated(let old, let plan, let next, let shares):
            return migrate(
                from: old, to: plan, next: next, shares: shares, at: now, under: conditions)
        case .wasMigrated: return try wasMigrated(at: now)
        case .answeredPriceIncrease(let agrees):
            return try answer(agrees: agrees, at: now, under: conditions)

        case .wasExtended(let request):
            return try extend(request, at: now, under: conditions)

        case .requestedRefund(let id):
            return requestRefund(of: id, at: now, under: conditions)
        case .refundWasDeclined: return [.notify(.refundDeclined)]
        case .wasRefunded(let id, let fully):
            return refund(id, fully: fully, at: now, under: conditions)
        case .refundWasReversed(let id, let refunded, let isNewestGivenBack):
            return reverseRefund(
                of: id, from: refunded, isNewestGivenBack: isNewestGivenBack, at: now)
        case .itemsWereRefunded(let id, let ended, let isRest):
            return refundItems(
                of: id, ending: ended, isRest: isRest, at: now, under: conditions)
        }
    }

    /// What a running subscription is in, as the plan-change tables see it (TAB-2.3).
    public var phase: PlanChange.Phase {
        switch state {
        case .awaitingPayment, .grace: return .grace
        case .new, .retrying, .expired, .revoked: return .retry
        case .active: break
        }
        // Of several lines a free one beside a paid one is a discount.
        guard !isInFreeTrial else { return .freeTrial }
        let modes = plan.lines.compactMap(\.offer?.mode)
        if modes.isEmpty { return .paidPeriod }
        return modes.contains(.payUpFront) ? .discountedPayUpFront : .discountedPayAsYouGo
    }
}
