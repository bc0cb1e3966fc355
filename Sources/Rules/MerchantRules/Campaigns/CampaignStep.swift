public import SubscriptionRules

extension PriceCampaignState {
    /// Takes in what happened and says what is to be done. Every state has an answer to every
    /// event: what does not concern it changes nothing.
    ///
    /// - Parameters:
    ///   - now: when it happened.
    ///   - subscriber: as the registers know it after the event.
    public mutating func handle(
        _ event: CampaignEvent, at now: Instant, of campaign: PriceCampaign,
        for subscriber: CampaignSubscriber
    ) -> [CampaignAction] {
        var step = CampaignStep(self, at: now, of: campaign, for: subscriber)
        step.handle(event)
        self = step.record
        return step.actions
    }
}

/// One event of one subscriber: the record as it becomes, and the actions that follow.
struct CampaignStep {
    var record: PriceCampaignState
    var actions: [CampaignAction] = []
    let now: Instant
    let campaign: PriceCampaign
    let subscriber: CampaignSubscriber

    init(
        _ record: PriceCampaignState, at now: Instant, of campaign: PriceCampaign,
        for subscriber: CampaignSubscriber
    ) {
        self.record = record
        self.now = now
        self.campaign = campaign
        self.subscriber = subscriber
    }

    mutating func handle(_ event: CampaignEvent) {
        switch record.state {
        case .leftOut, .applied, .failed: afterwards(event)
        case .withdrawn(let reason): withdrawn(for: reason, event)
        case .blocked(let reason): blocked(by: reason, event)
        case .declined where isRefusalFinal: refused(event)
        case .planned, .communicating, .consented, .acknowledged, .declined, .callable, .called,
            .carriedOver:
            running(event)
        }
    }

    // MARK: - By state

    /// Nothing moves it any more. What was on its way may still arrive.
    private mutating func afterwards(_ event: CampaignEvent) {
        switch event {
        case .sent(let occasion, let channel): noteSent(occasion, channel)
        case .unreachable(let occasion, let channel): noteUnreachable(occasion, channel)
        case .callSucceeded(let skus): noteAccepted(skus)
        case .momentReached, .seen, .acknowledged, .agreed, .declined, .renewalTurnedOff,
            .renewalTurnedOn, .enteredRetry, .recovered, .renewed, .periodMoved, .refunded,
            .productChanged, .expired, .callFailed, .stopped:
            break
        }
    }

    private mutating func withdrawn(for reason: WithdrawalReason, _ event: CampaignEvent) {
        switch event {
        case .sent(let occasion, let channel): noteSent(occasion, channel)
        case .unreachable(let occasion, let channel): noteUnreachable(occasion, channel)
        case .renewalTurnedOn, .renewed, .recovered:
            // A renewal says that renewal was turned on, and the news of that is late.
            if reason == .renewalTurnedOff { restart() }
        case .callSucceeded(let skus):
            noteAccepted(skus)
            // The store has the price: the merchant cannot take back what was on its way.
            if reason == .stopped || reason == .superseded { record.state = .called }
        case .callFailed(let skus, _, _): noteFailed(skus, isFinal: true)
        case .expired(let isForLackOfConsent):
            if reason == .renewalTurnedOff, isForLackOfConsent {
                record.state = .withdrawn(.expiredWithoutConsent)
            }
        case .momentReached, .seen, .acknowledged, .agreed, .declined, .renewalTurnedOff,
            .enteredRetry, .periodMoved, .refunded, .productChanged, .stopped:
            break
        }
    }

