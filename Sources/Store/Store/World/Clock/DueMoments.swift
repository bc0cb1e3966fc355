import DueWork
import Storage
import SubscriptionRules

extension DueColumn {
    /// When the next event of a subscription is due.
    ///
    /// - Parameter which: a condition on the table.
    static func changes(_ which: SQL = "TRUE") -> DueColumn {
        DueColumn("next_change", of: "subscription", which)
    }

    /// When a job is due next, by the kind of job, in the order in which lists show them.
    static let jobsByKind: [(kind: String, column: DueColumn)] = [
        ("answer", DueColumn("next_at", of: "bill")),
        ("price", DueColumn("starts_at", of: "price_change", "state <> 'done'")),
        ("massExtension", DueColumn("created_at", of: "mass_extension", "completed_at IS NULL")),
        ("refundDecision", DueColumn("decide_at", of: "refund_request")),
        ("purchaseRequest", DueColumn("lapses_at", of: "held_purchase")),
        ("sharing", DueColumn("due_at", of: "sharing_due")),
    ]

    /// When a job is due next.
    static let jobs = jobsByKind.map(\.column)

    /// When somebody is written to next.
    static let letters = DueColumn(
        // SQLite would go through all customers for `id IN (SELECT …)`.
        "due_at", of: "letter_due", "EXISTS (SELECT 1 FROM customer c WHERE c.id = letter_due.id)")
}

/// When something is due next, over all tables in which something can be due.
extension Session {
    /// When something is due next besides notifications.
    ///
    /// - Parameters:
    ///   - writing: whether customers are written to, so that letters are due as well.
    ///   - attempts: notifications that are due too.
    func nextDue(
        passingOver aside: SetAside, writing: Bool = false, or attempts: [DueColumn] = []
    ) throws -> Instant? {
        let columns = [.changes()] + DueColumn.jobs + (writing ? [.letters] : []) + attempts
        return try earliest(in: columns, passingOver: aside)
    }
}
