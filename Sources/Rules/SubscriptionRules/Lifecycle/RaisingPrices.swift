/// What higher prices do to a subscription: each line has its own, with its own dates; the
/// subscriber is told of them for the subscription as a whole, and answers so (LIN-3).
extension Subscription {
    /// The increases that renewals to come would charge, in the order of the plan's lines; none
    /// where the subscription is over, and where it renews as another plan, which voids them
    /// (TAB-2.3). While that plan waits it can be taken back, and the increases with it.
    public var comingIncreases: [(line: Plan.Line, increase: PendingIncrease)] {
        guard !isOver, increasesHold else { return [] }
        return (plan.lines + waitingItems).compactMap { line in
            increases[line.sku].map { (line, $0) }
        }
    }

    /// A merchant's items that only come with the renewal; a higher price of theirs waits for it.
    public var waitingItems: [Plan.Line] {
        guard plan.merchant != nil, let nextPlan else { return [] }
        return nextPlan.lines.filter { plan.line($0.sku) == nil }
    }

    /// Whether what was announced holds: another plan that waits for the renewal voids it. Of a
    /// merchant's plan the items that stay keep theirs (ACS-4), until the renewal is due.
    var increasesHold: Bool {
        nextPlan == nil || plan.merchant != nil && state == .active
    }

    /// What `priceIncreaseStatus` says of the plan that renews: false while one of the increases,
    /// or the end of an offer, lacks an answer, nil while none is announced (INC-10, KOR-5), and of
    /// what was given back while it ran, of which nothing renews.
    public var agreesToIncreases: Bool? {
        guard increasesHold, state != .revoked else { return nil }
        // Of a merchant's items one that was refused ends, and the others go on.
        var answers = comingHigherPrices.compactMap { increase in
            plan.merchant != nil && increase.phase.isDeclined ? false : increase.isAccepted
        }
        if let askedConversion { answers.append(askedConversion.agreed != nil) }
        return answers.isEmpty ? nil : !answers.contains(false)
    }

    /// What is on its way and costs more: of a merchant's lower price nobody is told (ACP-12).
    private var comingHigherPrices: [PendingIncrease] {
        plan.lines.compactMap { line in
            increases[line.sku].flatMap { $0.price > line.price ? $0 : nil }
        }
    }

    /// Whether the store tells the subscriber of what is on its way: of no lower price, and of no
    /// higher one of which the merchant tells itself (ACP-10, ACP-12).
    public func isTold(
        of increase: PendingIncrease, of line: Plan.Line, by merchantRoute: PriceChangeRoute
    ) -> Bool {
        increase.price > line.price
            && (plan.merchant == nil || merchantRoute == .storeManaged)
    }

    /// When the subscriber is to hear of the next increase. Nobody is told of what will not be
    /// charged: while another plan waits for the renewal, it waits with it.
    var nextAnnouncement: Instant? {
        // Most have none, and are asked several times for a renewal.
        guard !increases.isEmpty, increasesHold else { return nil }
        return increases.values.compactMap(\.phase.announcement).min()
    }

    /// Why an increase of a line goes its way and when, in all detail: decided as it was when it
    /// was planned, with the dates that hold now. Nil while nothing is planned, once the
    /// subscription is over, and in the way of 2012, which decided nothing.
    public func explanation(
        of sku: String, under conditions: Conditions
    ) -> PriceIncreaseExplanation? {
        guard !asksAsIn2012(under: conditions),
            let (line, increase) = comingIncreases.first(where: { $0.line.sku == sku }),
            let schedule = increase.schedule
        else { return nil }
        let basis = schedule.basis
        let now = outlook(of: line, basis.expectation, under: conditions)
        var explanation = explanation(
            of: increase, of: line, basis,
            schedule.threshold.map(ConsentThresholds.init(onlyOf:)) ?? .standard,
            under: conditions)
        switch increase.phase {
        case .accepted: explanation.agreed = schedule.path == .consent ? true : nil
        case .declined: explanation.agreed = false
        case .waiting, .planned, .asked: break
        }
        explanation.calendar.hold(schedule, seenFrom: now, isAnswered: explanation.agreed != nil)
        if explanation.agreed == true { explanation.calendar.answerBy = nil }
        return explanation
    }

    /// The renewals of a line as they lie ahead from here. They come under the conditions of today,
    /// whatever held when an increase was planned.
    ///
    /// - Parameter expectation: what it is expected to do; counting the renewals needs none.
    func outlook(
        of line: Plan.Line, _ expectation: RenewalOutlook.Expectation = .renews,
        under conditions: Conditions
    ) -> RenewalOutlook {
        guard plan.billing == .upFront else {
            return outlookOfCommitments(of: line, expectation, under: conditions)
        }
        return RenewalOutlook(
            periodStart: newestPeriod.start, periodEnd: newestPeriod.end, cycle: cycle,
            period: plan.period,
            offer: plan.counted(line, \.offer), nextOffer: plan.counted(line, \.nextOffer),
            expectation: expectation, tempo: conditions.tempo, zone: conditions.zone)
    }

    private func explanation(
        of increase: PendingIncrease, of line: Plan.Line, _ outlook: RenewalOutlook,
        _ thresholds: ConsentThresholds, under conditions: Conditions
    ) -> PriceIncreaseExplanation {
        // What is agreed to is a commitment, which is a year.
        let months = plan.billing == .monthly ? Int64(Commitment.months) : 1
        return PriceIncreaseExplanation(
            PriceChange(
                from: line.price * months, to: increase.price * months, in: plan.currency),
            for: .init(
                storefront: conditions.storefront, outlook: outlook,
                previousIncrease: lastIncreases[line.sku]),
            route: plan.merchant == nil ? .appStoreConnect : conditions.merchantRoute,
            live: increase.live, thresholds: thresholds)
    }

