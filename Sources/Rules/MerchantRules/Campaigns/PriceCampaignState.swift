public import SubscriptionRules

/// One subscriber in a running price campaign: how far it is, what lies ahead, what was sent and
/// answered. It is flat, so that it can be kept as rows, and it changes by `handle` alone.
public struct PriceCampaignState: Hashable, Sendable {
    public var state: SubscriberState
    /// What lies ahead; nil where nothing was ever planned.
    public var schedule: CampaignSchedule?
    /// From when the days of notice count. A failed renewal, for one, begins them anew.
    public var began: Instant
    /// What was sent, at most one for each occasion and channel.
    public var contacts: [CampaignContact]
    /// When the subscriber first looked at a sheet about the price, and at that of the notice, and
    /// tapped the "OK" of that.
    public var seen: Instant?
    public var noticeSeen: Instant?
    public var acknowledged: Instant?
    /// The newest answer about the price, and about the end of an offer in Korea.
    public var answer: CampaignAnswer?
    public var conversionAnswer: CampaignAnswer?
    /// Whether the merchant holds everything up.
    public var isPaused: Bool

    public init(
        state: SubscriberState, schedule: CampaignSchedule?, began: Instant,
        contacts: [CampaignContact] = [], seen: Instant? = nil, noticeSeen: Instant? = nil,
        acknowledged: Instant? = nil,
        answer: CampaignAnswer? = nil, conversionAnswer: CampaignAnswer? = nil,
        isPaused: Bool = false
    ) {
        self.state = state
        self.schedule = schedule
        self.began = began
        self.contacts = contacts
        self.seen = seen
        self.noticeSeen = noticeSeen
        self.acknowledged = acknowledged
        self.answer = answer
        self.conversionAnswer = conversionAnswer
        self.isPaused = isPaused
    }

    /// Where a subscriber stands in a report. Each state has one outcome, so the outcomes of an
    /// audience always add up to it.
    public var outcome: CampaignOutcome {
        switch state {
        case .leftOut: .leftOut
        case .blocked: .blocked
        case .failed: .failed
        case .carriedOver: .silent
        case .declined: .declined
        case .withdrawn(.renewalTurnedOff): .cancelled
        case .withdrawn(.expiredWithoutConsent): .lapsed
        case .withdrawn(.productChanged), .withdrawn(.refunded), .withdrawn(.ended),
            .withdrawn(.stopped), .withdrawn(.superseded):
            .withdrawn
        case .applied: isIncrease ? .increased : .lowered
        case .consented: .agreed
        case .planned, .communicating, .acknowledged, .callable, .called: outcomeSoFar
        }
    }

    private var outcomeSoFar: CampaignOutcome {
        if answer?.isAgreed == true { return .agreed }
        if seen != nil || acknowledged != nil { return .seen }
        return contacts.contains { $0.first != nil } ? .notified : .waiting
    }

    private var isIncrease: Bool { schedule.map { $0.newPrice > $0.oldPrice } ?? true }

    /// When `momentReached` is due: the next message or call that nothing else holds up; nil where
    /// only an event can move it on. It may be past.
    public var nextMoment: Instant? {
        guard isRunning, !isPaused, let schedule else { return nil }
        let messages = schedule.messages.compactMap { message -> Instant? in
            guard let contact = contact(message.occasion, message.channel) else {
                return message.moment
            }
            guard contact.requested == nil else { return nil }
            return max(message.moment, contact.notBefore ?? message.moment)
        }
        let calls = schedule.calls.compactMap { dueMoment(of: $0) }
        return (messages + calls + [endOfUnanswered].compactMap(\.self)).min()
    }

    /// Korea: when the merchant ends a subscription whose offer nobody agreed to pay after; nil
    /// where the store sees to it, or there is consent (KOR-5).
    var endOfUnanswered: Instant? {
        guard let conversion = schedule?.conversion, conversion.isEndedByMerchant,
            conversionAnswer?.isAgreed != true
        else { return nil }
        return conversion.closes
    }

    /// When a call can be made; nil where it was made, comes too late, or something is missing.
    private func dueMoment(of call: CampaignCall) -> Instant? {
        guard case .waiting(let until) = call.status, isReady(for: call) else { return nil }
        let due = max(call.opens, until)
        if let closes = call.closes, due > closes { return nil }
        return due
    }

