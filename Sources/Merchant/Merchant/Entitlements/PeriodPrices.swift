/// What the periods of a purchase cost, in milliunits of one currency.
public struct PeriodPrices: Hashable, Sendable {
    /// Of the period that counts; nil where nobody has said so in this currency.
    public let paid: Int64?
    /// Of the next one; nil where none follows, or nobody has said what it costs.
    public let next: Int64?
    public let currency: String

    /// Nil where no amount is known. What was paid in another currency than the next period is
    /// left out.
    ///
    /// - Parameters:
    ///   - paid: of the period that counts.
    ///   - next: of the next one.
    init?(paid: Int64?, in paidCurrency: String?, next: Int64?, in nextCurrency: String?) {
        let known = next == nil ? nil : nextCurrency
        guard let currency = known ?? paidCurrency else { return nil }
        let isSame = paidCurrency == currency
        self.paid = isSame ? paid : nil
        self.next = known == nil ? nil : next
        self.currency = currency
        if self.paid == nil, self.next == nil { return nil }
    }
}
