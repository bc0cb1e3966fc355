public import Journal
public import Storage
import SubscriptionRules

/// The books of a store as rows of texts and numbers, to compare them with what somebody else
/// thinks should stand in them.
public struct Books: Sendable {
    /// One line of the books in which money moved, or a line of the journal in which it did not.
    public struct Line: Hashable, Sendable {
        public var sequence: Int64
        public var at: Int64
        public var customer: Int64
        public var charged: Int64
        public var refunded: Int64
        public var declined: Int64
        public var transaction: Int64?
        public var developer: Int64
        public var store: Int64
        /// The line that it is about, of several.
        public var sku: String?
        /// Whether it is the first charge of its transaction, and no money that comes again.
        public var isCharge: Bool
    }

    /// One transaction.
    public struct Transaction: Hashable, Sendable {
        public var id: Int64
        public var subscription: Int64?
        public var customer: Int64
        public var product: String
        public var purchased: Int64
        public var expires: Int64?
        public var price: Int64
        public var currency: String
        public var isUpgraded: Bool
        public var refunded: Int64
        public var isRenewal: Bool
        public var isDiscounted: Bool
        /// What was charged for, of several things, as it is stored.
        public var lines: String?
        /// The developer's name for who bought it.
        public var token: String?
        /// The purchaser's transaction that a family member's comes from.
        public var source: Int64?
        /// How a subscription is billed, as it is stored; nil for up front.
        public var billing: String?
    }

    /// One of a customer's transactions, be it bought or shared; nil where there is none.
    public static func anyTransaction(
        of customer: Int64, in database: any Database
    ) async throws -> Int64? {
        try await database.read { session in
            try session.row(
                "SELECT id FROM store_transaction WHERE customer = \(customer) LIMIT 1")
        }.map { try $0.integer(0) }
    }

    /// One event of a subscription's life.
    public struct Event: Hashable, Sendable {
        public var subscription: Int64
        public var sequence: Int64
        public var event: JournalEvent
    }

    /// One notification, as it waits or was signed.
    public struct Notification: Hashable, Sendable {
        public var id: Int64
        public var at: Int64
        public var customer: Int64?
        public var subscription: Int64?
        /// Type and subtype, such as `DID_RENEW/BILLING_RECOVERY`.
        public var kind: String
        public var status: Int?
        /// What some types carry besides.
        public var detail: String?
        /// The unsigned parts, until it is signed.
        public var transactionDraft: String?
        public var renewalDraft: String?
        public var signed: String?
    }

    /// The notifications behind an identifier that nobody provoked, in order.
    public static func notifications(
        after id: Int64, in database: any Database
    ) async throws -> [Notification] {
        try await database.read { session in
            try session.rows(
                """
                SELECT id, created_at, customer, subscription, kind, subkind, status, detail,
                    transaction_draft, renewal_draft, signed_payload
                FROM notification WHERE id > \(id) AND provoked = 0 AND kind <> 'TEST'
                ORDER BY id
                """)
        }.map { row in
            try Notification(
                id: row.integer(0), at: row.integer(1), customer: row.integerOrNil(2),
                subscription: row.integerOrNil(3),
                kind: row.text(4) + (row.textOrNil(5).map { "/\($0)" } ?? ""),
                status: row.intOrNil(6), detail: row.textOrNil(7),
                transactionDraft: row.textOrNil(8), renewalDraft: row.textOrNil(9),
                signed: row.textOrNil(10))
        }
    }

    /// Everything that happened to subscriptions, in order.
    public static func events(in database: any Database) async throws -> [Event] {
        try await database.read { session in
            try session.rows(
                """
                SELECT subscription, sequence, at, kind, transaction_id, detail FROM journal
                WHERE subscription IS NOT NULL ORDER BY sequence
                """)
        }.map { row in
            let event = try JournalEvent(
                named: row.text(3), at: Instant(milliseconds: row.integer(2)),
                transactionID: row.integerOrNil(4),
                detail: row.textOrNil(5).map { try JournalDetail(text: $0) } ?? JournalDetail())
            return try Event(subscription: row.integer(0), sequence: row.integer(1), event: event)
        }
    }

    /// The lines behind a sequence in which money moved or was declined, in order.
    public static func lines(
        after sequence: Int64, in database: any Database
    ) async throws -> [Line] {
        // Reading all of the journal takes long, and little of it is about declines.
        let mark = "%\(JournalDetail.Member.declined.mark)%"
        let (moved, journal) = try await database.read { session in
            (
                try session.rows(
                    """
                    SELECT l.sequence, l.at, t.customer, l.transaction_id, l.customer,
                        l.developer, l.store, l.sku, l.kind
                    FROM ledger l JOIN store_transaction t ON t.id = l.transaction_id
                    WHERE l.sequence > \(sequence)
                    """),
                try session.rows(
                    """
                    SELECT sequence, at, customer, detail FROM journal
                    WHERE sequence > \(sequence) AND customer IS NOT NULL AND detail LIKE \(mark)
                    """)
            )
        }
        let movements = try moved.map { row in
            try Line(
                sequence: row.integer(0), at: row.integer(1), customer: row.integer(2),
                charged: max(0, -row.integer(4)), refunded: max(0, row.integer(4)), declined: 0,
                transaction: row.integer(3), developer: row.integer(5), store: row.integer(6),
                sku: row.textOrNil(7), isCharge: row.text(8) == "charge")
        }
        let declines = try journal.compactMap { row -> Line? in
            guard let declined = try JournalDetail(text: row.text(3)).declined else { return nil }
            return try Line(
                sequence: row.integer(0), at: row.integer(1), customer: row.integer(2),
                charged: 0, refunded: 0, declined: declined, transaction: nil, developer: 0,
                store: 0, sku: nil, isCharge: false)
        }
        return (movements + declines).sorted { $0.sequence < $1.sequence }
    }

    /// All transactions in the order in which they were made.
    public static func transactions(in database: any Database) async throws -> [Transaction] {
        try await database.read { session in
            try session.rows(
                """
                SELECT id, subscription, customer, product_id, purchased_at, expires_at, price,
                    currency, is_upgraded, refunded, is_renewal, offer_kind,
                    app_account_token, lines, source, billing_plan
                FROM store_transaction ORDER BY id
                """)
        }.map { row in
            try Transaction(
                id: row.integer(0), subscription: row.integerOrNil(1), customer: row.integer(2),
                product: row.text(3), purchased: row.integer(4), expires: row.integerOrNil(5),
                price: row.integer(6), currency: row.text(7), isUpgraded: row.bool(8),
                refunded: row.integerOrNil(9) ?? 0, isRenewal: row.bool(10),
                isDiscounted: !row.isNull(11)
                    || row.textOrNil(13)?.contains("\"offer\"") == true,
                lines: row.textOrNil(13), token: row.textOrNil(12),
                source: row.integerOrNil(14), billing: row.textOrNil(15))
        }
    }
}
