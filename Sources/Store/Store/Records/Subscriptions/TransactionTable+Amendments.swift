import AppStoreWire
import DueWork
import Journal
import Storage
import SubscriptionRules

/// What may change about a transaction after it was made.
enum TransactionAmendment {
    /// An upgrade took its place (CHG-1).
    case upgraded
    /// Its period ends at another moment: extended, or cut short.
    case rescheduled(Instant)
    /// Its month was extended, and the commitment ends later by as much.
    case recommitted(until: Instant)
    /// An upgrade gave part of its price back, in milliunits.
    case prorated(Int64)
    /// Items that a merchant described ended or were given back: what the payload says of them.
    case described(AdvancedCommerceTransactionInfo)
    /// Items are called something else.
    case relabelled([TransactionRecord.Line])
    /// A refund was granted.
    case revoked(Revocation)
    /// The refund was taken back: as if it had never been (REF-9).
    case reinstated
    /// The developer gave the customer a name.
    case named(String)

    /// The columns and what they become.
    var columns: [(column: String, value: SQLValue)] {
        switch self {
        case .upgraded:
            [("is_upgraded", true.sqlValue)]
        case .rescheduled(let end):
            [("expires_at", end.sqlValue)]
        case .recommitted(let end):
            [("commitment_ends_at", end.sqlValue)]
        case .prorated(let amount):
            [("refunded", amount.sqlValue)]
        case .described(let info):
            [("advanced_commerce", AdvancedCommerceText.text(info).sqlValue)]
        case .relabelled(let lines):
            [("lines", LineText.text(lines).sqlValue)]
        case .revoked(let revocation):
            [
                ("refunded", revocation.refunded.milliunits.sqlValue),
                ("revoked_at", revocation.moment.sqlValue),
                ("revocation", revocation.kind.rawValue.sqlValue),
                ("revocation_reason", (revocation.reason?.rawValue).sqlValue),
            ]
        case .named(let token):
            [("app_account_token", token.sqlValue)]
        case .reinstated:
            [
                ("refunded", .null), ("revoked_at", .null), ("revocation", .null),
                ("revocation_reason", .null),
            ]
        }
    }

    /// What the journal says of it.
    func changes(of id: Int64) -> TransactionChanges {
        TransactionChanges(id: id, ColumnChanges(columns))
    }

    /// The same change to a record in memory.
    func apply(to record: inout TransactionRecord) {
        switch self {
        case .upgraded: record.isUpgraded = true
        case .rescheduled(let end): record.expires = end
        case .recommitted(let end): record.instalment?.commitmentEnd = end
        case .prorated(let amount): record.refunded = amount
        case .described(let info): record.advancedCommerce = info
        case .relabelled(let lines): record.lines = lines
        case .revoked(let revocation):
            record.revocation = revocation
            record.refunded = revocation.refunded.milliunits
        case .named(let token): record.appAccountToken = token
        case .reinstated:
            record.revocation = nil
            record.refunded = nil
        }
    }
}

/// Amendments that wait to be written, those of one transaction together.
struct StagedAmendments {
    private struct Waiting {
        var changes: [TransactionAmendment] = []
        var modification: Int64 = 0
        /// The subscription whose event it is.
        var subscription: Int64?
    }

    private var waiting: [Int64: Waiting] = [:]

    /// - Parameter modification: the transaction's new place among all changes.
    mutating func stage(
        _ amendment: TransactionAmendment, of id: Int64, modification: Int64,
        for subscription: Int64?
    ) {
        waiting[id, default: Waiting()].changes.append(amendment)
        waiting[id]?.modification = modification
        waiting[id]?.subscription = subscription
    }

    /// A stored record as it will be.
    func applied(to record: TransactionRecord) -> TransactionRecord {
        guard let amendment = waiting[record.id] else { return record }
        var record = record
        for change in amendment.changes { change.apply(to: &record) }
        record.modification = amendment.modification
        return record
    }

    /// Writes and forgets what waits. Most of a batch change the same columns and share a
    /// statement.
    mutating func write(in session: any Session) throws {
        guard !waiting.isEmpty else { return }
        var statements: [String: [[SQLValue]]] = [:]
        for (id, amendment) in waiting {
            var values: [String: SQLValue] = [:]
            for change in amendment.changes.flatMap(\.columns) {
                values[change.column] = change.value
            }
            let columns = values.keys.sorted()
            let assignments = columns.enumerated().map { "\($1) = $\($0 + 1)" }
            let text =
                "UPDATE store_transaction SET \(assignments.joined(separator: ", ")), "
                + "modification = $\(columns.count + 1) WHERE id = $\(columns.count + 2)"
            statements[text, default: []].append(
                columns.map { values[$0] ?? .null }
                    + [amendment.modification.sqlValue, id.sqlValue])
        }
        for (text, rows) in statements.sorted(by: { $0.key < $1.key }) {
            let changed = try session.executeMany(text, rows)
            if changed != rows.count { try findMissing(in: session) }
        }
        waiting = [:]
    }

    /// Says which transaction was to be changed and is not there.
    private func findMissing(in session: any Session) throws {
        for (id, amendment) in waiting.sorted(by: { $0.key < $1.key })
        where try !session.exists("SELECT 1 FROM store_transaction WHERE id = \(id)") {
            let whom = amendment.subscription.map { "subscription \($0)" } ?? "an amendment"
            let error = Stored.missing("transaction \(id)", for: whom)
            guard let subscription = amendment.subscription else { throw error }
            throw Damage("subscription", subscription, error)
        }
        throw StorageError(.corrupt, "a transaction to be amended is missing")
    }
}
