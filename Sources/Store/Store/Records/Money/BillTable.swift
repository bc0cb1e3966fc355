import AppStoreWire
import DueWork
import Storage
public import SubscriptionRules

/// A bill as the store keeps it, with what it takes to carry out what it is for, whenever the
/// answer comes.
///
/// A bill that is paid at once has no row: its transaction bears its identifier and says the rest.
public struct BillRecord: Sendable {
    /// What a bill is for.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        case purchase
        case planChange
        /// A plan change that takes over the running trial.
        case planChangeInTrial
        /// A merchant's request changes its plan at once.
        case modification
        case renewal
        case recovery
        /// A product that is no auto-renewable subscription.
        case oneTimePurchase

        /// As a row of the table has it.
        public init(_ purpose: Bill.Purpose) {
            self =
                switch purpose {
                case .purchase: .purchase
                case .planChange(.runningTrial): .planChangeInTrial
                case .planChange: .planChange
                case .modification: .modification
                case .renewal: .renewal
                case .recovery: .recovery
                }
        }

        /// The purpose in the rules; nil for what is no subscription.
        var ofSubscription: Bill.Purpose? {
            switch self {
            case .purchase: .purchase
            case .planChange: .planChange(.change)
            case .planChangeInTrial: .planChange(.runningTrial)
            case .modification: .modification
            case .renewal: .renewal
            case .recovery: .recovery
            case .oneTimePurchase: nil
            }
        }
    }

    /// Names it to the bank as well; the transaction that it becomes bears the same.
    public let id: Int64
    let app: Int64
    public let environment: StoreEnvironment
    let customer: Int64
    /// The subscription that waits for it; nil for one-time and for first purchases.
    public let subscription: Int64?
    public let purpose: Purpose
    public let productID: String
    let groupID: String?
    public let quantity: Int
    public let amount: Money
    public let storefront: Storefront
    let appAccountToken: String?
    /// The offer by which something is bought once; nil without one.
    var offerID: String?
    /// What a merchant sells once and describes itself; nil for the catalogue's products.
    @Rare var advancedCommerce: AdvancedCommerceTransactionInfo? = nil
    /// The bill in the rules, with its lines as they were asked for; nil for what is no
    /// subscription, and for what was paid at once.
    public let bill: Bill?
    public internal(set) var state: BillState
    /// Whether the bank was asked to give it up.
    public internal(set) var isBeingVoided = false
    public let made: Instant
    /// When its state last changed.
    public internal(set) var changed: Instant
    /// What the built-in bank will say, and when; no moment when the operator answers.
    var answer: BankAnswer?
    public internal(set) var answersAt: Instant?

    /// How long a customer waits for what was asked for: as long as a request for approval lives
    /// (BIL-3).
    public static let patience = Span.days(1)

    /// Whether the customer is there and asked for it, as for every one-time purchase.
    var isChosen: Bool { bill?.isChosen ?? true }

    /// When something happens to it by itself: the built-in bank answers, or the customer has
    /// waited long enough. A renewal that is pending is given up by its subscription.
    public var next: Instant? {
        guard state.isOutstanding else { return nil }
        let gaveUp = isChosen && !isBeingVoided ? made + BillRecord.patience : nil
        return [answersAt, gaveUp].compactMap { $0 }.min()
    }
}

extension BillRecord {
    /// A subscription's bill before the bank is asked.
    init(_ bill: Bill, of record: SubscriptionRecord, token: String?, at now: Instant) {
        self.init(
            id: bill.id, app: record.app, environment: record.environment,
            customer: record.customer,
            subscription: record.subscription.state == .new ? nil : record.subscription.id,
            purpose: Purpose(bill.purpose), productID: bill.plan.productID,
            groupID: record.subscription.groupID, quantity: 1, amount: bill.amount,
            storefront: record.storefront, appAccountToken: token, bill: bill, state: .sent,
            made: now, changed: now)
    }

    /// The bill of a transaction that was paid when it was asked for.
    init(paidAtOnce transaction: TransactionRecord) {
        let purpose: Purpose
        switch (transaction.subscription, transaction.isRenewal) {
        case (nil, _): purpose = .oneTimePurchase
        case (_?, true): purpose = .renewal
        case (_?, false): purpose = .purchase
        }
        self.init(
            id: transaction.id, app: transaction.app, environment: transaction.environment,
            customer: transaction.customer, subscription: transaction.subscription,
            purpose: purpose, productID: transaction.productID, groupID: transaction.groupID,
            quantity: transaction.quantity, amount: transaction.price,
            storefront: transaction.storefront, appAccountToken: transaction.appAccountToken,
            bill: nil, state: .paid, made: transaction.purchased, changed: transaction.purchased)
    }

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
        try session.row(
            """
            SELECT \(raw: columns) FROM bill b WHERE b.id = \(id)
            """
        ).map { try BillRecord($0) }
    }

    /// A bill to look at.
    static func read(_ id: Int64, in session: any Session) throws -> BillRecord? {
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

/// The bank declined what a customer asked for.
struct BillDeclined: Error {
    let bill: BillRecord
    /// The customer, whose payment method remembers that it was asked.
    let customer: Customer
}
