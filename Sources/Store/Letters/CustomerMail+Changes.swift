public import SubscriptionRules

extension CustomerMail {
    /// Prices that rise at one renewal (ACC-4, ACC-7).
    public struct PriceIncreaseNews: Hashable, Sendable {
        /// A price that rises.
        public struct Line: Hashable, Sendable {
            public var name: String
            public var old: Money
            public var new: Money

            public init(name: String, old: Money, new: Money) {
                self.name = name
                self.old = old
                self.new = new
            }
        }

        /// Whether it comes only with the customer's consent.
        public var needsConsent: Bool
        /// One or more: what is asked together is answered together.
        public var lines: [Line]
        /// The names of what ends with them without consent (ACS-3).
        public var dependents: [String]
        /// Whether they are items of a subscription that goes on without them (ACS-2).
        public var restGoesOn: Bool
        public var period: CalendarPeriod
        /// The renewal that first charges the new prices, or ends without consent.
        public var at: Instant

        public init(
            needsConsent: Bool, lines: [Line], dependents: [String] = [], restGoesOn: Bool = false,
            period: CalendarPeriod, at: Instant
        ) {
            self.needsConsent = needsConsent
            self.lines = lines
            self.dependents = dependents
            self.restGoesOn = restGoesOn
            self.period = period
            self.at = at
        }
    }

    /// A step from offers to the standard prices that needs consent in Korea.
    public struct KoreanConversionRequest: Hashable, Sendable {
        /// Something whose offer ends.
        public struct Line: Hashable, Sendable {
            public var name: String
            /// Whether nothing was paid until now.
            public var isFree: Bool
            public var price: Money

            public init(name: String, isFree: Bool, price: Money) {
                self.name = name
                self.isFree = isFree
                self.price = price
            }
        }

        /// One or more: what is asked together is answered together.
        public var lines: [Line]
        /// Whether they are items of a subscription that goes on without them (ACS-2).
        public var restGoesOn: Bool
        public var period: CalendarPeriod
        /// When the standard price is first charged; the last day for an answer lies before it.
        public var at: Instant
        public var answerBy: Instant

        public init(
            lines: [Line], restGoesOn: Bool = false, period: CalendarPeriod, at: Instant,
            answerBy: Instant
        ) {
            self.lines = lines
            self.restGoesOn = restGoesOn
            self.period = period
            self.at = at
            self.answerBy = answerBy
        }
    }

    /// A renewal that was moved.
    public struct RenewalExtended: Hashable, Sendable {
        public var name: String
        public var old: Instant
        public var new: Instant

        public init(name: String, old: Instant, new: Instant) {
            self.name = name
            self.old = old
            self.new = new
        }
    }

    /// A subscription that is not sold any more.
    public struct Discontinued: Hashable, Sendable {
        /// What is sold instead.
        public struct Other: Hashable, Sendable {
            public var name: String
            public var price: Money
            public var period: CalendarPeriod

            public init(name: String, price: Money, period: CalendarPeriod) {
                self.name = name
                self.price = price
                self.period = period
            }
        }

        public var name: String
        /// Until when it was paid for.
        public var ends: Instant
        /// None where nothing else is sold.
        public var others: [Other]

        public init(name: String, ends: Instant, others: [Other]) {
            self.name = name
            self.ends = ends
            self.others = others
        }
    }

    /// What became of a request for a refund, or what was paid back without one.
    public struct RefundDecided: Hashable, Sendable {
        public var name: String
        public var bought: Instant
        /// What is paid back; nil where it was declined.
        public var amount: Money?
        /// Whether the customer had asked for it.
        public var isAsked: Bool

        public init(name: String, bought: Instant, amount: Money?, isAsked: Bool = true) {
            self.name = name
            self.bought = bought
            self.amount = amount
            self.isAsked = isAsked
        }
    }

    /// Something for a family.
    public struct SharingNews: Hashable, Sendable {
        public var name: String
        /// Who shares it with the reader; nil where the reader is invited to share it.
        public var giver: String?

        public init(name: String, giver: String? = nil) {
            self.name = name
            self.giver = giver
        }
    }
}
