package import DueWork
package import Storage
import SubscriptionRules

/// The table of a program's messages, as far as an outbox needs to know it.
///
/// It has a column `id`, which numbers the messages in the order in which they came into being, and
/// `next_attempt`, the moment of the next attempt in milliseconds, which is NULL where nothing is
/// to be done any more. An index on the columns of lanes, then `next_attempt` and `id`, where
/// `next_attempt` is not NULL, finds what is due in one lane however much is due in another.
package struct OutboxTable: Sendable {
    package let name: String
    /// The columns of integers that say in which lane a message is.
    let laneColumns: [String]
    /// What is read of a message that is taken up, as a SELECT list; the first one is `id`.
    let columns: String
    /// Without what nothing is due, as a condition on the database and not on the message: it is
    /// asked with every look.
    let isOpen: SQL

    package init(
        _ name: String, laneColumns: [String], columns: String, isOpen: SQL = "TRUE"
    ) {
        precondition(!laneColumns.isEmpty, "messages of \(name) are in no lane")
        self.name = name
        self.laneColumns = laneColumns
        self.columns = columns
        self.isOpen = isOpen
    }

    /// The condition that a message is in a lane.
    func condition(of lane: Lane) -> SQL {
        zip(laneColumns, lane.numbers).reduce("TRUE") { condition, column in
            condition + " AND \(raw: column.0) = \(column.1)"
        }
    }

    /// The lanes in which anything is still to go out, at once or later.
    func lanes(in session: any Session) throws -> [Lane] {
        let names = laneColumns.joined(separator: ", ")
        var lanes: [Lane] = []
        var last = laneColumns.map { _ in Int64.min }
        // From lane to lane in the index: the first of each says enough, however many it has.
        while let row = try session.row(
            """
            SELECT \(raw: names) FROM \(raw: name)
            WHERE next_attempt IS NOT NULL AND (\(raw: names)) > (\(list: last))
            ORDER BY \(raw: names) LIMIT 1
            """)
        {
            last = try laneColumns.indices.map { try row.integer($0) }
            lanes.append(Lane(in: name, last))
        }
        return lanes
    }

    /// When messages are tried next.
    ///
    /// - Parameter which: a condition on the table.
    package func attempts(_ which: SQL = "TRUE") -> DueColumn {
        DueColumn("next_attempt", of: name, which + " AND " + isOpen)
    }

    /// The messages of a lane that are due at or before a moment, in the order of their moments;
    /// those that cannot be read are set aside.
    ///
    /// - Parameters:
    ///   - which: a condition on the table.
    ///   - held: those that are under way already.
    func due<Message>(
        by moment: Instant, in lane: Lane, limit: Int, which: SQL, except held: Set<Int64>,
        passingOver aside: SetAside, in session: any Session, _ read: (Row) throws -> Message
    ) throws -> [Message] {
        let rows = try session.rows(
            """
            SELECT \(raw: columns) FROM \(raw: name)
            WHERE next_attempt IS NOT NULL AND next_attempt <= \(moment)
                AND \(condition(of: lane)) AND \(which) AND \(isOpen)
            ORDER BY next_attempt, id
            LIMIT \(limit + held.count + aside.identifiers(of: name).count)
            """)
        var due: [Message] = []
        for row in rows where due.count < limit {
            let id = try row.integer(0)
            guard !held.contains(id) else { continue }
            if let message = try aside.read(name, id, { try read(row) }) { due.append(message) }
        }
        return due
    }
}
