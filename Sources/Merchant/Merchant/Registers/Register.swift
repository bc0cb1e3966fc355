import Storage

/// A table in which the record that was signed last wins, whatever the order of arrival (ING-3).
/// Of two that were signed at one instant, as with a clock that stands still, the one that comes
/// last wins: a store sends what is about one purchase in order.
struct Register<Record: StoredRecord>: Sendable {
    private let upsert: String
    private let select: String

    /// - Parameters:
    ///   - key: the columns of the primary key.
    ///   - precedence: the columns by which a record wins, the most important first; none where
    ///     each takes the place of the one before.
    ///   - content: the column by which two are the same, and the second changes nothing.
    init(table: String, key: [String], precedence: [String] = [], content: String? = nil) {
        let columns = Record.columnNames()
        let list = columns.joined(separator: ", ")
        let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let changes = columns.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
        func row(of source: String) -> String {
            "(" + precedence.map { "\(source).\($0)" }.joined(separator: ", ") + ")"
        }
        var conditions = content.map { ["excluded.\($0) <> \(table).\($0)"] } ?? []
        if !precedence.isEmpty { conditions.append("\(row(of: "excluded")) >= \(row(of: table))") }
        upsert = """
            INSERT INTO \(table) (\(list)) VALUES (\(places))
            ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE
            SET \(changes.joined(separator: ", "))
            """ + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
        select = "SELECT \(list) FROM \(table)"
    }

    /// Takes a record unless it holds a newer one.
    ///
    /// - Returns: whether it was taken.
    func take(_ record: Record, _ session: any Session) throws(StorageError) -> Bool {
        try session.execute(SQL(text: upsert, binds: record.storedValues)) > 0
    }

    /// The records that a condition chooses.
    func records(where condition: SQL, _ session: any Session) throws(StorageError) -> [Record] {
        var query = SQL(text: "\(select) WHERE ")
        query += condition
        return try session.rows(query).map { row throws(StorageError) in try Record(row) }
    }
}
