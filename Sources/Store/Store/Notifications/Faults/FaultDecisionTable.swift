import Storage
import SubscriptionRules

/// What rules decided for attempts to deliver a notification.
enum FaultDecision {
    static let columns = "fault, kind, attempt, at"

    /// What a rule decided for an attempt; nil when it was not asked yet.
    static func find(
        _ fault: Int64, notification: Int64, attempt: Int, in session: any Session
    ) throws -> Bool? {
        try session.row(
            """
            SELECT is_applied FROM fault_decision
            WHERE notification = \(notification) AND attempt = \(attempt) AND fault = \(fault)
            """
        )?.bool(0)
    }

    static func insert(
        _ fault: FaultRecord, isApplied: Bool, notification: Int64, attempt: Int, at: Instant,
        in session: any Session
    ) throws {
        let kind = FaultRule(fault.effect).kind
        try session.execute(
            """
            INSERT INTO fault_decision (notification, attempt, fault, kind, at, is_applied)
            VALUES (\(notification), \(attempt), \(fault.id), \(kind.rawValue), \(at),
                \(isApplied))
            """)
    }

    /// The rules that were applied to a notification, in order.
    static func applied(
        to notification: Int64, in session: any Session
    ) throws -> [AppliedFault] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM fault_decision
            WHERE notification = \(notification) AND is_applied = 1 ORDER BY at, attempt, fault
            """
        ).map { try AppliedFault($0) }
    }
}

extension AppliedFault {
    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "fault_decision of fault", FaultDecision.columns)
        self.init(
            fault: try row.identifier(0), kind: try row.value(1), attempt: try row.count(2),
            at: try row.instant(3))
    }
}
