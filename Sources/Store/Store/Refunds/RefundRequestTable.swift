import DueWork
import Storage
public import SubscriptionRules

/// A customer's request to get the price of a transaction back.
public struct RefundRequest: Sendable, Hashable {
    /// Why a customer asks, in the words of `consumptionRequestReason` (REF-5).
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case unintendedPurchase = "UNINTENDED_PURCHASE"
        case fulfillmentIssue = "FULFILLMENT_ISSUE"
        case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
        case legal = "LEGAL"
        case other = "OTHER"

        /// What a granted refund gives as its reason: whether the app was the problem.
        var revocationReason: Revocation.Reason {
            switch self {
            case .fulfillmentIssue, .unsatisfiedWithPurchase: .problemWithApp
            case .unintendedPurchase, .legal, .other: .other
            }
        }
    }

    /// How far a request has come.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case open
        case granted
        case declined
    }

    public let id: Int64
    let app: Int64
    public let environment: StoreEnvironment
    let customer: Int64
    public let transactionID: Int64
    public let reason: Reason
    public let requested: Instant
    public internal(set) var state: State = .open
    /// When a policy decides at the latest; nil when the operator does.
    public internal(set) var decidesAt: Instant?
    public internal(set) var decided: Instant?
    /// What the developer told about the purchase, as it was sent.
    public internal(set) var consumption: Consumption?
    /// What a merchant asks back item by item; nil for what a customer asks.
    var items: ItemRefundRequest?

    init(
        id: Int64, app: Int64, environment: StoreEnvironment, customer: Int64,
        transactionID: Int64, reason: Reason, requested: Instant
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.customer = customer
        self.transactionID = transactionID
        self.reason = reason
        self.requested = requested
    }

    static let columns = """
        id, app, environment, customer, transaction_id, reason, requested_at, state, decide_at, \
        decided_at, consumption, items
        """

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "refund_request", RefundRequest.columns)
        self.init(
            id: try row.identifier(0), app: try row.identifier(1), environment: try row.value(2),
            customer: try row.identifier(3), transactionID: try row.identifier(4),
            reason: try row.value(5), requested: try row.instant(6))
        state = try row.value(7)
        decidesAt = try row.instantOrNil(8)
        decided = try row.instantOrNil(9)
        consumption = try row.decodedOrNil(10) { text throws(StorageError) in
            try Consumption(stored: text)
        }
        items = try row.decodedOrNil(11, ItemRefundRequest.init(stored:))
    }

    func insert(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO refund_request (\(raw: RefundRequest.columns))
            VALUES (\(id), \(app), \(environment), \(customer), \(transactionID),
                \(reason.rawValue), \(requested), \(state.rawValue), \(decidesAt), \(decided),
                \(consumption?.text), \(items?.text))
            """)
    }

    func save(in session: any Session) throws {
        try session.execute(
            """
            UPDATE refund_request SET state = \(state.rawValue), decide_at = \(decidesAt),
                decided_at = \(decided), consumption = \(consumption?.text),
                items = \(items?.text)
            WHERE id = \(id)
            """)
    }

    static func find(_ id: Int64, in session: any Session) throws -> RefundRequest? {
        try session.row(
            """
            SELECT \(raw: columns) FROM refund_request
            WHERE id = \(id)
            """
        ).map { try RefundRequest($0) }
    }

    /// The open request for a transaction.
    static func open(
        forTransaction id: Int64, in session: any Session
    ) throws -> RefundRequest? {
        try session.row(
            """
            SELECT \(raw: columns) FROM refund_request
            WHERE transaction_id = \(id) AND state = 'open'
            """
        ).map { try RefundRequest($0) }
    }

    /// A customer's requests for some transactions, oldest first.
    static func all(
        ofCustomer customer: Int64, forTransactions ids: [Int64], in session: any Session
    ) throws -> [RefundRequest] {
        if ids.isEmpty { return [] }
        return try session.rows(
            """
            SELECT \(raw: columns) FROM refund_request
            WHERE customer = \(customer) AND transaction_id IN (\(list: ids)) ORDER BY id
            """
        ).map { row throws(StorageError) in try RefundRequest(row) }
    }

    /// The one that a policy decides next; nil when none is due by then.
    static func next(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> RefundRequest? {
        try session.first(
            "refund_request",
            """
            SELECT \(raw: columns) FROM refund_request
            WHERE decide_at IS NOT NULL AND decide_at <= \(horizon) ORDER BY decide_at, id
            """, passingOver: aside
        ) { try RefundRequest($0) }
    }

    /// Those of a customer that a policy should have decided.
    static func due(
        ofCustomer customer: Int64, by horizon: Instant, passingOver aside: SetAside,
        in session: any Session
    ) throws -> [RefundRequest] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM refund_request
            WHERE customer = \(customer) AND decide_at IS NOT NULL AND decide_at <= \(horizon)
            ORDER BY decide_at, id
            """
        ).compactMap { row in
            try aside.read("refund_request", row.integer(0)) { try RefundRequest(row) }
        }
    }

    /// What a request is about.
    struct Sale {
        let account: String
        let productID: String
        let originalID: Int64
        let price: Money
        let quantity: Int
        /// What was given back for the transaction, in milliunits.
        let refunded: Int64?
        /// Whether the transaction is refunded: an upgrade gives something back as well.
        let isRevoked: Bool

        fileprivate static let columns =
            "c.account, t.product_id, t.original_id, t.price, t.currency, t.quantity, "
            + "t.refunded, t.revoked_at"
    }

    /// The requests of an environment with what they are about, newest first.
    static func page(
        _ environment: StoreEnvironment, state: State?, before: Int64?, limit: Int,
        in session: any Session
    ) throws -> [(RefundRequest, Sale)] {
        let own = columns.split(separator: ", ").map { "r.\($0)" }.joined(separator: ", ")
        var query: SQL = """
            SELECT \(raw: own), \(raw: Sale.columns) FROM refund_request r
            LEFT JOIN store_transaction t ON t.id = r.transaction_id
            LEFT JOIN customer c ON c.id = r.customer
            WHERE r.environment = \(environment) AND r.id < \(before ?? .max)
            """
        if let state { query += " AND r.state = \(state.rawValue)" }
        return try session.rows(query + " ORDER BY r.id DESC LIMIT \(limit)").map { row in
            let request = try RefundRequest(row)
            guard !row.isNull(12), !row.isNull(13) else {
                throw Stored.missing(
                    "the transaction or the customer", for: "refund_request \(request.id)")
            }
            let sale = StoredRow(row, of: "sale of refund_request", Sale.columns, first: 12)
            let price = Money(
                milliunits: try sale.amount(3), try sale.parsed(4, Currency.init(everUsed:)))
            return (
                request,
                Sale(
                    account: try sale.text(0), productID: try sale.text(1),
                    originalID: try sale.identifier(2), price: price,
                    quantity: Int(try sale.integer(5, in: 1...Int64(Int32.max))),
                    refunded: try sale.integerOrNil(6, in: 0...price.milliunits),
                    isRevoked: !sale.isNull(7))
            )
        }
    }
}
