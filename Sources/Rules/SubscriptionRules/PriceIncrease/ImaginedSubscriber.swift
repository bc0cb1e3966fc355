/// A subscriber of whom no more is said than what decides about a price increase, so that one can
/// be explained without a store.
public struct ImaginedSubscriber: Hashable, Sendable {
    /// The alpha-3 code of the storefront.
    public var storefront: String
    /// How long a period of the plan lasts: one of `CalendarPeriod.billing`.
    public var period: CalendarPeriod
    /// When the subscription renews next.
    public var renews: Instant
    /// When it was bought or its offer began, which decides the day of later renewals; nil for one
    /// period before `renews`.
    public var since: Instant?
    /// The offer that the running period belongs to.
    public var offer: RunningOffer?
    /// When an increased price was last charged (THR-1 c).
    public var lastIncrease: Instant?
    /// Whether an Indian subscriber pays by UPI AutoPay (INC-9).
    public var paysByUPIAutoPay = false

    /// An offer that is running. What it costs decides nothing.
    public struct RunningOffer: Hashable, Sendable {
        public var mode: Offer.Mode
        /// How long it lasts, or one of its periods where it is paid as one goes; nil for the
        /// plan's period.
        public var period: CalendarPeriod?
        /// How many discounted periods follow, where it is paid as one goes.
        public var periodsLeft: Int

        public init(mode: Offer.Mode, period: CalendarPeriod? = nil, periodsLeft: Int = 0) {
            self.mode = mode
            self.period = period
            self.periodsLeft = periodsLeft
        }
    }

    /// Why there can be no such subscriber.
    public enum Impossibility: Error, Hashable {
        /// It was bought when it renews, or later.
        case boughtAfterRenewal
        /// It was bought when the new price was live already.
        case boughtAfterLive
        /// The last increase is not past.
        case increasedAfterRenewal
        /// UPI AutoPay is Indian.
        case upiOutsideIndia
        /// Only an offer that is paid as one goes has several periods.
        case onePeriodOnly
        /// No period ends at the next renewal, but one at another moment.
        case renewsAt(Instant)
        /// A moment lies outside of what the store's clock may show.
        case beyondTime
    }

    public init(storefront: String, period: CalendarPeriod, renews: Instant) {
        self.storefront = storefront
        self.period = period
        self.renews = renews
    }

    /// What a new price means for this subscriber.
    ///
    /// - Parameters:
    ///   - change: from the standard price that is paid, or will be after the offer.
    ///   - live: when the new price goes live.
    public func explanation(
        of change: PriceChange, route: PriceChangeRoute, live: Instant,
        thresholds: ConsentThresholds
    ) throws(Impossibility) -> PriceIncreaseExplanation {
        try check(live)
        let applied = offer.map { offer in
            let length = offer.period ?? period
            return AppliedOffer(
                kind: .introductory, id: "", mode: offer.mode, period: length,
                wholePeriod: length.repeated(offer.periodsLeft + 1), price: 0,
                periodsLeft: offer.periodsLeft)
        }
        return PriceIncreaseExplanation(
            change,
            for: PriceIncreaseExplanation.Subscriber(
                storefront: storefront,
                outlook: RenewalOutlook(
                    periodStart: try start(of: applied?.runningLength ?? period),
                    nextRenewal: renews, anchor: since, period: period, offer: applied),
                previousIncrease: lastIncrease, paysByUPIAutoPay: paysByUPIAutoPay,
                offerBought: offer == nil ? nil : since),
            route: route, live: live, thresholds: thresholds)
    }

    private func check(_ live: Instant) throws(Impossibility) {
        for moment in [renews, live, since, lastIncrease].compactMap(\.self) {
            guard (Instant.earliest..<Instant.latest).contains(moment) else { throw .beyondTime }
        }
        if let since {
            if since >= renews { throw .boughtAfterRenewal }
            if live < since { throw .boughtAfterLive }
        }
        if let lastIncrease, lastIncrease >= renews { throw .increasedAfterRenewal }
        if paysByUPIAutoPay, storefront != "IND" { throw .upiOutsideIndia }
        if let offer, offer.periodsLeft > 0, offer.mode != .payAsYouGo { throw .onePeriodOnly }
    }

    /// Where the running period began: where those that follow the purchase put it, or one period
    /// before it ends, in the store's calendar.
    private func start(of length: CalendarPeriod) throws(Impossibility) -> Instant {
        guard let since else {
            let (date, time) = BillingZone.utc.wallClock(at: renews)
            let first =
                length.months.map { date.adding(months: -$0) }
                ?? CivilDate(daysSinceEpoch: date.daysSinceEpoch - (length.days ?? 0))
            return BillingZone.utc.instant(of: first, milliseconds: time)
        }
        let periods = RenewalOutlook(
            periodStart: since, cycle: BillingCycle(anchor: since), period: length)
        guard let next = periods.renewals(from: renews).first(where: { _ in true }) else {
            throw .beyondTime
        }
        guard next.moment == renews else { throw .renewsAt(next.moment) }
        return next.periodStart
    }
}
