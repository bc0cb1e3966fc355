import Storage
import SubscriptionRules

/// Whose copy of an app the identifier of a transaction, or of an app transaction, leads to.
struct AppOwner {
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
    ) throws -> AppOwner? {
        try session.row(
            """
            SELECT t.customer, \(raw: AppCopy.columns)
            FROM store_transaction t \(raw: AppCopy.join)
            WHERE t.id = \(id) AND t.app = \(app) AND t.environment = \(environment)
            """
        ).map { try AppOwner($0) }
    }

    /// Whose copy an app transaction is of.
    static func find(
        appTransaction id: Int64, app: Int64, _ environment: StoreEnvironment,
        in session: any Session
    ) throws -> AppOwner? {
        try session.row(
            """
            SELECT a.customer, \(raw: AppCopy.columns)
            FROM customer_app a JOIN customer c ON c.id = a.customer
            WHERE a.app_transaction_id = \(id) AND a.app = \(app)
                AND c.environment = \(environment)
            """
        ).map { try AppOwner($0) }
    }

    /// What presents their purchases in the app that they were looked for in.
    func presenter(of app: App, in session: any Session) throws -> Presenter {
        try Presenter(
            app, try AppCopy.joined(row, first: 1), customer: customer, in: session)
    }
}
