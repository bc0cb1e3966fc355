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

extension Look {
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
        let row = try session.row(
            """
            SELECT t.customer FROM store_transaction t
            WHERE t.id = \(id) AND t.app = \(app.id) AND t.environment = \(caller.environment)
            """)
        if let row { return try row.integer(0) }
        let copy = try session.row(
            """
            SELECT a.customer FROM customer_app a JOIN customer c ON c.id = a.customer
            WHERE a.app_transaction_id = \(id) AND a.app = \(app.id)
                AND c.environment = \(caller.environment)
            """)
        guard let copy else { throw StoreError.unknown(.transaction, String(id)) }
        return try copy.integer(0)
    }

    /// Whether an identifier is an app transaction's, which some endpoints do not take.
    func isAppTransaction(_ id: Int64, _ caller: Caller) throws -> Bool {
        let app = try app(caller)
        return try session.exists(
            """
            SELECT 1 FROM customer_app a JOIN customer c ON c.id = a.customer
            WHERE a.app_transaction_id = \(id) AND a.app = \(app.id)
                AND c.environment = \(caller.environment)
            """)
    }
}
