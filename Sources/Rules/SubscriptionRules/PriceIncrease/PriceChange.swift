/// A new price for what one subscriber pays each period. The old price is what this very
/// subscriber pays, a preserved price included, not the list price (PRC-7, THR-6).
public struct PriceChange: Hashable, Sendable {
    /// What the subscriber pays now, in milliunits.
    public let old: Int64
    /// What the subscriber would pay, in milliunits.
    public let new: Int64
    /// The currency of both.
    public let currency: Currency

    /// Makes a change; both prices are in milliunits and not negative.
    public init(from old: Int64, to new: Int64, in currency: Currency) {
        precondition(old >= 0 && new >= 0, "a price is not negative: \(old), \(new)")
        self.old = old
        self.new = new
        self.currency = currency
    }

    /// Makes a change between two prices of one currency, or nil when the currencies differ.
    public init?(from old: Money, to new: Money) {
        guard old.currency == new.currency else { return nil }
        self.init(from: old.milliunits, to: new.milliunits, in: old.currency)
    }

    /// New minus old, in milliunits.
    public var difference: Int64 { new - old }

    /// Whether the price rises. A decrease or an equal price needs no message (PRC-4, ACP-12).
    public var isIncrease: Bool { new > old }

    /// Whether the increase is more than half of the old price: exactly half is not (THR-4). From
    /// nothing to something is more than half.
    public var isMoreThanHalf: Bool {
        // The same as 2 × difference > old, which could overflow.
        difference > old - difference
    }
}
