public import SubscriptionRules

/// Something that a customer is told by mail, as plain values: what is said of it, in which words
/// and looks, is decided by who writes it (TAB-13).
///
/// Names are display names, as the customer's language has them; amounts and moments become the
/// reader's way of writing later.
public enum CustomerMail: Hashable, Sendable {
    /// After the first purchase of a subscription, once.
    case welcome(Welcome)
    /// After each charge.
    case receipt(Receipt)
    /// Everything that renews in the coming month.
    case willRenew([Upcoming])
    /// Everything that ends in the coming month.
    case willExpire([Upcoming])
    /// A renewal that is near would probably not be paid.
    case cannotPay(Upcoming)
    /// A renewal was not paid.
    case billingProblem(BillingProblem)
    /// A higher price comes unless the customer declines, or only if the customer agrees.
    case priceIncrease(PriceIncreaseNews)
    /// An offer ends in Korea, and the standard price needs consent (KOR-1).
    case koreanConversion(KoreanConversionRequest)
    /// The next renewal was moved.
    case renewalExtended(RenewalExtended)
    /// A subscription is not sold any more.
    case discontinued(Discontinued)
    /// A request for a refund was decided.
    case refundDecided(RefundDecided)
    /// A purchase can be shared with the family, or was.
    case sharing(SharingNews)

    /// A new subscription.
    public struct Welcome: Hashable, Sendable {
        public var name: String
        /// What one period costs when no offer is on.
        public var price: Money
        public var period: CalendarPeriod
        /// What it begins with; nil for the price itself.
        public var offer: Beginning?
        /// When it renews for the first time.
        public var renews: Instant
        /// What all months of a commitment cost together; nil where there is none.
        public var commitment: Money?

        public init(
            name: String, price: Money, period: CalendarPeriod, offer: Beginning? = nil,
            renews: Instant, commitment: Money? = nil
        ) {
            self.commitment = commitment
            self.name = name
            self.price = price
            self.period = period
            self.offer = offer
            self.renews = renews
        }
    }

    /// An offer that a subscription begins with.
    public struct Beginning: Hashable, Sendable {
        /// What was charged; nothing for a free one.
        public var paid: Money
        /// When the price itself is first charged.
        public var until: Instant

        public init(paid: Money, until: Instant) {
            self.paid = paid
            self.until = until
        }
    }

    /// What was charged.
    public struct Receipt: Hashable, Sendable {
        /// A thing that was bought.
        public struct Line: Hashable, Sendable {
            public var name: String
            public var quantity: Int
            public var amount: Money
            /// What it costs without the offer by which it was bought once; nil without one.
            public var insteadOf: Money?
            /// Until when it was paid for; nil for what does not end.
            public var until: Instant?

            public init(
                name: String, quantity: Int, amount: Money, insteadOf: Money? = nil, until: Instant?
            ) {
                self.name = name
                self.quantity = quantity
                self.amount = amount
                self.insteadOf = insteadOf
                self.until = until
            }
        }

        /// The number of the purchase, which support asks for.
        public var order: String
        public var at: Instant
        /// One or more.
        public var lines: [Line]

        public init(order: String, at: Instant, lines: [Line]) {
            self.order = order
            self.at = at
            self.lines = lines
        }
    }

    /// A subscription that renews or ends soon.
    public struct Upcoming: Hashable, Sendable {
        /// Why a subscription ends at its next renewal.
        public enum ReasonToEnd: String, Hashable, Sendable, CaseIterable {
            /// Its renewal is off.
            case turnedOff
            /// What it would renew as is not sold any more.
            case notForSale
            /// It has renewed as often as it may, in Sandbox (SBX-1).
            case renewalLimit
        }

        public var name: String
        public var at: Instant
        /// What the renewal costs; nil for one that ends.
        public var price: Money?
        /// Nil for one that renews.
        public var reasonToEnd: ReasonToEnd?
        public var period: CalendarPeriod

        public init(
            name: String, at: Instant, price: Money?, reasonToEnd: ReasonToEnd? = nil,
            period: CalendarPeriod
        ) {
            self.reasonToEnd = reasonToEnd
            self.name = name
            self.at = at
            self.price = price
            self.period = period
        }
    }

    /// A renewal that was not paid.
    public struct BillingProblem: Hashable, Sendable {
        /// What follows from it.
        public enum State: Hashable, Sendable {
            /// It is tried again; access goes on until then, or is interrupted.
            case retrying(accessUntil: Instant?)
            /// It ended.
            case ended
        }

        public var name: String
        public var price: Money
        public var state: State

        public init(name: String, price: Money, state: State) {
            self.name = name
            self.price = price
            self.state = state
        }
    }
}
