import DueWork
import Storage

/// Subscriptions that a job is brought to at once.
struct JobPiece {
    private(set) var subscriptions: [(SubscriptionRecord, Customer)] = []
    /// How many there are besides that are damaged, and passed over.
    private(set) var damaged = 0
    /// The last of all these; nil where there is none.
    let last: Int64?
    /// Whether none lies behind them.
    let isLast: Bool

    /// The next ones of a job.
    ///
    /// - Parameters:
    ///   - identifiers: a query for the identifiers of the subscriptions that lie ahead, at least
    ///     the lowest `limit` of them.
    static func next(
        _ limit: Int, of identifiers: SQL, passingOver aside: SetAside, in session: any Session
    ) throws -> JobPiece {
        try JobPiece(
            "s.id IN (\(identifiers))", limit: limit, passingOver: aside, in: session)
    }

    /// All those of one customer that are in the selection of a job.
    static func all(
        ofCustomer customer: Int64, in selection: SQL, passingOver aside: SetAside,
        in session: any Session
    ) throws -> JobPiece {
        // A customer has few: no index of the selection can find them faster, and within a CASE
        // none is tried.
        try JobPiece(
            "s.customer = \(customer) AND CASE WHEN \(selection) THEN 1 ELSE 0 END = 1",
            limit: .max, passingOver: aside, in: session)
    }

    private init(
        _ which: SQL, limit: Int, passingOver aside: SetAside, in session: any Session
    ) throws {
        let rows = try session.rows(
            """
            SELECT \(raw: SubscriptionRecord.columns), \(raw: Customer.columns)
            FROM subscription s JOIN customer c ON c.id = s.customer
            WHERE \(which) ORDER BY s.id LIMIT \(limit)
            """)
        isLast = rows.count < limit
        last = try rows.last?.integer(0)
        for row in rows {
            let found = try aside.read("subscription", row.integer(0)) {
                (
                    try SubscriptionRecord(row),
                    try Customer(row, first: SubscriptionRecord.columnCount)
                )
            }
            if let found { subscriptions.append(found) } else { damaged += 1 }
        }
    }
}
