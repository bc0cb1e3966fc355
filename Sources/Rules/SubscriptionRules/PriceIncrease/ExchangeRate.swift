/// How much of a currency one US dollar buys, as a ratio of integers: 1350/1 for KRW, 92/100 for
/// EUR. Integers only, so that every machine computes the same threshold.
public struct ExchangeRate: Hashable, Sendable {
    /// The currency that dollars are turned into.
    public let currency: Currency
    /// Units of the currency…
    public let numerator: Int64
    /// …for this many US dollars.
    public let denominator: Int64
    /// The day of the rate.
    public let asOf: CivilDate

    /// The largest part of a ratio, which keeps every conversion within 64 bits.
    static let largestPart: Int64 = 100_000_000_000_000

    /// Makes a rate; nil unless both parts are between 1 and 10^14.
    public init?(_ numerator: Int64, per denominator: Int64, of currency: Currency, asOf: CivilDate)
    {
        guard (1...Self.largestPart).contains(numerator),
            (1...Self.largestPart).contains(denominator)
        else { return nil }
        self.currency = currency
        self.numerator = numerator
        self.denominator = denominator
        self.asOf = asOf
    }

    /// Turns milliunits of US dollars, at most 50 dollars, into milliunits of the currency,
    /// rounded down to its decimals.
    func convert(dollars: Int64) -> Int64 {
        let exact = dollars * numerator / denominator
        return exact / currency.step * currency.step
    }
}
