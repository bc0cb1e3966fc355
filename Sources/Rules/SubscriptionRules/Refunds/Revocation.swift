/// That a period was taken back, with the fields that signed transactions carry (REF-7).
public struct Revocation: Hashable, Sendable {
    /// How it was taken back.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The whole price was given back.
        case refundFull = "REFUND_FULL"
        /// The unused share was given back.
        case refundProrated = "REFUND_PRORATED"
        /// A family member lost it; no money moves.
        case familyRevoke = "FAMILY_REVOKE"
        /// A family member lost it since the purchaser got the money back, and has it again where
        /// that is taken back (REF-9). Told as `FAMILY_REVOKE`.
        case familyRefund = "FAMILY_REFUND"

        /// Whether a family member lost it.
        public var isOfMember: Bool {
            switch self {
            case .familyRevoke, .familyRefund: true
            case .refundFull, .refundProrated: false
            }
        }

        /// The text of `revocationType`.
        public var typeText: String { (isOfMember ? Kind.familyRevoke : self).rawValue }
    }

    /// Why, with the numbers of `revocationReason`.
    public enum Reason: Int, Hashable, Sendable, CaseIterable {
        /// Another reason, such as an accidental purchase.
        case other = 0
        /// An actual or perceived problem with the app.
        case problemWithApp = 1
    }

    /// How it was taken back.
    public let kind: Kind
    /// Nil where a family member lost it.
    public let reason: Reason?
    /// Service stops here, also when the period would last longer (REF-8).
    public let moment: Instant
    /// What is given back.
    public let refunded: Money
    /// The part of the price that is kept; with `refunded` it makes the price.
    public let used: Money

    /// Makes a revocation, or restores one as it was stored; `refunded` is in milliunits and a part
    /// of the price.
    public init(kind: Kind, reason: Reason?, moment: Instant, price: Money, refunded: Int64) {
        self.kind = kind
        self.reason = reason
        self.moment = moment
        self.refunded = Money(milliunits: refunded, price.currency)
        used = Money(milliunits: price.milliunits - refunded, price.currency)
    }

    /// The refunded share in milli-percent, 100000 for all, as `revocationPercentage`; nil where
    /// no money moved.
    public var percentage: Int? {
        kind.isOfMember ? nil : Revocation.percentage(refunded: refunded, used: used)
    }

    /// The share of a price in milli-percent.
    ///
    /// Rounded half up, but a part is never written as nothing or as all.
    public static func percentage(refunded: Money, used: Money) -> Int {
        let part = UInt64(refunded.milliunits)
        let rest = UInt64(used.milliunits)
        guard rest > 0 else { return 100_000 }
        let whole = part + rest
        let (quotient, remainder) = whole.dividingFullWidth(part.multipliedFullWidth(by: 100_000))
        let rounded = quotient + (remainder >= whole - remainder ? 1 : 0)
        return Int(min(max(rounded, 1), 99_999))
    }
}
