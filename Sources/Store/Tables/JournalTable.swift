import AppStoreWire
import Storage
import SubscriptionRules

/// A command that may be repeated: what it is known by, and what it asked for.
struct Command {
    let id: String
    let asked: String
}

/// What happened, once and for all.
struct JournalEntry {
    var sequence: Int64
    var at: Instant
    /// What happened, in the past tense.
    var kind: String
    var app: Int64?
    var customer: Int64?
    var subscription: Int64?
    /// The transaction that it made or concerns.
    var transactionID: Int64?
    /// What was charged, in milliunits; what was given back is in `detail`.
    var amount: Int64?
    /// JSON with what else belongs to the event.
    var detail: String?
    /// The identifier under which a command may be repeated.
    var commandID: String?

    static let columns = """
        sequence, at, kind, app, customer, subscription, transaction_id, amount, detail, command_id
        """

    private static let insertText =
        "INSERT INTO journal (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"

    static func insert(_ entries: [JournalEntry], in session: any Session) throws {
        guard !entries.isEmpty else { return }
        try session.executeMany(
            insertText,
            entries.map { entry in
                [
                    entry.sequence.sqlValue, entry.at.sqlValue, entry.kind.sqlValue,
                    entry.app.sqlValue, entry.customer.sqlValue, entry.subscription.sqlValue,
                    entry.transactionID.sqlValue, entry.amount.sqlValue, entry.detail.sqlValue,
                    entry.commandID.sqlValue,
                ]
            })
    }

    init(_ row: Row) {
        sequence = row.integer(0)
        at = row.instant(1)
        kind = row.text(2)
        app = row.integerOrNil(3)
        customer = row.integerOrNil(4)
        subscription = row.integerOrNil(5)
        transactionID = row.integerOrNil(6)
        amount = row.integerOrNil(7)
        detail = row.textOrNil(8)
        commandID = row.textOrNil(9)
    }

    init(sequence: Int64, at: Instant, kind: String) {
        self.sequence = sequence
        self.at = at
        self.kind = kind
    }

    /// What a command that carries this identifier decided before.
    static func find(commandID: String, in session: any Session) throws -> JournalEntry? {
        try session.row(
            "SELECT \(raw: columns) FROM journal WHERE command_id = \(commandID)"
        ).map(JournalEntry.init)
    }
}

extension JSONWriter {
    /// What columns became: the values in `changed`, the names of those that became empty in
    /// `cleared`.
    mutating func columns(_ values: [(column: String, value: SQLValue)]) {
        var cleared: [String] = []
        object("changed") { json in
            for (column, value) in values {
                switch value {
                case .integer(let number): json.field(named: column, number)
                case .text(let text): json.field(named: column, text)
                case .null: cleared.append(column)
                case .bytes: preconditionFailure("the journal keeps no bytes")
                }
            }
        }
        if !cleared.isEmpty { field("cleared", cleared) }
    }
}
