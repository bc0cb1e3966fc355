import AppStoreWire
import Storage
import SubscriptionRules

/// Transactions as others ask for them: a customer's, a history's, those that were refunded.
extension TransactionRecord {
    /// Which of a customer's transactions are asked for.
    struct Selection {
        let customer: Int64
        let app: Int64
    }

    /// Reads the transactions that meet a condition on the table `t`.
    private static func all(_ condition: SQL, in session: any Session) throws -> [Self] {
        try session.rows(
            "SELECT \(raw: columns) FROM store_transaction t WHERE " + condition
        ).map { try TransactionRecord($0) }
    }

    /// A transaction with its customer's copy of the app.
    static func findWithCopy(
        _ id: Int64, in session: any Session
    ) throws -> (TransactionRecord, AppCopy?)? {
        try session.row(
            """
            SELECT \(raw: columns), \(raw: AppCopy.columns)
            FROM store_transaction t \(raw: AppCopy.join)
            WHERE t.id = \(id)
            """
        ).map { row in
            (try TransactionRecord(row), try AppCopy.joined(row, first: columnCount))
        }
    }

    /// The newest transaction in an app.
    ///
    /// - Parameters:
    ///   - stranger: a customer whose transactions do not count; nil for nobody.
    ///   - type: only of such products; nil for all.
    static func newest(
        app: Int64, _ environment: StoreEnvironment, notOf stranger: Int64? = nil,
        type: ProductType? = nil, in session: any Session
    ) throws -> TransactionRecord? {
        var condition: SQL = "t.app = \(app) AND t.environment = \(environment)"
        if let stranger { condition += " AND t.customer <> \(stranger)" }
        if let type { condition += " AND t.kind = \(type.rawValue)" }
        return try all(condition + " ORDER BY t.id DESC LIMIT 1", in: session).first
    }

    /// The first transaction of a product that the customer bought and that was not given back;
    /// what somebody else shares is not owned.
    static func owned(
        _ productID: String, by buyer: Selection, in session: any Session
    ) throws -> TransactionRecord? {
        try all(
            """
            t.customer = \(buyer.customer) AND t.app = \(buyer.app)
                AND t.product_id = \(productID) AND t.revoked_at IS NULL AND t.source IS NULL
            ORDER BY t.id LIMIT 1
            """, in: session
        ).first
    }

    /// When a customer last paid for something in an app, whatever became of it; nil for never.
    /// What cost nothing, and what somebody else shares, was not paid for.
    static func lastPaid(by buyer: Selection, in session: any Session) throws -> Instant? {
        let row = try session.row(
            """
            SELECT MAX(t.purchased_at) FROM store_transaction t
            WHERE t.customer = \(buyer.customer) AND t.app = \(buyer.app) AND t.price > 0
                AND t.source IS NULL
            """)
        return try row?.instantOrNil(0)
    }

    /// A customer's transactions, oldest first.
    ///
    /// - Parameters:
    ///   - unfinishedOnly: only those that nobody has finished.
    ///   - after: the identifier of the last one of the page before.
    static func page(
        of buyer: Selection, unfinishedOnly: Bool, after: Int64, limit: Int,
        in session: any Session
    ) throws -> [TransactionRecord] {
        var condition: SQL = """
            t.customer = \(buyer.customer) AND t.app = \(buyer.app) AND t.id > \(after)
            """
        if unfinishedOnly { condition += " AND t.finished_at IS NULL" }
        return try all(condition + " ORDER BY t.id LIMIT \(limit)", in: session)
    }

    /// A customer's transactions, newest first.
    ///
    /// - Parameter before: the identifier of the last one of the page before; nil for the newest.
    static func newest(
        of buyer: Selection, before: Int64?, limit: Int, in session: any Session
    ) throws -> [TransactionRecord] {
        try all(
            """
            t.customer = \(buyer.customer) AND t.app = \(buyer.app)
                AND t.id < \(before ?? .max) ORDER BY t.id DESC LIMIT \(limit)
            """, in: session)
    }

    /// What a customer has access to by a transaction: what is owned for ever or as long as the
    /// developer says, and the newest of each subscription that gives access, be it shared.
    static func entitlements(
        of buyer: Selection, in session: any Session
    ) throws -> [TransactionRecord] {
        try all(
            """
            t.customer = \(buyer.customer) AND t.app = \(buyer.app)
                AND t.revoked_at IS NULL AND (t.kind IN (\(ProductType.nonConsumable.rawValue),
                        \(ProductType.nonRenewingSubscription.rawValue))
                    OR t.id IN (SELECT term_transaction FROM subscription
                        WHERE customer = \(buyer.customer) AND app = \(buyer.app)
                            AND state IN ('active', 'awaitingPayment', 'grace'))
                    OR t.id IN (SELECT h.newest
                        FROM family_share h JOIN subscription s ON s.id = h.subscription
                        WHERE h.member = \(buyer.customer) AND h.app = \(buyer.app)
                            AND h.ended_at IS NULL
                            AND s.state IN ('active', 'awaitingPayment', 'grace')))
            ORDER BY t.id
            """, in: session)
    }

    /// What a customer bought in all apps besides auto-renewable subscriptions: what changed last
    /// comes first.
    static func purchases(
        ofCustomer customer: Int64, limit: Int, in session: any Session
    ) throws -> [TransactionRecord] {
        try all(
            """
            t.customer = \(customer) AND t.subscription IS NULL AND t.source IS NULL
            ORDER BY t.modification DESC LIMIT \(limit)
            """, in: session)
    }

