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

    /// The columns that changed since the row was read or written, a bit for each of
    /// `changing`.
    private(set) var touched: UInt64 = 0
}

/// What an event did to a subscription's row: the names of the columns and their new values.
struct SubscriptionChanges {
    fileprivate(set) var mask: UInt64 = 0
    fileprivate(set) var values: [(column: String, value: SQLValue)] = []
}

extension SubscriptionRecord {
    /// A column that an event may change.
    private struct Column: Sendable {
        let name: String
        let value: @Sendable (SubscriptionRecord) -> SQLValue
        let differs: @Sendable (SubscriptionRecord, SubscriptionRecord) -> Bool
    }

    private static func column<Value: Equatable & Sendable>(
        _ name: String, _ get: @escaping @Sendable (SubscriptionRecord) -> Value,
        as encode: @escaping @Sendable (Value) -> SQLValue
    ) -> Column {
        Column(name: name, value: { encode(get($0)) }, differs: { get($0) != get($1) })
    }

    private static func column<Value: Equatable & SQLConvertible>(
        _ name: String, _ get: @escaping @Sendable (SubscriptionRecord) -> Value
    ) -> Column {
        Column(name: name, value: { get($0).sqlValue }, differs: { get($0) != get($1) })
    }

    /// A column of the state, which most events leave as it is.
    private static func ofState<Value: Equatable & SQLConvertible>(
        _ name: String, _ get: @escaping @Sendable (StateColumns) -> Value
    ) -> Column {
        Column(
            name: name, value: { get(StateColumns($0.subscription.state)).sqlValue },
            differs: { old, new in
                let (old, new) = (old.subscription.state, new.subscription.state)
                return old != new && get(StateColumns(old)) != get(StateColumns(new))
            })
    }

    /// Everything that can change, in the order in which it is read.
    private static let changing: [Column] = [
        column("storefront", { $0.storefront }, as: { $0.code.sqlValue }),
        column("app_account_token") { $0.appAccountToken },
        column(
            "plan", { $0.subscription.plan },
            as: { PlanText.text($0, offers: $0.lines.count > 1).sqlValue }),
        column(
            "next_plan", { $0.subscription.nextPlan },
            as: { $0.map { PlanText.text($0) }.sqlValue }),
        column("term_transaction") { $0.subscription.newestPeriod.transactionID },
        column("term_purchased_at") { $0.subscription.newestPeriod.purchased },
        column("term_start") { $0.subscription.newestPeriod.start },
        column("term_end") { $0.subscription.newestPeriod.end },
        column("term_extended") { $0.subscription.newestPeriod.extended.milliseconds },
        column("term_price") { $0.subscription.newestPeriod.price },
        column(
            "term_offer", { $0.subscription.plan.onlyOffer },
            as: { $0.map(PlanText.text).sqlValue }),
        column("term_commission") { $0.subscription.newestPeriod.commission.rawValue },
        column("cycle_anchor") { $0.subscription.cycle.anchor },
        column("cycle_unit") { $0.subscription.cycle.unit.rawValue },
        column("cycle_elapsed") { $0.subscription.cycle.elapsed },
        ofState("state") { $0.name },
        ofState("retry_since") { $0.retry?.since },
        ofState("retry_next") { $0.retry?.nextAttempt },
        ofState("retry_gives_up_at") { $0.retry?.givesUpAt },
        ofState("grace_until") { $0.graceUntil },
        ofState("expired_at") { $0.expiredAt },
        ofState("expired_reason") { $0.expiredReason },
        column("revoked_at") { $0.subscription.newestPeriod.refund?.moment },
        column("revoked_fully") { $0.subscription.newestPeriod.refund?.isFull },
        column("renews") { $0.subscription.renewsAutomatically },
        column("renewal_count") { $0.subscription.renewalCount },
        column("service_start") { $0.subscription.serviceStart },
        column("used_introductory") { $0.subscription.hasUsedIntroductoryOffer },
        Column(
            name: "increase", value: { IncreaseText.text($0.subscription).sqlValue },
            differs: { $0.subscription.increases != $1.subscription.increases }),
        column("last_increase") { $0.subscription.onlyLastIncrease },
        column("paid_periods") { $0.subscription.paidPeriods },
        column("first_extension") { $0.subscription.extensions.first },
        column("second_extension") { $0.subscription.extensions.dropFirst().first },
        column("served") { $0.subscription.paidService.counted.milliseconds },
        column("served_until") { $0.subscription.paidService.lastEnd },
        column(
            "outstanding", { $0.subscription.outstanding }, as: { $0.map(BillText.text).sqlValue }),
        column(
            "offers_used", { $0.subscription.offersUsed }, as: { OfferUseText.text($0).sqlValue }),
        column("lines") { LineText.text($0.subscription) },
        // The next two follow from others: where they do not, the row is damaged.
        column("product_id") { $0.subscription.plan.productID },
        column("next_change") { $0.subscription.nextChange },
    ]

