import SubscriptionRules

/// What another catalogue does to the prices of products that are sold already, in words.
enum PriceNotes {
    /// A line for all prices that the file changes, and one for those that it leaves.
    ///
    /// - Parameter storefront: the one that the file's prices are meant for.
    static func lines(
        _ file: Catalogue, over known: Catalogue, in storefront: Storefront
    ) -> [String] {
        let before = Dictionary(known.products.map { ($0.id, $0) }) { first, _ in first }
        let changed = file.products.compactMap { product -> String? in
            guard let old = before[product.id], old.basePrice != product.basePrice else {
                return nil
            }
            func text(_ price: Int64) -> String {
                Money(milliunits: storefront.currency.rounded(price), storefront.currency).plainText
            }
            return "\(product.id) from \(text(old.basePrice)) to \(text(product.basePrice))"
        }
        guard !changed.isEmpty else { return [] }
        let kept = file.products.flatMap { product in
            (before[product.id]?.prices.keys.sorted() ?? []).map { "\(product.id) in \($0)" }
        }
        return [
            "for whoever buys from now on the price goes \(listed(changed)); subscribers keep what "
                + "they pay, and nobody is told"
        ] + (kept.isEmpty ? [] : ["prices that were set by storefront stay: \(listed(kept))"])
    }

    private static func listed(_ texts: [String]) -> String {
        texts.prefix(5).joined(separator: ", ") + (texts.count > 5 ? ", …" : "")
    }
}
