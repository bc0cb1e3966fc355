import SubscriptionRules

/// Amounts that stand under one another.
enum AmountText {
    /// The amounts of a column: those of a currency all have as many decimals as the one that
    /// needs most.
    ///
    /// - Parameter places: how many decimals all have, where that is always the same.
    static func column(
        _ amounts: [(milliunits: Int64, currency: String)], places fixed: Int? = nil
    ) -> [String] {
        let places = Dictionary(
            amounts.map { ($0.currency, Money.places($0.milliunits, $0.currency)) },
            uniquingKeysWith: max)
        return amounts.map {
            Money.plainText($0.milliunits, $0.currency, places: fixed ?? places[$0.currency] ?? 0)
        }
    }
}
