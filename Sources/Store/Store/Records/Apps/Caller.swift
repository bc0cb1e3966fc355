import Storage
import SubscriptionRules

/// A developer's server that calls: everything it asks is about one app in one environment.
public struct Caller: Sendable, Hashable {
    public let bundleID: String
    public let environment: StoreEnvironment

    public init(bundleID: String, environment: StoreEnvironment) {
        self.bundleID = bundleID
        self.environment = environment
    }
}

extension StoreReader {
    func app(_ caller: Caller) throws -> App { try apps.find(bundleID: caller.bundleID) }

    /// The transaction with an identifier, if the caller may see it.
    func transaction(_ id: Int64, _ caller: Caller) throws -> TransactionRecord {
        let app = try app(caller)
        guard let transaction = try TransactionRecord.find(id, in: session),
            transaction.isVisible(in: app, caller)
        else { throw StoreError.unknown(.transaction, String(id)) }
        return transaction
    }

    /// The transaction with an identifier and what presents it, if the caller may see it.
    func presentedTransaction(
        _ id: Int64, _ caller: Caller
    ) throws -> (TransactionRecord, Presenter) {
        let app = try app(caller)
        guard let (transaction, copy) = try TransactionRecord.findWithCopy(id, in: session),
            transaction.isVisible(in: app, caller)
        else { throw StoreError.unknown(.transaction, String(id)) }
        return (transaction, try Presenter(app, copy, customer: transaction.customer, in: session))
    }

    /// The customer behind any transaction identifier: a transaction's, an original transaction's
    /// or the app transaction's.
    func owner(anyTransaction id: Int64, _ caller: Caller) throws -> AppOwner {
        let app = try app(caller)
        let owner =
            try AppOwner.find(transaction: id, app: app.id, caller.environment, in: session)
            ?? AppOwner.find(appTransaction: id, app: app.id, caller.environment, in: session)
        guard let owner else { throw StoreError.unknown(.transaction, String(id)) }
        return owner
    }

    /// Whether an identifier is an app transaction's, which some endpoints do not take.
    func isAppTransaction(_ id: Int64, _ caller: Caller) throws -> Bool {
        try AppOwner.find(
            appTransaction: id, app: app(caller).id, caller.environment, in: session) != nil
    }
}

extension TransactionRecord {
    /// Whether a caller may see it, whose app this is.
    fileprivate func isVisible(in app: App, _ caller: Caller) -> Bool {
        self.app == app.id && environment == caller.environment
    }
}
