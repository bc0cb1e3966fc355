/// A higher price on its way to one subscriber: live in the storefront, not charged yet
/// (INC-2 to INC-12).
public struct PendingIncrease: Hashable, Sendable {
    /// The new price of a period, in milliunits of the plan's currency.
    public let price: Int64
    /// When it went live.
    public let live: Instant
    /// How far it has come.
    public internal(set) var phase: Phase

    /// How far an increase has come with one subscriber.
    public enum Phase: Hashable, Sendable {
        /// Nothing can be planned: renewal is off, a renewal failed, or it is over (INC-8, ACC-11).
        case waiting
        /// It will be announced.
        case planned(Schedule)
        /// The subscriber was asked and has not answered.
        case asked(Schedule)
        /// The subscriber agreed, or was told and need not agree.
        case accepted(Schedule)
        /// The subscriber declined and turned renewal off thereby (INC-12).
        case declined(Schedule)

        /// When the announcement is due; nil when nothing is to be announced.
        var announcement: Instant? {
            if case .planned(let schedule) = self { schedule.announcement } else { nil }
        }

        /// The same phase with other dates.
        func with(_ schedule: Schedule) -> Phase {
            switch self {
            case .waiting: .waiting
            case .planned: .planned(schedule)
            case .asked: .asked(schedule)
            case .accepted: .accepted(schedule)
            case .declined: .declined(schedule)
            }
        }
    }

    /// The dates of an increase, and what they were computed from.
    public struct Schedule: Hashable, Sendable {
        /// What the subscriber is asked: notice or consent.
        public var path: ConsentDecision.Path
        /// When the subscriber first hears of it.
        public var announcement: Instant
        /// The renewal that first charges it, R in the rules.
        public var renewal: Instant
        /// The subscriber as seen when this was planned: with it the decision and its reasons can
        /// be told again at any time.
        public var basis: RenewalOutlook

        /// Restores a schedule as it was stored.
        public init(
            path: ConsentDecision.Path, announcement: Instant, renewal: Instant,
            basis: RenewalOutlook
        ) {
            self.path = path
            self.announcement = announcement
            self.renewal = renewal
            self.basis = basis
        }
    }

    /// Restores an increase as it was stored.
    public init(price: Int64, live: Instant, phase: Phase) {
        self.price = price
        self.live = live
        self.phase = phase
    }

    /// The dates, once there are some.
    public var schedule: Schedule? {
        switch phase {
        case .waiting: nil
        case .planned(let schedule), .asked(let schedule), .accepted(let schedule),
            .declined(let schedule):
            schedule
        }
    }

    /// What `priceIncreaseStatus` says: true for agreed or told, false for asked, nil while
    /// nothing is announced (INC-10).
    public var isAccepted: Bool? {
        switch phase {
        case .asked: false
        case .accepted: true
        case .waiting, .planned, .declined: nil
        }
    }

    /// Another billing zone moves renewals by hours, at the end of a month by up to three days, and
    /// never by half a week. Shortened periods know no zone.
    static func zoneDrift(at tempo: Tempo) -> Span {
        tempo == .real ? .hours(84) : Span(milliseconds: 0)
    }

    /// R stays the renewal that it was, now that its moment is fixed, when the zone has changed.
    mutating func keepRenewal(at end: Instant) {
        guard var schedule,
            abs(end.since(schedule.renewal).milliseconds)
                < Self.zoneDrift(at: schedule.basis.tempo).milliseconds
        else { return }
        schedule.renewal = end
        phase = phase.with(schedule)
    }

    /// Whether the whole notice begins again once a renewal that had no answer is paid: after a
    /// problem (INC-7), and where what was to be told was not told in time.
    func isToBePlannedAnew(_ afterProblem: Bool, at now: Instant) -> Bool {
        switch phase {
        case .waiting: true
        case .planned(let schedule): afterProblem || schedule.announcement < now
        case .asked, .accepted, .declined: afterProblem
        }
    }

    /// The price that a renewal shows, if this increase has been announced for it (INC-13).
    func price(forRenewalAt moment: Instant) -> Int64? {
        switch phase {
        case .asked(let schedule), .accepted(let schedule):
            schedule.renewal <= moment ? price : nil
        case .waiting, .planned, .declined: nil
        }
    }
}

extension Subscription {
    /// The increase that a renewal to come would charge; nil where there is none, where the
    /// subscription is over, and where it renews as another plan, which voids it (TAB-2.3). While
    /// that plan waits it can be taken back, and the increase with it.
    public var comingIncrease: PendingIncrease? { isOver || nextPlan != nil ? nil : increase }

    /// Why an increase goes its way and when, in all detail; nil while nothing is planned, and
    /// once the subscription is over.
    ///
    /// - Parameter storefront: the alpha-3 code of the subscription's storefront.
    public func explanation(storefront: String) -> PriceIncreaseExplanation? {
        guard let increase = comingIncrease, let basis = increase.schedule?.basis else {
            return nil
        }
        return explanation(of: increase, basis, storefront: storefront)
    }

