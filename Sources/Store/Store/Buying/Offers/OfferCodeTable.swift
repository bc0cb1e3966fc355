import Storage
public import SubscriptionRules

/// Codes of an offer that were made together (COD-1, COD-2).
public struct OfferCodeBatch: Sendable, Hashable {
    /// What kind of codes.
    public enum Kind: Sendable, Hashable {
        /// Each is good for one customer.
        case oneTime
        /// One text that many customers redeem.
        case custom(String)
    }

    public let id: Int64
    public let environment: StoreEnvironment
    let app: Int64
    /// Its place among those of the app, from 1.
    let ordinal: Int64
    public let productID: String
    public let offerID: String
    public let kind: Kind
    /// How many codes there are, or how many customers may redeem the custom one.
    public let count: Int
    public let made: Instant
    /// The first moment at which they are good no more; nil for never.
    public let expires: Instant?
    /// When the operator ended them.
    public internal(set) var ended: Instant?
    /// How many were redeemed.
    public let redeemed: Int

    /// Whether they can be redeemed at a moment.
    public func isOpen(at now: Instant) -> Bool {
        ended == nil && expires.map { now < $0 } ?? true
    }
}

extension OfferCodeBatch {
    private static let columns = """
        b.id, b.environment, b.app, b.ordinal, b.product_id, b.offer_id, b.code, b.codes, \
        b.made_at, b.expires_at, b.ended_at, b.redeemed
        """
    /// The same, and how many one-time codes were redeemed: these are counted when one asks, so
    /// that nobody waits for a counter who redeems one.
    private static let countedColumns = """
        b.id, b.environment, b.app, b.ordinal, b.product_id, b.offer_id, b.code, b.codes, \
        b.made_at, b.expires_at, b.ended_at, CASE WHEN b.code IS NULL \
        THEN (SELECT COUNT(*) FROM offer_redemption r WHERE r.batch = b.id) ELSE b.redeemed END
        """

    private init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "offer_code_batch", OfferCodeBatch.columns)
        id = try row.identifier(0)
        environment = try row.value(1)
        app = try row.identifier(2)
        ordinal = try row.identifier(3)
        productID = try row.text(4)
        offerID = try row.text(5)
        kind = try row.textOrNil(6).map(Kind.custom) ?? .oneTime
        count = try row.count(7)
        made = try row.instant(8)
        expires = try row.instantOrNil(9)
        ended = try row.instantOrNil(10)
        redeemed = try row.count(11)
    }

    func insert(in session: any Session) throws {
        var code: String?
        if case .custom(let text) = kind { code = text }
        try session.execute(
            """
            INSERT INTO offer_code_batch (id, environment, app, ordinal, product_id, offer_id, code,
                codes, made_at, expires_at)
            VALUES (\(id), \(environment), \(app), \(ordinal), \(productID), \(offerID), \(code),
                \(count), \(made), \(expires))
            """)
    }

    func end(at moment: Instant, in session: any Session) throws {
        try session.execute(
            "UPDATE offer_code_batch SET ended_at = \(moment) WHERE id = \(id)")
    }

    static func find(
        _ id: Int64, app: Int64, in environment: StoreEnvironment, _ session: any Session
    ) throws -> OfferCodeBatch? {
        try session.row(
            """
            SELECT \(raw: countedColumns) FROM offer_code_batch b
            WHERE b.id = \(id) AND b.app = \(app) AND b.environment = \(environment)
            """
        ).map { try OfferCodeBatch($0) }
    }

    static func find(
        ordinal: Int64, app: Int64, in environment: StoreEnvironment, _ session: any Session
    ) throws -> OfferCodeBatch? {
        try session.row(
            """
            SELECT \(raw: columns) FROM offer_code_batch b
            WHERE b.ordinal = \(ordinal) AND b.app = \(app) AND b.environment = \(environment)
            """
        ).map { try OfferCodeBatch($0) }
    }

    /// - Parameter code: in capital letters.
    static func find(
        custom code: String, app: Int64, in environment: StoreEnvironment, _ session: any Session
    ) throws -> OfferCodeBatch? {
        try session.row(
            """
            SELECT \(raw: columns) FROM offer_code_batch b
            WHERE b.app = \(app) AND b.environment = \(environment) AND b.code = \(code)
            """
        ).map { try OfferCodeBatch($0) }
    }

    /// From the newest down.
    ///
    /// - Parameter before: only those with lower numbers.
    static func page(
        app: Int64, in environment: StoreEnvironment, productID: String?, offerID: String?,
        before: Int64?, limit: Int, _ session: any Session
    ) throws -> [OfferCodeBatch] {
        var sql: SQL = """
            SELECT \(raw: countedColumns) FROM offer_code_batch b
            WHERE b.app = \(app) AND b.environment = \(environment)
            """
        if let productID { sql += " AND b.product_id = \(productID)" }
        if let offerID { sql += " AND b.offer_id = \(offerID)" }
        if let before { sql += " AND b.id < \(before)" }
        return try session.rows(sql + " ORDER BY b.id DESC LIMIT \(limit)")
            .map { try OfferCodeBatch($0) }
    }

    /// The place of the next batch, and how many codes were made from a moment on.
    static func standing(
        app: Int64, in environment: StoreEnvironment, since start: Instant, _ session: any Session
    ) throws -> (nextOrdinal: Int64, codes: Int64) {
        let row = try session.row(
            """
            SELECT COALESCE(MAX(ordinal), 0) + 1,
                CAST(COALESCE(SUM(CASE WHEN made_at >= \(start) THEN codes ELSE 0 END), 0)
                    AS \(raw: session.dialect.integer))
            FROM offer_code_batch WHERE app = \(app) AND environment = \(environment)
            """)
        return (try row?.integer(0) ?? 1, try row?.integer(1) ?? 0)
    }
}

