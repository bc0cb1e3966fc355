import Storage
public import SubscriptionRules

/// Money that moved: what each of the three parties gains, in milliunits of the transaction's
/// currency. The three together are nothing.
public struct LedgerEntry: Sendable, Hashable {
    /// Why money moved.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A customer paid.
        case charge
        /// An upgrade gave the unused share back (CHG-2).
        case proration
        /// A refund was granted (REF-7).
        case refund
        /// A refund was taken back (REF-9).
        case reversal
    }

    /// Its place among everything that the store numbers.
    public let sequence: Int64
    public let at: Instant
    public let kind: Kind
    /// The transaction that was charged, or whose charge this takes back.
    public let transactionID: Int64
    /// The line that it is about, where the transaction has several.
    public let sku: String?
    /// What the customer gains: negative for a charge.
    public let customer: Int64
    /// What the developer gains.
    public let developer: Int64
    /// What the store gains: its commission.
    public let store: Int64

    static let columns =
        "l.sequence, l.at, l.kind, l.transaction_id, l.customer, l.developer, l.store, l.sku"

    private static let insertText = """
        INSERT INTO ledger (sequence, at, kind, transaction_id, customer, developer, store, sku)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """

    static func insert(_ entries: [LedgerEntry], in session: any Session) throws {
        guard !entries.isEmpty else { return }
        try session.executeMany(
            insertText,
            entries.map { entry in
                [
                    entry.sequence.sqlValue, entry.at.sqlValue, entry.kind.rawValue.sqlValue,
                    entry.transactionID.sqlValue, entry.customer.sqlValue,
                    entry.developer.sqlValue, entry.store.sqlValue, entry.sku.sqlValue,
                ]
            })
    }
}

extension LedgerEntry {
    /// Whether a refund of a transaction was taken back before: it was booked, after the
    /// transaction was numbered.
    static func hasReversal(of id: Int64, in session: any Session) throws -> Bool {
        try session.exists(
            """
            SELECT 1 FROM ledger l
            WHERE l.kind = \(Kind.reversal.rawValue)
                AND l.sequence IN (\(sequences(ofTransactions: "t.id = \(id)")))
            """)
    }

    /// What changes of the plan gave back of a transaction, in milliunits.
    static func prorated(_ id: Int64, in session: any Session) throws -> Int64 {
        try session.row(
            """
            SELECT CAST(COALESCE(SUM(l.customer), 0) AS BIGINT) FROM ledger l
            WHERE l.kind = \(Kind.proration.rawValue)
                AND l.sequence IN (\(sequences(ofTransactions: "t.id = \(id)")))
            """
        )?.integer(0) ?? 0
    }

    /// The sequences of all entries about certain transactions. Nearly every entry is a charge
    /// that was booked as soon as its transaction was numbered: it is found by that number. The
    /// index holds the others alone, so that a renewal need not write to it. The numbers are named
    /// one by one: of a range PostgreSQL expects that it is large, and reads all of the ledger.
    ///
    /// - Parameter condition: which transactions, of the table as `t`.
    static func sequences(ofTransactions condition: SQL) -> SQL {
        """
        SELECT l.sequence FROM store_transaction t JOIN ledger l
            ON l.sequence IN (\(raw: nearby)) AND l.transaction_id = t.id
        WHERE \(condition)
        UNION ALL
        SELECT l.sequence FROM store_transaction t JOIN ledger l
            ON l.transaction_id = t.id AND \(raw: isFar("l."))
        WHERE \(condition)
        """
    }

    /// Whether an entry is not found by its transaction's number.
    static func isFar(_ table: String = "") -> String {
        "\(table)sequence - \(table)transaction_id % \(numbers) NOT BETWEEN 0 AND \(near)"
    }

    /// What divides the first identifier of each environment: what remains is the number.
    private static let numbers = "100000000000000"
    /// A charge is booked within so many numbers: one a line, and what is drawn in between.
    private static let near = 16
    /// The numbers that are near the one of a transaction `t`.
    private static let nearby = (0...near).map { "t.id % \(numbers) + \($0)" }
        .joined(separator: ", ")

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "ledger", LedgerEntry.columns)
        let amounts = -Stored.largestAmount...Stored.largestAmount
        self.init(
            sequence: try row.identifier(0), at: try row.instant(1), kind: try row.value(2),
            transactionID: try row.identifier(3), sku: try row.textOrNil(7),
            customer: try row.integer(4, in: amounts),
            developer: try row.integer(5, in: amounts), store: try row.integer(6, in: amounts))
        guard customer + developer + store == 0 else {
            throw row.contradiction("what the three parties gain is not nothing together")
        }
    }
}
