import AppStoreWire
import Storage
public import SubscriptionRules

/// An extension for all subscribers of a product, and how far it has come.
public struct MassExtension: Sendable, Hashable {
    public let id: Int64
    let app: Int64
    public let environment: StoreEnvironment
    /// The UUID that the developer gave it.
    public let requestIdentifier: String
    public let productID: String
    /// Only these storefronts; nil for all.
    public let storefronts: [Storefront]?
    public let request: ExtensionRequest
    public let created: Instant
    /// Of a hundred subscriptions, how many fail on purpose.
    let failing: Int
    /// The last subscription that was looked at.
    var reached: Int64 = 0
    /// How many subscriptions there were to look at when it was ordered.
    public internal(set) var candidates: Int64 = 0
    /// How many were extended so far.
    public internal(set) var succeeded: Int64 = 0
    /// How many could not be extended so far.
    public internal(set) var failed: Int64 = 0
    /// When the last one was looked at; nil while it runs.
    public internal(set) var completed: Instant?

    /// How many subscriptions one transaction looks at.
    static let batchSize = 1000

    init(
        id: Int64, app: Int64, environment: StoreEnvironment, requestIdentifier: String,
        productID: String, storefronts: [Storefront]?, request: ExtensionRequest,
        created: Instant, failing: Int
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.requestIdentifier = requestIdentifier
        self.productID = productID
        self.storefronts = storefronts
        self.request = request
        self.created = created
        self.failing = failing
    }

    /// Whether a subscription is one of those that fail on purpose: a fixed share of them all.
    func fails(_ subscription: Int64) -> Bool {
        failing > 0 && Int(StoreEnvironment.number(inTransactionID: subscription) % 100) < failing
    }

    // MARK: Rows

    private static let columns = """
        id, app, environment, request_identifier, product_id, storefronts, days, reason, \
        created_at, failing, reached, candidates, succeeded, failed, completed_at
        """

    private init(_ row: Row) {
        guard
            let request = try? ExtensionRequest(days: row.int(6), reasonCode: row.int(7))
        else { preconditionFailure("a stored extension is impossible") }
        self.init(
            id: row.integer(0), app: row.integer(1),
            environment: StoreEnvironment(rawValue: row.integer(2))!,
            requestIdentifier: row.text(3), productID: row.text(4),
            storefronts: row.textOrNil(5).map {
                $0.split(separator: " ").map { Storefront(code: String($0))! }
            }, request: request, created: row.instant(8), failing: row.int(9))
        reached = row.integer(10)
        candidates = row.integer(11)
        succeeded = row.integer(12)
        failed = row.integer(13)
        completed = row.instantOrNil(14)
    }

    func insert(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO mass_extension (\(raw: MassExtension.columns))
            VALUES (\(id), \(app), \(environment), \(requestIdentifier), \(productID),
                \(storefronts.map { $0.map(\.code).joined(separator: " ") }), \(request.days),
                \(request.reason.rawValue), \(created), \(failing), \(reached), \(candidates),
                \(succeeded), \(failed), \(completed))
            """)
    }

    func saveProgress(in session: any Session) throws {
        try session.execute(
            """
            UPDATE mass_extension SET reached = \(reached), succeeded = \(succeeded),
                failed = \(failed), completed_at = \(completed)
            WHERE id = \(id)
            """)
    }

    static func find(
        _ requestIdentifier: String, app: Int64, _ environment: StoreEnvironment,
        in session: any Session
    ) throws -> MassExtension? {
        try session.row(
            """
            SELECT \(raw: columns) FROM mass_extension
            WHERE app = \(app) AND environment = \(environment)
                AND request_identifier = \(requestIdentifier)
            """
        ).map(MassExtension.init)
    }

    /// The extensions of an environment, newest first.
    static func all(
        _ environment: StoreEnvironment, before: Int64?, limit: Int, in session: any Session
    ) throws -> [MassExtension] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM mass_extension
            WHERE environment = \(environment) AND id < \(before ?? .max)
            ORDER BY id DESC LIMIT \(limit)
            """
        ).map(MassExtension.init)
    }

    /// The one that is carried out next, locked; nil when none waits.
    static func next(
        by horizon: Instant, in session: any Session
    ) throws -> MassExtension? {
        try session.row(
            """
            SELECT \(raw: columns) FROM mass_extension
            WHERE completed_at IS NULL AND created_at <= \(horizon)
            ORDER BY created_at, id LIMIT 1\(raw: session.dialect.lockRow)
            """
        ).map(MassExtension.init)
    }

    // MARK: Its subscriptions

    /// Every subscription of the product that is not over, active or not: each gets a result.
    private var selection: SQL {
        var sql: SQL = """
            s.app = \(app) AND s.environment = \(environment) AND s.product_id = \(productID)
                AND s.next_change IS NOT NULL AND s.first_purchased_at <= \(created)
                AND (s.renewal_count > 0 OR s.term_purchased_at <= \(created))
            """
        if let storefronts { sql += " AND s.storefront IN (\(list: storefronts.map(\.code)))" }
        return sql
    }

    func count(in session: any Session) throws -> Int64 {
        try session.row("SELECT COUNT(*) FROM subscription s WHERE " + selection)?.integer(0) ?? 0
    }

    func next(
        _ limit: Int, in session: any Session
    ) throws -> [(SubscriptionRecord, Customer)] {
        let lock = session.dialect == .postgres ? " FOR UPDATE OF s, c" : ""
        let query: SQL = """
            SELECT \(raw: SubscriptionRecord.columns), \(raw: Customer.columns)
            FROM subscription s JOIN customer c ON c.id = s.customer
            WHERE s.id > \(reached) AND
            """
        return try session.rows(
            query + " " + selection + " ORDER BY s.id LIMIT \(limit)\(raw: lock)"
        ).map {
            (SubscriptionRecord($0), Customer($0, first: SubscriptionRecord.columnCount))
        }
    }

    // MARK: Texts

    func summary(of app: App) -> Summary {
        Summary(
            requestIdentifier: requestIdentifier, environment: environment.wire,
            appAppleId: environment == .production ? app.appleID : nil, bundleId: app.bundleID,
            productId: productID, storefrontCountryCodes: storefronts?.map(\.code),
            succeededCount: succeeded, failedCount: failed)
    }

    /// The summary that a notification kept.
    static func summary(_ text: String) -> Summary {
        let json = StoredJSON(text)
        let storefronts = json.strings("storefrontCountryCodes")
        return Summary(
            requestIdentifier: json.string("requestIdentifier"),
            environment: Environment(rawValue: json.string("environment")),
            appAppleId: json.integer("appAppleId"), bundleId: json.string("bundleId"),
            productId: json.string("productId"),
            storefrontCountryCodes: storefronts.isEmpty ? nil : storefronts,
            succeededCount: json.integer("succeededCount")!,
            failedCount: json.integer("failedCount")!)
    }

    var journalText: String {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("product", productID)
            json.field("note", requestIdentifier)
            json.field("days", request.days)
            json.field("candidates", candidates)
            json.field("succeeded", succeeded)
            json.field("failed", failed)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