    /// Whether a message that was requested is to be handed over still: not once the campaign has
    /// ended or waits for the subscriber, or the subscriber has answered what it asks.
    public func waits(
        for occasion: CommunicationTimetable.Occasion, on channel: PriceMessage.Channel
    ) -> Bool {
        guard isRunning, contact(occasion, channel)?.requested != nil else { return false }
        switch occasion {
        case .notice: return true
        case .consent: return answer == nil
        case .koreanConversion: return conversionAnswer == nil
        }
    }

    /// Whether the campaign still does something for the subscriber by itself.
    public var isRunning: Bool {
        switch state {
        case .planned, .communicating, .consented, .acknowledged, .declined, .callable, .called,
            .carriedOver:
            true
        case .applied, .withdrawn, .blocked, .failed, .leftOut: false
        }
    }

    /// Whether what a call rests on is there: consent, or a notice that went out. A mail that was
    /// never taken, or a message on its way, holds it up (ACC-2, ACC-3).
    func isReady(for call: CampaignCall) -> Bool {
        if call.needsConsent {
            // Consent to one item is none to another (ACC-5).
            guard let answer, answer.isAgreed else { return false }
            return Set(call.skus).isSubset(of: answer.skus)
        }
        guard call.needsNotice else { return true }
        let notices = contacts.filter { $0.occasion == .notice }
        let messages = schedule?.messages ?? []
        let isMissing = messages.contains { $0.occasion == .notice && $0.moment <= call.opens }
        return !isMissing && notices.allSatisfy { $0.requested == nil }
            && notices.contains { $0.channel == .mail && $0.first != nil }
    }

    func contact(
        _ occasion: CommunicationTimetable.Occasion, _ channel: PriceMessage.Channel
    ) -> CampaignContact? {
        contacts.first { $0.occasion == occasion && $0.channel == channel }
    }
}

/// What was sent to a subscriber about an occasion on a channel, since notice last began.
public struct CampaignContact: Hashable, Sendable {
    public var occasion: CommunicationTimetable.Occasion
    public var channel: PriceMessage.Channel
    /// When the newest message was to be sent.
    public var planned: Instant
    /// Since when a message is on its way; nil where none is.
    public var requested: Instant?
    /// When the first and the last message were handed over.
    public var first: Instant?
    public var last: Instant?
    /// Before when no other request goes out on the channel (ACC-12).
    public var notBefore: Instant?
    /// Whether the channel has turned out to be dead.
    public var isUnreachable: Bool

    public init(
        occasion: CommunicationTimetable.Occasion, channel: PriceMessage.Channel, planned: Instant,
        requested: Instant? = nil, first: Instant? = nil, last: Instant? = nil,
        notBefore: Instant? = nil, isUnreachable: Bool = false
    ) {
        self.occasion = occasion
        self.channel = channel
        self.planned = planned
        self.requested = requested
        self.first = first
        self.last = last
        self.notBefore = notBefore
        self.isUnreachable = isUnreachable
    }
}

extension PriceCampaignState {
    /// What it has asked for less than a week before a moment, as another campaign takes it over:
    /// the week between two requests on a channel is the subscriber's, and no campaign's (ACC-12).
    public func recentRequests(at now: Instant) -> [CampaignContact] {
        contacts.compactMap { contact in
            guard contact.occasion != .notice else { return nil }
            // What is on its way counts as sent.
            let week = contact.requested.map { $0 + .days(7) }
            guard let end = [contact.notBefore, week].compactMap(\.self).max(), end > now else {
                return nil
            }
            return CampaignContact(
                occasion: contact.occasion, channel: contact.channel, planned: contact.planned,
                last: contact.last ?? contact.requested, notBefore: end)
        }
    }
}

extension PriceCampaign {
    /// How a subscriber begins in the campaign, as planned at a moment.
    ///
    /// - Parameter asked: what other campaigns have asked for within the week before.
    public func begin(
        for subscriber: CampaignSubscriber, at now: Instant, asked: [CampaignContact] = []
    ) -> PriceCampaignState {
        let plan = plan(for: subscriber, from: start(at: now), contacts: asked)
        let state: SubscriberState =
            switch plan.decision {
            case .included: .planned
            case .blocked(let reason): .blocked(reason)
            case .leftOut(let reason): .leftOut(reason)
            }
        return PriceCampaignState(
            state: state, schedule: plan.schedule, began: start(at: now), contacts: asked)
    }
}