    private mutating func blocked(by reason: BlockReason, _ event: CampaignEvent) {
        switch event {
        case .sent(let occasion, let channel): noteSent(occasion, channel)
        case .unreachable(let occasion, let channel): noteUnreachable(occasion, channel)
        case .seen: record.seen = record.seen ?? now
        case .agreed(let occasion): answer(occasion, isAgreed: true)
        case .declined(let occasion): answer(occasion, isAgreed: false)
        case .callSucceeded(let skus): noteAccepted(skus)
        case .callFailed(let skus, _, _): noteFailed(skus, isFinal: false)
        case .enteredRetry: record.state = .blocked(.inBillingRetry)
        case .renewalTurnedOff:
            if reason != .renewalOff { withdraw(.renewalTurnedOff) }
        case .renewalTurnedOn:
            if reason == .renewalOff { restart() }
        case .recovered: if reason == .inBillingRetry { goOnAfterRetry() }
        case .renewed(let price):
            if hasNewPrice(price) { finish(at: price) } else { goOnAfterRetry() }
        case .momentReached:
            if reason == .noMailAddress, subscriber.isReachable(by: .mail) { restart() }
        case .refunded: withdraw(.refunded)
        case .productChanged: withdraw(.productChanged)
        case .expired(let isForLackOfConsent):
            withdraw(isForLackOfConsent ? .expiredWithoutConsent : .ended)
        case .stopped: withdraw(.stopped)
        case .acknowledged, .periodMoved: break
        }
    }

    /// Whether nothing is left for somebody who has refused: where only other items go on, the
    /// campaign does.
    private var isRefusalFinal: Bool {
        (record.schedule?.calls ?? []).allSatisfy { $0.needsConsent }
            || !campaign.isToldByMerchant
    }

    /// Whether nobody asks any more who stayed silent until the renewal.
    private var isLeftAtOldPrice: Bool {
        record.state == .carriedOver && campaign.whenSilent == .keepOldPrice
    }

    /// A refusal stays one whatever becomes of the subscription, until the subscriber agrees.
    private mutating func refused(_ event: CampaignEvent) {
        switch event {
        case .sent(let occasion, let channel): noteSent(occasion, channel)
        case .unreachable(let occasion, let channel): noteUnreachable(occasion, channel)
        case .agreed(let occasion):
            answer(occasion, isAgreed: true)
            if occasion != .koreanConversion, record.answer?.isAgreed == true { replan() }
            settle()
            proceed()
        case .declined(let occasion):
            if occasion == .koreanConversion { answer(occasion, isAgreed: false) }
        case .callSucceeded(let skus): noteAccepted(skus)
        case .callFailed(let skus, _, _): noteFailed(skus, isFinal: true)
        case .momentReached: proceed()
        case .seen: record.seen = record.seen ?? now
        case .acknowledged, .renewalTurnedOff, .renewalTurnedOn, .enteredRetry, .recovered,
            .renewed, .periodMoved, .refunded, .productChanged, .expired, .stopped:
            break
        }
    }

    private mutating func running(_ event: CampaignEvent) {
        switch event {
        case .momentReached: proceed()
        case .sent(let occasion, let channel):
            noteSent(occasion, channel)
            proceed()
        case .unreachable(let occasion, let channel):
            noteUnreachable(occasion, channel)
            // The mail is never left out: without the first one nothing rises.
            let isNeeded = channel == .mail && occasion != .koreanConversion
            let isMissing = record.contact(occasion, channel).map { $0.first == nil } ?? false
            if isNeeded, isMissing, record.answer == nil {
                block(.noMailAddress)
            } else {
                proceed()
            }
        case .seen(let occasion): look(at: occasion)
        case .acknowledged: look(at: .notice, isAcknowledged: true)
        case .agreed(let occasion):
            // Who agrees after the renewal that was meant gets the next one.
            let isLate = record.state == .carriedOver
            answer(occasion, isAgreed: true)
            if isLate, record.answer?.isAgreed == true { replan() }
            proceed()
        case .declined(let occasion): decline(occasion)
        case .renewalTurnedOff: withdraw(.renewalTurnedOff)
        case .enteredRetry: block(.inBillingRetry)
        case .recovered: goOnAfterRetry()
        case .renewed(let price): renew(at: price)
        case .periodMoved:
            if !isLeftAtOldPrice { replan() }
            proceed()
        case .refunded: withdraw(.refunded)
        case .productChanged: withdraw(.productChanged)
        case .expired(let isForLackOfConsent):
            withdraw(isForLackOfConsent ? .expiredWithoutConsent : .ended)
        case .callSucceeded(let skus):
            noteAccepted(skus)
            proceed()
        case .callFailed(let skus, let code, let isRetryable):
            fail(skus, code, isRetryable: isRetryable)
        case .stopped: if record.state != .called { withdraw(.stopped) }
        case .renewalTurnedOn: break
        }
    }
}
