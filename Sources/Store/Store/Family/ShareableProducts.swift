import Storage
import SubscriptionRules

extension UnitOfWork {
    /// Turns Family Sharing on for a product that was sold without it: those who bought it share
    /// it once they choose to (FAM-3). It can never be turned off (FAM-1).
    ///
    /// - Throws: `StoreError.setting(.invalid)`.
    func turnSharing(of known: Product, to isOn: Bool, in app: App) throws {
        guard known.isFamilyShareable != isOn else { return }
        guard isOn else {
            throw StoreError.setting(
                .invalid(
                    known.id,
                    reason: "Family Sharing that is on cannot be turned off, since families share "
                        + "it: leave it on, and take the product off sale instead"))
        }
        try app.saveShareable(known.id, since: now, in: session)
        try lookAtLetters(ofSubscribersTo: known.id, of: app)
    }
}
