/// When one subscriber hears of a new price, and which renewal is the first to charge it
/// (INC-2 to INC-8, TAB-7.3).
///
/// Days before a renewal are days of 24 hours, counted from its exact moment. In Sandbox they are
/// shortened with the plan's periods and only the sheet is shown: there is no mail and no push
/// (SBX-6). Apple cannot test products of App Store Connect in Sandbox at all; here they can be.
public struct CommunicationCalendar: Hashable, Sendable {
    /// What a renewal does.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// It charges the new price.
        case newPrice
        /// It charges the old price.
        case oldPrice
        /// The subscription ends there, with expiration intent 3 (INC-4).
        case expires
    }

    /// A renewal after the change went live that still charges the old price, and why.
    public struct OldPriceRenewal: Hashable, Sendable {
        /// When it happens.
        public let moment: Instant
        /// Why it is too early for the new price.
        public let reason: OldPriceReason
    }

    /// When the merchant may call the store about the increase (mode M): both ends included.
    public struct CallWindow: Hashable, Sendable {
        /// The first moment: then the call changes R, and everything was sent.
        public let opens: Instant
        /// The last moment: 24 hours before R (ACP-2).
        public let closes: Instant
    }

    /// Who changes the price.
    public let route: PriceChangeRoute
    /// What the subscriber is asked.
    public let path: ConsentDecision.Path
    /// When the change goes live, or when the merchant decides on it.
    public let live: Instant
    /// The renewal that first charges the new price, R in the rules; nil when nothing is planned.
    public internal(set) var firstRenewal: Instant?
    /// The renewals between the change and R that charge the old price.
    public internal(set) var oldPriceRenewals: [OldPriceRenewal]
    /// What is sent, in order; empty for a decrease.
    public internal(set) var messages: [PriceMessage]
    /// Consent path: the last moment for an answer. R itself, which is too late by then; in mode M
    /// 24 hours before it, which is just in time (ACP-2, ACC-10).
    public internal(set) var answerBy: Instant?
    /// Mode M: when the call must be made for R to charge the new price.
    public internal(set) var callWindow: CallWindow?
    /// The last moment for a call that means R: the window's end in mode M; in mode S a later call
    /// is taken and means a later renewal.
    public internal(set) var lastCall: Instant?
    /// What else shaped the dates.
    public internal(set) var remarks: [CalendarRemark]

    /// Plans the communication of a change.
    ///
    /// - Parameters:
    ///   - live: App Store Connect: when the price goes live in the storefront. Store-managed: when
    ///     the merchant called. Merchant-managed: when the merchant decided. Nothing is sent
    ///     before.
    ///   - outlook: the subscriber when this is planned.
    ///   - lastSent: the last message on each channel about this change, when dates are computed
    ///     again: a notice is never repeated, a request waits for its week (ACC-11, ACC-12).
    public init(
        _ path: ConsentDecision.Path, route: PriceChangeRoute, live: Instant,
        outlook: RenewalOutlook, lastSent: [PriceMessage.Channel: Instant] = [:]
    ) {
        self.route = route
        self.path = path
        self.live = live
        let planner = CalendarPlanner(path: path, route: route, live: live, outlook: outlook)
        guard planner.isOpen, let target = planner.target else {
            (firstRenewal, messages, answerBy, callWindow, lastCall) = (nil, [], nil, nil, nil)
            oldPriceRenewals = []
            remarks = planner.obstacles
            return
        }
        let renewal = target.renewal
        firstRenewal = renewal.moment
        oldPriceRenewals = target.before
        messages = planner.messages(for: renewal, lastSent: lastSent)
        answerBy = planner.answerBy(renewal)
        callWindow = planner.callWindow(renewal)
        lastCall = planner.lastCall(renewal)
        remarks = planner.remarks(on: renewal)
    }

    /// Takes over the dates that hold for an increase on its way, which may have moved since it was
    /// planned, and leaves out what is past.
    ///
    /// - Parameters:
    ///   - outlook: the renewals to come now.
    ///   - isAnswered: whether nothing is sent any more, since the subscriber has answered.
    mutating func hold(
        _ schedule: PendingIncrease.Schedule, seenFrom outlook: RenewalOutlook, isAnswered: Bool
    ) {
        var before: [ComingRenewal] = []
        var first = schedule.renewal
        let drift = PendingIncrease.zoneDrift(at: outlook.tempo)
        for renewal in outlook.renewals {
            guard renewal.moment + drift >= schedule.renewal else {
                before.append(renewal)
                continue
            }
            first = renewal.moment
            let planner = CalendarPlanner(path: path, route: route, live: live, outlook: outlook)
            messages =
                isAnswered
                ? [] : planner.messages(for: renewal, from: schedule.announcement, lastSent: [:])
            if answerBy != nil { answerBy = planner.answerBy(renewal) }
            break
        }
        oldPriceRenewals = zip(before.reversed(), oldPriceRenewals.reversed()).map {
            OldPriceRenewal(moment: $0.moment, reason: $1.reason)
        }.reversed()
        if firstRenewal != first {
            remarks.removeAll { if case .shortenedLead = $0 { true } else { false } }
        }
        firstRenewal = first
    }

    /// When the subscriber first hears of it; nil when there is nothing to send.
    public var firstMessage: Instant? { messages.first?.moment }

    /// What the first renewal at the new price does, given when the subscriber agreed, if ever.
    /// Without an answer in time a consent path never raises the price (INC-4, ACC-2, ACP-10).
    public func outcome(agreed: Instant?) -> Outcome {
        guard firstRenewal != nil else { return .oldPrice }
        guard path == .consent, let answerBy else { return .newPrice }
        let isInTime =
            agreed.map { route == .merchantManaged ? $0 <= answerBy : $0 < answerBy } ?? false
        return isInTime ? .newPrice : route.withoutConsent
    }
}

/// Why a renewal after a change went live still charges the old price.
public enum OldPriceReason: Hashable, Sendable {
    /// The offer goes on and has a price of its own.
    case offerGoesOn
    /// The first renewal after an offer charges what was shown at sign-up (INC-6).
    case firstAfterOffer
    /// It comes too soon to tell the subscriber: `notice` of the `needed` time (INC-3, TAB-7.3).
    case tooNear(notice: Span, needed: Span)
    /// The store takes changes at least 24 hours before a renewal (ACP-2).
    case calledTooLate
    /// Sandbox keeps the old price once after a call (ACS-10).
    case sandbox
}

/// Something that shaped a calendar besides its days.
public enum CalendarRemark: Hashable, Sendable {
    /// The subscription will not renew, so nobody is told anything (INC-8).
    case willNotRenew
    /// A failed renewal is being tried again: everything waits, then starts in full (ACC-11).
    case inBillingRetry
    /// No renewal comes before the end of the store's time.
    case neverReached
    /// So many renewals come before the change goes live.
    case renewalsBefore(Int)
    /// The change was live so early that the running period could have charged it.
    case couldBeCharged(since: Instant)
    /// Days are counted from the recovery, after one period at the old price (INC-7).
    case recovered(at: Instant)
    /// Days are counted from when it was certain again that the plan renews.
    case turnedOnAgain(at: Instant)
    /// The first request comes later than its usual day: the period before R began only then
    /// (ACC-9), or the change went live only then.
    case shortenedLead(usual: Instant)
    /// A weekly notice: R is the 4th renewal after it (INC-5, ACC-6).
    case fourthRenewal
    /// In Sandbox there is no mail and no push, and days are shortened (SBX-6).
    case sandbox
}
