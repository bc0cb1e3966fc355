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
}
