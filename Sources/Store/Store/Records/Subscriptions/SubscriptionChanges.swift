import Journal
import Storage
import SubscriptionRules

/// What events did to a subscription's row: the columns that differ, and what they became.
struct SubscriptionChanges {
    /// A bit for each column of `SubscriptionRecord.changing`.
    var mask: UInt64 = 0
    /// In the order of the columns.
    var values: [SQLValue] = []

    /// The places of the columns among all that can change.
    var places: [Int] {
        var rest = mask
        return (0..<mask.nonzeroBitCount).map { _ in
            defer { rest &= rest - 1 }
            return rest.trailingZeroBitCount
        }
    }

    /// Adds what a later event did: its values hold.
    mutating func add(_ later: SubscriptionChanges) {
        guard later.mask != mask else { return values = later.values }
        let all = Dictionary(zip(places, values)) { one, _ in one }
            .merging(zip(later.places, later.values)) { $1 }
        mask |= later.mask
        values = places.compactMap { all[$0] }
    }
}

extension SubscriptionRecord {
    /// A column that an event may change.
    struct Column: Sendable {
        let name: String
        let value: @Sendable (SubscriptionRecord) -> SQLValue
        let differs: @Sendable (SubscriptionRecord, SubscriptionRecord) -> Bool
    }

    /// Columns that follow from one part of the record: most events leave most parts as they are.
    private struct Part: Sendable {
        let differs: @Sendable (SubscriptionRecord, SubscriptionRecord) -> Bool
        let columns: [Column]
    }

    /// - Parameter differs: compares where the values are: one that is handed out is copied.
    private static func part(
        differs: @escaping @Sendable (SubscriptionRecord, SubscriptionRecord) -> Bool,
        _ columns: Column...
    ) -> Part {
        Part(differs: differs, columns: columns)
    }

