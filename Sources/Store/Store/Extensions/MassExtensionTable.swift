import AppStoreWire
import DueWork
import Journal
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
    /// Whether an order repeated its identifier, so that nothing new began.
    public internal(set) var isRepeated = false

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

    static let columns = """
        id, app, environment, request_identifier, product_id, storefronts, days, reason, \
        created_at, failing, reached, candidates, succeeded, failed, completed_at
        """

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "mass_extension", MassExtension.columns)
        guard
            let request = try? ExtensionRequest(
                days: try row.count(6), reasonCode: try row.count(7))
        else { throw row.contradiction("its days or its reason are impossible") }
        self.init(
            id: try row.identifier(0), app: try row.identifier(1), environment: try row.value(2),
            requestIdentifier: try row.text(3), productID: try row.text(4),
            storefronts: try row.parsedOrNil(5, MassExtension.storefronts), request: request,
            created: try row.instant(8), failing: try row.count(9))
        reached = try row.integer(10, in: 0...Stored.largestNumber)
        candidates = try row.integer(11, in: 0...Stored.largestNumber)
        succeeded = try row.integer(12, in: 0...Stored.largestNumber)
        failed = try row.integer(13, in: 0...Stored.largestNumber)
        completed = try row.instantOrNil(14)
    }

    /// The storefronts of a stored list; nil if one of them is none.
    private static func storefronts(_ text: String) -> [Storefront]? {
        let codes = text.split(separator: " ")
        let storefronts = codes.compactMap { Storefront(code: String($0)) }
        return storefronts.count == codes.count ? storefronts : nil
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
        ).map { try MassExtension($0) }
    }

    static func find(
        _ id: Int64, _ environment: StoreEnvironment, in session: any Session
    ) throws -> MassExtension? {
        try session.row(
            """
            SELECT \(raw: columns) FROM mass_extension
            WHERE id = \(id) AND environment = \(environment)
            """
        ).map { try MassExtension($0) }
    }

    static func exists(
        _ id: Int64, _ environment: StoreEnvironment, in session: any Session
    ) throws -> Bool {
        try session.exists(
            "SELECT 1 FROM mass_extension WHERE id = \(id) AND environment = \(environment)")
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
        ).map { try MassExtension($0) }
    }

    /// The one that is carried out next; nil when none waits.
    static func next(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> MassExtension? {
        try session.first(
            "mass_extension",
            """
            SELECT \(raw: columns) FROM mass_extension
            WHERE completed_at IS NULL AND created_at <= \(horizon) ORDER BY created_at, id
            """, passingOver: aside
        ) { try MassExtension($0) }
    }

    /// Those that are under way and may still have something to bring to a customer.
    static func ahead(
        ofCustomer customer: Int64, by horizon: Instant, passingOver aside: SetAside,
        in session: any Session
    ) throws -> [MassExtension] {
        let isNotAhead = CustomerAhead.isNot("\(customer)", of: ("m.id", "m.created_at"))
        return try session.rows(
            """
            SELECT \(raw: columns) FROM mass_extension m
            WHERE completed_at IS NULL AND created_at <= \(horizon) AND \(isNotAhead)
            ORDER BY created_at, id
            """
        ).compactMap { row in
            try aside.read("mass_extension", row.integer(0)) { try MassExtension(row) }
        }
    }

    // MARK: Its subscriptions

    /// Every subscription of the product that is not over, active or not: each gets a result.
    private static func selection(
        of productID: String, _ storefronts: [Storefront]?, app: Int64,
        _ environment: StoreEnvironment
    ) -> SQL {
        var sql: SQL = """
            s.app = \(app) AND s.product_id = \(productID) AND s.environment = \(environment)
                AND s.state <> 'expired' AND s.state <> 'revoked'
            """
        if let storefronts { sql += " AND s.storefront IN (\(list: storefronts.map(\.code)))" }
        return sql
    }

    /// Those of its selection that it was not brought to.
    private var ahead: SQL {
        MassExtension.selection(of: productID, storefronts, app: app, environment)
            + " AND s.id > \(reached)"
    }

    /// How many subscriptions there are to look at.
    static func candidates(
        of productID: String, _ storefronts: [Storefront]?, app: Int64,
        _ environment: StoreEnvironment, in session: any Session
    ) throws -> Int64 {
        let selection = selection(of: productID, storefronts, app: app, environment)
        return try session.row("SELECT COUNT(*) FROM subscription s WHERE " + selection)?
            .integer(0) ?? 0
    }

    func next(
        _ limit: Int, passingOver aside: SetAside, in session: any Session
    ) throws -> JobPiece {
        let isNotAhead = CustomerAhead.isNot("s.customer", of: ("\(id)", "\(created)"))
        return try JobPiece.next(
            limit,
            of: """
                SELECT s.id FROM subscription s WHERE \(ahead) AND \(isNotAhead)
                ORDER BY s.id LIMIT \(limit)
                """, passingOver: aside, in: session)
    }

    /// Those of one customer that it was not brought to.
    func next(
        ofCustomer customer: Int64, passingOver aside: SetAside, in session: any Session
    ) throws -> JobPiece {
        try JobPiece.all(
            ofCustomer: customer, in: ahead, passingOver: aside, in: session)
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
    static func summary(_ text: String) throws(StorageError) -> Summary {
        let json = try StoredJSON(text)
        let storefronts = json.strings("storefrontCountryCodes")
        return Summary(
            requestIdentifier: try json.string("requestIdentifier"),
            environment: Environment(rawValue: try json.string("environment")),
            appAppleId: json.integerOrNil("appAppleId"), bundleId: try json.string("bundleId"),
            productId: try json.string("productId"),
            storefrontCountryCodes: storefronts.isEmpty ? nil : storefronts,
            succeededCount: try json.integer("succeededCount"),
            failedCount: try json.integer("failedCount"))
    }

    /// What the journal says of it.
    var detail: JournalDetail {
        var detail = JournalDetail()
        detail.productID = productID
        detail.note = requestIdentifier
        detail.massExtension = JournalDetail.MassExtension(
            days: Int64(request.days), candidates: candidates, succeeded: succeeded,
            failed: failed)
        return detail
    }
}