    /// A price went live: a lower one holds from the next charge on and nobody is told (PRC-4); a
    /// higher one waits until the subscriber was told or has agreed. It takes the place of one
    /// that was still on its way (PRC-2). A plan that waits for the renewal keeps the price at
    /// which it was chosen for its first period, unless it falls.
    mutating func changePrice(
        of sku: String, to price: Int64, _ billing: BillingPlan, at now: Instant,
        under conditions: Conditions
    ) {
        // Billed monthly and at once, a product has two prices.
        if let next = nextPlan, next.billing == billing {
            nextPlan = next.promised(sku, at: price)
        }
        // What was chosen may be in another currency; it is compared when it is paid.
        if let bill = outstanding?.bill, !bill.isChosen, bill.plan.billing == billing,
            let line = bill.plan.line(sku), price < bill.lowered[sku] ?? line.price
        {
            outstanding?.bill.lowered[sku] = price
        }
        // The same price again changes nothing, least of all what was agreed.
        guard plan.billing == billing, let line = plan.line(sku), increases[sku]?.price != price
        else { return }
        increases[sku] = nil
        guard price > line.price else {
            plan = plan.repriced(sku, to: price)
            return
        }
        increases[sku] = PendingIncrease(price: price, live: now, phase: .waiting)
        if case .active = state { planIncrease(of: line, .renews, under: conditions) }
    }

    /// Computes the dates of the increases that are on their way, or of some of them.
    mutating func planIncreases(
        _ expectation: RenewalOutlook.Expectation, under conditions: Conditions,
        where isAffected: (PendingIncrease) -> Bool = { _ in true }
    ) {
        guard !increases.isEmpty else { return }
        for line in plan.lines where increases[line.sku].map(isAffected) ?? false {
            planIncrease(of: line, expectation, under: conditions)
        }
    }

    mutating func planIncrease(
        of line: Plan.Line, _ expectation: RenewalOutlook.Expectation, under conditions: Conditions
    ) {
        guard var increase = increases[line.sku] else { return }
        let outlook = outlook(
            of: line, renewsAutomatically ? expectation : .willNotRenew, under: conditions)
        if let untold = untoldSchedule(of: increase, of: line, outlook, under: conditions) {
            increases[line.sku]?.phase = .accepted(untold)
            return
        }
        // What comes with an offer at the renewal gets dearer after that, and is told then.
        guard !line.isGivenOffer(in: nextPlan) else {
            increases[line.sku]?.phase = .waiting
            return
        }
        guard !asksAsIn2012(under: conditions) else {
            let schedule = scheduleOf2012(of: increase, outlook, under: conditions)
            increases[line.sku]?.phase = schedule.map { .planned($0) } ?? .waiting
            return
        }
        let explanation = explanation(
            of: increase, of: line, outlook, conditions.thresholds, under: conditions)
        increase.phase = .waiting
        if let renewal = explanation.calendar.firstRenewal,
            let announcement = explanation.calendar.firstMessage
        {
            increase.phase = .planned(
                .init(
                    path: explanation.decision.path, announcement: announcement, renewal: renewal,
                    basis: outlook,
                    threshold: conditions.thresholds.operatorRow(of: conditions.storefront)))
        }
        increases[line.sku] = increase
    }

    /// A renewal failed: one more period at the old prices once it recovers, then full notice
    /// (INC-7).
    mutating func delayIncreases() {
        for sku in increases.keys { increases[sku]?.phase = .waiting }
    }

    /// The subscriber is told, or asked: once for all lines whose day it is. Nobody is who will
    /// not renew, since it is off sale (INC-8); the next renewal there is plans it anew.
    mutating func announceIncreases(
        forSale: Bool, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        guard forSale else {
            for (sku, increase) in increases where increase.phase.announcement != nil {
                increases[sku]?.phase = .waiting
            }
            return []
        }
        var paths: Set<ConsentDecision.Path> = []
        for (sku, increase) in increases {
            guard case .planned(let schedule) = increase.phase, now >= schedule.announcement else {
                continue
            }
            paths.insert(schedule.path)
            increases[sku]?.phase =
                schedule.path == .consent ? .asked(schedule) : .accepted(schedule)
        }
        let told = [false, true].filter { isAccepted in
            paths.contains { ($0 != .consent) == isAccepted }
        }.map { Action.notify(.priceIncrease(isAccepted: $0)) }
        return told + (paths.contains(.consent) ? suspendRenewal(under: conditions) : [])
    }

    func skus(in phase: (PendingIncrease.Phase) -> Bool) -> [String] {
        increases.filter { phase($0.value.phase) }.map(\.key)
    }

    /// An extension moved the renewals: R is the same renewal on its new day, and what was not
    /// announced yet moves with it. What was announced was announced when it was (ACC-11).
    ///
    /// - Parameter before: the subscription with the renewals of before.
    mutating func moveIncreases(from before: Subscription, under conditions: Conditions) {
        let drift = PendingIncrease.zoneDrift(at: conditions.tempo)
        for line in plan.lines {
            guard let increase = increases[line.sku], let schedule = increase.schedule else {
                continue
            }
            let (old, new) = (
                before.outlook(of: line, under: conditions), outlook(of: line, under: conditions)
            )
            var moved = schedule
            for (before, after) in zip(old.renewals, new.renewals) {
                moved.renewal = after.moment
                if before.moment + drift >= schedule.renewal { break }
            }
            if case .planned = increase.phase {
                moved.announcement = moved.announcement + moved.renewal.since(schedule.renewal)
            }
            increases[line.sku]?.phase = increase.phase.with(moved)
        }
    }
}
