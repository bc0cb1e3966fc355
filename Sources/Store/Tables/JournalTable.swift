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

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "journal", JournalEntry.columns)
        sequence = try row.identifier(0)
        at = try row.instant(1)
        kind = try row.text(2)
        app = try row.identifierOrNil(3)
        customer = try row.identifierOrNil(4)
        subscription = try row.identifierOrNil(5)
        transactionID = try row.identifierOrNil(6)
        amount = try row.amountOrNil(7)
        detail = try row.textOrNil(8)
        commandID = try row.textOrNil(9)
    }

    /// What else belongs to the event; throws `corrupt`.
    var told: StoredJSON? {
        get throws(StorageError) {
            guard let detail else { return nil }
            do {
                return try StoredJSON(detail)
            } catch {
                throw StorageError(.corrupt, "journal \(sequence), column detail: \(error.message)")
            }
        }
    }

    /// What the command asked for that it was; throws `corrupt`.
    var asked: String? {
        get throws(StorageError) { try told?.stringOrNil("asked") }
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
        ).map { try JournalEntry($0) }
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
