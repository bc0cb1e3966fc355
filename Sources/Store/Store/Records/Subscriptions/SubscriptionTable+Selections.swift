import DueWork
import Storage
import SubscriptionRules

/// Subscriptions as others ask for them: with their customers, with their newest transactions.
extension SubscriptionRecord {
    private static let withCustomer: SQL = """
        SELECT \(raw: columns), \(raw: Customer.columns)
        FROM subscription s JOIN customer c ON c.id = s.customer
        """

    /// The app of a subscription in an environment.
    static func app(
        of id: Int64, _ environment: StoreEnvironment, in session: any Session
    ) throws -> Int64? {
        try session.row(
            "SELECT app FROM subscription WHERE id = \(id) AND environment = \(environment)"
        )?.integer(0)
    }

    /// The subscription of a customer in a group.
    static func find(
        customer: Int64, app: Int64, groupID: String, in session: any Session
    ) throws -> SubscriptionRecord? {
        try all(customer: customer, app: app, groupID: groupID, in: session).first
    }

    /// The subscriptions of a customer in a group, oldest first: several only of what a merchant
    /// describes itself.
    static func all(
        customer: Int64, app: Int64, groupID: String, in session: any Session
    ) throws -> [SubscriptionRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM subscription s
            WHERE s.customer = \(customer) AND s.app = \(app) AND s.group_id = \(groupID)
            ORDER BY s.id
            """
        ).map { try SubscriptionRecord($0) }
    }

    /// The subscriptions of a customer in all apps, oldest first.
    static func all(
        ofCustomer customer: Int64, in session: any Session
    ) throws -> [SubscriptionRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM subscription s
            WHERE s.customer = \(customer) ORDER BY s.id
            """
        ).map { try SubscriptionRecord($0) }
    }

    /// The same without those that cannot be read.
    static func readable(
        ofCustomer customer: Int64, passingOver aside: SetAside, in session: any Session
    ) throws -> [SubscriptionRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM subscription s
            WHERE s.customer = \(customer) ORDER BY s.id
            """
        ).compactMap { row in
            try aside.read("subscription", row.integer(0)) { try SubscriptionRecord(row) }
        }
    }

    /// The subscriptions of a customer whose renewal is not paid, oldest first.
    static func unpaid(ofCustomer customer: Int64, in session: any Session) throws -> [Int64] {
        try session.rows(
            """
            SELECT id FROM subscription
            WHERE customer = \(customer) AND state IN ('awaitingPayment', 'grace', 'retrying')
            ORDER BY id
            """
        ).map { try $0.integer(0) }
    }

    /// A subscription with its customer.
    static func withCustomer(
        _ id: Int64, in session: any Session
    ) throws -> (SubscriptionRecord, Customer)? {
        try session.row(withCustomer + " WHERE s.id = \(id)").map { row in
            (try SubscriptionRecord(row), try Customer(row, first: columnCount))
        }
    }

    /// Subscriptions to a product that are not over, with their customers, oldest first.
    static func ofProduct(
        _ product: String, app: Int64, in environment: StoreEnvironment, limit: Int,
        session: any Session
    ) throws -> [(SubscriptionRecord, Customer)] {
        try session.rows(
            withCustomer + """
                 WHERE s.app = \(app) AND s.product_id = \(product)
                    AND s.environment = \(environment)
                    AND s.state <> 'expired' AND s.state <> 'revoked'
                ORDER BY s.id LIMIT \(limit)
                """
        ).map { (try SubscriptionRecord($0), try Customer($0, first: columnCount)) }
    }

    /// How many subscriptions have something due until a moment, by their state and whether they
    /// renew; no more than `most` are counted.
    static func countDue(
        by moment: Instant, most: Int, in session: any Session
    ) throws -> [(state: String, renews: Bool, count: Int)] {
        try session.rows(
            """
            SELECT d.state, d.renews, COUNT(*) FROM (
                SELECT s.state, s.renews AS renews FROM subscription s
                WHERE s.next_change IS NOT NULL AND s.next_change <= \(moment)
                ORDER BY s.next_change, s.id LIMIT \(most)
            ) d GROUP BY d.state, d.renews ORDER BY d.state, d.renews
            """
        ).map { (try $0.text(0), try $0.integer(1) != 0, Int(try $0.integer(2))) }
    }

    /// Made once: it has three kilobytes, and is asked for each request of a status.
    private static let withNewestTransaction: String = {
        let nothing = Array(repeating: "NULL", count: FamilyShare.columnCount)
            .joined(separator: ", ")
        return """
            SELECT \(columns), \(TransactionRecord.columns), \(nothing),
                0 AS turn, s.id AS place
            FROM subscription s LEFT JOIN store_transaction t ON t.id = s.term_transaction
            WHERE s.customer = $1 AND s.app = $2
            UNION ALL
            SELECT \(columns), \(TransactionRecord.columns),
                \(FamilyShare.columns), 1 AS turn, h.id AS place
            FROM family_share h JOIN subscription s ON s.id = h.subscription
            LEFT JOIN store_transaction t ON t.id = h.newest
            WHERE h.member = $1 AND h.app = $2
            ORDER BY turn, place
            """
    }()

    /// The subscriptions of a customer in an app with their newest transactions, oldest first, and
    /// behind them those that the family shares or shared, with the member's own.
    static func withNewestTransaction(
        ofCustomer customer: Int64, app: Int64, in session: any Session
    ) throws -> [(SubscriptionRecord, TransactionRecord, share: FamilyShare?)] {
        let (transaction, share) = (columnCount, columnCount + TransactionRecord.columnCount)
        return try session.rows(
            SQL(text: withNewestTransaction, binds: [customer.sqlValue, app.sqlValue])
        ).map { row in
            let record = try SubscriptionRecord(row)
            guard !row.isNull(transaction) else {
                throw Stored.missing(
                    "the newest transaction", for: "subscription \(record.subscription.id)")
            }
            return (
                record, try TransactionRecord(row, first: transaction),
                share: row.isNull(share) ? nil : try FamilyShare(row, first: share)
            )
        }
    }

    /// Reads the rows that are due by a horizon and that nobody else has locked, locked, in the
    /// order of their moments: each has the columns of a subscription and then those of its
    /// customer.
    static func forEachDue(
        by horizon: Instant, limit: Int, in session: any Session, _ read: (Row) throws -> Void
    ) throws {
        // The customer first: who finds that one locked leaves the subscription alone.
        let lock = session.dialect.lockFreeRows(of: "c, s")
        try session.forEachRow(
            withCustomer
                + """
                 WHERE s.next_change IS NOT NULL AND s.next_change <= \(horizon)
                ORDER BY s.next_change, s.id LIMIT \(limit)\(raw: lock)
                """, read)
    }

    /// Those that are due by a horizon and whose customer is missing.
    static func dueOrphans(
        by horizon: Instant, in session: any Session
    ) throws -> [(id: Int64, customer: Int64)] {
        try session.rows(
            """
            SELECT s.id, s.customer FROM subscription s
            WHERE s.next_change IS NOT NULL AND s.next_change <= \(horizon)
                AND NOT EXISTS (SELECT 1 FROM customer c WHERE c.id = s.customer)
            """
        ).map { (try $0.integer(0), try $0.integer(1)) }
    }

    /// What the subscribers of a product are charged, plan by plan and in each environment, and how
    /// many of them have a higher price on its way.
    static func plans(
        of productID: String, app: Int64, in session: any Session
    ) throws -> [PlanCount] {
        try session.rows(
            """
            SELECT storefront, plan, COUNT(*), COUNT(increase), environment FROM subscription
            WHERE app = \(app) AND product_id = \(productID) AND next_change IS NOT NULL
            GROUP BY storefront, plan, environment
            """
        ).map { row in
            guard let storefront = Storefront(code: try row.text(0)) else {
                throw StorageError(.corrupt, "a subscription names no storefront")
            }
            return PlanCount(
                storefront: storefront, plan: try PlanText.plan(try row.text(1)),
                all: try row.integer(2), moving: try row.integer(3),
                isSandbox: try row.integer(4) == StoreEnvironment.sandbox.rawValue)
        }
    }

    /// How many subscriptions have a plan.
    struct PlanCount {
        let storefront: Storefront
        let plan: Plan
        let all: Int64
        /// How many have a higher price on its way.
        let moving: Int64
        let isSandbox: Bool
    }
}
