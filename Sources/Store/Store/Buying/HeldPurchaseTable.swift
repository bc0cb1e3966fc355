import AppStoreWire
import DueWork
import Storage
import SubscriptionRules

/// A held purchase in its table, and those that are waited for, due or listed.
extension HeldPurchase {
    static let columns = """
        id, app, environment, customer, subscription, product_id, quantity, app_account_token, \
        lines, reason, state, asked_at, lapses_at, decided_at, bill, obstacle, offer, \
        billing_plan, advanced_commerce
        """

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "held_purchase", HeldPurchase.columns)
        self.init(
            id: try row.identifier(0), app: try row.identifier(1), environment: try row.value(2),
            customer: try row.identifier(3), subscription: try row.identifierOrNil(4),
            productID: try row.text(5), reason: try row.value(9), asked: try row.instant(11))
        quantity = Int(try row.integer(6, in: 1...10))
        appAccountToken = try row.textOrNil(7)
        lines = try row.decodedOrNil(8, HeldPurchase.lines)
        state = try row.value(10)
        lapses = try row.instantOrNil(12)
        decided = try row.instantOrNil(13)
        bill = try row.identifierOrNil(14)
        obstacle = try row.parsedOrNil(15, Obstacle.init(rawValue:))
        offer = try row.decodedOrNil(16, OfferClaimText.claim)
        billing = try row.parsedOrNil(17, BillingPlan.init(rawValue:)) ?? .upFront
        advancedCommerce = try row.decodedOrNil(18, AdvancedCommerceText.request)
    }

    /// Writes it, for the first time or again.
    func save(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO held_purchase (\(raw: HeldPurchase.columns))
            VALUES (\(id), \(app), \(environment), \(customer), \(subscription),
                \(productID), \(quantity), \(appAccountToken), \(linesText),
                \(reason.rawValue), \(state.rawValue), \(asked), \(lapses), \(decided),
                \(bill), \(obstacle?.rawValue), \(offer.map(OfferClaimText.text)),
                \(billing == .upFront ? nil : billing.rawValue),
                \(advancedCommerce.map(AdvancedCommerceText.text)))
            ON CONFLICT (id) DO UPDATE SET subscription = excluded.subscription,
                quantity = excluded.quantity,
                app_account_token = excluded.app_account_token, lines = excluded.lines,
                reason = excluded.reason, state = excluded.state, lapses_at = excluded.lapses_at,
                decided_at = excluded.decided_at, bill = excluded.bill,
                obstacle = excluded.obstacle, offer = excluded.offer,
                billing_plan = excluded.billing_plan,
                advanced_commerce = excluded.advanced_commerce
            """)
    }

    private var linesText: String? {
        lines.flatMap { lines in
            LineText.text(
                lines.map {
                    TransactionRecord.Line(sku: $0.sku, price: $0.price, offer: $0.offer)
                })
        }
    }

    private static func lines(_ text: String) throws(StorageError) -> [Plan.Line] {
        try LineText.lines(text).map { Plan.Line(sku: $0.sku, price: $0.price, offer: $0.offer) }
    }

    static func find(_ id: Int64, in session: any Session) throws -> HeldPurchase? {
        try session.row("SELECT \(raw: columns) FROM held_purchase WHERE id = \(id)")
            .map { try HeldPurchase($0) }
    }

    /// The one of a product that a customer waits for.
    static func waiting(
        for productID: String, customer: Int64, app: Int64, in session: any Session
    ) throws -> HeldPurchase? {
        try session.row(
            """
            SELECT \(raw: columns) FROM held_purchase
            WHERE customer = \(customer) AND app = \(app) AND product_id = \(productID)
                AND state = 'waiting'
            """
        ).map { try HeldPurchase($0) }
    }

    /// Everything that a customer waits for.
    static func waiting(
        ofCustomer customer: Int64, in session: any Session
    ) throws -> [HeldPurchase] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM held_purchase
            WHERE customer = \(customer) AND state = 'waiting' ORDER BY id
            """
        ).map { try HeldPurchase($0) }
    }

    /// The one of a product that a customer asked for last before an entry of the journal.
    static func last(
        of productID: String, customer: Int64, app: Int64, before sequence: Int64,
        in session: any Session
    ) throws -> HeldPurchase? {
        try session.row(
            """
            SELECT \(raw: columns) FROM held_purchase
            WHERE customer = \(customer) AND app = \(app) AND product_id = \(productID)
                AND id < \(sequence) ORDER BY id DESC LIMIT 1
            """
        ).map { try HeldPurchase($0) }
    }

    /// The one that lapses next; nil when none does by then.
    static func next(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> HeldPurchase? {
        try session.first(
            "held_purchase",
            """
            SELECT \(raw: columns) FROM held_purchase
            WHERE lapses_at IS NOT NULL AND lapses_at <= \(horizon) ORDER BY lapses_at, id
            """, passingOver: aside
        ) { try HeldPurchase($0) }
    }

    /// Those of a customer that should have lapsed.
    static func due(
        ofCustomer customer: Int64, by horizon: Instant, passingOver aside: SetAside,
        in session: any Session
    ) throws -> [HeldPurchase] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM held_purchase
            WHERE customer = \(customer) AND lapses_at IS NOT NULL AND lapses_at <= \(horizon)
            ORDER BY lapses_at, id
            """
        ).compactMap { row in
            try aside.read("held_purchase", row.integer(0)) { try HeldPurchase(row) }
        }
    }

    /// Those of an environment, newest first.
    static func page(
        _ environment: StoreEnvironment, state: State?, reason: Reason?, customer: Int64?,
        before: Int64?, limit: Int, in session: any Session
    ) throws -> [HeldPurchase] {
        var query: SQL = """
            SELECT \(raw: columns) FROM held_purchase
            WHERE environment = \(environment) AND id < \(before ?? .max)
            """
        if let state { query += " AND state = \(state.rawValue)" }
        if let reason { query += " AND reason = \(reason.rawValue)" }
        if let customer { query += " AND customer = \(customer)" }
        return try session.rows(query + " ORDER BY id DESC LIMIT \(limit)")
            .map { try HeldPurchase($0) }
    }
}