    /// A customer's transactions in the order of their last change.
    ///
    /// - Parameter after: the change after which they are wanted; nil from the first one on.
    static func history(
        of buyer: Selection, _ filter: HistoryFilter, after: Int64?, limit: Int,
        in session: any Session
    ) throws -> [TransactionRecord] {
        var condition: SQL = "t.customer = \(buyer.customer) AND t.app = \(buyer.app)"
        if let after {
            condition +=
                filter.isDescending
                ? " AND t.modification < \(after)" : " AND t.modification > \(after)"
        }
        condition += filter.condition
        let order = filter.isDescending ? "DESC" : "ASC"
        return try all(
            condition + " ORDER BY t.modification \(raw: order) LIMIT \(limit)", in: session)
    }

    /// The place of the newest change of a customer's transactions; 0 where there is none.
    static func newestChange(of buyer: Selection, in session: any Session) throws -> Int64 {
        let row = try session.row(
            """
            SELECT MAX(t.modification) FROM store_transaction t
            WHERE t.customer = \(buyer.customer) AND t.app = \(buyer.app)
            """)
        return try row?.integerOrNil(0) ?? 0
    }

    /// A customer's refunded transactions, the earliest change first. What an upgrade gave back is
    /// none of them (REF-15), nor what the customer had from the family.
    static func refunds(
        of buyer: Selection, after: Int64, limit: Int, in session: any Session
    ) throws -> [TransactionRecord] {
        try all(
            """
            t.revoked_at IS NOT NULL AND t.modification > \(after)
                AND t.customer = \(buyer.customer) AND t.app = \(buyer.app) AND t.source IS NULL
            ORDER BY t.modification LIMIT \(limit)
            """, in: session)
    }

    /// What a family member has lost of a share by refunds that the purchaser got.
    static func takenByRefunds(
        from share: FamilyShare, in session: any Session
    ) throws -> [TransactionRecord] {
        try all(
            """
            t.customer = \(share.member) AND t.revoked_at IS NOT NULL
                AND t.revocation = \(Revocation.Kind.familyRefund.rawValue)
                AND t.original_id = \(share.id) ORDER BY t.id
            """, in: session)
    }

    /// A customer's newest refunds, the newest first.
    static func newestRefunds(
        of buyer: Selection, limit: Int, in session: any Session
    ) throws -> [TransactionRecord] {
        try all(
            """
            t.customer = \(buyer.customer) AND t.app = \(buyer.app)
                AND t.revoked_at IS NOT NULL AND t.source IS NULL
            ORDER BY t.revoked_at DESC, t.modification DESC LIMIT \(limit)
            """, in: session)
    }

    /// Marks a transaction as finished by somebody, for the first time.
    ///
    /// - Parameter number: one that is given out then, by which devices that come later know.
    static func finish(
        _ id: Int64, at moment: Instant, by number: Int64, in session: any Session
    ) throws {
        try session.execute(
            """
            UPDATE store_transaction SET finished_at = \(moment), finish_number = \(number)
            WHERE id = \(id)
            """)
    }
}

extension HistoryFilter {
    /// What follows the condition on the customer.
    fileprivate var condition: SQL {
        var sql: SQL = ""
        if let start { sql += " AND t.purchased_at >= \(start)" }
        if let end { sql += " AND t.purchased_at < \(end)" }
        if !productIDs.isEmpty { sql += " AND t.product_id IN (\(list: productIDs))" }
        if !types.isEmpty { sql += " AND t.kind IN (\(list: types.map(\.rawValue)))" }
        if !groupIDs.isEmpty { sql += " AND t.group_id IN (\(list: groupIDs))" }
        switch revoked {
        case true?: sql += " AND t.revoked_at IS NOT NULL"
        case false?: sql += " AND t.revoked_at IS NULL"
        case nil: break
        }
        switch ownership {
        case .purchased?: sql += " AND t.source IS NULL"
        case .familyShared?: sql += " AND t.source IS NOT NULL"
        // Nobody is assigned a seat here.
        case .some: sql += " AND 1 = 0"
        case nil: break
        }
        if leavesOutFinishedConsumables {
            sql += """
                 AND NOT (t.kind = \(ProductType.consumable.rawValue)
                    AND t.finished_at IS NOT NULL AND t.revoked_at IS NULL)
                """
        }
        return sql
    }
}

extension BoughtPeriod {
    private static let columns =
        "id, product_id, purchased_at, expires_at, original_id, price, currency, quantity"

    static func find(
        transaction id: Int64, in environment: StoreEnvironment, _ session: any Session
    ) throws -> BoughtPeriod? {
        try session.row(
            """
            SELECT \(raw: columns) FROM store_transaction
            WHERE id = \(id) AND environment = \(environment)
            """
        ).map { row in
            let stored = StoredRow(row, of: "store_transaction", columns)
            return BoughtPeriod(
                productID: try stored.text(1), originalID: try stored.identifier(4),
                price: Money(
                    milliunits: try stored.amount(5),
                    try stored.parsed(6, Currency.init(everUsed:))),
                quantity: Int(try stored.integer(7, in: 1...Int64(Int32.max))),
                start: try stored.instant(2), end: try stored.instantOrNil(3))
        }
    }
}
