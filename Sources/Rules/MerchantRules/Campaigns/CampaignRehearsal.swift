public import SubscriptionRules

/// How a price campaign would go for one subscriber: every event and action with its moment, the
/// bills, and the state at the end.
public struct CampaignRehearsal: Hashable, Sendable {
    /// Something that happens.
    public struct Step: Hashable, Sendable {
        public var moment: Instant
        public var happening: Happening
    }

    /// An event of the subscriber's, or an action of the merchant's.
    public enum Happening: Hashable, Sendable {
        case event(CampaignEvent)
        case action(CampaignAction)
    }

    /// What a renewal charges.
    public struct Bill: Hashable, Sendable {
        public var moment: Instant
        /// In milliunits, offers included.
        public var amount: Int64
    }

    public var plan: SubscriberPlan
    /// What the subscriber was said to do.
    public var answer: RehearsedAnswers.Answer
    public var steps: [Step]
    public var bills: [Bill]
    /// What a period costs at the end, offers aside, in milliunits; nil where it does not renew.
    public var price: Int64?
    public var state: PriceCampaignState

    /// Where the subscriber stands at the end.
    public var outcome: CampaignOutcome { state.outcome }
}

extension PriceCampaign {
    /// Plays the campaign for one subscriber to its end, with answers that were made up, messages
    /// that all arrive and a store that takes every call. A function of its arguments alone: it
    /// needs no store.
    ///
    /// The end is the renewal that charges the new price, or the first one that could have and does
    /// not; or that nothing more is to come.
    public func rehearse(
        _ subscriber: CampaignSubscriber, answers: RehearsedAnswers, at now: Instant
    ) -> CampaignRehearsal {
        var stage = CampaignStage(self, subscriber, answers, at: now)
        stage.play()
        return CampaignRehearsal(
            plan: plan(for: subscriber, at: now),
            answer: answers.answer(of: subscriber.originalTransactionID), steps: stage.steps,
            bills: stage.bills, price: stage.price, state: stage.record)
    }
}
