import Journal
import Letters
import SubscriptionRules

extension Store {
    /// Deletes a product that is off sale everywhere, which discontinues it (TAB-11).
    ///
    /// Whoever bought it keeps what was paid for: a subscription is served to the end of its
    /// period and ends there, and what was bought stays in histories, can be restored, extended
    /// and refunded. Nobody buys it again, and its identifier never comes back. Prices that were
    /// scheduled for it are taken back.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`, `.setting(.productDeleted)`;
    ///   `.setting(.stillForSale)` while it is on sale anywhere.
    public func deleteProduct(_ id: String, bundleID: String) async throws {
        // What was due before is renewed as what was not deleted yet.
        try await catchUp()
        try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            let product = try app.kept(id)
            guard app.offSale(of: id).contains("") else {
                throw StoreError.setting(.stillForSale(id))
            }
            try work.settlePrices()
            for change in try ScheduledPrice.withdrawAll(
                of: id, app: app.id, at: work.now, in: work.session)
            {
                work.record(.withdrewScheduledPrice) { entry in
                    entry.app = app.id
                    entry.event.detail = change.detail
                }
            }
            try product.delete(from: app.id, at: work.now, in: work.session)
            work.record(.deletedProduct) { entry in
                entry.app = app.id
                entry.event.detail.productID = id
            }
            work.settingsChanged()
            try work.lookAtLetters(ofSubscribersTo: id, of: app, toldBy: .mail)
        }
    }
}

extension App {
    /// A product that was not deleted.
    ///
    /// - Throws: `StoreError.unknown(.product)`, `.setting(.productDeleted)`.
    func kept(_ id: String) throws(StoreError) -> Product {
        guard let product = product(id) else { throw .unknown(.product, id) }
        guard product.deleted == nil else { throw .setting(.productDeleted(id)) }
        return product
    }
}
