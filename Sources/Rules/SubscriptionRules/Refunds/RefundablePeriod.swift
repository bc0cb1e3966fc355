/// One paid period as far as refunds go. Each period is refunded by itself (REF-10). Of several
/// lines what is given back is that of the whole price, shared by them (LIN-1: `Money/Sharing`).
public struct RefundablePeriod: Hashable, Sendable {
    /// How much is given back.
    public enum Extent: String, Hashable, Sendable, CaseIterable {
        /// The whole price.
        case full
        /// The unused share, as for an upgrade (CHG-2).
        case prorated
    }

    /// The start of the period.
    public let start: Instant
    /// The end as agreed, extensions included; a revocation does not change it, so that a
    /// reversal finds it again (REF-9).
    public let end: Instant
    /// What was charged, offers included (CHG-4).
    public let paid: Money
    /// That it was taken back; nil while it was not, and again after a reversal.
    public private(set) var revocation: Revocation?

    /// Makes a period, or restores one as it was stored.
    public init(start: Instant, end: Instant, paid: Money, revocation: Revocation? = nil) {
        self.start = start
        self.end = end
        self.paid = paid
        self.revocation = revocation
    }

    /// What a refund at a moment would give back, in the decimals of the currency, within 0 and
    /// the price.
    public func amount(_ extent: Extent, at moment: Instant) -> Money {
        switch extent {
        case .full: paid
        case .prorated: prorationRefund(of: paid, start: start, end: end, change: moment)
        }
    }

    /// Grants a refund; service of this period stops at that moment (REF-7, REF-8).
    ///
    /// A prorated refund that comes to the whole price is a full one.
    ///
    /// - Throws: `alreadyRevoked`; `nothingPaid` for a free period, of which nothing can be
    ///   refunded; `nothingLeft` when the prorated amount is zero.
    @discardableResult
    public mutating func grant(
        _ extent: Extent, reason: Revocation.Reason, at moment: Instant
    ) throws(RefundRefusal) -> Revocation {
        try grant(amount(extent, at: moment).milliunits, reason: reason, at: moment)
    }

    /// Grants the share of a product without periods that was not used up, rounded half up to the
    /// currency; 100000 is all (REF-6).
    ///
    /// - Throws: as `grant(_:reason:at:)`.
    public mutating func grant(
        sharePer100000 share: Int, reason: Revocation.Reason, at moment: Instant
    ) throws(RefundRefusal) -> Revocation {
        precondition((0...100_000).contains(share), "a share is 0 to 100000: \(share)")
        let (quotient, _) = Int64(100_000).dividingFullWidth(
            paid.milliunits.multipliedFullWidth(by: Int64(share)))
        return try grant(
            min(paid.currency.rounded(quotient), paid.milliunits), reason: reason, at: moment)
    }

    private mutating func grant(
        _ refunded: Int64, reason: Revocation.Reason, at moment: Instant
    ) throws(RefundRefusal) -> Revocation {
        guard revocation == nil else { throw .alreadyRevoked }
        guard paid.milliunits > 0 else { throw .nothingPaid }
        guard refunded > 0 else { throw .nothingLeft }
        let granted = Revocation(
            kind: refunded == paid.milliunits ? .refundFull : .refundProrated, reason: reason,
            moment: moment, price: paid, refunded: refunded)
        revocation = granted
        return granted
    }

    /// Takes a family member's period away, because the purchaser was refunded or stopped
    /// sharing (REF-11, FAM-6).
    ///
    /// - Parameter byRefund: whether it is the purchaser's refund that takes it.
    /// - Throws: `alreadyRevoked`.
    public mutating func revokeFromFamilyMember(
        byRefund: Bool = false, at moment: Instant
    ) throws(RefundRefusal) {
        guard revocation == nil else { throw .alreadyRevoked }
        revocation = Revocation(
            kind: byRefund ? .familyRefund : .familyRevoke, reason: nil, moment: moment,
            price: paid, refunded: 0)
    }

    /// Reverses a refund: access comes back, the period ends when it would have ended, and the
    /// money is taken again (REF-9).
    ///
    /// - Returns: what had been given back.
    /// - Throws: `notRefunded`.
    @discardableResult
    public mutating func reverse() throws(RefundRefusal) -> Money {
        guard let revoked = revocation, !revoked.kind.isOfMember else { throw .notRefunded }
        revocation = nil
        return revoked.refunded
    }

    /// When its service ends: at the revocation, if that comes before the agreed end (REF-8).
    public var serviceEnd: Instant { revocation.map { min(max($0.moment, start), end) } ?? end }

    /// Whether it gives access at a moment.
    public func serves(at moment: Instant) -> Bool { moment >= start && moment < serviceEnd }
}

extension Sequence where Element == RefundablePeriod {
    /// Whether any of the periods gives access at a moment: refunding an old one leaves the
    /// current one as it is (REF-10).
    public func serve(at moment: Instant) -> Bool { contains { $0.serves(at: moment) } }
}

/// Why a refund cannot be granted or reversed; nothing has changed.
public enum RefundRefusal: Error, Hashable, Sendable, CaseIterable {
    /// It was refunded or taken away before; each period once (REF-10).
    case alreadyRevoked
    /// The period cost nothing, or was not paid yet (REF-3).
    case nothingPaid
    /// The period is used up.
    case nothingLeft
    /// There is no refund to reverse.
    case notRefunded
}
