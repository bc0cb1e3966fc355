import Journal
import Storage
import SubscriptionRules

/// A command that may be repeated: what it is known by, and what it asked for.
struct Command {
    let id: String
    let asked: String
}

/// An event as a row of the journal: what happened, once and for all, and to whom.
struct JournalEntry {
    let sequence: Int64
    var event: JournalEvent
    var app: Int64?
    var customer: Int64?
    var subscription: Int64?
    /// The identifier under which a command may be repeated.
    var commandID: String?

    static let columns = """
        sequence, at, kind, app, customer, subscription, transaction_id, amount, detail, command_id
        """

    private static let insertText =
        "INSERT INTO journal (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"

    /// Inserts rows made of `values`.
    static func insert(_ rows: [[SQLValue]], in session: any Session) throws {
        guard !rows.isEmpty else { return }
        try session.executeMany(insertText, rows)
    }

    /// What a row holds, in the order of its columns.
    var values: [SQLValue] {
        [
            sequence.sqlValue, event.at.sqlValue, event.name.sqlValue, app.sqlValue,
            customer.sqlValue, subscription.sqlValue, event.transactionID.sqlValue,
            event.amount.sqlValue, event.detail.text.sqlValue, commandID.sqlValue,
        ]
    }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "journal", JournalEntry.columns)
        sequence = try row.identifier(0)
        event = JournalEvent(
            named: try row.text(2), at: try row.instant(1),
            transactionID: try row.identifierOrNil(6), amount: try row.amountOrNil(7),
            detail: try JournalDetail(row, 8))
        app = try row.identifierOrNil(3)
        customer = try row.identifierOrNil(4)
        subscription = try row.identifierOrNil(5)
        commandID = try row.textOrNil(9)
    }

    init(sequence: Int64, event: JournalEvent) {
        self.sequence = sequence
        self.event = event
    }

    /// What a command that carries this identifier decided before.
    static func find(commandID: String, in session: any Session) throws -> JournalEntry? {
        try session.row(
            "SELECT \(raw: columns) FROM journal WHERE command_id = \(commandID)"
        ).map { try JournalEntry($0) }
    }
}

extension JournalEntry {
    /// What happened to a subscription, in its order.
    static func page(
        ofSubscription id: Int64, after: Int64, limit: Int, in session: any Session
    ) throws -> [JournalEntry] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM journal
            WHERE subscription = \(id) AND sequence > \(after) ORDER BY sequence LIMIT \(limit)
            """
        ).map { try JournalEntry($0) }
    }

    /// When transactions of a customer in an app were superseded, by their numbers. What took the
    /// place of one may be of another subscription, as after a migration, and what a family shares
    /// is superseded with the purchaser's.
    static func supersessions(
        of buyer: TransactionRecord.Selection, in session: any Session
    ) throws -> [Int64: Instant] {
        let entries = try session.rows(
            """
            SELECT \(raw: columns) FROM journal
            WHERE subscription IS NOT NULL AND subscription IN (
                SELECT t.subscription FROM store_transaction t
                WHERE t.customer = \(buyer.customer) AND t.app = \(buyer.app))
                AND detail LIKE '%"is_upgraded"%'
            """
        ).map { try JournalEntry($0) }
        var found: [Int64: Instant] = [:]
        for entry in entries {
            for transaction in entry.event.transactions
            where transaction.changes.columns.contains(where: { $0.name == "is_upgraded" }) {
                found[transaction.id] = entry.event.at
            }
        }
        return found
    }

    /// What happened in an environment, newest first, with whose it was.
    static func page(
        in environment: StoreEnvironment, before: Int64?, limit: Int, _ session: any Session
    ) throws -> [(entry: JournalEntry, account: String)] {
        try session.rows(
            """
            SELECT j.sequence, j.at, j.kind, j.app, j.customer, j.subscription,
                j.transaction_id, j.amount, j.detail, j.command_id, c.account
            FROM journal j JOIN customer c ON c.id = j.customer
            WHERE c.environment = \(environment) AND j.sequence < \(before ?? .max)
            ORDER BY j.sequence DESC LIMIT \(limit)
            """
        ).map { (try JournalEntry($0), try $0.text(10)) }
    }

    /// How often each kind of thing happened after an entry, most often first; no more than `most`
    /// are counted. What fell due counts by what came of it.
    static func counts(
        after sequence: Int64, most: Int, in session: any Session
    ) throws -> [(kind: String, count: Int)] {
        try session.rows(
            """
            SELECT k.kind, COUNT(*) FROM (
                SELECT CASE
                    WHEN j.kind <> \(JournalEvent.Kind.becameDue.rawValue) THEN j.kind
                    WHEN j.amount IS NOT NULL THEN 'renewed'
                    WHEN j.detail LIKE '%"EXPIRED%' THEN 'expired'
                    WHEN j.detail LIKE '%"declined"%' THEN 'paymentDeclined'
                    WHEN j.detail LIKE '%"PRICE_INCREASE%' THEN 'priceIncreaseAnnounced'
                    ELSE j.kind END AS kind
                FROM journal j WHERE j.sequence > \(sequence)
                ORDER BY j.sequence LIMIT \(most)
            ) k GROUP BY k.kind ORDER BY COUNT(*) DESC, k.kind
            """
        ).map { (try $0.text(0), Int(try $0.integer(1))) }
    }

    /// The newest entry's place; 0 for none.
    static func newestSequence(in session: any Session) throws -> Int64 {
        try session.row("SELECT sequence FROM journal ORDER BY sequence DESC LIMIT 1")?
            .integer(0) ?? 0
    }

    /// The last time that something happened to a subscription's transaction before.
    static func newest(
        _ kind: JournalEvent.Kind, ofSubscription id: Int64, about transaction: Int64?,
        before sequence: Int64, in session: any Session
    ) throws -> JournalEntry? {
        try session.row(
            """
            SELECT \(raw: columns) FROM journal
            WHERE subscription = \(id) AND kind = \(kind.rawValue)
                AND transaction_id = \(transaction) AND sequence < \(sequence)
            ORDER BY sequence DESC LIMIT 1
            """
        ).map { try JournalEntry($0) }
    }
}

extension JournalDetail {
    /// Reads a column of a row: what is not there says nothing.
    init(_ row: StoredRow, _ index: Int) throws(StorageError) {
        let detail = try row.decodedOrNil(index) { text throws(StorageError) in
            do throws(Unreadable) {
                return try JournalDetail(text: text)
            } catch {
                throw StorageError(.corrupt, error.message)
            }
        }
        self = detail ?? JournalDetail()
    }
}

extension ColumnChanges {
    /// What columns of a row became; the journal keeps no bytes.
    init(_ values: some Sequence<(String, SQLValue)>) {
        self.init(
            values.map { column, value in
                switch value {
                case .integer(let number): Column(column, .integer(number))
                case .text(let text): Column(column, .text(text))
                case .null: Column(column, .null)
                case .bytes: preconditionFailure("the journal keeps no bytes")
                }
            })
    }
}

extension ColumnChanges.Value {
    /// The value as the database has it.
    var sqlValue: SQLValue {
        switch self {
        case .integer(let number): .integer(number)
        case .text(let text): .text(text)
        case .null: .null
        }
    }
}
