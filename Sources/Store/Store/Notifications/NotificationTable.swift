import AppStoreWire
import Outbox
import Storage
import SubscriptionRules

/// A notification on its way out. Before the first attempt its parts wait unsigned, as they were
/// when the event happened; from then on the signed text is kept, and every attempt repeats it.
struct NotificationRecord {
    let id: Int64
    let uuid: String
    let app: Int64
    let environment: StoreEnvironment
    let customer: Int64?
    /// The subscription that it is about; nil where it is about none.
    let subscription: Int64?
    /// Whether the operator sent it at will.
    let isProvoked: Bool
    let type: NotificationTypeV2
    let subtype: Subtype?
    let created: Instant
    let status: Status?
    var transactionDraft: String?
    var renewalDraft: String?
    /// What some types carry besides: the reason of a CONSUMPTION_REQUEST, or the summary of a
    /// mass extension as JSON, which takes the place of everything else.
    let detail: String?
    /// What it carries in place of a purchase; until it is signed.
    var extras: NotificationExtras?
    var signedPayload: String?
    var attempts: Int
    var isDelivered: Bool
    /// When it is tried next; nil when it was delivered or given up.
    var nextAttempt: Instant?

    static let columns = """
        id, uuid, app, environment, customer, kind, subkind, created_at, status, \
        transaction_draft, renewal_draft, detail, signed_payload, attempts, delivered, \
        next_attempt, subscription, provoked, particulars
        """

    static let columnCount = 19

    /// The table as the outbox knows it: one lane an app and environment.
    static let outbox = OutboxTable(
        "notification", laneColumns: ["app", "environment"], columns: columns,
        isOpen: CopyStanding.delivers)

    private static let insertText = """
        INSERT INTO notification (\(columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
            $18, $19)
        """

    static func insert(_ records: [NotificationRecord], in session: any Session) throws {
        guard !records.isEmpty else { return }
        try session.executeMany(insertText, records.map(\.values))
    }

    private var values: [SQLValue] {
        [
            id.sqlValue, uuid.sqlValue, app.sqlValue, environment.sqlValue, customer.sqlValue,
            type.rawValue.sqlValue, (subtype?.rawValue).sqlValue, created.sqlValue,
            (status?.rawValue).sqlValue, transactionDraft.sqlValue, renewalDraft.sqlValue,
            detail.sqlValue, signedPayload.sqlValue, attempts.sqlValue, isDelivered.sqlValue,
            nextAttempt.sqlValue, subscription.sqlValue, isProvoked.sqlValue,
            (extras?.jsonText()).sqlValue,
        ]
    }

    /// Keeps the signed text, which takes the place of the drafts, and from now on shows it in the
    /// history of its lane, behind everything that is there: only who has the lane tells anything,
    /// so that is the order of commits too. Another process may have been faster: then the text is
    /// the one that it has kept, since every attempt repeats one text.
    mutating func saveSigned(in session: any Session) throws {
        let count = try session.execute(
            """
            UPDATE notification SET signed_payload = \(signedPayload), transaction_draft = NULL,
                renewal_draft = NULL, particulars = NULL, told_order = (
                    SELECT COALESCE(MAX(n.told_order), 0) + 1 FROM notification n
                    WHERE n.app = \(app) AND n.environment = \(environment)
                        AND n.told_order IS NOT NULL)
            WHERE id = \(id) AND signed_payload IS NULL
            """)
        guard count == 0 else { return }
        let kept = try session.row("SELECT signed_payload FROM notification WHERE id = \(id)")
        guard let kept = try kept?.textOrNil(0) else {
            throw StorageError(.corrupt, "notification \(id) is gone")
        }
        signedPayload = kept
    }

    /// Puts the next attempt off.
    func saveNextAttempt(in session: any Session) throws {
        try session.execute(
            "UPDATE notification SET next_attempt = \(nextAttempt) WHERE id = \(id)")
    }

    /// Records what an attempt came to. Another process may have made the same attempt.
    func save(
        attemptAt: Instant, outcome: SendAttemptResult, in session: any Session
    ) throws {
        try session.execute(
            """
            UPDATE notification SET attempts = \(attempts), delivered = \(isDelivered),
                next_attempt = \(nextAttempt)
            WHERE id = \(id)
            """)
        try session.execute(
            """
            INSERT INTO notification_attempt (notification, number, at, outcome)
            VALUES (\(id), \(attempts), \(attemptAt), \(outcome.rawValue))
            ON CONFLICT (notification, number) DO NOTHING
            """)
    }
}

extension NotificationRecord {
    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "notification", NotificationRecord.columns)
        id = try row.identifier(0)
        uuid = try row.text(1)
        app = try row.identifier(2)
        environment = try row.value(3)
        customer = try row.identifierOrNil(4)
        type = NotificationTypeV2(rawValue: try row.text(5))
        subtype = try row.textOrNil(6).map(Subtype.init(rawValue:))
        created = try row.instant(7)
        status = try row.countOrNil(8).map(Status.init(rawValue:))
        transactionDraft = try row.textOrNil(9)
        renewalDraft = try row.textOrNil(10)
        detail = try row.textOrNil(11)
        signedPayload = try row.textOrNil(12)
        attempts = try row.count(13)
        isDelivered = try row.bool(14)
        nextAttempt = try row.instantOrNil(15)
        subscription = try row.identifierOrNil(16)
        isProvoked = try row.bool(17)
        extras = try row.decodedOrNil(18) { text throws(StorageError) in
            try NotificationExtras(stored: text)
        }
    }

    /// The attempts made, first to last.
    static func attempts(
        of id: Int64, in session: any Session
    ) throws -> [(at: Instant, outcome: SendAttemptResult)] {
        try session.rows(
            """
            SELECT at, outcome FROM notification_attempt WHERE notification = \(id) ORDER BY number
            """
        ).map { (try $0.instant(0), SendAttemptResult(rawValue: try $0.text(1))) }
    }
}
