import SubscriptionRules

/// Amounts as people read them.
enum PriceColumn {
    /// An amount with its currency and as many decimals as that has: `USD 9.99`, `JPY 300`.
    static func text(_ milliunits: Int64, _ currency: Currency) -> String {
        let whole = milliunits / 1000
        guard currency.decimals == 2 else { return "\(currency.code) \(whole)" }
        let hundredths = milliunits % 1000 / 10
        return "\(currency.code) \(whole).\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}
