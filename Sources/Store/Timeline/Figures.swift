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
