import Journal
import Storage
import SubscriptionRules

/// A customer's device with its queue, in one app.
struct DeviceRecord {
    let customer: Int64
    let app: Int64
    let registered: Instant
    var queue: DeviceQueue

    var id: Int64 { queue.device }

    static let columns = """
        d.id, d.customer, d.app, d.name, d.registered_at, d.watermark, d.restored_after, \
        d.restored_until, d.began
        """

    init(customer: Int64, app: Int64, registered: Instant, queue: DeviceQueue) {
        self.customer = customer
        self.app = app
        self.registered = registered
        self.queue = queue
    }

    /// Reads the columns of `columns`.
    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "device", DeviceRecord.columns)
        customer = try row.identifier(1)
        app = try row.identifier(2)
        registered = try row.instant(4)
        let places = 0...Stored.largestNumber
        queue = DeviceQueue(
            device: try row.identifier(0), name: try row.text(3),
            watermark: try row.integer(5, in: places),
            restoredAfter: try row.integer(6, in: places),
            restoredUntil: try row.integer(7, in: places), began: try row.integer(8, in: places))
    }

    func insert(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO device (id, customer, app, name, registered_at, watermark, restored_after,
                restored_until, began)
            VALUES (\(id), \(customer), \(app), \(queue.name), \(registered),
                \(queue.watermark), \(queue.restoredAfter), \(queue.restoredUntil),
                \(queue.began))
            """)
    }

    func update(in session: any Session) throws {
        try session.execute(
            """
            UPDATE device SET customer = \(customer), watermark = \(queue.watermark),
                restored_after = \(queue.restoredAfter), restored_until = \(queue.restoredUntil),
                began = \(queue.began)
            WHERE id = \(id)
            """)
    }

    /// Removes the device with its marks; who is signed in on it is signed out.
    func delete(in session: any Session) throws {
        try signOut(in: session)
        try clearMarks(in: session)
        try session.execute("DELETE FROM device WHERE id = \(id)")
    }

    static func find(_ id: Int64, in session: any Session) throws -> DeviceRecord? {
        try session.row("SELECT \(raw: columns) FROM device d WHERE d.id = \(id)")
            .map { try DeviceRecord($0) }
    }

    static func find(
        _ name: String, of buyer: TransactionRecord.Selection, in session: any Session
    ) throws -> DeviceRecord? {
        try session.row(
            """
            SELECT \(raw: columns) FROM device d
            WHERE d.customer = \(buyer.customer) AND d.app = \(buyer.app) AND d.name = \(name)
            """
        ).map { try DeviceRecord($0) }
    }

    /// A customer's devices, the first registered one first.
    ///
    /// - Parameter app: those in this one; nil for those in all.
    static func all(
        ofCustomer customer: Int64, app: Int64?, in session: any Session
    ) throws -> [DeviceRecord] {
        var query: SQL = """
            SELECT \(raw: columns) FROM device d WHERE d.customer = \(customer)
            """
        if let app { query += " AND d.app = \(app)" }
        return try session.rows(query + " ORDER BY d.id").map { try DeviceRecord($0) }
    }
}

/// Who is signed in on a device, each known by the digest of a token.
extension DeviceRecord {
    func signIn(digest: String, at moment: Instant, in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO sign_in (token_digest, device, created_at)
            VALUES (\(digest), \(id), \(moment))
            """)
    }

    /// Voids one token.
    ///
    /// - Returns: whether it was one of this device's.
    func signOut(digest: String, in session: any Session) throws -> Bool {
        try session.execute(
            "DELETE FROM sign_in WHERE token_digest = \(digest) AND device = \(id)") > 0
    }

    /// Voids all tokens.
    func signOut(in session: any Session) throws {
        try session.execute("DELETE FROM sign_in WHERE device = \(id)")
    }

    /// How many tokens are good on it.
    func signIns(in session: any Session) throws -> Int {
        let row = try session.row("SELECT COUNT(*) FROM sign_in WHERE device = \(id)")
        return Int(try row?.integer(0) ?? 0)
    }
}

extension DeviceSession {
    static func find(
        digest: String, in environment: StoreEnvironment, _ session: any Session
    ) throws -> DeviceSession? {
        try session.row(
            """
            SELECT d.customer, d.app, d.name, d.id FROM sign_in i
            JOIN device d ON d.id = i.device JOIN customer c ON c.id = d.customer
            WHERE i.token_digest = \(digest) AND c.environment = \(environment)
            """
        ).map { row in
            DeviceSession(
                environment: environment, customer: try row.integer(0), app: try row.integer(1),
                device: try row.text(2), id: try row.integer(3))
        }
    }
}
