public import SubscriptionRules

/// One message that a campaign has planned for a subscriber.
public struct CampaignMessage: Hashable, Sendable {
    /// What it is about: a notice, a request for consent, or the end of an offer in Korea.
    public var occasion: CommunicationTimetable.Occasion
    public var channel: PriceMessage.Channel
    /// When it is sent, or from when the sheet may show.
    public var moment: Instant
    /// What must still hold at that moment.
    public var condition: PriceMessage.Condition
    /// The items that it tells of.
    public var skus: [String]

    public init(
        occasion: CommunicationTimetable.Occasion, channel: PriceMessage.Channel, moment: Instant,
        condition: PriceMessage.Condition, skus: [String]
    ) {
        self.occasion = occasion
        self.channel = channel
        self.moment = moment
        self.condition = condition
        self.skus = skus
    }
}

/// One call of the store that changes prices of a subscriber: the window for it, and how far it is.
public struct CampaignCall: Hashable, Sendable {
    /// How far a call is.
    public enum Status: Hashable, Sendable {
        /// It was not made, or failed in a way that may pass; not before the moment.
        case waiting(until: Instant)
        /// It is to be made, or on its way since the moment.
        case requested(at: Instant)
        /// The store took it.
        case accepted(at: Instant)
    }

    /// The items whose prices it names.
    public var skus: [String]
    /// Whether the subscriber's consent must be there first.
    public var needsConsent: Bool
    /// Whether the subscriber is told first: false for prices that only fall.
    public var needsNotice: Bool
    /// The first moment for it.
    public var opens: Instant
    /// The last moment for the renewal that is meant; nil where a later call means a later renewal.
    public var closes: Instant?
    /// The last moment for the renewal that is meant, in both cases: calls with the least time left
    /// are made first.
    public var latest: Instant
    /// The renewal that is the first to charge the new prices.
    public var renewal: Instant
    /// New minus old of all its items, in milliunits.
    public var difference: Int64
    public var status: Status
    /// How often it has failed.
    public var failures: Int

    public init(
        skus: [String], needsConsent: Bool, needsNotice: Bool, opens: Instant, closes: Instant?,
        latest: Instant, renewal: Instant, difference: Int64, status: Status, failures: Int = 0
    ) {
        self.skus = skus
        self.needsConsent = needsConsent
        self.needsNotice = needsNotice
        self.opens = opens
        self.closes = closes
        self.latest = latest
        self.renewal = renewal
        self.difference = difference
        self.status = status
        self.failures = failures
    }

    /// Whether the store took it.
    public var isAccepted: Bool { if case .accepted = status { true } else { false } }
    /// Whether it is on its way.
    public var isRequested: Bool { if case .requested = status { true } else { false } }
}

/// What lies ahead of one subscriber in a campaign: messages, calls, and the renewal at the new
/// price. It is flat, so that it can be kept as rows.
public struct CampaignSchedule: Hashable, Sendable {
    /// What is asked about the new price.
    public var path: ConsentDecision.Path
    /// The first renewal at a new price.
    public var renewal: Instant
    /// Each item that changes its price.
    public var changes: [Change]
    /// The last moment for consent to count for that renewal; nil where none is needed.
    public var answerBy: Instant?
    /// What all items cost a period before and after, offers aside, in milliunits.
    public var oldPrice: Int64
    public var newPrice: Int64
    /// What is still to be sent, the earliest first.
    public var messages: [CampaignMessage]
    /// The calls, the earliest first; empty where App Store Connect changes the price.
    public var calls: [CampaignCall]
    /// An item that changes its price.
    public struct Change: Hashable, Sendable {
        public var sku: String
        /// In milliunits, offers aside.
        public var oldPrice: Int64
        public var newPrice: Int64
        /// The renewal that is the first to charge the new price.
        public var renewal: Instant
        public var needsConsent: Bool

        public init(
            sku: String, oldPrice: Int64, newPrice: Int64, renewal: Instant, needsConsent: Bool
        ) {
            self.sku = sku
            self.oldPrice = oldPrice
            self.newPrice = newPrice
            self.renewal = renewal
            self.needsConsent = needsConsent
        }
    }

    /// Korea: the consent that the end of the running offer needs besides; nil elsewhere.
    public var conversion: Conversion?

    /// The window for consent to the end of an offer in Korea.
    public struct Conversion: Hashable, Sendable {
        /// The renewal that first charges the standard price.
        public var moment: Instant
        public var kind: OfferConversion
        /// The first moment at which consent counts, and the first at which it is too late.
        public var opens: Instant
        public var closes: Instant
        /// The items whose offers end.
        public var skus: [String]
        /// What all items cost a period within the offers, and once these have ended, in
        /// milliunits. The campaign's own prices come later, and are asked about by themselves.
        public var oldPrice: Int64
        public var newPrice: Int64
        /// Whether the merchant asks, and turns renewal off where there is no consent by the end
        /// of the window; else the store does both.
        public var isEndedByMerchant: Bool

        public init(
            moment: Instant, kind: OfferConversion, opens: Instant, closes: Instant,
            skus: [String], oldPrice: Int64, newPrice: Int64, isEndedByMerchant: Bool = false
        ) {
            self.moment = moment
            self.kind = kind
            self.opens = opens
            self.closes = closes
            self.skus = skus
            self.oldPrice = oldPrice
            self.newPrice = newPrice
            self.isEndedByMerchant = isEndedByMerchant
        }
    }

    public init(
        path: ConsentDecision.Path, renewal: Instant, changes: [Change],
        answerBy: Instant? = nil, oldPrice: Int64, newPrice: Int64, messages: [CampaignMessage],
        calls: [CampaignCall],
        conversion: Conversion? = nil
    ) {
        self.path = path
        self.renewal = renewal
        self.changes = changes
        self.answerBy = answerBy
        self.oldPrice = oldPrice
        self.newPrice = newPrice
        self.messages = messages
        self.calls = calls
        self.conversion = conversion
    }

    /// The items that need consent.
    public var askedSKUs: [String] { changes.filter(\.needsConsent).map(\.sku) }

    /// The items that a notice tells of.
    var toldSKUs: Set<String> {
        Set(calls.filter(\.needsNotice).flatMap(\.skus))
    }

    /// The last renewal that is the first to charge a new price of an item.
    public var lastRenewal: Instant { changes.map(\.renewal).max() ?? renewal }
}
