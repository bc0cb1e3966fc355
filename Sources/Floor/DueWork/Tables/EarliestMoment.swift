package import Storage
package import SubscriptionRules

/// A column of the moments at which something is due.
package struct DueColumn: Sendable {
    private let name: String
    fileprivate let table: String
    private let which: SQL

    /// - Parameters:
    ///   - table: it has a column `id`.
    ///   - which: a condition on the table.
    package init(_ name: String, of table: String, _ which: SQL = "TRUE") {
        self.name = name
        self.table = table
        self.which = which
    }

    /// The first rows, with a number by which they are known among those of other columns.
    fileprivate func first(_ count: Int, as number: Int) -> SQL {
        """
        SELECT * FROM (
            SELECT \(raw: "\(number)") AS number, id, \(raw: name) AS moment FROM \(raw: table)
            WHERE \(raw: name) IS NOT NULL AND \(which) ORDER BY \(raw: name), id LIMIT \(count)
        ) AS due
        """
    }

    /// Counts the rows that are due until a moment.
    fileprivate func count(by moment: Instant) -> SQL {
        """
        SELECT COUNT(*) FROM \(raw: table)
        WHERE \(raw: name) IS NOT NULL AND \(raw: name) <= \(moment) AND \(which)
        """
    }
}

extension Session {
    /// How many rows of a column are due until a moment.
    package func countDue(in column: DueColumn, by moment: Instant) throws -> Int {
        Int(try row(column.count(by: moment))?.integer(0) ?? 0)
    }

    /// The earliest moment in any of several columns.
    package func earliest(in columns: [DueColumn], passingOver aside: SetAside) throws -> Instant? {
        try earliest(inEach: [columns], passingOver: aside)[0]
    }

    /// The earliest moment in each of several groups of columns. One statement asks for all: that
    /// it is one is most of what it costs. A moment that cannot be is due at once: who looks at its
    /// row finds what is wrong with it.
    package func earliest(
        inEach groups: [[DueColumn]], passingOver aside: SetAside
    ) throws -> [Instant?] {
        var earliest: [Instant?] = groups.map { _ in nil }
        var waiting = groups.enumerated().flatMap { group, columns in columns.map { (group, $0) } }
        while !waiting.isEmpty {
            let passed = waiting.map { aside.identifiers(of: $0.1.table).count }
            var query: SQL = ""
            for (number, (_, column)) in waiting.enumerated() {
                query += number == 0 ? "" : " UNION ALL "
                query += column.first(passed[number] + 1, as: number)
            }
            var found = waiting.map { _ in 0 }
            var areRead = waiting.map { _ in false }
            for row in try rows(query) {
                let number = Int(try row.integer(0))
                let (group, column) = waiting[number]
                found[number] += 1
                let moment = try aside.read(column.table, row.integer(1)) {
                    Instant(milliseconds: max(0, try row.integer(2)))
                }
                guard let moment else { continue }
                earliest[group] = min(moment, earliest[group] ?? moment)
                areRead[number] = true
            }
            // Where another row was set aside just now, more lie behind it.
            waiting = waiting.indices.filter {
                !areRead[$0] && found[$0] > passed[$0]
                    && aside.identifiers(of: waiting[$0].1.table).count > passed[$0]
            }.map { waiting[$0] }
        }
        return earliest
    }
}
