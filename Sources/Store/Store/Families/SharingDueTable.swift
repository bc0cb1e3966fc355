import DueWork
import Storage
import SubscriptionRules

/// A purchase that the family gets later than its purchaser (FAM-4).
struct SharingDue {
    /// The purchaser's original transaction.
    let id: Int64
    let moment: Instant

    static let columns = "id, due_at"

    init(_ id: Int64, at moment: Instant) { (self.id, self.moment) = (id, moment) }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "sharing_due", SharingDue.columns)
        id = try row.identifier(0)
        moment = try row.instant(1)
    }

    /// Writes it; what was to come earlier stays.
    func save(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO sharing_due (id, due_at) VALUES (\(id), \(moment))
            ON CONFLICT (id) DO NOTHING
            """)
    }

    func delete(in session: any Session) throws {
        try session.execute("DELETE FROM sharing_due WHERE id = \(id)")
    }

    static func exists(_ id: Int64, in session: any Session) throws -> Bool {
        try session.exists("SELECT 1 FROM sharing_due WHERE id = \(id)")
    }

    /// The one that comes first; nil when nothing is due by then.
    static func next(
        by horizon: Instant, passingOver aside: SetAside, in session: any Session
    ) throws -> SharingDue? {
        try session.first(
            "sharing_due",
            """
            SELECT \(raw: columns) FROM sharing_due
            WHERE due_at <= \(horizon) ORDER BY due_at, id
            """, passingOver: aside
        ) { try SharingDue($0) }
    }
}