extension OfferCodeBatch {
    /// Who redeemed its codes, in the order of accounts.
    ///
    /// - Parameter after: only accounts that come after this one.
    func redemptions(
        after account: String?, limit: Int, _ session: any Session
    ) throws -> [(place: Int64?, account: String, moment: Instant, transactionID: Int64?)] {
        let columns = "r.place, c.account, r.redeemed_at, t.id"
        var sql: SQL = """
            SELECT \(raw: columns) FROM offer_redemption r
                JOIN customer c ON c.id = r.customer
                LEFT JOIN store_transaction t ON t.id = r.bill
            WHERE r.batch = \(id)
            """
        if let account { sql += " AND c.account > \(account)" }
        return try session.rows(sql + " ORDER BY c.account LIMIT \(limit)").map { row in
            let row = StoredRow(row, of: "offer_redemption", columns)
            return (
                try row.countOrNil(0).map(Int64.init), try row.text(1), try row.instant(2),
                try row.identifierOrNil(3)
            )
        }
    }
}

/// That a customer redeemed a code.
struct OfferRedemption {
    let batch: OfferCodeBatch
    /// Which of the batch's one-time codes it was; nil for a custom one.
    let place: Int64?
    let customer: Int64

    /// Whether somebody has redeemed this very code.
    func isTaken(in session: any Session) throws -> Bool {
        guard let place else { return false }
        return try session.exists(
            "SELECT 1 FROM offer_redemption WHERE batch = \(batch.id) AND place = \(place)")
    }

    /// Whether the customer has redeemed a code of this offer before.
    func isRepeated(in session: any Session) throws -> Bool {
        try session.exists(
            """
            SELECT 1 FROM offer_redemption
            WHERE customer = \(customer) AND app = \(batch.app)
                AND product_id = \(batch.productID) AND offer_id = \(batch.offerID)
            """)
    }

    /// What was to be paid when the customer redeemed this very code; nil where that did not
    /// happen, or comes with the renewal.
    func bill(in session: any Session) throws -> Int64? {
        var sql: SQL = """
            SELECT bill FROM offer_redemption WHERE batch = \(batch.id) AND customer = \(customer)
            """
        if let place { sql += " AND place = \(place)" }
        return try session.row(sql)?.integerOrNil(0)
    }

    /// Keeps it, unless somebody else was first.
    ///
    /// - Parameter bill: what is to be paid for it; nil where that comes with the renewal.
    /// - Returns: whether it was kept.
    func insert(bill: Int64?, at moment: Instant, in session: any Session) throws -> Bool {
        if place == nil {
            let isLeft = try session.execute(
                """
                UPDATE offer_code_batch SET redeemed = redeemed + 1
                WHERE id = \(batch.id) AND redeemed < codes
                """)
            guard isLeft == 1 else { return false }
        }
        return try session.execute(
            """
            INSERT INTO offer_redemption (customer, app, product_id, offer_id, batch, place, bill,
                redeemed_at)
            VALUES (\(customer), \(batch.app), \(batch.productID), \(batch.offerID), \(batch.id),
                \(place), \(bill), \(moment))
            ON CONFLICT DO NOTHING
            """) == 1
    }

    /// What was not paid was not redeemed: the code is good again.
    static func release(bill: Int64, of customer: Int64, in session: any Session) throws {
        try session.execute(
            """
            UPDATE offer_code_batch SET redeemed = redeemed - 1
            WHERE code IS NOT NULL AND id IN (
                SELECT batch FROM offer_redemption
                WHERE customer = \(customer) AND bill = \(bill))
            """)
        try session.execute(
            "DELETE FROM offer_redemption WHERE customer = \(customer) AND bill = \(bill)")
    }
}
