import Journal
import Storage
import SubscriptionRules

/// What a transaction is to a device.
enum DeviceStanding: Int64 {
    /// The device has finished it, or never had to.
    case done = 0
    /// It waits to be finished.
    case waits = 1
    /// It waits again, since a restore brought it back.
    case isRestored = 2
}

/// The transactions of a device's queue: those of its customer in its app, as the numbers of the
/// device and its marks tell. Renewals wait on every device (RST-2); what is consumed waits until
/// one has finished it (PRD-3).
extension DeviceRecord {
    /// What comes back when a customer restores (RST-1).
    static let restorable = [
        ProductType.autoRenewableSubscription.rawValue, ProductType.nonConsumable.rawValue,
    ]

    /// The tables that `standing` reads.
    private var tables: SQL {
        """
        store_transaction t
        LEFT JOIN device_mark m ON m.device = \(id) AND m.transaction_id = t.id
        """
    }

    /// The raw value of a `DeviceStanding`. What is consumed is delivered once, to whichever device
    /// finishes it first.
    private var standing: SQL {
        """
        CASE WHEN t.kind = \(ProductType.consumable.rawValue) AND t.finished_at IS NOT NULL THEN 0
            WHEN m.is_finished = 1 THEN 0
            WHEN m.is_finished = 0 THEN 2
            WHEN t.queued > \(queue.watermark)
                AND (t.finish_number IS NULL OR t.finish_number > \(queue.began)) THEN 1
            WHEN t.queued > \(queue.restoredAfter) AND t.queued <= \(queue.restoredUntil)
                AND t.kind IN (\(list: Self.restorable)) THEN 2
            ELSE 0 END
        """
    }

    /// Transactions that changed last after a place; an index finds them. None that was made after
    /// it changed last before.
    private func changed(after place: Int64) -> SQL {
        "t.customer = \(customer) AND t.app = \(app) AND t.modification > \(place)"
    }

    /// The place behind which everything is that waits.
    private var beginning: Int64 {
        queue.isRestoring ? min(queue.watermark, queue.restoredAfter) : queue.watermark
    }

    /// The customer's transactions with what they are to this device, oldest first.
    ///
    /// - Parameter after: the identifier of the last one of the page before.
    func transactions(
        unfinishedOnly: Bool, after: Int64, limit: Int, in session: any Session
    ) throws -> [(record: TransactionRecord, standing: DeviceStanding)] {
        let place = unfinishedOnly ? beginning : 0
        var query: SQL = """
            SELECT \(raw: TransactionRecord.columns), \(standing) FROM \(tables)
            WHERE \(changed(after: place)) AND t.id > \(after)
            """
        if unfinishedOnly { query += " AND \(standing) <> 0" }
        return try session.rows(query + " ORDER BY t.id LIMIT \(limit)").map { row in
            let standing = try row.integer(TransactionRecord.columnCount)
            return (try TransactionRecord(row), DeviceStanding(rawValue: standing) ?? .done)
        }
    }

    /// What some of them are to this device, by their identifiers; those that are not told are
    /// done.
    func standings(
        of ids: [Int64], in session: any Session
    ) throws -> [Int64: DeviceStanding] {
        guard !ids.isEmpty else { return [:] }
        let rows = try session.rows(
            "SELECT t.id, \(standing) FROM \(tables) WHERE t.id IN (\(list: ids))")
        return Dictionary(
            try rows.map { row in
                (try row.integer(0), DeviceStanding(rawValue: try row.integer(1)) ?? .done)
            }, uniquingKeysWith: { one, _ in one })
    }

    /// How many transactions wait.
    func waiting(in session: any Session) throws -> Int {
        let row = try session.row(
            """
            SELECT COUNT(*) FROM \(tables)
            WHERE \(changed(after: beginning)) AND \(standing) <> 0
            """)
        return Int(try row?.integer(0) ?? 0)
    }

    // MARK: Changing it

    /// Begins the queue with what nobody has finished yet.
    ///
    /// - Parameter number: one that no earlier change gave out.
    mutating func begin(at number: Int64, in session: any Session) throws {
        try clearMarks(in: session)
        queue.began = number
        (queue.watermark, queue.restoredAfter, queue.restoredUntil) = (0, 0, 0)
        try advance(in: session)
    }

    /// Marks one as finished, and moves the numbers on as far as everything is.
    mutating func finish(_ transaction: TransactionRecord, in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO device_mark (device, transaction_id, queued, is_finished)
            SELECT \(id), t.id, t.queued, 1 FROM store_transaction t WHERE t.id = \(transaction.id)
            ON CONFLICT (device, transaction_id) DO UPDATE SET is_finished = 1
            """)
        try advance(in: session)
    }

    /// Brings back every subscription's transactions and all non-consumables.
    ///
    /// - Returns: how many they are, and whether anything is other than before.
    mutating func restore(in session: any Session) throws -> (count: Int, hasChanged: Bool) {
        let before = queue
        let row = try session.row(
            """
            SELECT COUNT(*), COALESCE(MAX(t.queued), 0) FROM store_transaction t
            WHERE \(changed(after: 0)) AND t.kind IN (\(list: Self.restorable))
            """)
        let ofThese: SQL = """
            device = \(id) AND is_finished = 1 AND transaction_id IN (
                SELECT t.id FROM store_transaction t
                WHERE \(changed(after: 0)) AND t.kind IN (\(list: Self.restorable)))
            """
        let brought = try session.execute(
            """
            UPDATE device_mark SET is_finished = 0
            WHERE \(ofThese) AND queued > \(queue.watermark)
            """)
        let unmarked = try session.execute("DELETE FROM device_mark WHERE \(ofThese)")
        (queue.restoredAfter, queue.restoredUntil) = (0, try row?.integer(1) ?? 0)
        try advanceRestored(in: session)
        return (
            Int(try row?.integer(0) ?? 0), brought + unmarked > 0 || queue != before
        )
    }

    func clearMarks(in session: any Session) throws {
        try session.execute("DELETE FROM device_mark WHERE device = \(id)")
    }

    /// Moves the numbers as far as everything is done, and forgets the marks that they passed.
    private mutating func advance(in session: any Session) throws {
        let row = try session.row(
            """
            SELECT MIN(CASE WHEN \(standing) <> 0 THEN t.queued END), MAX(t.queued)
            FROM \(tables)
            WHERE \(changed(after: queue.watermark)) AND t.queued > \(queue.watermark)
            """)
        if let first = try row?.integerOrNil(0) {
            queue.watermark = first - 1
        } else if let last = try row?.integerOrNil(1) {
            queue.watermark = last
        }
        try advanceRestored(in: session)
        try session.execute(
            """
            DELETE FROM device_mark
            WHERE device = \(id) AND queued <= \(queue.watermark)
                AND NOT (queued > \(queue.restoredAfter) AND queued <= \(queue.restoredUntil))
            """)
    }

    private mutating func advanceRestored(in session: any Session) throws {
        guard queue.isRestoring else { return }
        let row = try session.row(
            """
            SELECT MIN(t.queued) FROM \(tables)
            WHERE \(changed(after: queue.restoredAfter)) AND \(standing) = 2
            """)
        if let first = try row?.integerOrNil(0) {
            queue.restoredAfter = first - 1
        } else {
            (queue.restoredAfter, queue.restoredUntil) = (0, 0)
        }
    }
}

/// A device's marks, as a check reads them.
enum DeviceMark {
    static let columns = "device, transaction_id, queued, is_finished"

    static func check(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "device_mark of device", columns)
        for column in 0...2 { _ = try row.identifier(column) }
        _ = try row.bool(3)
    }
}
