/// When and where an offer can be taken up (INT-3); what was taken up runs to its end.
public struct OfferAvailability: Hashable, Sendable {
    /// From when; nil for always.
    public var begins: Instant?
    /// The first moment at which it is over; nil for never.
    public var ends: Instant?
    /// The alpha-3 codes of the storefronts that have it; nil for all.
    public var storefronts: Set<String>?

    public init(
        begins: Instant? = nil, ends: Instant? = nil, storefronts: Set<String>? = nil
    ) {
        self.begins = begins
        self.ends = ends
        self.storefronts = storefronts
    }

    /// Whether it can be taken up at a moment in a storefront, by its alpha-3 code.
    public func covers(_ moment: Instant, in storefront: String) -> Bool {
        if let begins, moment < begins { return false }
        if let ends, moment >= ends { return false }
        return storefronts?.contains(storefront) ?? true
    }

    /// Whether both can be taken up at some moment in some storefront.
    public func overlaps(_ other: OfferAvailability) -> Bool {
        if let ends, let begins = other.begins, begins >= ends { return false }
        if let ends = other.ends, let begins, begins >= ends { return false }
        return sharesStorefront(with: other)
    }

    /// Whether there is a storefront that can have both.
    public func sharesStorefront(with other: OfferAvailability) -> Bool {
        guard let storefronts, let others = other.storefronts else { return true }
        return !storefronts.isDisjoint(with: others)
    }

    /// Whether it cannot be taken up yet.
    public func isToCome(at now: Instant) -> Bool { begins.map { $0 > now } ?? false }
}
