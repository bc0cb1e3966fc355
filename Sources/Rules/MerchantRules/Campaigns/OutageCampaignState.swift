public import SubscriptionRules

/// One subscription in a running outage campaign: it is extended once, or it is said why not.
public struct OutageCampaignState: Hashable, Sendable {
    /// How far it is.
    public enum State: Hashable, Sendable {
        /// No call was made.
        case planned
        /// A call for it, or for all of its product, is on its way.
        case requested
        /// It ends at this moment now.
        case extended(to: Instant)
        /// A call failed.
        case failed(ExtensionFailure)
        /// A single call is on its way after a failure.
        case retried
        /// The store refuses it.
        case notEligible(ExtensionRefusal)
        /// The outage did not concern it.
        case leftOut(OutageLeftOutReason)
    }

    /// What happens to it.
    public enum Event: Hashable, Sendable {
        /// Time has passed: `nextMoment` has come.
        case momentReached
        /// The store extended it: its answer or its notification.
        case extended(to: Instant)
        /// It failed; the moment before which the store wants no other call, where it names one.
        case failed(ExtensionFailure, retryAfter: Instant?)
        /// The registers know something new of it.
        case changed
    }

    /// What is to be done for it.
    public enum Action: Hashable, Sendable {
        /// Extend it by a single call, with the same request identifier for the same attempt.
        case extend(days: Int, attempt: Int)
        /// Tell the customer of the new date.
        case tell(to: Instant)
    }

    /// Where it stands in a report: each one in exactly one of these.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        case waiting
        case extended
        case notEligible
        case failed
        case leftOut
    }

    /// How many single calls are made at most for failures that may pass.
    public static let mostAttempts = 10

    public var state: State
    /// Single calls that were made.
    public var attempts: Int
    /// Before when no other call is made; nil where none is to come by itself.
    public var notBefore: Instant?
    /// Whether the merchant has ended the campaign.
    public var isStopped: Bool

    public init(
        state: State, attempts: Int = 0, notBefore: Instant? = nil, isStopped: Bool = false
    ) {
        self.state = state
        self.attempts = attempts
        self.notBefore = notBefore
        self.isStopped = isStopped
    }

    /// How a subscription begins, as planned.
    public init(_ plan: OutagePlan, of campaign: OutageCampaign, at now: Instant) {
        switch plan.decision {
        case .extended:
            self.init(state: .planned, notBefore: campaign.isMass ? nil : now)
        case .notEligible(let refusal): self.init(state: .notEligible(refusal))
        case .leftOut(let reason): self.init(state: .leftOut(reason))
        }
    }

    /// When `momentReached` is due; nil where only an event can move it on.
    public var nextMoment: Instant? {
        guard !isStopped else { return nil }
        switch state {
        case .planned, .failed: return notBefore
        case .requested, .extended, .retried, .notEligible, .leftOut: return nil
        }
    }

    public var outcome: Outcome {
        switch state {
        case .planned, .requested, .retried: .waiting
        case .extended: .extended
        case .failed(let failure): mayBeRetried(failure) ? .waiting : .failed
        case .notEligible: .notEligible
        case .leftOut: .leftOut
        }
    }

    private func mayBeRetried(_ failure: ExtensionFailure) -> Bool {
        guard !isStopped else { return false }
        return notBefore != nil || failure.retry == .onceItChanges
    }
}

extension OutageCampaignState {
    /// Takes in what happened and says what is to be done. Every state has an answer to every
    /// event; once it is extended nothing changes that.
    ///
    /// - Parameter subscriber: as the registers know it after the event.
    public mutating func handle(
        _ event: Event, at now: Instant, of campaign: OutageCampaign,
        for subscriber: CampaignSubscriber
    ) -> [Action] {
        switch (state, event) {
        case (.extended, _), (.leftOut, _):
            return []
        case (_, .extended(let end)):
            state = .extended(to: end)
            notBefore = nil
            return [.tell(to: end)]
        case (.planned, .momentReached), (.failed, .momentReached):
            guard let notBefore, notBefore <= now else { return [] }
            return call(at: now, of: campaign, for: subscriber)
        case (.failed(let failure), .changed):
            guard failure.retry == .onceItChanges else { return [] }
            return callIfEligible(at: now, of: campaign, for: subscriber)
        case (.notEligible(let refusal), .changed):
            guard refusal.mayPass else { return [] }
            return callIfEligible(at: now, of: campaign, for: subscriber)
        case (_, .momentReached), (_, .changed):
            return []
        case (.planned, .failed(let failure, let moment)),
            (.requested, .failed(let failure, let moment)),
            (.retried, .failed(let failure, let moment)):
            fail(failure, retryAfter: moment, at: now, of: campaign, for: subscriber)
            return []
        case (.failed, .failed), (.notEligible, .failed):
            // The news of a failure that is known.
            return []
        }
    }

    private mutating func callIfEligible(
        at now: Instant, of campaign: OutageCampaign, for subscriber: CampaignSubscriber
    ) -> [Action] {
        guard campaign.refusal(of: subscriber, at: now) == nil else { return [] }
        return call(at: now, of: campaign, for: subscriber)
    }

    /// A single call, unless the registers know meanwhile that the store would refuse it.
    private mutating func call(
        at now: Instant, of campaign: OutageCampaign, for subscriber: CampaignSubscriber
    ) -> [Action] {
        guard !isStopped else { return [] }
        notBefore = nil
        if let refusal = campaign.refusal(of: subscriber, at: now) {
            state = .notEligible(refusal)
            return []
        }
        state = state == .planned ? .requested : .retried
        attempts += 1
        return [.extend(days: campaign.grantedDays, attempt: attempts)]
    }

    private mutating func fail(
        _ failure: ExtensionFailure, retryAfter: Instant?, at now: Instant,
        of campaign: OutageCampaign, for subscriber: CampaignSubscriber
    ) {
        notBefore = nil
        switch failure {
        case .refused(ExtensionFailure.limitReached): state = .notEligible(.limitReached)
        case .refused(ExtensionFailure.familyMember): state = .notEligible(.familyMember)
        case .refused(ExtensionFailure.ineligible), .leftOutOfMany:
            // The store gives no reason; the registers may.
            let refusal = campaign.refusal(of: subscriber, at: now)
            state = refusal.map { State.notEligible($0) } ?? .failed(failure)
        case .refused, .noAnswer: state = .failed(failure)
        }
        guard case .failed = state, failure.retry == .later, attempts < Self.mostAttempts else {
            return
        }
        let pause = failure == .leftOutOfMany ? now : now + CampaignStep.pause(after: attempts)
        notBefore = max(retryAfter ?? pause, now)
    }
}

extension ExtensionRefusal {
    /// Whether the state that the store refuses may pass by itself.
    public var mayPass: Bool {
        switch self {
        case .inBillingRetry, .inGraceAfterExpiry, .inFreeOffer, .neverPaid: true
        case .invalidDays, .invalidReason, .familyMember, .expired, .revoked, .limitReached: false
        }
    }
}
