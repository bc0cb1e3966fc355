/// Whether an increase is more than half of the price **and** more than the storefront's amount;
/// it takes both (THR-2), and neither counts when it is exactly reached (THR-4).
public struct SizeTest: Hashable, Sendable {
    /// The change from what this subscriber pays (THR-6).
    public let change: PriceChange
    /// Whether the amount is the one for a whole year (THR-3).
    public let isAnnual: Bool
    /// The amount of the storefront in milliunits; nil when not known: then half decides alone.
    public let amount: Int64?
    /// Where the amount comes from; nil when there is no row for the storefront and currency.
    public let origin: ConsentThresholds.Origin?

    /// Tests a change in a storefront, whose amounts must be in the currency of the change.
    public init(
        _ change: PriceChange, period: CalendarPeriod, row: ConsentThresholds.Row?
    ) {
        self.change = change
        isAnnual = period.isAnnual
        let usable = row?.currency == change.currency ? row : nil
        amount = usable?.amount(for: period)
        origin = usable?.origin
    }

    /// Whether the increase is more than half of the old price.
    public var isMoreThanHalf: Bool { change.isMoreThanHalf }

    /// Whether the increase is more than the amount; nil when the amount is not known.
    public var isMoreThanAmount: Bool? { amount.map { change.difference > $0 } }

    /// Whether the size alone demands consent.
    public var demandsConsent: Bool { isMoreThanHalf && isMoreThanAmount ?? true }
}
