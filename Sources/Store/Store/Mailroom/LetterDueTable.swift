import DueWork
import Storage
import SubscriptionRules

/// When the dates of a customer's subscriptions bring something to write next. What it is then is
/// seen from the subscriptions as they are by that moment.
struct LetterDue: Hashable {
    /// The customer.
    let id: Int64
    /// Nil where nothing is known that will be.
    private(set) var moment: Instant?
    /// Up to where reminders have looked; the next one comes then or later (S308-14).
    var remindedUntil: Instant?

    static let columns = "l.id, l.due_at, l.reminded_until"

    init(_ id: Int64) { self.id = id }

    init(_ row: Row, first: Int = 0) throws(StorageError) {
        let row = StoredRow(row, of: "letter_due", LetterDue.columns, first: first)
        id = try row.identifier(0)
        moment = try row.instantOrNil(1)
        remindedUntil = try row.instantOrNil(2)
    }

    /// Adds a moment; the earliest of all is next.
    mutating func add(_ moment: Instant?) {
        guard let moment else { return }
        self.moment = min(moment, self.moment ?? moment)
    }

    /// What was due has come to pass, and what comes next is found anew.
    mutating func clear() { moment = nil }

    static func save(_ all: some Collection<LetterDue>, in session: any Session) throws {
        guard !all.isEmpty else { return }
        try session.executeMany(
            """
            INSERT INTO letter_due (id, due_at, reminded_until) VALUES ($1, $2, $3)
            ON CONFLICT (id) DO UPDATE
            SET due_at = excluded.due_at, reminded_until = excluded.reminded_until
            """,
            all.sorted { $0.id < $1.id }.map {
                [$0.id.sqlValue, $0.moment.sqlValue, $0.remindedUntil.sqlValue]
            })
    }

    /// Makes everybody due at once who subscribes to a product.
    ///
    /// - Parameter onlyAddressed: without those who cannot have an address.
    static func lookAt(
        subscribersTo productID: String, of app: Int64, at moment: Instant, onlyAddressed: Bool,
        inSandboxToo: Bool, in session: any Session
    ) throws {
        var condition: SQL = """
            s.app = \(app) AND s.product_id = \(productID) AND s.next_change IS NOT NULL
            """
        if onlyAddressed { condition += " AND " + Customer.mayBeAddressed }
        if !inSandboxToo { condition += " AND c.environment = \(StoreEnvironment.production)" }
        try session.execute(
            """
            INSERT INTO letter_due (id, due_at)
            SELECT DISTINCT c.id, CAST(\(moment) AS \(raw: session.dialect.integer))
            FROM subscription s JOIN customer c ON c.id = s.customer WHERE
            """ + " " + condition + """
                 ON CONFLICT (id) DO UPDATE SET due_at = CASE
                    WHEN letter_due.due_at < excluded.due_at THEN letter_due.due_at
                    ELSE excluded.due_at END
                """)
    }

    /// Those of some customers that there are.
    static func find(_ ids: Set<Int64>, in session: any Session) throws -> [LetterDue] {
        guard !ids.isEmpty else { return [] }
        return try session.rows(
            "SELECT \(raw: columns) FROM letter_due l WHERE l.id IN (\(list: ids.sorted()))"
        ).map { try LetterDue($0) }
    }

    /// Those that are due by a horizon and whose customers nobody else has locked, which are locked
    /// then, in the order of their moments.
    static func due(
        by horizon: Instant, limit: Int, passingOver aside: SetAside, in session: any Session
    ) throws -> [(LetterDue, Customer)] {
        let limit = limit + aside.identifiers(of: "letter_due").count
        let lock = session.dialect.lockFreeRows(of: "c")
        return try session.rows(
            """
            SELECT \(raw: columns), \(raw: Customer.columns)
            FROM letter_due l JOIN customer c ON c.id = l.id
            WHERE l.due_at IS NOT NULL AND l.due_at <= \(horizon)
            ORDER BY l.due_at, l.id LIMIT \(limit)\(raw: lock)
            """
        ).compactMap { row in
            try aside.read("letter_due", row.integer(0)) {
                (try LetterDue(row), try Customer(row, first: 3))
            }
        }
    }
}
