import Storage

extension Schema {
    /// Changes subscriptions and says so in the journal, which else would not give the rows any
    /// more when it is folded.
    ///
    /// - Parameters:
    ///   - columns: the columns with the SQL of their new values, integers and never null; `s` is
    ///     the subscription.
    ///   - condition: which subscriptions, as SQL.
    static func changeSubscriptions(
        _ columns: KeyValuePairs<String, String>, where condition: String
    ) -> [String] {
        let changed = columns.map { #""\#($0)":' || \#($1) || '"# }.joined(separator: ",")
        let newest = "(SELECT MAX(sequence) FROM journal)"
        return [
            """
            INSERT INTO journal (sequence, at, kind, app, customer, subscription, detail)
            SELECT w.next_number - 1 + ROW_NUMBER() OVER (ORDER BY s.id),
                COALESCE((SELECT MAX(at) FROM journal), s.term_purchased_at), 'broughtUpToDate',
                s.app, s.customer, s.id, '{"changed":{\(changed)}}'
            FROM world w, subscription s WHERE \(condition)
            """,
            "UPDATE subscription AS s SET "
                + columns.map { "\($0) = \($1)" }.joined(separator: ", ")
                + " WHERE \(condition)",
            "UPDATE world SET next_number = \(newest) + 1 WHERE next_number <= \(newest)",
        ]
    }
}
