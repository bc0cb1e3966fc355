public import SubscriptionRules

/// How far a price campaign is with one subscriber: a closed list (TAB-7.3). The code is what is
/// kept in a row, the detail stands beside it.
public enum SubscriberState: Hashable, Sendable {
    /// The first message or call is not due yet.
    case planned
    /// Messages go out.
    case communicating
    /// The subscriber agreed; the call is not made yet.
    case consented
    /// The subscriber has tapped "OK" on a notice.
    case acknowledged
    /// The subscriber refused.
    case declined
    /// A call is to be made or on its way.
    case callable
    /// The store took every call; the renewal at the new price is to come.
    case called
    /// A renewal charged the new price.
    case applied
    /// The renewal came without consent and charged the old price.
    case carriedOver
    /// It is over for the subscriber.
    case withdrawn(WithdrawalReason)
    /// It waits until something passes.
    case blocked(BlockReason)
    /// The store refused a call for good, with this code of its own.
    case failed(Int)
    /// It was never for the subscriber.
    case leftOut(LeftOutReason)

    /// The name without its detail.
    public var code: Code {
        switch self {
        case .planned: .planned
        case .communicating: .communicating
        case .consented: .consented
        case .acknowledged: .acknowledged
        case .declined: .declined
        case .callable: .callable
        case .called: .called
        case .applied: .applied
        case .carriedOver: .carriedOver
        case .withdrawn: .withdrawn
        case .blocked: .blocked
        case .failed: .failed
        case .leftOut: .leftOut
        }
    }

    /// The detail as a text; nil where there is none.
    public var detail: String? {
        switch self {
        case .withdrawn(let reason): reason.rawValue
        case .blocked(let reason): reason.rawValue
        case .failed(let code): String(code)
        case .leftOut(let reason): reason.rawValue
        case .planned, .communicating, .consented, .acknowledged, .declined, .callable, .called,
            .applied, .carriedOver:
            nil
        }
    }

    /// Restores a state as it was kept; nil where the two do not fit.
    public init?(code: Code, detail: String?) {
        switch code {
        case .planned: self = .planned
        case .communicating: self = .communicating
        case .consented: self = .consented
        case .acknowledged: self = .acknowledged
        case .declined: self = .declined
        case .callable: self = .callable
        case .called: self = .called
        case .applied: self = .applied
        case .carriedOver: self = .carriedOver
        case .withdrawn:
            guard let reason = detail.flatMap(WithdrawalReason.init(rawValue:)) else { return nil }
            self = .withdrawn(reason)
        case .blocked:
            guard let reason = detail.flatMap(BlockReason.init(rawValue:)) else { return nil }
            self = .blocked(reason)
        case .failed:
            guard let number = detail.flatMap({ Int($0) }) else { return nil }
            self = .failed(number)
        case .leftOut:
            guard let reason = detail.flatMap(LeftOutReason.init(rawValue:)) else { return nil }
            self = .leftOut(reason)
        }
    }

    /// The names of the states.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case planned, communicating, consented, acknowledged, declined, callable, called, applied
        case carriedOver, withdrawn, blocked, failed, leftOut
    }
}

/// Why a campaign is over for a subscriber: a closed list (ACC-11).
public enum WithdrawalReason: String, Hashable, Sendable, CaseIterable {
    /// The customer turned renewal off. It starts with full notice if renewal is turned on again.
    case renewalTurnedOff
    /// The customer chose another product or other items, or moved to another storefront.
    case productChanged
    /// The running period was refunded.
    case refunded
    /// The store ended the subscription since there was no consent.
    case expiredWithoutConsent
    /// The subscription ended for another reason.
    case ended
    /// The merchant stopped the campaign.
    case stopped
    /// Another campaign has taken its place.
    case superseded
}

