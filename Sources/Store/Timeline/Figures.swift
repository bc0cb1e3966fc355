package import SubscriptionRules

/// How the amounts and moments of a life are written.
package struct Figures: Sendable {
    /// An amount, of milliunits and the currency's code.
    package let amount: @Sendable (Int64, String) -> String
    package let moment: @Sendable (Instant) -> String

    /// - Parameters:
    ///   - amount: writes an amount, of milliunits and the currency's code.
    ///   - moment: writes a moment.
    package init(
        amount: @escaping @Sendable (Int64, String) -> String,
        moment: @escaping @Sendable (Instant) -> String
    ) {
        self.amount = amount
        self.moment = moment
    }

    /// As terminals show them: `9.99 USD`, `2026-01-31 00:00`.
    package static let plain = Figures(
        amount: { Money.plainText($0, $1) }, moment: { $0.plainText })
}

extension Figures {
    /// What was given back of a price: `11.24 of 14.99 USD (74.983 %)`, or only the amount where
    /// that is all of it.
    ///
    /// - Parameter percentage: the share in thousandths of a per cent.
    package func givenBack(
        _ refunded: Int64, of price: Int64, _ currency: String, _ percentage: Int64?
    ) -> String {
        let given = amount(refunded, currency)
        guard refunded < price, let percentage else { return given }
        let unit = " " + currency
        let number = given.hasSuffix(unit) ? String(given.dropLast(unit.count)) : given
        var decimals = String(percentage % 1000 + 1000).dropFirst()
        while decimals.last == "0" { decimals = decimals.dropLast() }
        let share = "\(percentage / 1000)" + (decimals.isEmpty ? "" : ".\(decimals)")
        return "\(number) of \(amount(price, currency)) (\(share) %)"
    }
}
