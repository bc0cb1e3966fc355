/// How long and how large the members of Advanced Commerce requests may be.
public enum AdvancedCommerceLimit {
    /// Items in one array. Apple has a limit and does not publish it.
    public static let items = 100
    /// Unicode scalars of a SKU.
    public static let sku = 128
    /// Unicode scalars of a name that customers see.
    public static let displayName = 30
    /// Unicode scalars of a description.
    public static let description = 45
    /// The largest price in milliunits. Not Apple's: it keeps sums far from the end of 64 bits.
    public static let price: Int64 = 1_000_000_000_000
    /// Periods of an offer.
    public static let offerPeriods = 1...12
}
