import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Sets the developer's name for a customer on a purchase. On a subscription it holds for the
    /// newest transaction, the renewal info and all later renewals; earlier ones keep theirs.
    ///
    /// - Parameter token: a UUID in lower case.
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.family(.isShared)` (FAM-7),
    ///   `.subscription(.notAnOriginalTransaction)`.
    public func setAppAccountToken(
        _ token: String, originalTransaction id: Int64, bundleID: String,
        in environment: StoreEnvironment
    ) async throws {
        try await write(about: .transaction(id)) { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard let transaction = try TransactionRecord.find(id, in: work.session),
                transaction.app == app.id, transaction.environment == environment
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            guard transaction.source == nil else {
                throw StoreError.family(.isShared(String(id)))
            }
            guard transaction.originalID == transaction.id else {
                throw StoreError.subscription(.notAnOriginalTransaction(String(id)))
            }
            guard transaction.subscription != nil else {
                work.stage(.named(token), of: id)
                work.record(.setAppAccountToken) { entry in
                    entry.app = app.id
                    entry.customer = transaction.customer
                    entry.event.transactionID = id
                    entry.event.transactions = [TransactionAmendment.named(token).changes(of: id)]
                }
                return
            }
            let one = try work.subscription(id)
            one.record.appAccountToken = token
            try one.adjust(
                .setAppAccountToken, about: one.record.subscription.newestPeriod.transactionID,
                .named(token))
        }
    }
}