    private static func part(_ column: Column) -> Part {
        Part(differs: column.differs, columns: [column])
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

    private static func ofState<Value: Equatable & SQLConvertible>(
        _ name: String, _ get: @escaping @Sendable (StateColumns) -> Value
    ) -> Column {
        column(name) { get(StateColumns($0.subscription.state)) }
    }

    /// Everything that can change, in the order in which it is read.
    private static let parts: [Part] = [
        part(column("storefront", { $0.storefront }, as: { $0.code.sqlValue })),
        part(column("app_account_token") { $0.appAccountToken }),
        part(
            differs: { $0.subscription.plan != $1.subscription.plan },
            column(
                "plan", { $0.subscription.plan },
                as: { PlanText.text($0, offers: $0.lines.count > 1).sqlValue })),
        part(
            column(
                "next_plan", { $0.subscription.nextPlan },
                as: { $0.map { PlanText.text($0) }.sqlValue })),
        part(
            differs: { $0.subscription.newestPeriod != $1.subscription.newestPeriod },
            column("term_transaction") { $0.subscription.newestPeriod.transactionID },
            column("term_purchased_at") { $0.subscription.newestPeriod.purchased },
            column("term_start") { $0.subscription.newestPeriod.start },
            column("term_end") { $0.subscription.newestPeriod.end },
            column("term_extended") { $0.subscription.newestPeriod.extended.milliseconds },
            column("term_price") { $0.subscription.newestPeriod.price }),
        part(
            differs: { $0.subscription.plan != $1.subscription.plan },
            column(
                "term_offer", { $0.subscription.plan.onlyOffer },
                as: { $0.map(PlanText.text).sqlValue })),
        part(column("term_commission") { $0.subscription.newestPeriod.commission.rawValue }),
        part(
            differs: { $0.subscription.cycle != $1.subscription.cycle },
            column("cycle_anchor") { $0.subscription.cycle.anchor },
            column("cycle_unit") { $0.subscription.cycle.unit.rawValue },
            column("cycle_elapsed") { $0.subscription.cycle.elapsed }),
        part(
            differs: { $0.subscription.state != $1.subscription.state },
            ofState("state") { $0.name },
            ofState("retry_since") { $0.retry?.since },
            ofState("retry_next") { $0.retry?.nextAttempt },
            ofState("retry_gives_up_at") { $0.retry?.givesUpAt },
            ofState("grace_until") { $0.graceUntil },
            ofState("expired_at") { $0.expiredAt },
            ofState("expired_reason") { $0.expiredReason }),
        part(
            differs: { $0.subscription.newestPeriod.refund != $1.subscription.newestPeriod.refund },
            column("revoked_at") { $0.subscription.newestPeriod.refund?.moment },
            column("revoked_fully") { $0.subscription.newestPeriod.refund?.isFull }),
        part(column("renews") { $0.subscription.renewsAutomatically }),
        part(column("renewal_count") { $0.subscription.renewalCount }),
        part(column("service_start") { $0.subscription.serviceStart }),
        part(
            differs: { $0.subscription.offersUsed != $1.subscription.offersUsed },
            column("used_introductory") { $0.subscription.hasUsedIntroductoryOffer }),
        part(
            Column(
                name: "increase", value: { IncreaseText.text($0.subscription).sqlValue },
                // The text of a plan of one line has another form.
                differs: { old, new in
                    old.subscription.increases != new.subscription.increases
                        || (old.subscription.plan.lines.count > 1)
                            != (new.subscription.plan.lines.count > 1)
                })),
        Part(
            differs: {
                $0.subscription.lastIncreases != $1.subscription.lastIncreases
                    || $0.subscription.plan != $1.subscription.plan
            },
            columns: [column("last_increase") { $0.subscription.onlyLastIncrease }]),
        part(column("paid_periods") { $0.subscription.paidPeriods }),
        part(
            differs: { $0.subscription.extensions != $1.subscription.extensions },
            column("first_extension") { $0.subscription.extensions.first },
            column("second_extension") { $0.subscription.extensions.dropFirst().first }),
        part(
            differs: { $0.subscription.paidService != $1.subscription.paidService },
            column("served") { $0.subscription.paidService.counted.milliseconds },
            column("served_until") { $0.subscription.paidService.lastEnd }),
        part(
            column(
                "outstanding", { $0.subscription.outstanding },
                as: { $0.map(BillText.text).sqlValue })),
        part(
            differs: { $0.subscription.offersUsed != $1.subscription.offersUsed },
            column(
                "offers_used", { $0.subscription.offersUsed },
                as: { OfferUseText.text($0).sqlValue })),
        part(column("lines") { LineText.text($0.subscription) }),
        // The next two follow from others: where they do not, the row is damaged.
        part(
            differs: { $0.subscription.plan != $1.subscription.plan },
            column("product_id") { $0.subscription.plan.productID }),
        part(column("next_change") { $0.subscription.nextChange }),
        part(
            column(
                "conversion", { $0.subscription.conversion },
                as: { $0.map(ConversionText.text).sqlValue })),
        part(column("instalment") { $0.subscription.newestPeriod.instalment }),
        part(column("separate_id") { $0.separateID }),
    ]

    static let changing = parts.flatMap(\.columns)

    /// What differs from an earlier version of the record.
    func changes(since old: SubscriptionRecord) -> SubscriptionChanges {
        var changes = SubscriptionChanges()
        // Most events change about ten columns.
        changes.values.reserveCapacity(12)
        var first = 0
        for part in SubscriptionRecord.parts {
            defer { first += part.columns.count }
            guard part.differs(old, self) else { continue }
            for (place, column) in part.columns.enumerated() where column.differs(old, self) {
                changes.mask |= 1 << UInt64(first + place)
                changes.values.append(column.value(self))
            }
        }
        return changes
    }

    /// The columns that can change and that a row was given, as the journal says it.
    static func columns(of changes: SubscriptionChanges) -> ColumnChanges {
        ColumnChanges(zip(changes.places.lazy.map { changing[$0].name }, changes.values))
    }
}

extension Subscription {
    /// The last increase of a plan of one line.
    fileprivate var onlyLastIncrease: Instant? {
        plan.lines.count == 1 ? lastIncreases[plan.lines[0].sku] : nil
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
