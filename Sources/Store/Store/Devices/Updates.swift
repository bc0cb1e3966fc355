import AppStoreWire
import Journal
import ServiceLifecycle
import Storage
import SubscriptionRules
public import TimeAndChance

/// What changed for a customer since a device asked last.
public struct DeviceUpdates: Sendable {
    /// Where the next request goes on. Opaque to callers, and good for as long as the world is.
    public let cursor: String
    /// Whether there is more, which is had at once.
    public let hasMore: Bool
    /// Transactions that are new or were changed, in the order of that.
    public let transactions: [DeviceTransaction]
    /// Subscriptions whose row changed, as they are now.
    public let subscriptions: [DeviceSubscription]

    /// Whether nothing changed.
    public var isEmpty: Bool { transactions.isEmpty && subscriptions.isEmpty && !hasMore }
}

extension Store {
    /// How many transactions one answer has at most.
    public static let updatesAtOnce = 100
    /// How often a process looks whether something changed for those who wait.
    static let pauseBetweenLooks = Duration.milliseconds(100)

    /// What changed for the customer in the app of a device since a cursor: transactions that are
    /// new, refunded, upgraded, extended, and subscriptions with another state or renewal info.
    /// That something was finished is no change.
    ///
    /// - Parameter cursor: from the answer before; nil from the beginning of what still waits on
    ///   the device, with all subscriptions. One that was given to another customer, or before the
    ///   world was put back, counts as nil.
    /// - Throws: `StoreError.request`: `.invalidCursor`, `.signedOut` where the device was removed.
    public func updates(
        for device: DeviceSession, after cursor: String?
    ) async throws -> DeviceUpdates {
        try await findUpdates(for: device, after: try cursor.map { try Cursor($0) }).updates
    }

    /// The same, waiting for something to change where nothing did.
    ///
    /// While it waits no connection of the database is held: `wakeWaiting` looks for all who do.
    /// It ends early, with what there is, when the task is cancelled and when the process ends.
    ///
    /// - Parameters:
    ///   - patience: how long it waits.
    ///   - most: how many may wait at once in the environment.
    ///   - wait: how time passes, replaced in tests.
    /// - Throws: as without waiting, and `StoreError.request(.tooManyWaiting)`.
    public func updates(
        for device: DeviceSession, after cursor: String?, waiting patience: Duration, most: Int,
        wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait
    ) async throws -> DeviceUpdates {
        let cursor = try cursor.map { try Cursor($0) }
        guard patience > .zero else {
            return try await findUpdates(for: device, after: cursor).updates
        }
        let ticket = try updateWatch.enter(device, most: most)
        defer { updateWatch.leave(ticket) }
        let found = try await findUpdates(for: device, after: cursor)
        guard found.updates.isEmpty else { return found.updates }
        let later = try await cancelWhenGracefulShutdown { [self] in
            try await withThrowingTaskGroup(of: DeviceUpdates?.self) { group in
                group.addTask { [self] in
                    var found = found
                    while found.updates.isEmpty {
                        await updateWatch.sleep(ticket, seen: found.newest)
                        if Task.isCancelled { return nil }
                        found = try await findUpdates(for: device, after: cursor)
                    }
                    return found.updates
                }
                group.addTask {
                    await wait(patience)
                    return nil
                }
                let first = try await group.next() ?? nil
                group.cancelAll()
                // What was found when the time was over is not lost either way.
                return try await group.next().flatMap { $0 } ?? first
            }
        }
        return later ?? found.updates
    }

    /// Looks whether something changed, be it by another process, and wakes those who wait for it.
    /// While nobody waits it asks nothing.
    public func wakeWaiting() async throws {
        guard updateWatch.count > 0 else { return }
        let look = try await database.read { try LastChange.look(in: $0) }
        guard let customers = updateWatch.customers(ifNotAs: look) else { return }
        let newest = try await database.read { session in
            try LastChange.newest(of: customers.sorted(), in: session)
        }
        updateWatch.wake(newest, as: look)
    }

    private func findUpdates(
        for device: DeviceSession, after cursor: Cursor?
    ) async throws -> (updates: DeviceUpdates, newest: Int64) {
        let found = try await read { try $0.updates(for: device, after: cursor) }
        let updates = DeviceUpdates(
            cursor: found.cursor.text, hasMore: found.hasMore,
            transactions: try found.transactions.map(sign),
            subscriptions: try found.subscriptions.map(sign))
        return (updates, found.newest)
    }
}

