import DueWork
import Storage
import SubscriptionRules

/// What is asked of a bank outside of the database: to collect a bill, or to give money back. The
/// row is there before anybody is asked, and its moments are those of the machine's clock.
struct Errand: Sendable {
    enum Kind: String {
        case payment
        case refund
    }

    enum Phase: String {
        /// The bank has not said its last word.
        case asking
        /// The bank is to let go of the payment, so that it can never be paid later.
        case voiding
        /// There is nothing to ask until the bank says that something has changed.
        case settled
    }

    enum RefundState: String {
        case accepted
        case done
        case failed
    }

    /// Names it to the bank: of a payment the bill's number.
    let id: Int64
    let kind: Kind
    let bill: Int64
    let customer: Int64
    let amount: Money
    /// The bank's name for the method that pays; nil for a refund.
    let method: String?
    let isPresent: Bool
    var phase = Phase.asking
    var refundState: RefundState?
    /// When it was sent first, if ever; the life of its key counts from there.
    var sent: Instant?
    /// When the bank is asked next. Whoever asks puts it off meanwhile, so that nobody else does.
    var next: Instant?
    /// How often nothing new was heard since the last news.
    var quiet = 0
    /// How often the bank has not known it.
    var notKnown = 0
    /// How often something has changed that a question which is under way may not see.
    var hints = 0
    /// What somebody should look into.
    var trouble: String?

    static let columns = """
        e.id, e.kind, e.bill, e.customer, e.amount, e.currency, e.bank_method, e.present, \
        e.phase, e.refund_state, e.sent_at, e.next_at, e.quiet, e.not_known, e.hints, e.trouble
        """
}

extension Errand {
    /// To collect a bill.
    init(collecting bill: BillRecord, from method: String, next: Instant) {
        self.init(
            id: bill.id, kind: .payment, bill: bill.id, customer: bill.customer,
            amount: bill.amount, method: method, isPresent: bill.bill?.isChosen ?? true,
            next: next)
    }

    /// To give back money that a payment brought.
    init(refund id: Int64, of amount: Money, from payment: Errand, next: Instant) {
        self.init(
            id: id, kind: .refund, bill: payment.bill, customer: payment.customer, amount: amount,
            method: nil, isPresent: false, next: next)
    }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "errand", Errand.columns)
        self.init(
            id: try row.identifier(0), kind: try row.value(1), bill: try row.identifier(2),
            customer: try row.identifier(3),
            amount: Money(
                milliunits: try row.amount(4), try row.parsed(5, Currency.init(code:))),
            method: try row.textOrNil(6), isPresent: try row.bool(7), phase: try row.value(8),
            refundState: try row.parsedOrNil(9, RefundState.init(rawValue:)),
            sent: try row.instantOrNil(10), next: try row.instantOrNil(11),
            quiet: try row.count(12), notKnown: try row.count(13), hints: try row.count(14),
            trouble: try row.textOrNil(15))
        guard (kind == .payment) == (method != nil) else {
            throw row.contradiction("it is not what it is for")
        }
    }

    /// Writes it, for the first time or again.
    func save(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO errand (id, kind, bill, customer, amount, currency, bank_method, present,
                phase, refund_state, sent_at, next_at, quiet, not_known, hints, trouble)
            VALUES (\(id), \(kind.rawValue), \(bill), \(customer), \(amount.milliunits),
                \(amount.currency.code), \(method), \(isPresent), \(phase.rawValue),
                \(refundState?.rawValue), \(sent), \(next), \(quiet), \(notKnown), \(hints),
                \(trouble))
            ON CONFLICT (id) DO UPDATE SET phase = excluded.phase,
                refund_state = excluded.refund_state, sent_at = excluded.sent_at,
                next_at = excluded.next_at, quiet = excluded.quiet,
                not_known = excluded.not_known, hints = excluded.hints,
                trouble = excluded.trouble
            """)
    }

    static func find(_ id: Int64, in session: any Session) throws -> Errand? {
        try session.row(
            """
            SELECT \(raw: columns) FROM errand e WHERE e.id = \(id)
            """
        ).map { try Errand($0) }
    }

    /// What goes back, or went, of what a bill brought.
    static func refunds(ofBill id: Int64, in session: any Session) throws -> [Errand] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM errand e
            WHERE e.bill = \(id) AND e.kind = 'refund' ORDER BY e.id
            """
        ).map { try Errand($0) }
    }

    /// The condition on the table `e` that an errand is of the same customer as another one.
    static func isOfSameCustomer(as id: Int64) -> SQL {
        "e.customer = (SELECT customer FROM errand WHERE id = \(id))"
    }

    /// Whether somebody is just asking about a bill for the first time.
    static func isBeingAsked(about bill: Int64, in session: any Session) throws -> Bool {
        try session.exists(
            """
            SELECT 1 FROM errand e JOIN bill b ON b.id = e.id
            WHERE e.id = \(bill) AND b.state = 'sent' AND e.sent_at IS NOT NULL
                AND e.quiet = 0
            """)
    }

    /// Those that are due by a moment, the earliest first. A customer's bill is not sent while the
    /// bank has not let go of an earlier one, so that there is never a second payment for one
    /// thing.
    ///
    /// - Parameter which: a condition on the table `e`.
    static func due(
        by moment: Instant, limit: Int, which: SQL, passingOver aside: SetAside,
        in session: any Session
    ) throws -> [Errand] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM errand e
            WHERE e.next_at IS NOT NULL AND e.next_at <= \(moment) AND \(which)
                AND (e.kind = 'refund' OR e.phase <> 'asking' OR e.sent_at IS NOT NULL
                    OR NOT EXISTS (
                        SELECT 1 FROM errand o WHERE o.customer = e.customer
                            AND o.phase = 'voiding' AND o.id < e.id))
            ORDER BY e.next_at, e.id LIMIT \(limit + aside.identifiers(of: "errand").count)
            """
        ).compactMap { row in try aside.read("errand", row.integer(0)) { try Errand(row) } }
    }

    /// Those that somebody should look into, newest first.
    static func troubled(
        in environment: StoreEnvironment, limit: Int, in session: any Session
    ) throws -> [Errand] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM errand e JOIN bill b ON b.id = e.bill
            WHERE e.trouble IS NOT NULL AND b.environment = \(environment)
            ORDER BY e.id DESC LIMIT \(limit)
            """
        ).map { try Errand($0) }
    }
}
