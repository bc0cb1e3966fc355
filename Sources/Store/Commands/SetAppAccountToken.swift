import Storage
import SubscriptionRules

extension Store {
    /// Sets the developer's name for a customer on a purchase. On a subscription it holds for the
    /// newest transaction, the renewal info and all later renewals; earlier ones keep theirs.
    ///
    /// - Parameter token: a UUID in lower case.
    /// - Throws: `StoreError.unknownOriginalTransaction`, `.notAnOriginalTransaction`.
    public func setAppAccountToken(
        _ token: String, originalTransaction id: Int64, bundleID: String,
        in environment: StoreEnvironment
    ) async throws {
        try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard let transaction = try TransactionRecord.find(id, in: work.session),
                transaction.app == app.id, transaction.environment == environment
            else { throw StoreError.unknownOriginalTransaction(String(id)) }
            guard transaction.originalID == transaction.id else {
                throw StoreError.notAnOriginalTransaction(String(id))
            }
            var newest = id
            if transaction.subscription != nil {
                var one = try work.subscription(id)
                one.record.appAccountToken = token
                work.stage(one.record)
                newest = one.record.subscription.term.transactionID
                // A transaction that was opened just now is not in its table yet.
                try work.writeStaged()
            }
            try work.session.execute(
                """
                UPDATE store_transaction
                SET app_account_token = \(token), modification = \(work.nextNumber())
                WHERE id = \(newest)
                """)
            work.record("setAppAccountToken") { entry in
                entry.app = app.id
                entry.customer = transaction.customer
                entry.subscription = transaction.subscription
                entry.transactionID = newest
            }
        }
    }
}
