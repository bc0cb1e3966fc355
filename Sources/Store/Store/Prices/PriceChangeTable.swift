import DueWork
import Storage
public import SubscriptionRules

/// A price of a product in a storefront that will be live, is going or went live, or was taken back
/// before that (TAB-6).
public struct ScheduledPrice: Sendable, Hashable {
    /// What the subscribers of before pay.
    public enum Existing: String, Sendable, Hashable, CaseIterable {
        /// They keep their price for ever, as a cohort of their own (PRC-5 A).
        case preserve
        /// They pay the new price too, told or asked beforehand (PRC-5 B).
        case apply
    }

    /// How far a change has come.
    public enum State: String, Sendable, Hashable {
        /// Its moment is still to come.
        case scheduled
        /// It is live and being brought to one subscriber after the other.
        case going
        /// Nothing is left to do: every subscriber has it, or it was withdrawn.
        case done
    }

    public let id: Int64
    let app: Int64
    public let productID: String
    /// How those are billed whose price it is: each billing plan has prices of its own (PRC-2).
    public let billing: BillingPlan
    public let storefront: Storefront
    /// The new price, in milliunits.
    public let price: Int64
    /// What the subscribers pay whom an increase reaches: the list price that is replaced, as it
    /// is when this is scheduled and at last when it goes live, or that of a preserved cohort.
    public internal(set) var cohortPrice: Int64?
    /// Whether only a preserved cohort is moved and the list price stays (PRC-6).
    public let isForCohort: Bool
    /// When it goes live.
    public let start: Instant
    public let existing: Existing
    public internal(set) var state: State = .scheduled
    /// The last subscription that it was brought to.
    var reached: Int64 = 0
    /// How many subscriptions that were not over it has changed something for.
    public internal(set) var subscribers: Int64 = 0
    /// When another price of the same kind took its place; nil while it holds, and where nobody
    /// asked.
    public private(set) var superseded: Instant?
    /// When it was scheduled.
    public let scheduled: Instant?
    /// When it was taken back, or another one was scheduled instead of it; nil for one that will
    /// be live or has been.
    private var ended: Instant?
    /// The one that was scheduled instead of it; nil where there is none.
    public private(set) var replacedBy: Int64?

    /// When it was taken back.
    public var withdrawn: Instant? { replacedBy == nil ? ended : nil }
    /// When another one was scheduled instead of it, before it was live.
    public var replaced: Instant? { replacedBy == nil ? nil : ended }

    init(
        id: Int64, app: Int64, productID: String, billing: BillingPlan = .upFront,
        storefront: Storefront, price: Int64, cohortPrice: Int64?, isForCohort: Bool,
        start: Instant, existing: Existing, scheduled: Instant?
    ) {
        self.billing = billing
        self.id = id
        self.app = app
        self.productID = productID
        self.storefront = storefront
        self.price = price
        self.cohortPrice = cohortPrice
        self.isForCohort = isForCohort
        self.start = start
        self.existing = existing
        self.scheduled = scheduled
    }

    /// Whether it changes what a subscriber will pay: a rule, of which this has the figures.
    func reaches(_ subscription: Subscription) -> Bool { reach.includes(subscription) }

    private var reach: PriceReach {
        PriceReach(
            productID: productID, billing: billing,
            price: Money(milliunits: price, storefront.currency),
            pays: cohortPrice, isForCohort: isForCohort, isForSubscribers: existing == .apply)
    }

    // MARK: Rows

    static let columns = """
        id, app, product_id, storefront, price, cohort_price, for_cohort, starts_at, existing, \
        state, reached, subscribers, withdrawn_at, scheduled_at, replaced_by, \
        billing_plan
        """

