import Journal
import Storage
import SubscriptionRules

/// A subscription as the store keeps it: the rules' value and what it belongs to.
struct SubscriptionRecord {
    let app: Int64
    let environment: StoreEnvironment
    let customer: Int64
    var storefront: Storefront
    /// The token for the next transactions.
    var appAccountToken: String?
    let firstPurchased: Instant
    var subscription: Subscription
}

extension SubscriptionRecord {
    private static let fixed = [
        "id", "app", "environment", "customer", "group_id", "first_purchased_at",
    ]
    private static let readColumns = fixed + changing.map(\.name)

    static let columns = readColumns.map { "s.\($0)" }.joined(separator: ", ")
    static let columnCount = readColumns.count
    static let columnNames = Set(readColumns)

    /// Its own identifier where a customer may have several in the group: of a merchant's own
    /// plans (ACM-2). Nil for all others, of which there is one in a group (GRP-2).
    var separateID: Int64? { subscription.plan.merchant == nil ? nil : subscription.id }

    /// Every column with its value: what the first event of a subscription did.
    var allColumns: ColumnChanges {
        ColumnChanges(zip(SubscriptionRecord.readColumns, values))
    }

    /// A whole row, in the order in which it is inserted.
    var values: [SQLValue] { fixedValues + SubscriptionRecord.changing.map { $0.value(self) } }

    private var fixedValues: [SQLValue] {
        [
            subscription.id.sqlValue, app.sqlValue, environment.sqlValue, customer.sqlValue,
            subscription.groupID.sqlValue, firstPurchased.sqlValue,
        ]
    }

    /// Reads what the journal says that its columns became; those that it does not name are empty.
    init(folded columns: [String: SQLValue]) throws(StorageError) {
        try self.init(Row(SubscriptionRecord.readColumns.map { columns[$0] ?? .null }))
    }

    /// Reads the columns of `columns`, which start at `first`.
    init(_ row: Row, first: Int = 0) throws(StorageError) {
        let row = StoredRow(row, of: "subscription", SubscriptionRecord.columns, first: first)
        app = try row.identifier(1)
        environment = try row.value(2)
        customer = try row.identifier(3)
        firstPurchased = try row.instant(5)
        storefront = try row.parsed(6, Storefront.init(code:))
        appAccountToken = try row.textOrNil(7)
        var plan = try row.decoded(8, PlanText.plan)
        if plan.lines.count == 1, let offer = try row.decodedOrNil(16, PlanText.offer) {
            plan.lines[0].offer = offer
        }
        var extensions: [Instant] = []
        for column in 37...38 {
            if let moment = try row.instantOrNil(column) { extensions.append(moment) }
        }
        let lines = try LineColumns(row, of: plan)
        subscription = Subscription(
            id: try row.identifier(0), groupID: try row.text(4), plan: plan,
            nextPlan: try row.decodedOrNil(9, PlanText.plan),
            newestPeriod: try BillingPeriod(row, lines),
            cycle: try BillingCycle(row),
            state: try Subscription.State(row),
            renewsAutomatically: try row.bool(30), renewalCount: try row.count(31),
            serviceStart: try row.instant(32),
            offersUsed: try row.decodedOrNil(42, OfferUseText.uses) ?? [],
            increases: lines.increases, lastIncreases: lines.lastIncreases,
            paidPeriods: try row.count(36),
            extensions: extensions,
            paidService: PaidServiceClock(
                counted: try row.span(39), lastEnd: try row.instantOrNil(40)),
            conversion: try row.decodedOrNil(46, ConversionText.conversion),
            outstanding: try row.decodedOrNil(41, BillText.outstanding))
        guard try row.text(44) == subscription.plan.productID,
            try row.instantOrNil(45) == subscription.nextChange
        else { throw row.contradiction("its product or its next change is not its own") }
        guard subscription.newestPeriod.instalment == nil || plan.billing == .monthly else {
            throw row.contradiction("it is a month of a commitment, and its plan has none")
        }
        guard try row.bool(33) == subscription.hasUsedIntroductoryOffer else {
            throw row.contradiction("its offers are not those that it has used")
        }
    }

    /// Writes what became of subscriptions. Most of a batch changed in the same columns and share
    /// a statement.
    ///
    /// - Parameter change: the number of what changed one, by which others know that it did.
    static func update(
        _ changed: [(id: Int64, changes: SubscriptionChanges)], in session: any Session,
        by change: (Int64) -> Int64
    ) throws {
        let groups = Dictionary(grouping: changed) { $0.changes.mask }
        for (mask, changed) in groups.sorted(by: { $0.key < $1.key }) where mask != 0 {
            let names = changed[0].changes.places.map { changing[$0].name } + ["modification"]
            let assignments = names.enumerated().map { "\($1) = $\($0 + 1)" }
            let count = try session.executeMany(
                "UPDATE subscription SET \(assignments.joined(separator: ", ")) "
                    + "WHERE id = $\(names.count + 1)",
                changed.map { id, changes in
                    var values = changes.values
                    values.append(change(id).sqlValue)
                    values.append(id.sqlValue)
                    return values
                })
            guard count == changed.count else {
                throw StorageError(.corrupt, "a subscription to be updated is missing")
            }
        }
    }

