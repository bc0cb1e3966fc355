import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Marks a transaction as finished on behalf of a developer's server. Finishing again is no
    /// error.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`.
    public func finish(
        transaction id: Int64, bundleID: String, in environment: StoreEnvironment
    ) async throws {
        try await write(about: .transaction(id)) { work in
            let app = try work.apps.find(bundleID: bundleID)
            try work.finish(id) { $0.app == app.id && $0.environment == environment }
        }
    }

    /// Marks a transaction as finished on behalf of the customer's device.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`.
    public func finish(transaction id: Int64, by device: DeviceSession) async throws {
        try await write(about: .transaction(id)) { work in
            try work.finish(id) { $0.app == device.app && $0.customer == device.customer }
        }
    }
}

extension UnitOfWork {
    fileprivate func finish(
        _ id: Int64, where belongs: (TransactionRecord) -> Bool
    ) throws {
        guard let transaction = try TransactionRecord.find(id, in: session), belongs(transaction)
        else { throw StoreError.unknown(.transaction, String(id)) }
        guard transaction.finished == nil else { return }
        try TransactionRecord.finish(id, at: now, in: session)
        record(.finished) { entry in
            entry.app = transaction.app
            entry.customer = transaction.customer
            entry.subscription = transaction.subscription
            entry.event.transactionID = id
        }
    }
}
