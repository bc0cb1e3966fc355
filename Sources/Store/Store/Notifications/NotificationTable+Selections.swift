import AppStoreWire
import Storage
import SubscriptionRules

/// Notifications as others ask for them: the log, the history, a single one.
extension NotificationRecord {
    private static func query(_ condition: SQL) -> SQL {
        "SELECT \(raw: columns) FROM notification WHERE " + condition
    }

    static func find(_ id: Int64, in session: any Session) throws -> NotificationRecord? {
        try session.row(query("id = \(id)")).map { try NotificationRecord($0) }
    }

    static func find(uuid: String, in session: any Session) throws -> NotificationRecord? {
        try session.row(query("uuid = \(uuid)")).map { try NotificationRecord($0) }
    }

    /// A test notification of an app.
    static func test(
        uuid: String, app: Int64, _ environment: StoreEnvironment, in session: any Session
    ) throws -> NotificationRecord? {
        try session.row(
            query(
                """
                uuid = \(uuid) AND app = \(app) AND environment = \(environment)
                    AND kind = \(NotificationTypeV2.test.rawValue)
                """)
        ).map { try NotificationRecord($0) }
    }

    /// How many of an app in an environment had no URL to go to, of those with these numbers.
    static func countUnsent(
        _ numbers: Range<Int64>, app: Int64, _ environment: StoreEnvironment,
        in session: any Session
    ) throws -> Int {
        let row = try session.row(
            """
            SELECT COUNT(*) FROM notification
            WHERE app = \(app) AND environment = \(environment)
                AND id >= \(numbers.lowerBound) AND id < \(numbers.upperBound)
                AND attempts = 0 AND next_attempt IS NULL
            """)
        return Int(try row?.integer(0) ?? 0)
    }

    /// The first one that is wanted.
    ///
    /// - Parameter number: the lowest that it can have.
    static func first(
        _ wanted: NotificationWanted, from number: Int64, in environment: StoreEnvironment,
        _ session: any Session
    ) throws -> NotificationRecord? {
        var condition: SQL = "id >= \(number) AND environment = \(environment)"
        condition += ofKind(wanted.type, wanted.subtype)
        if let id = wanted.subscription { condition += " AND subscription = \(id)" }
        return try session.row(query(condition + " ORDER BY id LIMIT 1"))
            .map { try NotificationRecord($0) }
    }

    /// The condition that another one about the same subscription is among some numbers.
    static func hasLater(in numbers: Range<Int64>) -> SQL {
        """
        EXISTS (SELECT 1 FROM notification later
            WHERE later.customer = notification.customer
                AND later.subscription = notification.subscription
                AND later.id >= \(numbers.lowerBound) AND later.id < \(numbers.upperBound))
        """
    }

    /// The condition on type and subtype, behind another one.
    private static func ofKind(_ type: NotificationTypeV2?, _ subtype: Subtype?) -> SQL {
        var condition: SQL = ""
        if let type { condition += " AND kind = \(type.rawValue)" }
        if let subtype { condition += " AND subkind = \(subtype.rawValue)" }
        return condition
    }

    /// Whom the notifications of a log are about: all that is named.
    struct Subject {
        var app: Int64?
        var customer: Int64?
        var subscription: Int64?
    }

    /// The notifications of an environment, newest first.
    static func log(
        _ filter: NotificationLogFilter, about subject: Subject,
        in environment: StoreEnvironment, before: Int64?, limit: Int, _ session: any Session
    ) throws -> [NotificationRecord] {
        var condition: SQL = "environment = \(environment)"
        condition += ofKind(filter.type, filter.subtype)
        if filter.onlyFailures { condition += " AND delivered = 0 AND attempts > 0" }
        if let app = subject.app { condition += " AND app = \(app)" }
        if let customer = subject.customer { condition += " AND customer = \(customer)" }
        if let id = subject.subscription {
            // By its customer there is an index; a family member's are about it as well.
            let customer: SQL = "(SELECT s.customer FROM subscription s WHERE s.id = \(id))"
            if subject.customer == nil { condition += " AND customer = \(customer)" }
            condition += " AND subscription = \(id)"
        }
        if let before { condition += " AND id < \(before)" }
        return try session.rows(query(condition + " ORDER BY id DESC LIMIT \(limit)"))
            .map { try NotificationRecord($0) }
    }

    /// The notifications of an app that were tried, in the order in which they were told: whoever
    /// comes back for those behind one that was seen misses none.
    ///
    /// - Parameter after: the place of the last one that was seen.
    /// - Returns: each with its place.
    static func history(
        _ filter: NotificationFilter, of subject: Subject, in environment: StoreEnvironment,
        after: Int64?, limit: Int, _ session: any Session
    ) throws -> [(NotificationRecord, place: Int64)] {
        var condition: SQL = """
            environment = \(environment) AND told_order IS NOT NULL
                AND created_at >= \(filter.start) AND created_at <= \(filter.end)
            """
        if let app = subject.app { condition += " AND app = \(app)" }
        condition += ofKind(filter.type, filter.subtype)
        if filter.onlyFailures { condition += " AND delivered = 0" }
        if let customer = subject.customer { condition += " AND customer = \(customer)" }
        if let after { condition += " AND told_order > \(after)" }
        let query: SQL = """
            SELECT \(raw: columns), told_order FROM notification
            WHERE \(condition) ORDER BY told_order LIMIT \(limit)
            """
        return try session.rows(query).map { row in
            (try NotificationRecord(row), try row.integer(columnCount))
        }
    }
}
