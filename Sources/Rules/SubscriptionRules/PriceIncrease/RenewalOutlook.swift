/// What lies ahead of one subscriber: the renewals to come, counted from the anchor, and what
/// stands in the way of a price increase (INC-6 to INC-8).
public struct RenewalOutlook: Hashable, Sendable {
    /// Whether the subscription can be expected to renew.
    public enum Expectation: Hashable, Sendable {
        /// It will renew.
        case renews
        /// It will renew; the running period came out of billing retry or grace at this moment
        /// (INC-7).
        case recovered(at: Instant)
        /// It will renew: the customer turned renewal on again at this moment, or took back the
        /// choice of another plan; or it renewed, since it is on sale again.
        case turnedOnAgain(at: Instant)
        /// A failed renewal is being tried again; what is announced waits for it (ACC-11).
        case inBillingRetry
        /// Renewal is off, so nobody is told anything (INC-8).
        case willNotRenew
    }

    /// The start of the running period.
    public var periodStart: Instant
    /// The next renewal. Its moment is fixed since the period began, by the zone of then.
    public var periodEnd: Instant
    /// Where later periods are counted from.
    public var cycle: BillingCycle
    /// The length of the plan's periods.
    public var period: CalendarPeriod
    /// The offer that applies to the running period, and how many discounted periods follow.
    public var offer: AppliedOffer?
    /// The offer that begins once that one is used up.
    public var nextOffer: AppliedOffer?
    /// Whether it can be expected to renew.
    public var expectation: Expectation
    /// How long periods really last.
    public var tempo: Tempo
    /// Where days and months are counted.
    public var zone: BillingZone

    /// An outlook of a subscription whose cycle is known.
    ///
    /// - Parameter periodEnd: nil for the end of the cycle.
    public init(
        periodStart: Instant, periodEnd: Instant? = nil, cycle: BillingCycle,
        period: CalendarPeriod,
        offer: AppliedOffer? = nil, nextOffer: AppliedOffer? = nil,
        expectation: Expectation = .renews, tempo: Tempo = .real, zone: BillingZone = .utc
    ) {
        self.periodStart = periodStart
        self.periodEnd = periodEnd ?? cycle.end(in: zone)
        self.cycle = cycle
        self.period = period
        self.offer = offer
        self.nextOffer = nextOffer
        self.expectation = expectation
        self.tempo = tempo
        self.zone = zone
    }

    /// An outlook from what a merchant knows: the running period, and the moment from which
    /// periods are counted where that is known, in an offer those of the offer. Without it later
    /// renewals fall on the day of the next one, which is a day or more off where a month was too
    /// short (CAL-4).
    public init(
        periodStart: Instant, nextRenewal: Instant, anchor: Instant? = nil,
        period: CalendarPeriod, offer: AppliedOffer? = nil, expectation: Expectation = .renews,
        zone: BillingZone = .utc
    ) {
        let cycle =
            anchor.flatMap {
                Self.cycle(
                    from: $0, endingAt: nextRenewal, period: offer?.runningLength ?? period,
                    zone: zone)
            } ?? BillingCycle(anchor: nextRenewal)
        self.init(
            periodStart: periodStart, cycle: cycle, period: period, offer: offer,
            expectation: expectation, tempo: .real, zone: zone)
    }

    private static func cycle(
        from anchor: Instant, endingAt end: Instant, period: CalendarPeriod, zone: BillingZone
    ) -> BillingCycle? {
        guard (anchor...).contains(end), end <= .latest, anchor >= .earliest else { return nil }
        var cycle = BillingCycle(anchor: anchor)
        while cycle.end(in: zone) < end {
            cycle.advance(by: period, tempo: .real, zone: zone)
        }
        return cycle.end(in: zone) == end ? cycle : nil
    }

    /// The renewals to come, the next one first, up to the last moment of the store's clock.
    public var renewals: ComingRenewals { ComingRenewals(self) }

    /// The renewals to come at or after a moment.
    public func renewals(from moment: Instant) -> some Sequence<ComingRenewal> {
        var renewals = ComingRenewals(self)
        renewals.skip(towards: moment)
        return renewals.lazy.filter { $0.moment >= moment }
    }

