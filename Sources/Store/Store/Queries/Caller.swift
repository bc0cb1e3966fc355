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
            transaction.app == app.id, transaction.environment == caller.environment
        else { throw StoreError.unknown(.transaction, String(id)) }
        return transaction
    }

    /// The customer behind any transaction identifier: a transaction's, an original transaction's
    /// or the app transaction's.
    func customer(anyTransaction id: Int64, _ caller: Caller) throws -> Int64 {
        let app = try app(caller)
        let customer =
            try TransactionRecord.customer(
                of: id, app: app.id, caller.environment, in: session)
            ?? AppCopy.customer(
                ofTransaction: id, app: app.id, caller.environment, in: session)
        guard let customer else { throw StoreError.unknown(.transaction, String(id)) }
        return customer
    }

    /// Whether an identifier is an app transaction's, which some endpoints do not take.
    func isAppTransaction(_ id: Int64, _ caller: Caller) throws -> Bool {
        try AppCopy.customer(
            ofTransaction: id, app: app(caller).id, caller.environment, in: session) != nil
    }
}