    private func explanation(
        of increase: PendingIncrease, _ outlook: RenewalOutlook, storefront: String
    ) -> PriceIncreaseExplanation {
        PriceIncreaseExplanation(
            PriceChange(from: plan.price.milliunits, to: increase.price, in: plan.currency),
            for: .init(
                storefront: storefront, outlook: outlook, previousIncrease: lastIncrease),
            route: .appStoreConnect, live: increase.live)
    }

    /// A price went live: a lower one holds from the next charge on and nobody is told (PRC-4); a
    /// higher one waits until the subscriber was told or has agreed. It takes the place of one
    /// that was still on its way (PRC-2). A plan that waits for the renewal keeps the price at
    /// which it was chosen, unless it falls.
    mutating func changePrice(
        of productID: String, to price: Int64, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        if let next = nextPlan, next.productID == productID, price < next.price.milliunits {
            nextPlan = next.repriced(to: price)
        }
        // What was chosen may be in another currency; it is compared when it is paid.
        if let bill = outstanding?.bill, !bill.isChosen, bill.selection.plan.productID == productID,
            price < bill.lowered ?? bill.selection.plan.price.milliunits
        {
            outstanding?.bill.lowered = price
        }
        guard productID == plan.productID else { return [] }
        increase = nil
        guard price > plan.price.milliunits else {
            plan = plan.repriced(to: price)
            return []
        }
        increase = PendingIncrease(price: price, live: now, phase: .waiting)
        if case .active = state { planIncrease(.renews, under: conditions) }
        return []
    }

    /// Computes the dates of an increase that is on its way.
    mutating func planIncrease(_ standing: RenewalOutlook.Standing, under conditions: Conditions) {
        guard var increase else { return }
        let outlook = RenewalOutlook(
            periodStart: term.start, periodEnd: term.end, cycle: cycle, period: plan.period,
            offer: term.offer, standing: renewsAutomatically ? standing : .willNotRenew,
            tempo: conditions.tempo,
            zone: conditions.zone)
        let explanation = explanation(of: increase, outlook, storefront: conditions.storefront)
        increase.phase = .waiting
        if let renewal = explanation.calendar.firstRenewal,
            let announcement = explanation.calendar.firstMessage
        {
            increase.phase = .planned(
                .init(
                    path: explanation.decision.path, announcement: announcement, renewal: renewal,
                    basis: outlook))
        }
        self.increase = increase
    }

    /// The subscriber is told, or asked.
    mutating func announceIncrease(_ schedule: PendingIncrease.Schedule) -> [Action] {
        let needsAnswer = schedule.path == .consent
        increase?.phase = needsAnswer ? .asked(schedule) : .accepted(schedule)
        return [.notify(.priceIncrease(isAccepted: !needsAnswer))]
    }

    /// Agreeing to what needs no consent changes nothing; declining turns renewal off (INC-12).
    mutating func answerIncrease(
        agrees: Bool, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard case .active = state else { throw .noPriceIncrease }
        switch (increase?.phase, agrees) {
        case (.asked(let schedule), true):
            increase?.phase = .accepted(schedule)
            return [.notify(.priceIncrease(isAccepted: true))]
        case (.declined(let schedule), true):
            // A change of mind: what was asked is agreed to, and renewal is on again.
            renewsAutomatically = true
            increase?.phase = .accepted(schedule)
            return [
                .notify(.didChangeRenewalStatus(enabled: true)),
                .notify(.priceIncrease(isAccepted: true)),
            ]
        case (.accepted, true), (.declined, false):
            return []
        case (.asked(let schedule), false):
            increase?.phase = .declined(schedule)
            renewsAutomatically = false
            return [.notify(.didChangeRenewalStatus(enabled: false))]
        case (.accepted, false):
            return setRenewal(false, at: now, under: conditions)
        case (.waiting, _), (.planned, _), (nil, _):
            throw .noPriceIncrease
        }
    }

    /// An extension moved the renewals: R is the same renewal on its new day, and what was not
    /// announced yet moves with it. What was announced is not announced again (ACC-11).
    mutating func moveIncrease(
        from old: BillingCycle, endingAt oldEnd: Instant, under conditions: Conditions
    ) {
        guard let increase, let schedule = increase.schedule else { return }
        func renewals(_ end: Instant, _ cycle: BillingCycle) -> ComingRenewals {
            RenewalOutlook(
                periodStart: term.start, periodEnd: end, cycle: cycle, period: plan.period,
                offer: term.offer, tempo: conditions.tempo, zone: conditions.zone
            ).renewals
        }
        var moved = schedule
        for (before, after) in zip(renewals(oldEnd, old), renewals(term.end, cycle)) {
            moved.renewal = after.moment
            let drift = PendingIncrease.zoneDrift(at: conditions.tempo)
            if before.moment + drift >= schedule.renewal { break }
        }
        moved.announcement = moved.announcement + moved.renewal.since(schedule.renewal)
        self.increase?.phase = increase.phase.with(moved)
    }
}
