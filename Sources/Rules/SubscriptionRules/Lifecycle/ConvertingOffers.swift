/// The step from an offer to the standard price that a Korean subscriber has to agree to, once it
/// is known when it comes (KOR-1 to KOR-5).
public struct PendingConversion: Hashable, Sendable {
    /// The renewal that first charges the standard price.
    public var moment: Instant
    /// What it turns into what.
    public var kind: OfferConversion
    /// When the subscriber is asked.
    public var opens: Instant
    /// The first moment at which it is too late to agree.
    public var closes: Instant
    /// Whether the subscriber was asked.
    public var isAsked: Bool
    /// When the subscriber agreed.
    public var agreed: Instant?

    /// Restores one as it was stored.
    public init(
        moment: Instant, kind: OfferConversion, opens: Instant, closes: Instant,
        isAsked: Bool = false, agreed: Instant? = nil
    ) {
        self.moment = moment
        self.kind = kind
        self.opens = opens
        self.closes = closes
        self.isAsked = isAsked
        self.agreed = agreed
    }

    /// What is sent while there is no answer: every way of asking at once, then weekly on each
    /// (KOR-3; the repetition is our choice). In Sandbox only the sheet is shown.
    public func messages(at tempo: Tempo) -> [PriceMessage] {
        PriceMessage.requests(
            on: tempo == .real ? PriceMessage.Channel.allCases : [.sheet], from: opens,
            before: closes, every: tempo.span(days: 7, of: .month), lastSent: [:])
    }

    /// Whether the subscriber can answer at a moment.
    public func isOpen(at now: Instant) -> Bool { isAsked && agreed == nil && now < closes }
}

/// What Korea's law asks for at the end of an offer.
extension Subscription {
    /// When the subscriber is to be asked; nil where nobody is: another plan that was chosen shows
    /// its price, and who will not renew is asked for nothing.
    var nextQuestion: Instant? {
        guard let conversion, !conversion.isAsked, renewsAutomatically, nextPlan == nil,
            conversion.opens < conversion.closes
        else { return nil }
        return conversion.opens
    }

    /// Looks anew at when the running offers end: offers, renewals and extensions move that. What
    /// was agreed to holds where it still lies in the window.
    mutating func planConversion(at now: Instant, under conditions: Conditions) {
        guard conditions.storefront == KoreanConversion.storefront else {
            conversion = nil
            return
        }
        switch state {
        case .active: break
        // The renewal that failed is the one that was agreed to.
        case .awaitingPayment, .grace, .retrying: return
        case .new, .expired, .revoked:
            conversion = nil
            return
        }
        guard let line = plan.lines.first(where: { $0.offer != nil || $0.nextOffer != nil }),
            let coming = outlook(of: line, under: conditions).conversion
        else {
            conversion = nil
            return
        }
        let window = KoreanConversion(
            coming.kind, bought: offersUsed.last?.at ?? newestPeriod.start,
            converts: coming.moment, tempo: conditions.tempo)
        var planned = PendingConversion(
            moment: coming.moment, kind: coming.kind, opens: max(window.opens, now),
            closes: window.closes)
        if let known = conversion {
            planned.agreed = known.agreed.flatMap { window.accepts(at: $0) ? $0 : nil }
            planned.isAsked = known.moment == planned.moment && known.isAsked
            if planned.isAsked { planned.opens = known.opens }
        }
        conversion = planned
    }

    /// The window is open: the subscriber is asked, and the developer told.
    mutating func askForConversion() -> [Action] {
        conversion?.isAsked = true
        return [.notify(.priceIncrease(isAccepted: false))]
    }

    /// Answers what was asked: the conversion, and the increases that were asked with it.
    mutating func answer(
        agrees: Bool, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard case .active = state, nextPlan == nil, conversion?.isOpen(at: now) == true else {
            return try answerIncreases(agrees: agrees, at: now, under: conditions)
        }
        // Of increases nothing may be asked.
        let others = (try? answerIncreases(agrees: agrees, at: now, under: conditions)) ?? []
        guard agrees else {
            return others + setRenewal(false, at: now, under: conditions)
        }
        conversion?.agreed = now
        let renewal = setRenewal(true, at: now, under: conditions)
        let notice = Action.notify(.priceIncrease(isAccepted: true))
        return renewal + others.filter { $0 != notice } + [notice]
    }

    /// Whether the renewal that is due needs a consent that was not given (KOR-5).
    var lacksConversionConsent: Bool {
        guard nextPlan == nil, let conversion else { return false }
        return conversion.moment <= newestPeriod.end && conversion.agreed == nil
    }
}
