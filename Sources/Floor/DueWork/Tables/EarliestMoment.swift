package import Storage
package import SubscriptionRules

extension Session {
    /// The earliest moment in a column. One that cannot be is due at once: who looks at its row
    /// finds what is wrong with it.
    ///
    /// - Parameters:
    ///   - table: it has a column `id`.
    ///   - which: a condition on the table.
    package func earliest(
        _ column: String, of table: String, _ which: SQL = "TRUE", passingOver aside: SetAside
    ) throws -> Instant? {
        try first(
            table,
            """
            SELECT id, \(raw: column) FROM \(raw: table)
            WHERE \(raw: column) IS NOT NULL AND \(which) ORDER BY \(raw: column), id
            """, passingOver: aside
        ) { Instant(milliseconds: max(0, try $0.integer(1))) }
    }
}
