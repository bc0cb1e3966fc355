/// What is given back of a period that an upgrade cuts short (CHG-2, CHG-3, CHG-4):
/// paid × (end − change) ÷ (end − start), within 0…paid, rounded half up to the currency.
///
/// - Parameters:
///   - paid: what this very period cost in milliunits, its offer included, not the list price.
///   - start: when the paid period began.
///   - end: when it would have ended.
///   - change: the moment of the change; before the start all is refunded, after the end nothing.
public func prorationRefund(
    of paid: Money, start: Instant, end: Instant, change: Instant
) -> Money {
    let whole = end.since(start).milliseconds
    let unused = end.since(change).milliseconds
    guard whole > 0, unused > 0 else { return Money(milliunits: 0, paid.currency) }
    guard unused < whole else { return paid }
    // The division cuts off less than one milliunit. Half a step is a whole number of milliunits,
    // so what was cut never decides the rounding.
    let (quotient, _) = whole.dividingFullWidth(
        paid.milliunits.multipliedFullWidth(by: unused))
    let rounded = paid.currency.rounded(quotient)
    return Money(milliunits: min(rounded, paid.milliunits), paid.currency)
}
