import Storage

/// Which accepted notifications are listed; all where nothing is said.
public struct NotificationFilter: Hashable, Sendable {
    public var state: AcceptedNotification.State?
    /// Apple's word.
    public var type: String?
    /// The purchase that they are about.
    public var originalTransactionID: String?

    public init(
        state: AcceptedNotification.State? = nil, type: String? = nil,
        originalTransactionID: String? = nil
    ) {
        self.state = state
        self.type = type
        self.originalTransactionID = originalTransactionID
    }

    /// Of one that leaves most out an index finds the rest.
    fileprivate func condition(of apps: [Int64]) -> SQL {
        var condition: SQL = ""
        if let state { condition += " AND i.state = \(raw: String(state.rawValue))" }
        if let type { condition += " AND i.type = \(type)" }
        if let originalTransactionID {
            condition += """
                 AND i.app IN (\(list: apps))
                AND i.original_transaction_id = \(originalTransactionID)
                """
        }
        return condition
    }
}

/// A notification that was accepted, with what it is about.
public struct ListedNotification: Hashable, Sendable {
    public let notification: AcceptedNotification
    public let bundleID: String
    /// Nil where it is of an environment that there is not.
    public let environment: MerchantEnvironment?
    public let originalTransactionID: String?
    /// How often it came again.
    public let repeats: Int64
}

extension Merchant {
    /// The notifications that were accepted, the newest first.
    ///
    /// - Parameter before: the number before which they are; nil for the newest.
    public func notifications(
        where filter: NotificationFilter, before: Int64? = nil, limit: Int
    ) async throws -> [ListedNotification] {
        let condition = filter.condition(of: apps.values.map(\.id).sorted())
        return try await database.read { session in
            try session.rows(
                """
                SELECT i.id, i.uuid, i.type, i.subtype, i.signed_at, i.received_at, i.state,
                    i.problem, a.bundle_id, i.environment, i.original_transaction_id, i.repeats
                FROM inbox i JOIN app a ON a.id = i.app
                WHERE i.id < \(before ?? Int64.max)\(condition)
                ORDER BY i.id DESC LIMIT \(limit)
                """
            ).map { row throws(StorageError) in try ListedNotification(row) }
        }
    }
}

extension ListedNotification {
    fileprivate init(_ row: Row) throws(StorageError) {
        self.init(
            notification: AcceptedNotification(
                id: try row.integer(0), uuid: try row.text(1), type: try row.text(2),
                subtype: try row.textOrNil(3), signedAt: try row.instant(4),
                receivedAt: try row.instant(5),
                state: AcceptedNotification.State(rawValue: try row.integer(6)) ?? .dead,
                problem: try row.textOrNil(7)),
            bundleID: try row.text(8),
            environment: MerchantEnvironment(rawValue: try row.integer(9)),
            originalTransactionID: try row.textOrNil(10), repeats: try row.integer(11))
    }
}
