import Storage
import SubscriptionRules

/// A customer's copy of an app, which the app transaction tells of.
struct AppCopy {
    /// The identifier of the app transaction.
    let transactionID: Int64
    /// When the customer got the app.
    let acquired: Instant

    static let columns = "a.app_transaction_id, a.acquired_at"
    /// Adds the copy of whoever the transaction `t` is of; everybody who bought anything has one.
    static let join = "LEFT JOIN customer_app a ON a.customer = t.customer AND a.app = t.app"

    /// Reads the columns of `columns`, which start at `first`.
    private init(_ row: Row, first: Int = 0) throws(StorageError) {
        let row = StoredRow(row, of: "customer_app", AppCopy.columns, first: first)
        transactionID = try row.identifier(0)
        acquired = try row.instant(1)
    }

    /// Reads the columns of `columns` behind others; nil where `join` found none.
    static func joined(_ row: Row, first: Int) throws(StorageError) -> AppCopy? {
        row.isNull(first) ? nil : try AppCopy(row, first: first)
    }

    init(transactionID: Int64, acquired: Instant) {
        self.transactionID = transactionID
        self.acquired = acquired
    }

    func insert(customer: Int64, app: Int64, in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO customer_app (customer, app, app_transaction_id, acquired_at)
            VALUES (\(customer), \(app), \(transactionID), \(acquired))
            """)
    }

    static func find(customer: Int64, app: Int64, in session: any Session) throws -> AppCopy? {
        try session.row(
            """
            SELECT \(raw: columns) FROM customer_app a
            WHERE a.customer = \(customer) AND a.app = \(app)
            """
        ).map { try AppCopy($0) }
    }
}
