import Storage
import SubscriptionRules

/// Due work that concerns many subscriptions or none: it is carried out a piece at a time, in the
/// order of its moment among the events of subscriptions.
enum Job {
    case price(ScheduledPrice)
    case massExtension(MassExtension)
    case refundDecision(RefundRequest)

    /// The job that is due first by a horizon; at one moment a price goes first.
    static func next(by horizon: Instant, in session: any Session) throws -> Job? {
        let jobs: [Job] = [
            try ScheduledPrice.next(by: horizon, in: session).map(Job.price),
            try MassExtension.next(by: horizon, in: session).map(Job.massExtension),
            try RefundRequest.next(by: horizon, in: session).map(Job.refundDecision),
        ].compactMap { $0 }
        return jobs.min { $0.moment < $1.moment }
    }

    /// When it is due.
    var moment: Instant {
        switch self {
        case .price(let change): change.start
        case .massExtension(let order): order.created
        case .refundDecision(let request): request.decidesAt ?? request.requested
        }
    }

    /// Up to which moment the events of subscriptions come before it: a price is live for the
    /// renewals of its very moment, everything else follows on what is due.
    var others: Instant {
        switch self {
        case .price: moment - Span(milliseconds: 1)
        case .massExtension, .refundDecision: moment
        }
    }

    /// Does the next piece.
    ///
    /// - Returns: how many events of subscriptions it made happen.
    func goOn(_ work: Work) throws -> Int {
        switch self {
        case .price(var change):
            return try work.goOn(with: &change)
        case .massExtension(var order):
            return try work.goOn(with: &order)
        case .refundDecision(let request):
            try work.decideByPolicy(request, at: moment)
            return 1
        }
    }
}

extension Session {
    /// When something is due next besides notifications.
    func nextDue() throws -> Instant? {
        try row(
            """
            SELECT MIN(moment) FROM (
                SELECT MIN(next_change) AS moment FROM subscription WHERE next_change IS NOT NULL
                UNION ALL SELECT MIN(starts_at) FROM price_change WHERE state <> 'done'
                UNION ALL SELECT MIN(created_at) FROM mass_extension WHERE completed_at IS NULL
                UNION ALL SELECT MIN(decide_at) FROM refund_request WHERE decide_at IS NOT NULL
            ) AS moments
            """)?.instantOrNil(0)
    }

    /// When a notification is tried next.
    ///
    /// - Parameter which: a condition on the table of notifications.
    func nextAttempt(_ which: SQL = "TRUE") throws -> Instant? {
        try row(
            """
            SELECT MIN(next_attempt) FROM notification
            WHERE next_attempt IS NOT NULL AND \(which)
            """)?.instantOrNil(0)
    }
}
