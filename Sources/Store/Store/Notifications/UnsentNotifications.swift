import AppStoreWire
import Storage
import SubscriptionRules
import Synchronization

/// How many notifications are in the log that had no URL to go to. The table is the truth; what
/// was counted once is kept in memory, and only what came since is counted.
final class UnsentWatch: Sendable {
    /// Where they would have gone: an app's server in an environment.
    struct Place: Hashable, Sendable {
        let app: Int64
        let environment: StoreEnvironment
    }

    private struct Known {
        /// All notifications with lower numbers are in it.
        var next: Int64 = 0
        var count = 0
    }

    private let known = Mutex<[Place: Known]>([:])

    /// Counts everything anew: what was counted is no longer in the log.
    func forget() { known.withLock { $0 = [:] } }

    /// How many there are by what is committed.
    ///
    /// - Parameters:
    ///   - next: the number from which on numbers are still to be given out, as the session sees
    ///     it.
    ///   - isComplete: whether nobody is still at work with a lower one, so that the count is worth
    ///     keeping.
    func count(
        of place: Place, before next: Int64, isComplete: Bool, _ session: any Session
    ) throws -> Int {
        var found = known.withLock { $0[place] } ?? Known()
        // Whoever looks at an older state of the world may be told of a newer one.
        guard found.next < next else { return found.count }
        found.count += try NotificationRecord.countUnsent(
            found.next..<next, app: place.app, place.environment, in: session)
        guard isComplete else { return found.count }
        found.next = next
        known.withLock { known in
            if known[place].map({ $0.next < next }) ?? true { known[place] = found }
        }
        return found.count
    }
}

extension UnitOfWork {
    /// Whether an app's notifications have somewhere to go in an environment.
    func listens(_ app: Int64, _ environment: StoreEnvironment) throws(StorageError) -> Bool {
        try apps[app].settings.notificationURL(in: environment) != nil
    }

    /// Whether an app's notifications are kept in an environment: where they have somewhere to go,
    /// in a fork, and else as many as the app says.
    func keepsNotifications(_ app: Int64, _ environment: StoreEnvironment) throws -> Bool {
        if try isFork || listens(app, environment) { return true }
        let most = try apps[app].settings.unsentNotifications
        guard most > 0 else { return false }
        let place = UnsentWatch.Place(app: app, environment: environment)
        if let count = unsent[place] { return count < most }
        let count = try countUnsent(of: place)
        unsent[place] = count
        return count < most
    }

    /// Puts a notification on its way, with its parts as they are at this moment. One without a URL
    /// is only kept.
    @discardableResult
    func notify(
        _ type: NotificationTypeV2, _ subtype: Subtype?, app: Int64,
        environment: StoreEnvironment, customer: Int64?, at moment: Instant,
        status: Status? = nil, transaction: JWSTransactionDecodedPayload? = nil,
        renewal: JWSRenewalInfoDecodedPayload? = nil, detail: String? = nil,
        subscription: Int64? = nil, extras: NotificationExtras? = nil, isProvoked: Bool = false
    ) -> String {
        let id = nextNumber()
        let uuid = identifier("notification", id)
        // An app that is missing was found to be before.
        let goesOut = (try? listens(app, environment)) ?? false
        if !goesOut {
            unsent[UnsentWatch.Place(app: app, environment: environment), default: 0] += 1
        }
        stage(
            NotificationRecord(
                id: id, uuid: uuid, app: app, environment: environment, customer: customer,
                subscription: subscription, isProvoked: isProvoked, type: type, subtype: subtype,
                created: moment, status: status,
                transactionDraft: transaction?.jsonText(), renewalDraft: renewal?.jsonText(),
                detail: detail, extras: extras, signedPayload: nil, attempts: 0,
                isDelivered: false,
                nextAttempt: goesOut ? moment : nil))
        return uuid
    }
}
