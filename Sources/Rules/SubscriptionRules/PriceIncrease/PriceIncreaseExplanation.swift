/// What a new price means for one subscriber, and why: the path, every test, every date, and the
/// renewal that first charges it. `Wording` says it in sentences.
public struct PriceIncreaseExplanation: Hashable, Sendable {
    /// What decides about a subscriber, besides the dates.
    public struct Subscriber: Hashable, Sendable {
        /// The alpha-3 code of the storefront.
        public var storefront: String
        /// The renewals to come and what stands in the way.
        public var outlook: RenewalOutlook
        /// When the last increased price of this subscription was first charged (THR-1 c).
        public var previousIncrease: Instant?
        /// Whether an Indian subscriber pays by UPI AutoPay (INC-9).
        public var paysByUPIAutoPay: Bool
        /// When the running offer began; nil when the running period is its first (KOR-8).
        public var offerBought: Instant?

        /// Says what decides about a subscriber.
        public init(
            storefront: String, outlook: RenewalOutlook, previousIncrease: Instant? = nil,
            paysByUPIAutoPay: Bool = false, offerBought: Instant? = nil
        ) {
            self.storefront = storefront
            self.outlook = outlook
            self.previousIncrease = previousIncrease
            self.paysByUPIAutoPay = paysByUPIAutoPay
            self.offerBought = offerBought
        }
    }

    /// The change that is explained.
    public let change: PriceChange
    /// Whom it reaches.
    public let subscriber: Subscriber
    /// The path and every test that led to it.
    public let decision: ConsentDecision
    /// Every date.
    public internal(set) var calendar: CommunicationCalendar
    /// Korea: the consent that the end of the running offer needs besides (KOR-9).
    public let koreanConversion: KoreanConversion?
    /// What the subscriber answered when asked; nil where there is no answer.
    public internal(set) var agreed: Bool?

    /// Explains a change for a subscriber.
    ///
    /// Path and date depend on each other. The decision is made for the earliest renewal that could
    /// charge the new price with consent; where it needs none there, it needs none later. A notice
    /// is shorter than a request, so it may reach a renewal before that one, at which twelve months
    /// have not passed: then the subscriber is asked.
    ///
    /// - Parameters:
    ///   - change: from the standard price that this subscriber pays, or will pay after a running
    ///     offer: an increase never meets the offer's own price (INC-6).
    ///   - live: as `CommunicationCalendar.init` says.
    ///   - lastSent: the last message on each channel about this change.
    public init(
        _ change: PriceChange, for subscriber: Subscriber, route: PriceChangeRoute, live: Instant,
        thresholds: ConsentThresholds = .standard,
        lastSent: [PriceMessage.Channel: Instant] = [:]
    ) {
        let outlook = subscriber.outlook
        func decide(at renewal: Instant) -> ConsentDecision {
            ConsentDecision(
                change, period: outlook.period, storefront: subscriber.storefront,
                previousIncrease: subscriber.previousIncrease, effective: renewal,
                paysByUPIAutoPay: subscriber.paysByUPIAutoPay, route: route,
                thresholds: thresholds, tempo: outlook.tempo, zone: outlook.zone)
        }
        func first(_ path: ConsentDecision.Path) -> Instant? {
            CommunicationCalendar(path, route: route, live: live, outlook: outlook).firstRenewal
        }
        let earliest = first(.consent) ?? max(live, outlook.periodEnd)
        var decision = decide(at: earliest)
        if decision.path == .notice, let notified = first(.notice), notified < earliest {
            decision = decide(at: notified)
        }
        self.change = change
        self.subscriber = subscriber
        self.decision = decision
        calendar = CommunicationCalendar(
            decision.path, route: route, live: live, outlook: outlook, lastSent: lastSent)
        koreanConversion =
            subscriber.storefront == KoreanConversion.storefront
            ? KoreanConversion(outlook, bought: subscriber.offerBought) : nil
    }

    /// The same once the merchant has called, which told and asked the subscriber itself: the price
    /// holds without an answer (ACP-10), and the store says by a push that it rises (ACP-11).
    public var onceCalled: PriceIncreaseExplanation {
        var one = self
        (one.calendar.answerBy, one.calendar.callWindow, one.agreed) = (nil, nil, nil)
        one.calendar.messages =
            change.new > change.old
            ? [PriceMessage(channel: .push, moment: calendar.live, condition: .always)] : []
        return one
    }

    /// The renewal that first charges the new price; nil when nothing is planned.
    public var firstRenewalAtNewPrice: Instant? { calendar.firstRenewal }
}
