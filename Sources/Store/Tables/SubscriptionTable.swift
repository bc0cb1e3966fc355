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

    static let columns = """
        s.id, s.app, s.environment, s.customer, s.group_id, s.storefront, s.app_account_token, \
        s.first_purchased_at, s.plan, s.next_plan, s.term_transaction, s.term_purchased_at, \
        s.term_start, s.term_end, s.term_price, s.term_offer, s.cycle_anchor, s.cycle_unit, \
        s.cycle_elapsed, s.state, s.retry_since, s.retry_next, s.retry_gives_up_at, \
        s.grace_until, s.expired_at, s.expired_reason, s.renews, s.renewal_count, \
        s.service_start, s.used_introductory
        """
    static let columnCount = 30
}

extension SubscriptionRecord {
    /// Reads the columns of `columns`, which start at `first`.
    init(_ row: Row, first: Int = 0) {
        app = row.integer(first + 1)
        environment = StoreEnvironment(rawValue: row.integer(first + 2))!
        customer = row.integer(first + 3)
        storefront = Storefront(code: row.text(first + 5))!
        appAccountToken = row.textOrNil(first + 6)
        firstPurchased = row.instant(first + 7)
        subscription = Subscription(
            id: row.integer(first), groupID: row.text(first + 4),
            plan: PlanText.plan(row.text(first + 8)),
            nextPlan: row.textOrNil(first + 9).map(PlanText.plan),
            term: Term(
                transactionID: row.integer(first + 10), purchased: row.instant(first + 11),
                start: row.instant(first + 12), end: row.instant(first + 13),
                price: row.integer(first + 14),
                offer: row.textOrNil(first + 15).map(PlanText.offer)),
            cycle: BillingCycle(
                anchor: row.instant(first + 16),
                unit: BillingCycle.Unit(rawValue: row.text(first + 17))!,
                elapsed: row.integer(first + 18)),
            state: SubscriptionRecord.state(row, first: first + 19),
            renewsAutomatically: row.bool(first + 26), renewalCount: row.int(first + 27),
            serviceStart: row.instant(first + 28), hasUsedIntroductoryOffer: row.bool(first + 29))
    }

    private static func state(_ row: Row, first: Int) -> Subscription.State {
        func retry() -> Subscription.Retry {
            Subscription.Retry(
                since: row.instant(first + 1), nextAttempt: row.instant(first + 2),
                givesUpAt: row.instant(first + 3))
        }
        switch row.text(first) {
        case "active":
            return .active
        case "grace":
            return .grace(retry(), until: row.instant(first + 4))
        case "retrying":
            return .retrying(retry(), graceEnded: row.instantOrNil(first + 4))
        case "expired":
            return .expired(
                ExpirationReason(rawValue: row.int(first + 6))!, at: row.instant(first + 5))
        case let other:
            preconditionFailure("the stored state \(other) is unknown")
        }
    }

    /// Everything that can change, in the order of `update`; the identifier comes last.
    private var changingValues: [SQLValue] {
        let state = StateColumns(subscription.state)
        let term = subscription.term
        return [
            subscription.plan.productID.sqlValue, storefront.code.sqlValue,
            appAccountToken.sqlValue, PlanText.text(subscription.plan).sqlValue,
            subscription.nextPlan.map(PlanText.text).sqlValue, term.transactionID.sqlValue,
            term.purchased.sqlValue, term.start.sqlValue, term.end.sqlValue, term.price.sqlValue,
            term.offer.map(PlanText.text).sqlValue, subscription.cycle.anchor.sqlValue,
            subscription.cycle.unit.rawValue.sqlValue, subscription.cycle.elapsed.sqlValue,
            state.name.sqlValue, state.retry?.since.sqlValue ?? .null,
            state.retry?.nextAttempt.sqlValue ?? .null, state.retry?.givesUpAt.sqlValue ?? .null,
            state.graceUntil.sqlValue, state.expiredAt.sqlValue, state.expiredReason.sqlValue,
            subscription.renewsAutomatically.sqlValue, subscription.renewalCount.sqlValue,
            subscription.serviceStart.sqlValue, subscription.hasUsedIntroductoryOffer.sqlValue,
            subscription.nextChange.sqlValue,
        ]
    }

    private static let changingColumns = [
        "product_id", "storefront", "app_account_token", "plan", "next_plan", "term_transaction",
        "term_purchased_at", "term_start", "term_end", "term_price", "term_offer", "cycle_anchor",
        "cycle_unit", "cycle_elapsed", "state", "retry_since", "retry_next", "retry_gives_up_at",
        "grace_until", "expired_at", "expired_reason", "renews", "renewal_count", "service_start",
        "used_introductory", "next_change",
    ]

    private static let updateText: String = {
        let assignments = changingColumns.enumerated().map { "\($1) = $\($0 + 1)" }
        return "UPDATE subscription SET \(assignments.joined(separator: ", ")) "
            + "WHERE id = $\(changingColumns.count + 1)"
    }()

    private static let insertText: String = {
        let all =
            changingColumns
            + ["id", "app", "environment", "customer", "group_id", "first_purchased_at"]
        let places = all.indices.map { "$\($0 + 1)" }
        return "INSERT INTO subscription (\(all.joined(separator: ", "))) "
            + "VALUES (\(places.joined(separator: ", ")))"
    }()

    static func update(_ records: [SubscriptionRecord], in session: any Session) throws {
        guard !records.isEmpty else { return }
        let changed = try session.executeMany(
            updateText, records.map { $0.changingValues + [$0.subscription.id.sqlValue] })
        precondition(changed == records.count, "a subscription to be updated is missing")
    }

    static func insert(_ records: [SubscriptionRecord], in session: any Session) throws {
        guard !records.isEmpty else { return }
        try session.executeMany(
            insertText,
            records.map { record in
                record.changingValues + [
                    record.subscription.id.sqlValue, record.app.sqlValue,
                    record.environment.sqlValue, record.customer.sqlValue,
                    record.subscription.groupID.sqlValue, record.firstPurchased.sqlValue,
                ]
            })
    }

    /// The subscription with an identifier, locked for a change.
    static func find(_ id: Int64, in session: any Session) throws -> SubscriptionRecord? {
        try session.row(
            """
            SELECT \(raw: columns) FROM subscription s
            WHERE s.id = \(id)\(raw: session.dialect.lockRow)
            """
        ).map { SubscriptionRecord($0) }
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
        ).map { SubscriptionRecord($0) }
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
        case .active:
            name = "active"
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
        }
    }
}
