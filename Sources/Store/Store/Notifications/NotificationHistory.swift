public import AppStoreWire
import Storage
public import SubscriptionRules

/// Which notifications a developer's server wants to see again.
public struct NotificationFilter: Sendable, Hashable {
    public var start: Instant
    public var end: Instant
    public var type: NotificationTypeV2?
    /// Only with this subtype; only together with a type.
    public var subtype: Subtype?
    /// Only those that have not been delivered yet.
    public var onlyFailures = false
    /// Only those of the customer behind this transaction.
    public var transactionID: Int64?

    public init(start: Instant, end: Instant) {
        self.start = start
        self.end = end
    }
}

extension Store {
    /// How many notifications a page of history holds (SRV-3).
    public static let notificationPageSize = 20

    /// A page of the notifications of an app, in the order in which they were tried first. Only
    /// those that were tried are in it, since only they are signed.
    ///
    /// - Parameter token: from the page before; nil for the first page.
    /// - Throws: `StoreError.unknown(.transaction)`, `.unknown(.app)`,
    ///   `.request(.invalidPaginationToken)`, and `.request(.paginationTokenExpired)` when the
    ///   token came with another filter.
    public func notificationHistory(
        _ filter: NotificationFilter, token: String?, for caller: Caller
    ) async throws -> NotificationHistoryResponse {
        try await read { reader in
            let app = try reader.app(caller)
            let customer = try filter.transactionID.map {
                try reader.owner(anyTransaction: $0, caller).customer
            }
            let scope = filter.scope
            let after = try token.map { token in
                guard let revision = Revision(token) else {
                    throw StoreError.request(.invalidPaginationToken)
                }
                guard revision.scope == scope else {
                    throw StoreError.request(.paginationTokenExpired)
                }
                return revision.modification
            }
            let records = try NotificationRecord.history(
                filter, of: .init(app: app.id, customer: customer), in: caller.environment,
                after: after, limit: Store.notificationPageSize + 1, reader.session)
            let page = records.prefix(Store.notificationPageSize)
            let hasMore = records.count > Store.notificationPageSize
            let items = try page.compactMap { record, _ in
                record.signedPayload.map { ($0, record.id) }
            }.map { signed, id in
                NotificationHistoryResponseItem(
                    signedPayload: signed,
                    sendAttempts: try reader.sendAttempts(of: id))
            }
            return NotificationHistoryResponse(
                notificationHistory: items, hasMore: hasMore,
                paginationToken: hasMore
                    ? page.last.map { Revision(modification: $0.place, scope: scope).text } : nil)
        }
    }

    /// How long what became of a test notification can be asked for: half a year (API-5.16).
    private static let testResultsLast = Span.days(180)

    /// What became of a test notification; nil while it was not tried yet, when it is unknown, and
    /// after half a year.
    ///
    /// - Throws: `StoreError.unknown(.app)`.
    public func testNotification(
        token: String, for caller: Caller
    ) async throws -> CheckTestNotificationResponse? {
        try await read { reader in
            let app = try reader.app(caller)
            let uuid = String(token.prefix { $0 != "_" })
            let record = try NotificationRecord.test(
                uuid: uuid, app: app.id, caller.environment, in: reader.session)
            guard let record,
                let signed = record.signedPayload,
                token == "\(uuid)_\(record.created.milliseconds)",
                reader.now.since(record.created) <= Store.testResultsLast
            else { return nil }
            return CheckTestNotificationResponse(
                signedPayload: signed, sendAttempts: try reader.sendAttempts(of: record.id))
        }
    }
}

extension NotificationFilter {
    fileprivate var scope: String {
        Revision.digest([
            "\(start.milliseconds)", "\(end.milliseconds)", type?.rawValue ?? "",
            subtype?.rawValue ?? "", "\(onlyFailures)", "\(transactionID ?? 0)",
        ])
    }
}

extension StoreReader {
    func sendAttempts(of notification: Int64) throws -> [SendAttemptItem] {
        try NotificationRecord.attempts(of: notification, in: session).map {
            SendAttemptItem(attemptDate: $0.at.milliseconds, sendAttemptResult: $0.outcome)
        }
    }
}
