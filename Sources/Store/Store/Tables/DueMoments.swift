import DueWork
import Storage
import SubscriptionRules

/// When something is due next, over all tables in which something can be due.
extension Session {
    /// When something is due next besides notifications.
    func nextDue(passingOver aside: SetAside) throws -> Instant? {
        try [nextChange(passingOver: aside), nextJob(passingOver: aside)].compactMap { $0 }.min()
    }

    /// When the next event of a subscription is due.
    func nextChange(passingOver aside: SetAside) throws -> Instant? {
        try earliest("next_change", of: "subscription", passingOver: aside)
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
        ].compactMap { $0 }.min()
    }

    /// The earliest moment in a column. One that cannot be is due at once: who looks at its row
    /// finds what is wrong with it.
    private func earliest(
        _ column: String, of table: String, _ which: SQL = "TRUE", passingOver aside: SetAside
    ) throws -> Instant? {
        try first(
            table,
            """
            SELECT id, \(raw: column) FROM \(raw: table)
            WHERE \(raw: column) IS NOT NULL AND \(which) ORDER BY \(raw: column), id
            """, passingOver: aside
        ) { Instant(milliseconds: max(0, try $0.integer(1))) }
    }
}
