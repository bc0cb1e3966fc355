import AppStoreSigning
import AppStoreWire
import Storage
public import SubscriptionRules

extension Store {
    /// The very transaction that was asked for, signed.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`, `.unknown(.app)`.
    public func transactionInfo(_ id: Int64, for caller: Caller) async throws -> String {
        let payload = try await read { reader in
            let (transaction, presenter) = try reader.presentedTransaction(id, caller)
            return presenter.transaction(transaction, signed: reader.now)
        }
        return try signer.sign(payload)
    }

    /// The customer's copy of the app, signed.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`, `.unknown(.appTransaction)`, `.unknown(.app)`.
    public func appTransactionInfo(
        anyTransaction id: Int64, for caller: Caller
    ) async throws -> String {
        let payload = try await read { reader in
            let app = try reader.app(caller)
            let owner = try reader.owner(anyTransaction: id, caller)
            return try reader.appTransaction(app, customer: owner.customer, caller.environment)
        }
        return try signer.sign(payload)
    }

    /// The transactions of an order that a customer names, signed; empty for an unknown order.
    public func transactions(ofOrder order: String, for caller: Caller) async throws -> [String] {
        guard let id = OrderID.transactionID(order) else { return [] }
        do {
            return [try await transactionInfo(id, for: caller)]
        } catch StoreError.unknown(.transaction, _) {
            return []
        }
    }

    /// What kind of product a transaction is of, and whether the merchant describes that itself, as
    /// Advanced Commerce; this never changes.
    ///
    /// - Throws: `StoreError.unknown(.transaction)`, `.unknown(.app)`.
    public func kind(
        ofTransaction id: Int64, for caller: Caller
    ) async throws -> (type: ProductType, isMerchants: Bool) {
        try await read { reader in
            let transaction = try reader.transaction(id, caller)
            return (transaction.type, transaction.advancedCommerce != nil)
        }
    }

    /// Whether an identifier names a customer's copy of an app rather than a transaction.
    public func isAppTransaction(_ id: Int64, for caller: Caller) async throws -> Bool {
        try await read { try $0.isAppTransaction(id, caller) }
    }
}

extension StoreReader {
    func appTransaction(
        _ app: App, customer: Int64, _ environment: StoreEnvironment, isOnDevice: Bool = false
    ) throws -> AppTransaction {
        guard let copy = try AppCopy.find(customer: customer, app: app.id, in: session) else {
            throw StoreError.unknown(.appTransaction, app.bundleID)
        }
        return Presenter(app, appTransactionID: copy.transactionID).appTransaction(
            acquired: copy.acquired, environment: environment, signed: now,
            isOnDevice: isOnDevice)
    }
}

/// The order identifier that a customer sees on a receipt. Each transaction is one order, so the
/// identifier is the transaction's number in another spelling and needs no column.
public enum OrderID {
    /// The order of a transaction.
    public static func text(_ transactionID: Int64) -> String {
        "M" + String(transactionID, radix: 36, uppercase: true)
    }

    /// The transaction of an order; nil when the text is no order identifier.
    public static func transactionID(_ order: String) -> Int64? {
        guard order.first == "M", let id = Int64(order.dropFirst(), radix: 36), id > 0,
            text(id) == order
        else { return nil }
        return id
    }
}
