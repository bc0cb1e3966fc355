import Storage

extension Lane {
    /// The condition on the table of notifications.
    var condition: SQL { "app = \(app) AND environment = \(environment)" }

    /// The lanes in which anything is still to go out, at once or later.
    static func all(in session: any Session) throws -> [Lane] {
        var lanes: [Lane] = []
        var last = Lane(app: .min, environment: .min)
        // From lane to lane in the index: the first of each says enough, however many it has.
        while let row = try session.row(
            """
            SELECT app, environment FROM notification
            WHERE next_attempt IS NOT NULL
                AND (app, environment) > (\(last.app), \(last.environment))
            ORDER BY app, environment LIMIT 1
            """)
        {
            last = Lane(app: try row.integer(0), environment: try row.integer(1))
            lanes.append(last)
        }
        return lanes
    }
}