    private static let insertText: String = {
        let all = fixed + changing.map(\.name) + ["modification"]
        let places = all.indices.map { "$\($0 + 1)" }
        return "INSERT INTO subscription (\(all.joined(separator: ", "))) "
            + "VALUES (\(places.joined(separator: ", ")))"
    }()

    /// Inserts rows made of `values`.
    ///
    /// - Parameter change: the number of what made them.
    static func insert(
        _ rows: [[SQLValue]], by change: Int64, in session: any Session
    ) throws {
        guard !rows.isEmpty else { return }
        try session.executeMany(insertText, rows.map { $0 + [change.sqlValue] })
    }

    /// The subscription with an identifier.
    static func find(_ id: Int64, in session: any Session) throws -> SubscriptionRecord? {
        try session.row(
            """
            SELECT \(raw: columns) FROM subscription s
            WHERE s.id = \(id)
            """
        ).map { try SubscriptionRecord($0) }
    }

    /// The subscription of a customer to which something happens by itself first, if that is due.
    static func nextDue(
        ofCustomer customer: Int64, by horizon: Instant, in session: any Session
    ) throws -> Int64? {
        try session.row(
            """
            SELECT id FROM subscription
            WHERE customer = \(customer) AND next_change IS NOT NULL
                AND next_change <= \(horizon)
            ORDER BY next_change, id LIMIT 1
            """
        )?.integer(0)
    }

    static func exists(_ id: Int64, in session: any Session) throws -> Bool {
        try session.exists("SELECT 1 FROM subscription WHERE id = \(id)")
    }

    /// Whether it is of a merchant's own plans.
    static func isMerchants(_ id: Int64, in session: any Session) throws -> Bool {
        try session.exists(
            "SELECT 1 FROM subscription WHERE id = \(id) AND separate_id IS NOT NULL")
    }

    /// The subscriptions of a customer in an app, oldest first.
    static func all(
        ofCustomer customer: Int64, app: Int64, in session: any Session
    ) throws -> [SubscriptionRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM subscription s
            WHERE s.customer = \(customer) AND s.app = \(app) ORDER BY s.id
            """
        ).map { try SubscriptionRecord($0) }
    }
}

extension BillingPeriod {
    /// Reads the columns of a subscription's row.
    fileprivate init(_ row: StoredRow, _ lines: LineColumns) throws(StorageError) {
        self.init(
            transactionID: try row.identifier(10), purchased: try row.instant(11),
            start: try row.instant(12), end: try row.instant(13),
            charges: lines.charges,
            extended: try row.span(14),
            commission: try row.value(17), instalment: try row.countOrNil(47),
            refund: try row.instantOrNil(28).map { moment throws(StorageError) in
                Refund(moment: moment, isFull: try row.bool(29))
            })
        carried = lines.carried
        ended = lines.ended
        guard start <= end else { throw row.contradiction("its period ends before it begins") }
    }
}

extension BillingCycle {
    /// Reads the columns of a subscription's row.
    fileprivate init(_ row: StoredRow) throws(StorageError) {
        let elapsed = try row.integer(20, in: 0...Instant.storable.upperBound)
        guard
            let cycle = BillingCycle(
                stored: try row.instant(18), unit: try row.value(19), elapsed: elapsed)
        else { throw row.impossible(20, "\(elapsed)") }
        self = cycle
    }

    /// A cycle as it was stored; nil when it stands where nothing stored can be.
    init?(stored anchor: Instant, unit: Unit, elapsed: Int64) {
        let length =
            switch unit {
            case .months: Span.days(31)
            case .days: Span.days(1)
            case .milliseconds: Span(milliseconds: 1)
            }
        let most = Instant.storable.upperBound / length.milliseconds
        guard (0...most).contains(elapsed) else { return nil }
        self.init(anchor: anchor, unit: unit, elapsed: elapsed)
    }
}

extension Subscription.State {
    /// Reads the columns of a subscription's row.
    fileprivate init(_ row: StoredRow) throws(StorageError) {
        switch try row.text(21) {
        case "active":
            self = .active
        case "awaitingPayment":
            self = .awaitingPayment(until: try row.instant(25))
        case "grace":
            self = .grace(try Subscription.Retry(row), until: try row.instant(25))
        case "retrying":
            self = .retrying(try Subscription.Retry(row), graceEnded: try row.instantOrNil(25))
        case "expired":
            self = .expired(try row.value(27), at: try row.instant(26))
        case "revoked":
            guard try row.instantOrNil(28) != nil else {
                throw row.contradiction("it is revoked and was not refunded")
            }
            self = .revoked
        default:
            throw row.impossible(21, "a text")
        }
    }
}

extension Subscription.Retry {
    /// Reads the columns of a subscription's row.
    fileprivate init(_ row: StoredRow) throws(StorageError) {
        self.init(
            since: try row.instant(22), nextAttempt: try row.instant(23),
            givesUpAt: try row.instant(24))
    }
}