    private static let fixed = [
        "id", "app", "environment", "customer", "group_id", "first_purchased_at",
    ]
    private static let readColumns = fixed + changing.map(\.name)

    static let columns = readColumns.map { "s.\($0)" }.joined(separator: ", ")
    static let columnCount = readColumns.count
    static let columnNames = Set(readColumns)

    /// What differs from an earlier version of the record.
    func changes(since old: SubscriptionRecord) -> SubscriptionChanges {
        var changes = SubscriptionChanges()
        for (place, column) in SubscriptionRecord.changing.enumerated()
        where column.differs(old, self) {
            changes.mask |= 1 << UInt64(place)
            changes.values.append((column.name, column.value(self)))
        }
        return changes
    }

    /// Every column with its value: what the first event of a subscription did.
    var allValues: SubscriptionChanges {
        var changes = SubscriptionChanges()
        changes.values =
            zip(SubscriptionRecord.fixed, fixedValues).map { ($0, $1) }
            + SubscriptionRecord.changing.map { ($0.name, $0.value(self)) }
        return changes
    }

    mutating func touch(_ changes: SubscriptionChanges) { touched |= changes.mask }

    private var fixedValues: [SQLValue] {
        [
            subscription.id.sqlValue, app.sqlValue, environment.sqlValue, customer.sqlValue,
            subscription.groupID.sqlValue, firstPurchased.sqlValue,
        ]
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
        let extensions = [try row.instantOrNil(37), try row.instantOrNil(38)]
        var plan = try row.decoded(8, PlanText.plan)
        if plan.lines.count == 1 {
            plan.lines[0].offer = try row.decodedOrNil(16, PlanText.offer)
        }
        let lines = try LineColumns(row, of: plan)
        subscription = Subscription(
            id: try row.identifier(0), groupID: try row.text(4), plan: plan,
            nextPlan: try row.decodedOrNil(9, PlanText.plan),
            newestPeriod: try BillingPeriod(row, charges: lines.charges),
            cycle: try BillingCycle(row),
            state: try Subscription.State(row),
            renewsAutomatically: try row.bool(30), renewalCount: try row.count(31),
            serviceStart: try row.instant(32),
            offersUsed: try row.decodedOrNil(42, OfferUseText.uses) ?? [],
            increases: lines.increases, lastIncreases: lines.lastIncreases,
            paidPeriods: try row.count(36),
            extensions: extensions.compactMap { $0 },
            paidService: PaidServiceClock(
                counted: try row.span(39), lastEnd: try row.instantOrNil(40)),
            outstanding: try row.decodedOrNil(41, BillText.outstanding))
        guard try row.text(44) == subscription.plan.productID,
            try row.instantOrNil(45) == subscription.nextChange
        else { throw row.contradiction("its product or its next change is not its own") }
        guard try row.bool(33) == subscription.hasUsedIntroductoryOffer else {
            throw row.contradiction("its offers are not those that it has used")
        }
    }

