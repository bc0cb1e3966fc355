public import SubscriptionRules

extension CustomerMail {
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
