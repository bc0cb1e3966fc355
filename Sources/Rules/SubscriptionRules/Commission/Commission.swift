/// What the store keeps of a price net of tax, in per cent (COM-1, COM-5).
public enum CommissionRate: Int, Hashable, Sendable, CaseIterable {
    /// In the first year of paid service.
    case standard = 30
    /// After one year of paid service, or in the Small Business Program.
    case reduced = 15

    /// Divides a charge net of tax (COM-1, COM-6).
    ///
    /// To the milliunit, not to the currency's decimals. The commission is rounded down: what
    /// cannot be divided goes to the developer. Both sides always make the amount.
    public func split(_ amount: Money) -> ProceedsSplit {
        precondition(amount.milliunits >= 0, "a charge is not negative: \(amount.milliunits)")
        // Not the product divided by 100, which could overflow.
        let (hundreds, rest) = amount.milliunits.quotientAndRemainder(dividingBy: 100)
        let percent = Int64(rawValue)
        let commission = hundreds * percent + rest * percent / 100
        return ProceedsSplit(
            commission: Money(milliunits: commission, amount.currency),
            proceeds: Money(milliunits: amount.milliunits - commission, amount.currency))
    }

    /// Divides a refund so that what stays booked is divided as if only the rest had been charged:
    /// after refunding all of it, in whatever steps, nothing is left on either side.
    ///
    /// - Parameters:
    ///   - refund: what is given back now.
    ///   - charge: what was charged at this rate.
    ///   - before: what of it was given back before; all three in one currency.
    public func split(refund: Money, of charge: Money, refundedBefore before: Int64 = 0)
        -> ProceedsSplit
    {
        precondition(
            refund.currency == charge.currency && refund.milliunits >= 0 && before >= 0
                && refund.milliunits <= charge.milliunits - before,
            "a refund is a part of the charge")
        let currency = charge.currency
        let left = split(Money(milliunits: charge.milliunits - before, currency))
        let kept = split(
            Money(milliunits: charge.milliunits - before - refund.milliunits, currency))
        return ProceedsSplit(
            commission: Money(
                milliunits: left.commission.milliunits - kept.commission.milliunits, currency),
            proceeds: Money(
                milliunits: left.proceeds.milliunits - kept.proceeds.milliunits, currency))
    }
}

/// An amount in two parts: what the store keeps and what the developer gets.
public struct ProceedsSplit: Hashable, Sendable {
    /// What the store keeps.
    public let commission: Money
    /// What the developer gets.
    public let proceeds: Money

    /// Both parts together.
    public var total: Money {
        Money(milliunits: commission.milliunits + proceeds.milliunits, commission.currency)
    }
}

/// The Small Business Program: the reduced rate for developers of up to one million US dollars a
/// year (COM-5).
public enum SmallBusinessProgram {
    /// The limit of proceeds after commission, of all associated accounts, in milliunits of US
    /// dollars.
    public static let limit: Int64 = 1_000_000_000

    /// Whether a developer who enrolled has the reduced rate for a charge: neither the last
    /// calendar year's proceeds nor this year's before the charge exceed the limit. Whoever goes
    /// over pays the standard rate for the rest of the year and is back the year after a year
    /// below.
    public static func applies(proceedsLastYear: Int64, proceedsThisYear: Int64) -> Bool {
        proceedsLastYear <= limit && proceedsThisYear <= limit
    }
}