    /// The renewal that first charges the standard price after an offer, and what it turns into
    /// what (KOR-7); nil when no offer runs.
    public var conversion: (moment: Instant, kind: OfferConversion)? {
        guard let last = nextOffer ?? offer,
            let first = renewals.first(where: { $0.charge != .offer })
        else { return nil }
        let kind: OfferConversion =
            last.mode == .freeTrial ? .freeTrialToPaid : .discountToStandard
        return (first.moment, kind)
    }
}

/// One renewal to come.
public struct ComingRenewal: Hashable, Sendable {
    /// What a renewal charges, a new price aside.
    public enum Charge: Hashable, Sendable {
        /// Another period of a running offer.
        case offer
        /// The standard price for the first time after an offer.
        case standardAfterOffer
        /// The standard price.
        case standard
    }

    /// When it happens.
    public let moment: Instant
    /// The start of the period before it.
    public let periodStart: Instant
    /// What it charges, a new price aside.
    public let charge: Charge
}

/// The renewals of an outlook in order, each computed from the anchor (CAL-5).
public struct ComingRenewals: Sequence, IteratorProtocol, Sendable {
    private let outlook: RenewalOutlook
    private let discounted: DiscountedPeriods
    private var cycle: BillingCycle
    private var (periodStart, periodEnd): (Instant, Instant)
    private var count = 0

    init(_ outlook: RenewalOutlook) {
        self.outlook = outlook
        discounted = DiscountedPeriods(outlook)
        cycle = outlook.cycle
        (periodStart, periodEnd) = (outlook.periodStart, outlook.periodEnd)
    }

    /// The renewal after the last one given; nil at the end of the store's time.
    public mutating func next() -> ComingRenewal? {
        let moment = periodEnd
        guard moment < .latest else { return nil }
        let charge: ComingRenewal.Charge
        let length: CalendarPeriod
        if let discount = discounted.length(ofPeriod: count) {
            (charge, length) = (.offer, discount)
        } else {
            let isFirst = discounted.hasAny && count == discounted.count
            (charge, length) = (isFirst ? .standardAfterOffer : .standard, outlook.period)
        }
        let renewal = ComingRenewal(moment: moment, periodStart: periodStart, charge: charge)
        periodStart = moment
        periodEnd = cycle.advance(
            by: length, from: moment, tempo: outlook.tempo, zone: outlook.zone)
        count += 1
        return renewal
    }

    /// Leaves out shortened periods that end before a moment: there may be millions of them, and
    /// all are of one exact length. Periods by the calendar are few and gone through one by one.
    fileprivate mutating func skip(towards moment: Instant) {
        let (unit, length) = outlook.tempo.measure(outlook.period)
        guard !discounted.hasAny, unit == .milliseconds else { return }
        let skipped = Swift.min(moment, .latest).since(periodEnd).milliseconds / length
        guard skipped > 0 else { return }
        cycle = BillingCycle(anchor: periodEnd, unit: unit, elapsed: skipped * length)
        periodEnd = cycle.end(in: outlook.zone)
        periodStart = periodEnd - Span(milliseconds: length)
        count += Int(skipped)
    }
}

/// The periods to come that offers make cheaper: what is left of the running one, and then those of
/// the one that follows it.
private struct DiscountedPeriods: Sendable {
    private let running: AppliedOffer?
    private let following: AppliedOffer?

    init(_ outlook: RenewalOutlook) {
        (running, following) = (outlook.offer, outlook.nextOffer)
    }

    var hasAny: Bool { running != nil || following != nil }

    private var left: Int { running?.periodsLeft ?? 0 }

    var count: Int { left + (following.map { $0.periodsLeft + 1 } ?? 0) }

    /// How long the period lasts that comes after so many others; nil when no offer applies to it.
    func length(ofPeriod place: Int) -> CalendarPeriod? {
        if place < left { return running?.period }
        return place < count ? following?.runningLength : nil
    }
}