    /// Writes the columns that were touched. Most records of a batch were touched in the same ones
    /// and share a statement.
    static func update(_ records: [SubscriptionRecord], in session: any Session) throws {
        let groups = Dictionary(grouping: records.indices) { records[$0].touched }
        for (mask, places) in groups.sorted(by: { $0.key < $1.key }) where mask != 0 {
            let columns = changing.indices.filter { mask & 1 << UInt64($0) != 0 }
                .map { changing[$0] }
            let assignments = columns.enumerated().map { "\($1.name) = $\($0 + 1)" }
            let changed = try session.executeMany(
                "UPDATE subscription SET \(assignments.joined(separator: ", ")) "
                    + "WHERE id = $\(columns.count + 1)",
                places.map { place in
                    columns.map { $0.value(records[place]) }
                        + [records[place].subscription.id.sqlValue]
                })
            guard changed == places.count else {
                throw StorageError(.corrupt, "a subscription to be updated is missing")
            }
        }
    }

    private static let insertText: String = {
        let all = fixed + changing.map(\.name)
        let places = all.indices.map { "$\($0 + 1)" }
        return "INSERT INTO subscription (\(all.joined(separator: ", "))) "
            + "VALUES (\(places.joined(separator: ", ")))"
    }()

    static func insert(_ records: [SubscriptionRecord], in session: any Session) throws {
        guard !records.isEmpty else { return }
        try session.executeMany(
            insertText,
            records.map { record in
                record.fixedValues + changing.map { $0.value(record) }
            })
    }

    /// The subscription with an identifier, locked for a change.
    static func find(_ id: Int64, in session: any Session) throws -> SubscriptionRecord? {
        try session.row(
            """
            SELECT \(raw: columns) FROM subscription s
            WHERE s.id = \(id)\(raw: session.dialect.lockRow)
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

    /// The subscription with an identifier, to look at.
    static func read(_ id: Int64, in session: any Session) throws -> SubscriptionRecord? {
        try session.row(
            "SELECT \(raw: columns) FROM subscription s WHERE s.id = \(id)"
        ).map { try SubscriptionRecord($0) }
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
    fileprivate init(_ row: StoredRow, charges: [Int64]) throws(StorageError) {
        self.init(
            transactionID: try row.identifier(10), purchased: try row.instant(11),
            start: try row.instant(12), end: try row.instant(13), charges: charges,
            extended: try row.span(14),
            commission: try row.value(17),
            refund: try row.instantOrNil(28).map { moment throws(StorageError) in
                Refund(moment: moment, isFull: try row.bool(29))
            })
        guard start <= end else { throw row.contradiction("its period ends before it begins") }
    }
}

extension Subscription {
    /// The last increase of a plan of one line.
    fileprivate var onlyLastIncrease: Instant? {
        plan.lines.count == 1 ? lastIncreases[plan.lines[0].sku] : nil
    }
}

extension BillingCycle {
    /// Reads the columns of a subscription's row.
    fileprivate init(_ row: StoredRow) throws(StorageError) {
        let elapsed = try row.integer(20, in: 0...Stored.moments.upperBound)
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
        let most = Stored.moments.upperBound / length.milliseconds
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

/// A state spread over its columns.
private struct StateColumns {
    var name: String
    var retry: Subscription.Retry?
    var graceUntil: Instant?
    var expiredAt: Instant?
    var expiredReason: Int?

    init(_ state: Subscription.State) {
        switch state {
        case .new:
            preconditionFailure("what nothing was paid for is no subscription to be stored")
        case .active:
            name = "active"
        case .awaitingPayment(let until):
            name = "awaitingPayment"
            graceUntil = until
        case .grace(let retry, let until):
            name = "grace"
            self.retry = retry
            graceUntil = until
        case .retrying(let retry, let graceEnded):
            name = "retrying"
            self.retry = retry
            graceUntil = graceEnded
        case .expired(let reason, let at):
            name = "expired"
            expiredAt = at
            expiredReason = reason.rawValue
        case .revoked:
            name = "revoked"
        }
    }
}
