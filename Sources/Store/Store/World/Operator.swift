public import Journal
import Outbox
import Storage
public import SubscriptionRules

/// The clock as the operator sees it.
public struct ClockReading: Sendable, Hashable {
    public let now: Instant
    public let mode: StoreClock.Mode
    /// When something happens next by itself: an event of a subscription, a price that goes live,
    /// a refund that is decided, an attempt to deliver a notification; nil when nothing is ahead
    /// within the clock's range.
    public let nextEvent: Instant?
    /// Why it stands still although it should go; nil while it goes.
    public let hold: WorldTime.Hold?
    /// The latest moment that a change saw; nil where none did yet.
    public let latestChange: Instant?
}

/// Where a subscription was bought, which no move of its customer changes, and how that stands.
public struct SubscriptionPlace: Sendable, Hashable {
    /// The app that sold it.
    public let bundleID: String
    /// The storefront in which it is charged.
    public let storefront: Storefront
    /// Whether what it renews as is for sale there; else it ends with its period (TAB-11).
    public let isNextForSale: Bool
    /// Sandbox's limit of renewals, where it was reached: then it ends with its period (SBX-1).
    public let reachedLimit: Int?
    /// When the product of its newest period was deleted; nil while it is not.
    public let productDeleted: Instant?
    /// Where its days and months are counted.
    public let zone: BillingZone
}

extension Store {
    /// What the clock shows, how it goes, and when something happens next.
    public func clockReading() async throws -> ClockReading {
        let (world, next) = try await database.read { [self] session -> (World, Instant?) in
            let world = try self.world(session)
            let next = try session.nextDue(
                passingOver: setAside, writing: mailroom != nil,
                or: [NotificationRecord.outbox.attempts()])
            return (world, next.flatMap { $0 < .latest ? $0 : nil })
        }
        see(world, nextEvent: next)
        return reading(of: world, next)
    }

    /// The same as of the last time that somebody looked, which background work does every second;
    /// the database is not asked. Nil only before the store is open.
    public func lastClockReading() -> ClockReading? {
        lastWorld.map { reading(of: $0.world, $0.nextEvent) }
    }

    private func reading(of world: World, _ nextEvent: Instant?) -> ClockReading {
        let time = time(of: world)
        return ClockReading(
            now: time.now, mode: world.clock.mode, nextEvent: nextEvent, hold: time.hold,
            latestChange: world.latestChange)
    }

    /// What the clock shows.
    public func now() async throws -> Instant { try await read { $0.now } }

    /// The apps in the store, in the order in which they were added.
    public func apps() async throws -> [App] {
        try await read { $0.apps.all }
    }

    /// An app in the store.
    ///
    /// - Throws: `StoreError.unknown(.app)`.
    public func app(bundleID: String) async throws -> App {
        try await read { try $0.apps.find(bundleID: bundleID) }
    }

    /// The accounts of an environment in the order in which they were made.
    ///
    /// - Parameter bundleID: only those that bought something in this app; nil for all.
    /// - Throws: `StoreError.unknown(.app)`.
    public func customers(
        of bundleID: String? = nil, in environment: StoreEnvironment, after: Int64, limit: Int
    ) async throws -> [Customer] {
        try await read { reader in
            let app = try bundleID.map { try reader.apps.find(bundleID: $0).id }
            return try Customer.page(
                of: environment, app: app, after: after, limit: limit, in: reader.session)
        }
    }

    /// An account and its subscriptions in all apps, with the place of each by its identifier.
    ///
    /// - Throws: `StoreError.unknown(.account)`.
    public func customer(
        account: String, in environment: StoreEnvironment
    ) async throws -> (Customer, [Subscription], places: [Int64: SubscriptionPlace]) {
        try await read { reader in
            guard
                let customer = try Customer.find(
                    account: account, environment, in: reader.session)
            else { throw StoreError.unknown(.account, account) }
            let records = try SubscriptionRecord.all(
                ofCustomer: customer.id, in: reader.session)
            let places = try records.map { ($0.subscription.id, try reader.place(of: $0)) }
            return (
                customer, records.map(\.subscription),
                places: Dictionary(uniqueKeysWithValues: places)
            )
        }
    }