    /// The condition that a row is live or has been.
    private static func wentLive(_ row: SQL) -> SQL {
        "\(row).state <> 'scheduled' AND \(row).withdrawn_at IS NULL"
    }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "price_change", ScheduledPrice.columns)
        self.init(
            id: try row.identifier(0), app: try row.identifier(1), productID: try row.text(2),
            billing: try row.value(15), storefront: try row.parsed(3, Storefront.init(code:)),
            price: try row.amount(4),
            cohortPrice: try row.amountOrNil(5), isForCohort: try row.bool(6),
            start: try row.instant(7), existing: try row.value(8),
            scheduled: try row.instantOrNil(13))
        state = try row.value(9)
        reached = try row.integer(10, in: 0...Stored.largestNumber)
        subscribers = try row.integer(11, in: 0...Stored.largestNumber)
        ended = try row.instantOrNil(12)
        replacedBy = try row.identifierOrNil(14)
    }

    func insert(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO price_change (\(raw: ScheduledPrice.columns))
            VALUES (\(id), \(app), \(productID), \(storefront.code), \(price), \(cohortPrice),
                \(isForCohort), \(start), \(existing.rawValue), \(state.rawValue), \(reached),
                \(subscribers), \(ended), \(scheduled), \(replacedBy),
                \(billing.rawValue))
            """)
    }

    func saveProgress(in session: any Session) throws {
        try session.execute(
            """
            UPDATE price_change SET cohort_price = \(cohortPrice), state = \(state.rawValue),
                reached = \(reached), subscribers = \(subscribers), withdrawn_at = \(ended),
                replaced_by = \(replacedBy)
            WHERE id = \(id)
            """)
    }

    /// What is going to be live of some products in a storefront, or is being brought to those who
    /// have them, in the order of time.
    static func coming(
        app: Int64, productIDs: [String], _ storefront: Storefront, in session: any Session
    ) throws -> [(start: Instant, reach: PriceReach)] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM price_change
            WHERE app = \(app) AND state <> 'done' AND storefront = \(storefront.code)
            ORDER BY starts_at, id
            """
        ).map { try ScheduledPrice($0) }.filter { productIDs.contains($0.productID) }
            .map { ($0.start, $0.reach) }
    }

    /// Takes the scheduled change of a product in a storefront back; it stays in its table, done.
    ///
    /// - Parameter successor: the one that takes its place; nil for none.
    /// - Returns: the change; nil where none is scheduled.
    static func withdraw(
        app: Int64, productID: String, _ billing: BillingPlan, _ storefront: Storefront,
        at moment: Instant, for successor: Int64? = nil, in session: any Session
    ) throws -> ScheduledPrice? {
        let scheduled = try session.rows(
            """
            SELECT \(raw: columns) FROM price_change
            WHERE app = \(app) AND product_id = \(productID) AND storefront = \(storefront.code)
                AND billing_plan = \(billing.rawValue) AND state = 'scheduled'
            """
        ).first
        guard let scheduled else { return nil }
        var change = try ScheduledPrice(scheduled)
        (change.state, change.ended, change.replacedBy) = (.done, moment, successor)
        try change.saveProgress(in: session)
        return change
    }

    /// Takes all scheduled changes of a product back.
    static func withdrawAll(
        of productID: String, app: Int64, at moment: Instant, in session: any Session
    ) throws -> [ScheduledPrice] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM price_change
            WHERE app = \(app) AND product_id = \(productID) AND state = 'scheduled' ORDER BY id
            """
        ).map { row in
            var change = try ScheduledPrice(row)
            (change.state, change.ended) = (.done, moment)
            try change.saveProgress(in: session)
            return change
        }
    }

    /// What became of a price that a customer chose and has not paid yet, by what went live
    /// between then and now, in milliunits.
    static func course(
        of price: Money, since chosen: Instant, until now: Instant, app: Int64,
        productID: String, _ billing: BillingPlan, _ storefront: Storefront,
        in session: any Session
    ) throws -> Int64 {
        try session.rows(
            """
            SELECT \(raw: columns) FROM price_change p
            WHERE app = \(app) AND product_id = \(productID) AND storefront = \(storefront.code)
                AND billing_plan = \(billing.rawValue)
                AND \(wentLive("p")) AND starts_at > \(chosen) AND starts_at <= \(now)
            ORDER BY starts_at, id
            """
        ).reduce(price.milliunits) { price, row in
            let change = try ScheduledPrice(row)
            return change.reach.price(afterPaying: price, in: storefront.currency)
        }
    }

    /// The changes of an app, newest first.
    static func all(
        app: Int64, productID: String?, before: Int64?, limit: Int, in session: any Session
    ) throws -> [ScheduledPrice] {
        // The next that went live for the list price, or for the same cohort.
        var query: SQL = """
            SELECT \(raw: columns), (
                SELECT MIN(n.starts_at) FROM price_change n
                WHERE n.app = p.app AND n.product_id = p.product_id
                    AND n.storefront = p.storefront AND n.billing_plan = p.billing_plan
                    AND n.id > p.id AND \(wentLive("n"))
                    AND p.withdrawn_at IS NULL AND n.for_cohort = p.for_cohort
                    AND (p.for_cohort = 0 OR n.cohort_price = p.cohort_price))
            FROM price_change p
            WHERE app = \(app) AND id < \(before ?? .max)
            """
        if let productID { query += " AND product_id = \(productID)" }
        return try session.rows(query + " ORDER BY id DESC LIMIT \(limit)").map { row in
            var change = try ScheduledPrice(row)
            change.superseded = try row.integerOrNil(16).map { Instant(milliseconds: $0) }
            return change
        }
    }

    /// The one that goes live next; nil when none does by then.
    static func next(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> ScheduledPrice? {
        try session.first(
            "price_change",
            """
            SELECT \(raw: columns) FROM price_change
            WHERE state <> 'done' AND starts_at <= \(horizon) ORDER BY starts_at, id
            """, passingOver: aside
        ) { try ScheduledPrice($0) }
    }

    /// Whether one is not live by a moment and should be.
    static func isToGoLive(by moment: Instant, in session: any Session) throws -> Bool {
        try session.exists(
            """
            SELECT 1 FROM price_change
            WHERE state <> 'done' AND state = 'scheduled' AND starts_at <= \(moment)
            """)
    }

    /// Whether one of a product is live by a moment, or should be, and has not come to everybody.
    static func isOnItsWay(
        _ productID: String, app: Int64, by moment: Instant, in session: any Session
    ) throws -> Bool {
        try session.exists(
            """
            SELECT 1 FROM price_change
            WHERE state <> 'done' AND starts_at <= \(moment) AND app = \(app)
                AND product_id = \(productID)
            """)
    }

    /// The one whose moment comes first of those that are not live by a horizon and should be.
    static func nextToGoLive(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> ScheduledPrice? {
        try session.first(
            "price_change",
            """
            SELECT \(raw: columns) FROM price_change
            WHERE state <> 'done' AND state = 'scheduled' AND starts_at <= \(horizon)
            ORDER BY starts_at, id
            """, passingOver: aside
        ) { try ScheduledPrice($0) }
    }

    /// Those that are live and may still have something to bring to a customer.
    static func ahead(
        ofCustomer customer: Int64, passingOver aside: SetAside, in session: any Session
    ) throws -> [ScheduledPrice] {
        let isNotAhead = CustomerAhead.isNot("\(customer)", of: ("p.id", "p.starts_at"))
        return try session.rows(
            """
            SELECT \(raw: columns) FROM price_change p
            WHERE state <> 'done' AND state = 'going' AND \(isNotAhead) AND EXISTS (
                SELECT 1 FROM subscription s WHERE s.customer = \(customer) AND s.id > p.reached
                    AND s.app = p.app AND s.storefront = p.storefront
                    AND (s.product_id = p.product_id OR s.next_plan IS NOT NULL))
            ORDER BY starts_at, id
            """
        ).compactMap { row in
            try aside.read("price_change", row.integer(0)) { try ScheduledPrice(row) }
        }
    }

    // MARK: Its subscriptions

    /// The next ones that it may reach: of the product, and those that wait for another one.
    func next(
        _ limit: Int, passingOver aside: SetAside, in session: any Session
    ) throws -> JobPiece {
        let ahead: SQL = """
            s.id > \(reached) AND \(CustomerAhead.isNot("s.customer", of: ("\(id)", "\(start)")))
            ORDER BY s.id LIMIT \(limit)
            """
        return try JobPiece.next(
            limit,
            of: """
                SELECT id FROM (
                    SELECT s.id FROM subscription s
                    WHERE s.app = \(app) AND s.storefront = \(storefront.code)
                        AND s.product_id = \(productID) AND \(ahead)) present
                UNION ALL
                SELECT id FROM (
                    SELECT s.id FROM subscription s
                    WHERE s.app = \(app) AND s.storefront = \(storefront.code)
                        AND s.product_id <> \(productID) AND s.next_plan IS NOT NULL
                        AND \(ahead)) coming
                """, passingOver: aside, in: session)
    }

    /// Those of one customer that it may reach and was not brought to.
    func next(
        ofCustomer customer: Int64, passingOver aside: SetAside, in session: any Session
    ) throws -> JobPiece {
        try JobPiece.all(
            ofCustomer: customer,
            in: """
                s.id > \(reached) AND s.app = \(app) AND s.storefront = \(storefront.code)
                    AND (s.product_id = \(productID) OR s.next_plan IS NOT NULL)
                """, passingOver: aside, in: session)
    }
}
