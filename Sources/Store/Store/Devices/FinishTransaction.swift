import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Marks a transaction as finished on behalf of a developer's server: on every device.
    /// Finishing again is no error.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`.
    public func finish(
        transaction id: Int64, bundleID: String, in environment: StoreEnvironment
    ) async throws {
        try await write(about: .transaction(id)) { work in
            let app = try work.apps.find(bundleID: bundleID)
            let transaction = try work.transaction(id) {
                $0.app == app.id && $0.environment == environment
            }
            try work.finish(transaction, on: nil)
        }
    }

    /// Marks a transaction as finished on the customer's device: it waits there no more, while
    /// other devices finish it for themselves, unless it is consumed. The operator who acts in the
    /// customer's place finishes it on every device.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`, `.request(.signedOut)` for a device that was
    ///   removed.
    public func finish(transaction id: Int64, by device: DeviceSession) async throws {
        try await write(about: .transaction(id)) { work in
            let transaction = try work.transaction(id) {
                $0.app == device.app && $0.customer == device.customer
            }
            try work.finish(
                transaction, on: device.id == nil ? nil : try work.record(of: device))
        }
    }
}

extension UnitOfWork {
    fileprivate func transaction(
        _ id: Int64, where belongs: (TransactionRecord) -> Bool
    ) throws -> TransactionRecord {
        guard let transaction = try TransactionRecord.find(id, in: session), belongs(transaction)
        else { throw StoreError.unknown(.transaction, String(id)) }
        return transaction
    }

    /// - Parameter device: where it is finished; nil for every device there is.
    fileprivate func finish(_ transaction: TransactionRecord, on device: DeviceRecord?) throws {
        let devices =
            try device.map { [$0] }
            ?? DeviceRecord.all(
                ofCustomer: transaction.customer, app: transaction.app, in: session)
        var finished: [DeviceQueue] = []
        for var device in devices {
            let standing = try device.standings(of: [transaction.id], in: session)
            guard standing[transaction.id] != .done else { continue }
            try device.finish(transaction, in: session)
            try device.update(in: session)
            finished.append(device.queue)
        }
        guard transaction.finished == nil || !finished.isEmpty else { return }
        if transaction.finished == nil {
            try TransactionRecord.finish(transaction.id, at: now, by: nextNumber(), in: session)
        }
        record(.finished) { entry in
            entry.app = transaction.app
            entry.customer = transaction.customer
            entry.subscription = transaction.subscription
            entry.event.transactionID = transaction.id
            entry.event.devices = finished
        }
    }
}
