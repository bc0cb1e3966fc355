/// A year that is billed monthly: twelve instalments, to which its subscriber has agreed (CMT-1).
extension Subscription {
    /// Whether the next renewal is an instalment of a running commitment: it is charged whatever
    /// has become of the wish to renew, of the product, and of the plan (CMT-1). A refund of the
    /// newest month ends that.
    public var owesInstalment: Bool {
        guard !isOver, newestPeriod.refund == nil, let instalment = newestPeriod.instalment
        else { return false }
        return instalment < Commitment.months
    }

    /// Whether the next renewal is to be charged: what `autoRenewStatus` says.
    public var isRenewing: Bool { renewsAutomatically || owesInstalment }

    /// Whether a bill pays the next instalment of the running commitment, which leaves the choice
    /// of another plan as it is.
    func isInstalment(_ bill: Bill) -> Bool { owesInstalment && !bill.isChosen }

    /// Which instalment a bill pays; nil for what is no month of a commitment. A free trial and an
    /// offer that is paid up front come before it.
    func instalment(of bill: Bill) -> Int? {
        guard bill.plan.billing == .monthly, !bill.plan.isBeforeCommitment else { return nil }
        switch bill.purpose {
        // Whoever buys sees the price, and agrees to it for twelve months from then on.
        case .purchase, .planChange, .modification: return 1
        case .renewal, .recovery: return owesInstalment ? (newestPeriod.instalment ?? 0) + 1 : 1
        }
    }

    /// When the running commitment ends, counted from the anchor like every period, so that an
    /// extension moves it; nil outside of one.
    public func commitmentEnd(in zone: BillingZone) -> Instant? {
        guard !isOver, newestPeriod.instalment != nil else { return nil }
        return termsMayChange(in: zone).moment
    }

    /// What follows the commitment, or where none runs the next renewal: the plan that waits, or
    /// this one with the prices that were announced.
    public func planOfNextTerm(in zone: BillingZone) -> Plan {
        if let nextPlan { return nextPlan }
        guard owesInstalment else { return renewalPlan }
        return plan.changingLines { line in
            for _ in newestPeriod.instalmentsAhead { line = line.afterInstalment }
            line = line.afterRenewal
            line = increased(line, forRenewalAt: termsMayChange(in: zone).moment)
        }
    }

    /// The next renewal that is no instalment: only there may a price rise, and a plan that waits
    /// begin (CMT-1). With the cycle as it stands there.
    func termsMayChange(in zone: BillingZone) -> (moment: Instant, cycle: BillingCycle) {
        let months = newestPeriod.instalmentsAhead.count
        guard owesInstalment else { return (newestPeriod.end, cycle) }
        switch cycle.unit {
        case .months, .days:
            var cycle = cycle
            let end = cycle.advance(
                by: CalendarPeriod(months, .month), from: newestPeriod.end, tempo: .real,
                zone: zone)
            return (end, cycle)
        case .milliseconds:
            // Shortened months are as long as this one was agreed to be.
            let agreed = newestPeriod.end - newestPeriod.extended
            let month = agreed.since(newestPeriod.start).milliseconds
            let end = newestPeriod.end + Span(milliseconds: month * Int64(months))
            return (end, BillingCycle(anchor: end, unit: .milliseconds, elapsed: 0))
        }
    }
}

extension BillingPeriod {
    /// The instalments that follow it in its commitment.
    var instalmentsAhead: Range<Int> {
        guard let instalment else { return 0..<0 }
        return instalment..<max(instalment, Commitment.months)
    }
}

extension Plan {
    /// Whether its period comes before the commitment that the plan brings.
    var isBeforeCommitment: Bool {
        switch onlyOffer?.mode {
        case .freeTrial, .payUpFront: true
        case .payAsYouGo, nil: false
        }
    }
}

extension Plan.Line {
    /// The same line one instalment later. Only an offer that is paid month by month begins there;
    /// any other follows the commitment.
    var afterInstalment: Plan.Line {
        var line = self
        if let goesOn = offer?.next {
            line.offer = goesOn
        } else if nextOffer?.mode == .payAsYouGo {
            (line.offer, line.nextOffer) = (nextOffer, nil)
        } else {
            line.offer = nil
        }
        return line
    }
}

extension Subscription {
    /// The renewals of a line at which its price may rise: those of commitments, a year apart. An
    /// offer that is paid month by month counts for the commitments that it reaches into.
    func outlookOfCommitments(
        of line: Plan.Line, _ expectation: RenewalOutlook.Expectation, under conditions: Conditions
    ) -> RenewalOutlook {
        let next = termsMayChange(in: conditions.zone)
        let ahead = newestPeriod.instalmentsAhead.count
        let monthly = line.nextOffer.flatMap { $0.mode == .payAsYouGo ? $0 : nil }
        var (offer, nextOffer) = (line.offer, line.nextOffer)
        if newestPeriod.instalment == nil {
            nextOffer = monthly.map { $0.counted(inCommitments: $0.periodsLeft + 1) } ?? nextOffer
        } else {
            let discounted = (offer?.periodsLeft ?? 0) + (monthly.map { $0.periodsLeft + 1 } ?? 0)
            // What is used up before the last instalment is of no account there.
            let isRunning = discounted >= ahead && (discounted > 0 || offer != nil)
            offer = (monthly ?? offer).flatMap { offer in
                guard isRunning else { return nil }
                var counted = offer.counted(inCommitments: discounted - ahead)
                counted.periodsLeft += discounted > ahead ? 1 : 0
                return counted
            }
            if monthly != nil { nextOffer = nil }
        }
        return RenewalOutlook(
            periodStart: startOfTerm(before: next, in: conditions.zone), periodEnd: next.moment,
            cycle: next.cycle, period: Commitment.period, offer: offer, nextOffer: nextOffer,
            expectation: expectation, tempo: conditions.tempo, zone: conditions.zone)
    }

    /// When the running commitment began, as far as the cycle tells: an extension, and a recovery
    /// after a failure, begin a new count.
    private func startOfTerm(
        before next: (moment: Instant, cycle: BillingCycle), in zone: BillingZone
    ) -> Instant {
        guard newestPeriod.instalment != nil else { return newestPeriod.start }
        let months = Int64(Commitment.months)
        if next.cycle.unit == .months, next.cycle.elapsed >= months {
            return BillingCycle(
                anchor: next.cycle.anchor, unit: .months, elapsed: next.cycle.elapsed - months
            ).end(in: zone)
        }
        return min(cycle.anchor, newestPeriod.start)
    }
}

extension AppliedOffer {
    /// An offer that is paid month by month, as so many commitments as its months reach into.
    fileprivate func counted(inCommitments months: Int) -> AppliedOffer {
        var counted = self
        (counted.period, counted.wholePeriod) = (Commitment.period, Commitment.period)
        counted.periodsLeft = max(months - 1, 0) / Commitment.months
        return counted
    }
}
