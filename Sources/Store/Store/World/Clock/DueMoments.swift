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

    /// When a job is due next.
    static let jobs = [
        DueColumn("starts_at", of: "price_change", "state <> 'done'"),
        DueColumn("created_at", of: "mass_extension", "completed_at IS NULL"),
        DueColumn("decide_at", of: "refund_request"),
        DueColumn("next_at", of: "bill"),
        DueColumn("lapses_at", of: "held_purchase"),
        DueColumn("due_at", of: "sharing_due"),
    ]

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

    /// How many jobs of each kind are due until a moment.
    func countDueJobs(by moment: Instant) throws -> [(kind: String, count: Int)] {
        let queries: [(String, SQL)] = [
            (
                "answer",
                "SELECT COUNT(*) FROM bill WHERE next_at IS NOT NULL AND next_at <= \(moment)"
            ),
            (
                "price",
                """
                SELECT COUNT(*) FROM price_change
                WHERE state <> 'done' AND starts_at <= \(moment)
                """
            ),
            (
                "massExtension",
                """
                SELECT COUNT(*) FROM mass_extension
                WHERE completed_at IS NULL AND created_at <= \(moment)
                """
            ),
            (
                "refundDecision",
                """
                SELECT COUNT(*) FROM refund_request
                WHERE decide_at IS NOT NULL AND decide_at <= \(moment)
                """
            ),
            (
                "purchaseRequest",
                """
                SELECT COUNT(*) FROM held_purchase
                WHERE lapses_at IS NOT NULL AND lapses_at <= \(moment)
                """
            ),
            ("sharing", "SELECT COUNT(*) FROM sharing_due WHERE due_at <= \(moment)"),
        ]
        return try queries.map { kind, query in
            (kind, Int(try row(query)?.integer(0) ?? 0))
        }
    }
}
