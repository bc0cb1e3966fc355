import AppStoreWire
import DueWork
import Storage
import SubscriptionRules

/// A bill in its table, and those that are outstanding, due or listed.
extension BillRecord {
    static let columns = """
        b.id, b.app, b.environment, b.customer, b.subscription, b.purpose, b.product_id, \
        b.group_id, b.quantity, b.amount, b.currency, b.storefront, b.app_account_token, \
        b.content, b.state, b.voiding, b.made_at, b.changed_at, b.answer, b.answer_at, b.next_at, \
        b.offer_id, b.advanced_commerce
        """

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "bill", BillRecord.columns)
        self.init(
            id: try row.identifier(0), app: try row.identifier(1), environment: try row.value(2),
            customer: try row.identifier(3), subscription: try row.identifierOrNil(4),
            purpose: try row.value(5), productID: try row.text(6), groupID: try row.textOrNil(7),
            quantity: Int(try row.integer(8, in: 1...Int64(Int32.max))),
            amount: Money(
                milliunits: try row.amount(9), try row.parsed(10, Currency.init(code:))),
            storefront: try row.parsed(11, Storefront.init(code:)),
            appAccountToken: try row.textOrNil(12), offerID: try row.textOrNil(21),
            bill: try row.decodedOrNil(13, BillText.bill), state: try row.value(14),
            isBeingVoided: try row.bool(15), made: try row.instant(16),
            changed: try row.instant(17),
            answer: try row.parsedOrNil(18, BankAnswer.init(rawValue:)),
            answersAt: try row.instantOrNil(19))
        advancedCommerce = try row.decodedOrNil(22, AdvancedCommerceText.transactionInfo)
        // What was paid at once is known by its transaction.
        let isKnown = bill != nil || purpose == .oneTimePurchase || !state.isOutstanding
        guard isKnown, (groupID == nil) == (purpose == .oneTimePurchase) else {
            throw row.contradiction("it is not what it is for")
        }
        guard try row.instantOrNil(20) == next else {
            throw row.contradiction("its next moment is not its own")
        }
    }

    /// Writes it, for the first time or again.
    func save(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO bill (id, app, environment, customer, subscription, purpose, product_id,
                group_id, quantity, amount, currency, storefront, app_account_token, content,
                state, voiding, made_at, changed_at, answer, answer_at, next_at, offer_id,
                advanced_commerce)
            VALUES (\(id), \(app), \(environment), \(customer), \(subscription),
                \(purpose.rawValue), \(productID), \(groupID), \(quantity),
                \(amount.milliunits), \(amount.currency.code), \(storefront.code),
                \(appAccountToken), \(bill.map { BillText.text($0) }), \(state.rawValue),
                \(isBeingVoided), \(made), \(changed), \(answer?.rawValue), \(answersAt), \(next),
                \(offerID), \(advancedCommerce.map(AdvancedCommerceText.text)))
            ON CONFLICT (id) DO UPDATE SET state = excluded.state, voiding = excluded.voiding,
                changed_at = excluded.changed_at, answer = excluded.answer,
                answer_at = excluded.answer_at, next_at = excluded.next_at
            """)
    }

    static func find(_ id: Int64, in session: any Session) throws -> BillRecord? {
        try session.row("SELECT \(raw: columns) FROM bill b WHERE b.id = \(id)")
            .map { try BillRecord($0) }
    }

    /// How far a bill has come, for those who only look.
    static func state(of id: Int64, in session: any Session) throws -> BillState? {
        try session.row("SELECT id, state FROM bill WHERE id = \(id)").map { row in
            try StoredRow(row, of: "bill", "id, state").value(1)
        }
    }

    /// The first subscriptions of a group that a customer has asked for, and the bank has not
    /// answered, oldest first.
    static func outstanding(
        ofCustomer customer: Int64, app: Int64, groupID: String, in session: any Session
    ) throws -> [BillRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM bill b
            WHERE b.customer = \(customer) AND b.app = \(app) AND b.subscription IS NULL
                AND b.state IN ('sent', 'pending') AND b.group_id = \(groupID) ORDER BY b.id
            """
        ).map { try BillRecord($0) }
    }

    /// What a customer has asked for first in a group, or of a product that is bought only once,
    /// and the bank has not answered.
    static func outstanding(
        ofCustomer customer: Int64, app: Int64, groupID: String?, productID: String,
        in session: any Session
    ) throws -> BillRecord? {
        var query: SQL = """
            SELECT \(raw: columns) FROM bill b
            WHERE b.customer = \(customer) AND b.app = \(app) AND b.subscription IS NULL
                AND b.state IN ('sent', 'pending')
            """
        if let groupID {
            query += " AND b.group_id = \(groupID)"
        } else {
            query += " AND b.product_id = \(productID)"
        }
        return try session.row(query + " ORDER BY b.id LIMIT 1").map { try BillRecord($0) }
    }

    /// Everything that a customer has asked for and the bank has not answered.
    static func outstanding(
        ofCustomer customer: Int64, in session: any Session
    ) throws -> [BillRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM bill b
            WHERE b.customer = \(customer) AND b.state IN ('sent', 'pending') ORDER BY b.id
            """
        ).map { try BillRecord($0) }
    }

    /// The one to which something happens next; nil when nothing is due by then.
    static func next(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> BillRecord? {
        try session.first(
            "bill",
            """
            SELECT \(raw: columns) FROM bill b
            WHERE b.next_at IS NOT NULL AND b.next_at <= \(horizon) ORDER BY b.next_at, b.id
            """, passingOver: aside
        ) { try BillRecord($0) }
    }

    /// The one of a customer to which something happens next; nil when nothing is due by then.
    static func next(
        ofCustomer customer: Int64, by horizon: Instant, passingOver aside: SetAside,
        in session: any Session
    ) throws -> BillRecord? {
        try session.first(
            "bill",
            """
            SELECT \(raw: columns) FROM bill b
            WHERE b.customer = \(customer) AND b.next_at IS NOT NULL AND b.next_at <= \(horizon)
            ORDER BY b.next_at, b.id
            """, passingOver: aside
        ) { try BillRecord($0) }
    }

    /// The bills of an environment, newest first.
    static func all(
        _ environment: StoreEnvironment, state: BillState?, customer: Int64?, before: Int64?,
        limit: Int, in session: any Session
    ) throws -> [BillRecord] {
        var query: SQL = """
            SELECT \(raw: columns) FROM bill b
            WHERE b.environment = \(environment) AND b.id < \(before ?? .max)
            """
        if let state { query += " AND b.state = \(state.rawValue)" }
        if let customer { query += " AND b.customer = \(customer)" }
        return try session.rows(query + " ORDER BY b.id DESC LIMIT \(limit)")
            .map { try BillRecord($0) }
    }
}