/// How far a device has seen. In letters and digits that every client leaves alone in a query.
struct Cursor: Hashable {
    /// The last change of a transaction that was told.
    var transactions: Int64
    /// The last change of a subscription that was told.
    var subscriptions: Int64
    /// A digest of whose it is.
    let scope: String

    init(transactions: Int64, subscriptions: Int64, scope: String) {
        self.transactions = transactions
        self.subscriptions = subscriptions
        self.scope = scope
    }

    /// Reads what `text` wrote.
    ///
    /// - Throws: `StoreError.request(.invalidCursor)`.
    init(_ text: String) throws(StoreError) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, let transactions = Int64(identifier: String(parts[0])),
            let subscriptions = Int64(identifier: String(parts[1])),
            parts[2].count == 24, parts[2].allSatisfy(\.isHexDigit)
        else { throw .request(.invalidCursor) }
        self.init(
            transactions: transactions - 1, subscriptions: subscriptions - 1,
            scope: String(parts[2]))
    }

    var text: String { "\(transactions + 1)_\(subscriptions + 1)_\(scope)" }
}

/// What was found, ready to be signed.
private struct FoundUpdates {
    let cursor: Cursor
    let hasMore: Bool
    let transactions: [PresentedTransaction]
    let subscriptions: [SubscriptionSnapshot]
    /// The newest change of the customer in all apps.
    let newest: Int64
}

extension StoreReader {
    fileprivate func updates(
        for device: DeviceSession, after cursor: Cursor?
    ) throws -> FoundUpdates {
        let record = try record(of: device)
        let rewinds = try CopyStanding(of: session).rewinds
        let scope = Revision.digest(["\(device.customer)", "\(device.app)", "\(rewinds)"])
        var cursor =
            try cursor.flatMap { $0.scope == scope ? $0 : nil }
            ?? Cursor(
                transactions: try beginning(of: device, record), subscriptions: 0, scope: scope)
        var records = try TransactionRecord.history(
            of: device.buyer, HistoryFilter(), after: cursor.transactions,
            limit: Store.updatesAtOnce + 1, in: session)
        let hasMore = records.count > Store.updatesAtOnce
        records = Array(records.prefix(Store.updatesAtOnce))
        cursor.transactions = records.last?.modification ?? cursor.transactions
        let subscriptions =
            hasMore ? [] : try changed(after: cursor.subscriptions, for: device)
        cursor.subscriptions = max(
            cursor.subscriptions, subscriptions.map(\.change).max() ?? 0)
        return FoundUpdates(
            cursor: cursor, hasMore: hasMore,
            transactions: try present(
                records, device,
                record?.standings(of: records.map(\.id), in: session)),
            subscriptions: subscriptions.map(\.snapshot),
            newest: try LastChange.newest(of: [device.customer], in: session)[device.customer]
                ?? 0)
    }

    /// The change before the first one of what still waits on a device; the newest where nothing
    /// does.
    private func beginning(of device: DeviceSession, _ record: DeviceRecord?) throws -> Int64 {
        let waiting =
            try record?.transactions(
                unfinishedOnly: true, after: 0, limit: Int(Int32.max), in: session
            ).map(\.record)
            ?? TransactionRecord.page(
                of: device.buyer, unfinishedOnly: true, after: 0, limit: Int(Int32.max),
                in: session)
        if let first = waiting.map(\.modification).min() { return first - 1 }
        return try TransactionRecord.newestChange(of: device.buyer, in: session)
    }

    /// The customer's subscriptions in the app that changed after a number.
    private func changed(
        after number: Int64, for device: DeviceSession
    ) throws -> [(snapshot: SubscriptionSnapshot, change: Int64)] {
        let changes = try LastChange.ofSubscriptions(
            device.buyer, after: number, in: session)
        guard !changes.isEmpty else { return [] }
        let app = try apps[device.app]
        return try newest(
            customer: device.customer, app: app,
            by: try Presenter(app, customer: device.customer, in: session)
        ).compactMap { snapshot in
            changes[snapshot.originalID].map { (snapshot, $0) }
        }
    }
}
