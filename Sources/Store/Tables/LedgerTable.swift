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
    /// What the customer gains: negative for a charge.
    public let customer: Int64
    /// What the developer gains.
    public let developer: Int64
    /// What the store gains: its commission.
    public let store: Int64

    static let columns =
        "l.sequence, l.at, l.kind, l.transaction_id, l.customer, l.developer, l.store"

    private static let insertText = """
        INSERT INTO ledger (sequence, at, kind, transaction_id, customer, developer, store)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """

    static func insert(_ entries: [LedgerEntry], in session: any Session) throws {
        guard !entries.isEmpty else { return }
        try session.executeMany(
            insertText,
            entries.map { entry in
                [
                    entry.sequence.sqlValue, entry.at.sqlValue, entry.kind.rawValue.sqlValue,
                    entry.transactionID.sqlValue, entry.customer.sqlValue,
                    entry.developer.sqlValue, entry.store.sqlValue,
                ]
            })
    }
}

extension LedgerEntry {
    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "ledger", LedgerEntry.columns)
        let amounts = -Stored.largestAmount...Stored.largestAmount
        self.init(
            sequence: try row.identifier(0), at: try row.instant(1), kind: try row.value(2),
            transactionID: try row.identifier(3), customer: try row.integer(4, in: amounts),
            developer: try row.integer(5, in: amounts), store: try row.integer(6, in: amounts))
        guard customer + developer + store == 0 else {
            throw row.contradiction("what the three parties gain is not nothing together")
        }
    }
}

extension Work {
    /// Books a charge. Nothing to pay is not booked.
    func book(charge amount: Money, at rate: CommissionRate, of id: Int64, at moment: Instant) {
        guard amount.milliunits > 0 else { return }
        let split = rate.split(amount)
        stage(
            LedgerEntry(
                sequence: nextNumber(), at: moment, kind: .charge, transactionID: id,
                customer: -amount.milliunits, developer: split.proceeds.milliunits,
                store: split.commission.milliunits))
    }

    /// Books that part of a charge is given back, at the rate of the charge.
    func book(
        _ kind: LedgerEntry.Kind, of refund: Money, charged: Money, at rate: CommissionRate,
        of id: Int64, at moment: Instant
    ) {
        let split = rate.split(refund: refund, of: charged)
        stage(
            LedgerEntry(
                sequence: nextNumber(), at: moment, kind: kind, transactionID: id,
                customer: refund.milliunits, developer: -split.proceeds.milliunits,
                store: -split.commission.milliunits))
    }

    /// Books that what was given back is taken again.
    func book(
        reversalOf refund: Money, charged: Money, at rate: CommissionRate, of id: Int64,
        at moment: Instant
    ) {
        let split = rate.split(refund: refund, of: charged)
        stage(
            LedgerEntry(
                sequence: nextNumber(), at: moment, kind: .reversal, transactionID: id,
                customer: -refund.milliunits, developer: split.proceeds.milliunits,
                store: split.commission.milliunits))
    }
}
