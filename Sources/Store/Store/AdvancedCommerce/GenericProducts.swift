import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Says whether a product stands for what the merchant describes itself (ACM-1).
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`, `.setting(.productDeleted)`;
    ///   `.setting(.invalid)` for what cannot stand for others: it is a consumable, or an
    ///   auto-renewable subscription that is alone in its group, without offers, and not shared.
    public func setGeneric(
        _ isGeneric: Bool, product productID: String, bundleID: String
    ) async throws {
        try await changeApp(bundleID, .importedCatalogue) { work, app in
            var product = try app.kept(productID)
            if isGeneric, let reason = app.hindrance(toGeneric: product) {
                throw StoreError.setting(.invalid("isGeneric", reason: reason))
            }
            product.isGeneric = isGeneric
            try app.save(Catalogue(groups: [], products: [product]), in: work.session)
        }
    }
}

extension App {
    /// Why a product cannot stand for others, as the end of "it …"; nil where it can.
    fileprivate func hindrance(toGeneric product: Product) -> String? {
        guard !product.isFamilyShareable else { return "must not be shared with families" }
        guard let terms = product.subscription else {
            return product.type == .consumable && product.oneTimeOffers.isEmpty
                ? nil : "must be a consumable without offers, or an auto-renewable subscription"
        }
        guard terms.offers.isEmpty, terms.monthlyBilling == nil else {
            return "must have no offers and no monthly billing: requests bring offers"
        }
        let others = catalogue.products.contains {
            $0.id != product.id && $0.subscription?.groupID == terms.groupID
        }
        return others ? "must be alone in its subscription group" : nil
    }
}
