import Storage
import SubscriptionRules

/// Which process delivers in a lane. Claims go by the database's clock, so that those of the
/// machines may differ.
extension Lane {
    /// Takes the lane for a process, or keeps it.
    ///
    /// - Returns: whether it is the process's; false while another one has it.
    func hold(for process: String, _ time: Span, in session: any Session) throws -> Bool {
        let now = session.dialect.now
        return try session.execute(
            """
            INSERT INTO lane_claim (app, environment, process, held_until)
            VALUES (\(app), \(environment), \(process), \(raw: now) + \(time.milliseconds))
            ON CONFLICT (app, environment) DO UPDATE
                SET process = excluded.process, held_until = excluded.held_until
                WHERE lane_claim.process = excluded.process OR lane_claim.held_until <= \(raw: now)
            """) == 1
    }

    /// Puts off the end of a claim.
    ///
    /// - Returns: whether the lane is still the process's.
    func keep(for process: String, _ time: Span, in session: any Session) throws -> Bool {
        try session.execute(
            """
            UPDATE lane_claim SET held_until = \(raw: session.dialect.now) + \(time.milliseconds)
            WHERE app = \(app) AND environment = \(environment) AND process = \(process)
            """) == 1
    }

    /// Lets go of the lane, if it is the process's.
    func release(by process: String, in session: any Session) throws {
        try session.execute(
            """
            DELETE FROM lane_claim
            WHERE app = \(app) AND environment = \(environment) AND process = \(process)
            """)
    }

    /// The lanes that other processes have.
    static func held(byOthersThan process: String, in session: any Session) throws -> Set<Lane> {
        let found = try session.rows(
            """
            SELECT app, environment FROM lane_claim
            WHERE process <> \(process) AND held_until > \(raw: session.dialect.now)
            """)
        return Set(try found.map { Lane(app: try $0.integer(0), environment: try $0.integer(1)) })
    }

    /// Lets go of all that a process has; of everything, where none is named.
    static func releaseAll(of process: String? = nil, in session: any Session) throws {
        if let process {
            try session.execute("DELETE FROM lane_claim WHERE process = \(process)")
        } else {
            try session.execute("DELETE FROM lane_claim")
        }
    }
}
