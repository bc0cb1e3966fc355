import Letters
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
        try app.saveShareable(known.id, since: now, number: nextNumber(), in: session)
        try lookAtLetters(ofSubscribersTo: known.id, of: app, toldBy: .push)
    }
}

/// Since when a product can be shared that was sold before without it.
struct ShareableSince: Hashable {
    let moment: Instant
    /// Its place among everything that was numbered, which tells what came before at the very
    /// moment; nil where it was turned on by a version that did not note it.
    let number: Int64?
}

extension App {
    /// Whether a purchase is older than the sharing of its product (FAM-3).
    ///
    /// - Parameters:
    ///   - source: the purchaser's original transaction.
    ///   - bought: when the purchase was made, or the service began that goes on.
    func isOlderThanSharing(
        _ productID: String, source: Int64, bought: Instant, in session: any Session
    ) throws -> Bool {
        guard let since = shareableSince[ExactText(productID)] else { return false }
        guard bought == since.moment, let number = since.number else {
            return bought < since.moment
        }
        // A world that stands still has many things happen at one moment.
        let first = try TransactionRecord.first(ofSource: source, purchased: bought, in: session)
        return first.map { StoreEnvironment.number(inTransactionID: $0) < number } ?? false
    }
}
