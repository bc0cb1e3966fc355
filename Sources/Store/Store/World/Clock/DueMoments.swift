import DueWork
import Storage
import SubscriptionRules

/// When something is due next, over all tables in which something can be due.
extension Session {
    /// When something is due next besides notifications.
    ///
    /// - Parameter writing: whether customers are written to, so that letters are due as well.
    func nextDue(passingOver aside: SetAside, writing: Bool = false) throws -> Instant? {
        try [
            nextChange(passingOver: aside), nextJob(passingOver: aside),
            writing ? LetterDue.next(passingOver: aside, in: self) : nil,
        ].compactMap { $0 }.min()
    }

    /// When the next event of a subscription is due.
    ///
    /// - Parameter which: a condition on the table.
    func nextChange(_ which: SQL = "TRUE", passingOver aside: SetAside) throws -> Instant? {
        try earliest("next_change", of: "subscription", which, passingOver: aside)
    }

    /// When a job is due next.
    func nextJob(passingOver aside: SetAside) throws -> Instant? {
        try [
            earliest("starts_at", of: "price_change", "state <> 'done'", passingOver: aside),
            earliest(
                "created_at", of: "mass_extension", "completed_at IS NULL",
                passingOver: aside),
            earliest("decide_at", of: "refund_request", passingOver: aside),
            earliest("next_at", of: "bill", passingOver: aside),
            earliest("lapses_at", of: "held_purchase", passingOver: aside),
            earliest("due_at", of: "sharing_due", passingOver: aside),
        ].compactMap { $0 }.min()
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
