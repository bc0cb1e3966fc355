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

/// The columns of a record in a query that reads others beside them.
struct JoinedColumns<Record: StoredRecord>: Sendable {
    /// As they stand in the list of a SELECT.
    let list: String
    let count: Int

    /// - Parameter table: what the query calls their table.
    init(of table: String) {
        let names = Record.columnNames()
        list = names.map { "\(table).\($0)" }.joined(separator: ", ")
        count = names.count
    }

    /// The record of a row; nil where there was none to be joined.
    ///
    /// - Parameter first: the index of its first column.
    func record(in row: Row, from first: Int) throws(StorageError) -> Record? {
        // The last column of each record that is joined so holds a value.
        row.isNull(first + count - 1) ? nil : try Record(row, from: first)
    }
}
