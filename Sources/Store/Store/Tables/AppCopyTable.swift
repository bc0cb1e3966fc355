import Storage
import SubscriptionRules

/// A customer's copy of an app, which the app transaction tells of.
struct AppCopy {
    /// The identifier of the app transaction.
    let transactionID: Int64
    /// When the customer got the app.
    let acquired: Instant

    private static let columns = "app_transaction_id, acquired_at"

    private init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "customer_app", AppCopy.columns)
        transactionID = try row.identifier(0)
        acquired = try row.instant(1)
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
            SELECT \(raw: columns) FROM customer_app
            WHERE customer = \(customer) AND app = \(app)
            """
        ).map { try AppCopy($0) }
    }

    /// Whose copy an app transaction is of.
    static func customer(
        ofTransaction id: Int64, app: Int64, _ environment: StoreEnvironment,
        in session: any Session
    ) throws -> Int64? {
        try session.row(
            """
            SELECT a.customer FROM customer_app a JOIN customer c ON c.id = a.customer
            WHERE a.app_transaction_id = \(id) AND a.app = \(app)
                AND c.environment = \(environment)
            """
        )?.integer(0)
    }
}
