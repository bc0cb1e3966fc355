import Storage
public import SubscriptionRules

/// What a customer has answered a publisher about one subscription.
public struct OptIn: Sendable, Hashable {
    /// What was said last.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case shared, declined, revoked
    }

    public let subscription: Int64
    /// Grows with every yes: the order of the report.
    public internal(set) var id: Int64
    let app: Int64
    let environment: StoreEnvironment
    let customer: Int64
    public internal(set) var state: State
    /// The product that was subscribed to then.
    public internal(set) var productID: String
    public internal(set) var storefront: Storefront
    public internal(set) var answered: Instant
    /// What is shared; nil unless something is.
    public internal(set) var details: SharedDetails?
    /// The bonus that a yes was rewarded with, once for ever.
    public internal(set) var bonus: CalendarPeriod?
}

extension OptIn {
    static let columns = """
        o.subscription, o.id, o.app, o.environment, o.customer, o.state, o.product_id, \
        o.storefront, o.answered_at, o.name, o.email, o.postal_code, o.bonus
        """

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "opt_in", OptIn.columns)
        var details: SharedDetails?
        if let name = try row.textOrNil(9), let email = try row.textOrNil(10) {
            details = SharedDetails(
                name: name, email: email, postalCode: try row.textOrNil(11))
        }
        self.init(
            subscription: try row.identifier(0), id: try row.identifier(1),
            app: try row.identifier(2), environment: try row.value(3),
            customer: try row.identifier(4), state: try row.value(5), productID: try row.text(6),
            storefront: try row.parsed(7, Storefront.init(code:)), answered: try row.instant(8),
            details: details, bonus: try row.parsedOrNil(12, CalendarPeriod.init(iso8601:)))
        guard (state == .shared) == (details != nil) else {
            throw row.contradiction("it shares what its state does not")
        }
    }

    /// Writes it, in the place of what was said before.
    func save(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO opt_in (subscription, id, app, environment, customer, state, product_id,
                storefront, answered_at, name, email, postal_code, bonus)
            VALUES (\(subscription), \(id), \(app), \(environment), \(customer),
                \(state.rawValue), \(productID), \(storefront.code), \(answered),
                \(details?.name), \(details?.email), \(details?.postalCode), \(bonus?.iso8601))
            ON CONFLICT (subscription) DO UPDATE SET id = excluded.id, state = excluded.state,
                product_id = excluded.product_id, storefront = excluded.storefront,
                answered_at = excluded.answered_at, name = excluded.name, email = excluded.email,
                postal_code = excluded.postal_code, bonus = excluded.bonus
            """)
    }

    static func find(subscription: Int64, in session: any Session) throws -> OptIn? {
        try session.row(
            "SELECT \(raw: columns) FROM opt_in o WHERE o.subscription = \(subscription)"
        ).map { try OptIn($0) }
    }

    static func all(ofCustomer customer: Int64, in session: any Session) throws -> [OptIn] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM opt_in o WHERE o.customer = \(customer)
            ORDER BY o.subscription
            """
        ).map { try OptIn($0) }
    }

    /// What is shared with an app's publisher, in the order in which it came.
    ///
    /// - Parameter after: only those with higher numbers.
    static func report(
        app: Int64, in environment: StoreEnvironment, from: Instant?, to: Instant?, after: Int64,
        limit: Int, _ session: any Session
    ) throws -> [OptIn] {
        var sql: SQL = """
            SELECT \(raw: columns) FROM opt_in o
            WHERE o.app = \(app) AND o.environment = \(environment) AND o.state = 'shared'
                AND o.id > \(after)
            """
        if let from { sql += " AND o.answered_at >= \(from)" }
        if let to { sql += " AND o.answered_at < \(to)" }
        return try session.rows(sql + " ORDER BY o.id LIMIT \(limit)").map { try OptIn($0) }
    }

    // MARK: Worlds that are put back

    /// What was revoked, of any app.
    static func revoked(in session: any Session) throws -> [OptIn] {
        try session.rows("SELECT \(raw: columns) FROM opt_in o WHERE o.state = 'revoked'")
            .map { try OptIn($0) }
    }

    /// Keeps what was revoked revoked: what the world of then says of it is erased again.
    static func revokeAgain(_ revoked: [OptIn], in session: any Session) throws {
        try session.executeMany(
            """
            UPDATE opt_in SET state = 'revoked', name = NULL, email = NULL, postal_code = NULL
            WHERE subscription = $1 AND state = 'shared'
            """, revoked.map { [$0.subscription.sqlValue] })
    }
}