    /// A subscription with the account that has it and its place.
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func subscription(
        _ id: Int64
    ) async throws -> (Customer, Subscription, place: SubscriptionPlace) {
        try await read { reader in
            let found = try SubscriptionRecord.withCustomer(id, in: reader.session)
            guard let (record, customer) = found else {
                throw StoreError.unknown(.originalTransaction, String(id))
            }
            return (customer, record.subscription, place: try reader.place(of: record))
        }
    }

    /// The life of a subscription, read from the journal.
    ///
    /// - Parameter after: the sequence of the last entry of the page before.
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func timeline(
        subscription id: Int64, after: Int64, limit: Int
    ) async throws -> [TimelineEntry] {
        try await read { reader in
            guard try SubscriptionRecord.exists(id, in: reader.session) else {
                throw StoreError.unknown(.originalTransaction, String(id))
            }
            guard try !SubscriptionRecord.isMerchants(id, in: reader.session) else {
                return try reader.merchantTimeline(subscription: id, after: after, limit: limit)
            }
            return try JournalEntry.page(
                ofSubscription: id, after: after, limit: limit, in: reader.session
            ).map { entry in
                TimelineEntry(
                    sequence: entry.sequence, entry.event,
                    takenAgain: try reader.takenAgain(by: entry),
                    isTransactionRevoked: entry.event.revokesTransaction)
            }
        }
    }
}

extension StoreReader {
    /// The same of a merchant's subscription, with what became of its items: that is read from the
    /// first entry on.
    fileprivate func merchantTimeline(
        subscription id: Int64, after: Int64, limit: Int
    ) throws -> [TimelineEntry] {
        var found: [TimelineEntry] = []
        try forEachStep(ofMerchants: id) { step in
            guard step.entry.sequence > after else { return true }
            // The ordinary transaction from before a migration has no items.
            let taken = step.alterations.filter { $0.kind == .refundReversed }
                .reduce(0) { $0 + ($1.amount ?? 0) }
            found.append(
                TimelineEntry(
                    sequence: step.entry.sequence, step.entry.event,
                    takenAgain: try taken > 0 ? taken : takenAgain(by: step.entry),
                    isTransactionRevoked: step.entry.event.revokesTransaction,
                    items: step.alterations.filter(\.kind.isOfItem), revoked: step.isRevoked))
            return found.count < limit
        }
        return found
    }

    /// What a reversal took again: what the refund before it had given back.
    fileprivate func takenAgain(by entry: JournalEntry) throws -> Int64? {
        guard entry.event.kind == .refundWasReversed, let subscription = entry.subscription
        else { return nil }
        return try JournalEntry.newest(
            .wasRefunded, ofSubscription: subscription, about: entry.event.transactionID,
            before: entry.sequence, in: session
        )?.event.refunded
    }
}

extension JournalEvent {
    /// Whether it is a refund after which the transaction is given back as a whole.
    fileprivate var revokesTransaction: Bool {
        guard kind == .wasRefunded || kind == .itemsWereRefunded else { return false }
        let changes = self.transactions.filter { $0.id == transactionID }.map(\.changes)
        return changes.contains { changes in
            changes.columns.contains { $0.name == "revoked_at" && $0.value != .null }
        }
    }
}

extension StoreReader {
    fileprivate func place(of record: SubscriptionRecord) throws -> SubscriptionPlace {
        let app = try apps[record.app]
        let subscription = record.subscription
        let limit = app.renewalLimit(in: record.environment)
        let isLast = !subscription.isOver && subscription.hasRenewed(toLimit: limit)
        return SubscriptionPlace(
            bundleID: app.bundleID, storefront: record.storefront,
            // What is owed of a commitment is charged all the same.
            isNextForSale: subscription.owesInstalment
                || app.isForSale(
                    subscription.renewalPlan, in: record.storefront, record.environment),
            reachedLimit: isLast && !subscription.owesInstalment ? limit : nil,
            productDeleted: app.product(subscription.plan.productID)?.deleted,
            zone: app.settings.billingZone)
    }
}
