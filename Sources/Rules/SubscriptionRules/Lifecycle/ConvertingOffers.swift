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
    /// The items of a merchant's plan whose offers end then, by SKU: without an answer they end,
    /// and the others go on (ACS-2). Empty for what the catalogue sells, which ends as a whole.
    public var items: [String]

    /// Restores one as it was stored.
    public init(
        moment: Instant, kind: OfferConversion, opens: Instant, closes: Instant,
        isAsked: Bool = false, agreed: Instant? = nil, items: [String] = []
    ) {
        self.items = items
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
        guard let conversion, !conversion.isAsked, renewsAutomatically, conversionHolds,
            conversion.opens < conversion.closes
        else { return nil }
        return conversion.opens
    }

    /// Looks anew at when the running offers end: offers, renewals and extensions move that. What
    /// was agreed to holds where it still lies in the window.
    mutating func planConversion(at now: Instant, under conditions: Conditions) {
        // Of its own items a merchant asks who tells of their prices itself, and the store does
        // not ask besides (KOR-6).
        let isAskedHere = plan.merchant == nil || conditions.merchantRoute == .storeManaged
        guard conditions.storefront == KoreanConversion.storefront, isAskedHere else {
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
        let ends = plan.lines.compactMap { line in
            offerIsToEnd(of: line)
                ? outlook(of: line, under: conditions).conversion.map { (line, $0) } : nil
        }
        guard let coming = ends.map(\.1).min(by: { $0.moment < $1.moment }) else {
            conversion = nil
            return
        }
        let window = KoreanConversion(
            coming.kind, bought: offersUsed.last?.at ?? newestPeriod.start,
            converts: coming.moment, tempo: conditions.tempo)
        var planned = PendingConversion(
            moment: coming.moment, kind: coming.kind, opens: max(window.opens, now),
            closes: window.closes)
        if plan.merchant != nil {
            planned.items = ends.filter { $0.1.moment == coming.moment }.map(\.0.sku)
        }
        if let known = conversion, Set(planned.items).isSubset(of: known.items) {
            planned.agreed = known.agreed.flatMap { window.accepts(at: $0) ? $0 : nil }
            planned.isAsked = known.moment == planned.moment && known.isAsked
            if planned.isAsked { planned.opens = known.opens }
        }
        conversion = planned
    }

    /// Whether the subscriber is to be asked when an offer of a line ends: not of what is gone by
    /// then, nor of a merchant's item that was changed since, whose price was shown.
    private func offerIsToEnd(of line: Plan.Line) -> Bool {
        guard line.offer != nil || line.nextOffer != nil else { return false }
        guard plan.merchant != nil, let nextPlan else { return true }
        return nextPlan.line(line.sku).map { $0.replaces == nil } ?? false
    }

    /// Whether offers end as was looked at: another plan that was chosen shows its price. Of a
    /// merchant's plan the items that stay are asked about all the same.
    private var conversionHolds: Bool { nextPlan == nil || plan.merchant != nil }

    /// The end of an offer about which the subscriber was asked, while the question stands. As with
    /// an increase it goes away where another plan waits for the renewal, and where renewal is off,
    /// be it by declining (KOR-5, INC-12); a merchant's items keep what was asked of them (ACS-2).
    public var askedConversion: PendingConversion? {
        guard let conversion, conversion.isAsked, conversionHolds,
            renewsAutomatically || plan.merchant != nil
        else { return nil }
        return conversion
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
        guard case .active = state, conversionHolds, let conversion, conversion.isOpen(at: now)
        else { return try answerIncreases(agrees: agrees, at: now, under: conditions) }
        // Of increases nothing may be asked.
        let others = (try? answerIncreases(agrees: agrees, at: now, under: conditions)) ?? []
        guard agrees else {
            // Of a merchant's plan the items end that were refused, and the others go on.
            guard restOfMerchantPlan(without: conversion.items) == nil else { return others }
            return others + setRenewal(false, at: now, under: conditions)
        }
        self.conversion?.agreed = now
        let renewal = setRenewal(true, at: now, under: conditions)
        let notice = Action.notify(.priceIncrease(isAccepted: true))
        return renewal + others.filter { $0 != notice } + [notice]
    }

    /// Whether the renewal that is due needs a consent that was not given (KOR-5).
    var lacksConversionConsent: Bool {
        guard conversionHolds, let conversion else { return false }
        return conversion.moment <= newestPeriod.end && conversion.agreed == nil
    }
}
