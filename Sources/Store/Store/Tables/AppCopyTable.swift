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

/// Whoever the identifier of a transaction leads to.
struct Buyer {
    let customer: Int64
    /// The columns of their copy of the app follow: it is read where it is needed.
    private let row: Row

    private init(_ row: Row) throws(StorageError) {
        customer = try row.integer(0)
        self.row = row
    }

    /// Who bought what a transaction is of.
    static func find(
        transaction id: Int64, app: Int64, _ environment: StoreEnvironment,
        in session: any Session
    ) throws -> Buyer? {
        try session.row(
            """
            SELECT t.customer, \(raw: AppCopy.columns)
            FROM store_transaction t \(raw: AppCopy.join)
            WHERE t.id = \(id) AND t.app = \(app) AND t.environment = \(environment)
            """
        ).map { try Buyer($0) }
    }

    /// Whose copy an app transaction is of.
    static func find(
        appTransaction id: Int64, app: Int64, _ environment: StoreEnvironment,
        in session: any Session
    ) throws -> Buyer? {
        try session.row(
            """
            SELECT a.customer, \(raw: AppCopy.columns)
            FROM customer_app a JOIN customer c ON c.id = a.customer
            WHERE a.app_transaction_id = \(id) AND a.app = \(app)
                AND c.environment = \(environment)
            """
        ).map { try Buyer($0) }
    }

    /// What presents their purchases in the app that they were looked for in.
    func presenter(of app: App) throws(StorageError) -> Presenter {
        try Presenter(app, try AppCopy.joined(row, first: 1), customer: customer)
    }
}
