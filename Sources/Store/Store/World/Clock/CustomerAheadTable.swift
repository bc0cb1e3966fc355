import Storage
import SubscriptionRules

/// A customer who is ahead of work that concerns many: a command has settled what was due for this
/// customer, also by jobs that had not come so far. Whatever the customer has from then on came
/// after those jobs, and they pass it over.
struct CustomerAhead {
    let customer: Int64
    /// What was settled: jobs that were due by this moment,
    var moment: Instant
    /// and whose number is lower than this one.
    var number: Int64

    static let columns = "customer, moment, number"

    init(customer: Int64, moment: Instant, number: Int64) {
        self.customer = customer
        self.moment = moment
        self.number = number
    }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "customer_ahead", CustomerAhead.columns)
        self.init(
            customer: try row.identifier(0), moment: try row.instant(1),
            number: try row.identifier(2))
    }

    func save(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO customer_ahead (\(raw: CustomerAhead.columns))
            VALUES (\(customer), \(moment), \(number))
            ON CONFLICT (customer)
            DO UPDATE SET moment = excluded.moment, number = excluded.number
            """)
    }

    /// The condition that the customer of a row is not ahead of a job.
    ///
    /// - Parameters:
    ///   - customer: the column that names the customer.
    ///   - job: the number of the job and the moment at which it is due, as SQL.
    static func isNot(_ customer: SQL, of job: (id: SQL, moment: SQL)) -> SQL {
        """
        NOT EXISTS (
            SELECT 1 FROM customer_ahead a WHERE a.customer = \(customer)
                AND a.moment >= \(job.moment) AND a.number > \(job.id))
        """
    }

    /// A price that is going live. What it says twice lets the index of open prices be used, which
    /// is partial.
    private static let isGoing: SQL = "state <> 'done' AND state = 'going'"

    /// Whether a job is under way that is due by a moment and that a customer is not ahead of.
    static func isToBeSaid(
        of customer: Int64, by horizon: Instant, in session: any Session
    ) throws -> Bool {
        try session.exists(
            """
            SELECT p.id FROM price_change p WHERE \(isGoing)
                AND \(isNot("\(customer)", of: ("p.id", "p.starts_at")))
            UNION ALL
            SELECT m.id FROM mass_extension m
            WHERE m.completed_at IS NULL AND m.created_at <= \(horizon)
                AND \(isNot("\(customer)", of: ("m.id", "m.created_at")))
            LIMIT 1
            """)
    }

    /// Forgets who was ahead once no job is under way that could pass anybody over.
    static func forgetAfterLastJob(in session: any Session) throws {
        let isUnderWay = try session.exists(
            """
            SELECT id FROM price_change WHERE \(isGoing)
            UNION ALL SELECT id FROM mass_extension WHERE completed_at IS NULL LIMIT 1
            """)
        if !isUnderWay { try session.execute("DELETE FROM customer_ahead") }
    }
}
