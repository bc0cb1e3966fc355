import Storage
public import SubscriptionRules

/// A customer's account in one environment.
public struct Customer: Sendable {
    public let id: Int64
    public let environment: StoreEnvironment
    /// The name that the customer signs in with.
    public let account: String
    public internal(set) var storefront: Storefront
    public internal(set) var locale: String
    public let created: Instant
    public internal(set) var paymentMethod: PaymentMethod
    /// How fast Sandbox subscriptions of this account renew.
    public internal(set) var sandboxSpeed: SandboxSpeed

    static let columns = """
        c.id, c.environment, c.account, c.storefront, c.locale, c.created_at, c.declines, \
        c.declines_until, c.declines_left, c.sandbox_speed
        """

    /// The tempo at which this customer's subscriptions renew.
    var tempo: Tempo {
        switch environment {
        case .production: .real
        case .sandbox: .sandbox(sandboxSpeed)
        }
    }
}

extension Customer {
    /// Reads the columns of `columns`, which start at `first`.
    init(_ row: Row, first: Int = 0) {
        id = row.integer(first)
        environment = StoreEnvironment(rawValue: row.integer(first + 1))!
        account = row.text(first + 2)
        storefront = Storefront(code: row.text(first + 3))!
        locale = row.text(first + 4)
        created = row.instant(first + 5)
        paymentMethod =
            row.bool(first + 6)
            ? .declines(until: row.instantOrNil(first + 7), left: row.intOrNil(first + 8))
            : .approves
        sandboxSpeed = SandboxSpeed(rawValue: row.int(first + 9))!
    }

    func insert(in session: any Session) throws {
        let payment = paymentMethod.columns
        try session.execute(
            """
            INSERT INTO customer (id, environment, account, storefront, locale, created_at,
                declines, declines_until, declines_left, sandbox_speed)
            VALUES (\(id), \(environment), \(account), \(storefront.code), \(locale), \(created),
                \(payment.declines), \(payment.until), \(payment.left), \(sandboxSpeed.rawValue))
            """)
    }

    func update(in session: any Session) throws {
        let payment = paymentMethod.columns
        try session.execute(
            """
            UPDATE customer SET storefront = \(storefront.code), locale = \(locale),
                declines = \(payment.declines), declines_until = \(payment.until),
                declines_left = \(payment.left), sandbox_speed = \(sandboxSpeed.rawValue)
            WHERE id = \(id)
            """)
    }

    static func find(_ id: Int64, in session: any Session) throws -> Customer? {
        try session.row(
            """
            SELECT \(raw: columns) FROM customer c
            WHERE c.id = \(id)\(raw: session.dialect.lockRow)
            """
        ).map { Customer($0) }
    }

    static func find(
        account: String, _ environment: StoreEnvironment, in session: any Session
    ) throws -> Customer? {
        try session.row(
            """
            SELECT \(raw: columns) FROM customer c
            WHERE c.environment = \(environment) AND c.account = \(account)
            """
        ).map { Customer($0) }
    }
}

extension PaymentMethod {
    fileprivate var columns: (declines: Bool, until: Instant?, left: Int?) {
        switch self {
        case .approves: (false, nil, nil)
        case .declines(let until, let left): (true, until, left)
        }
    }
}