/// What happens to a subscriber, or to a message or a call of the campaign.
public enum CampaignEvent: Hashable, Sendable {
    /// Time has passed: `PriceCampaignState.nextMoment` has come.
    case momentReached
    /// A message was handed over: taken by the relay or by Apple's push service, or the sheet was
    /// published to the app.
    case sent(CommunicationTimetable.Occasion, PriceMessage.Channel)
    /// A message could not be handed over for good: the address or all devices are gone.
    case unreachable(CommunicationTimetable.Occasion, PriceMessage.Channel)
    /// The subscriber looked at the sheet of an occasion.
    case seen(CommunicationTimetable.Occasion)
    /// The subscriber tapped "OK" on a notice.
    case acknowledged
    /// The subscriber agreed to what an occasion asks.
    case agreed(CommunicationTimetable.Occasion)
    /// The subscriber refused what an occasion asks.
    case declined(CommunicationTimetable.Occasion)
    case renewalTurnedOff
    case renewalTurnedOn
    /// A renewal failed, with or without grace.
    case enteredRetry
    /// A failed renewal was paid.
    case recovered
    /// A renewal was paid in time: what all items cost together from then on, offers aside, in
    /// milliunits.
    case renewed(price: Int64)
    /// An extension moved the renewal.
    case periodMoved
    case refunded
    case productChanged
    /// The subscription is over; whether for lack of consent.
    case expired(forLackOfConsent: Bool)
    /// The store took the call about these items.
    case callSucceeded(skus: [String])
    /// The store refused the call about these items, with its error code.
    case callFailed(skus: [String], code: Int, isRetryable: Bool)
    /// The merchant stopped the campaign.
    case stopped
}

/// What is to be done for a subscriber: carried out by whoever runs the campaign.
public enum CampaignAction: Hashable, Sendable {
    /// Hand over a message, and say so by `sent` or `unreachable`.
    case send(CampaignMessage)
    /// Call the store about these items, and say so by `callSucceeded` or `callFailed`.
    case call(skus: [String])
    /// Keep an answer for good, before any call that rests on it.
    case record(CampaignAnswer)
    /// Turn renewal off at the store, as the merchant's policy for a refusal says.
    case cancelRenewal
    /// Drop all that is not sent yet, and take the sheet from the app.
    case withdraw
}

/// What a subscriber answered: what has to be kept as the proof of consent.
public struct CampaignAnswer: Hashable, Sendable {
    /// What was asked.
    public var occasion: CommunicationTimetable.Occasion
    public var isAgreed: Bool
    public var at: Instant
    /// What was asked about: the items, what all cost before and after in milliunits, and the first
    /// renewal at the new price.
    public var skus: [String]
    public var oldPrice: Int64
    public var newPrice: Int64
    public var renewal: Instant

    public init(
        occasion: CommunicationTimetable.Occasion, isAgreed: Bool, at moment: Instant,
        skus: [String], oldPrice: Int64, newPrice: Int64, renewal: Instant
    ) {
        self.occasion = occasion
        self.isAgreed = isAgreed
        at = moment
        self.skus = skus
        self.oldPrice = oldPrice
        self.newPrice = newPrice
        self.renewal = renewal
    }
}

/// Where a subscriber stands in a report: each one in exactly one of these, so that they always add
/// up to the audience.
public enum CampaignOutcome: String, Hashable, Sendable, CaseIterable {
    /// Nothing was said yet.
    case waiting
    /// A message went out; there is no sign that it was seen.
    case notified
    /// The sheet was seen, or acknowledged.
    case seen
    /// The subscriber agreed.
    case agreed
    /// The subscriber refused.
    case declined
    /// The renewal came without an answer and charged the old price.
    case silent
    /// The customer turned renewal off.
    case cancelled
    /// A renewal charged a higher price.
    case increased
    /// A renewal charged a lower price.
    case lowered
    /// The subscription ended since there was no consent.
    case lapsed
    /// The campaign ended for another reason: another product, a refund, the end, or the merchant.
    case withdrawn
    /// The campaign was never for the subscriber.
    case leftOut
    /// The campaign waits until something passes.
    case blocked
    /// The store refused a call.
    case failed
}
