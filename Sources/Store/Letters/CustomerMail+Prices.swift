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
}
