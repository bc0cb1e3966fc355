import Logging
import Storage
public import SubscriptionRules
import TimeAndChance

/// Something that a server or the operator is about to change.
public struct AuditedAct: Hashable, Sendable {
    /// By the machine's clock.
    public let at: Instant
    /// What the token opens: `server` or `operator`.
    public let scope: String
    /// The app that it is about; nil where it is about none.
    public let bundleID: String?
    /// The operation's name.
    public let route: String
    /// The account, or the number of whatever else it is about.
    public let subject: String?
    /// The other name that the account gets; nil for an act that gives none.
    public let otherName: String?

    public init(
        at: Instant, scope: String, bundleID: String?, route: String, subject: String?,
        otherName: String? = nil
    ) {
        self.at = at
        self.scope = scope
        self.bundleID = bundleID
        self.route = route
        self.subject = subject
        self.otherName = otherName
    }
}

/// A line of the audit log.
public struct AuditEntry: Hashable, Sendable {
    public let id: Int64
    public let act: AuditedAct
    /// `done`, the code with which it was refused, or `begun` where its end was not written: it
    /// may have been done.
    public let result: String
}

/// Which lines are listed; all where nothing is said.
public struct AuditFilter: Hashable, Sendable {
    public var scope: String?
    public var bundleID: String?
    public var route: String?
    public var subject: String?

    public init(
        scope: String? = nil, bundleID: String? = nil, route: String? = nil,
        subject: String? = nil
    ) {
        self.scope = scope
        self.bundleID = bundleID
        self.route = route
        self.subject = subject
    }
}

extension Merchant {
    /// Does something that goes into the audit log: first that it begins, then what came of it
    /// (OPS-1). What cannot be written there is not done.
    ///
    /// - Parameter code: what programs branch on, of an error.
    /// - Throws: what the body throws; `StorageError` where the log takes nothing.
    public func audited<Outcome: Sendable>(
        _ act: AuditedAct, code: @Sendable (any Error) -> String,
        _ body: @Sendable () async throws -> Outcome
    ) async throws -> Outcome {
        let ticket = Randomness.token("act_")
        try await database.write(.together) { session in
            try session.execute(
                """
                INSERT INTO audit_entry (ticket, begun_at, token_scope, bundle_id, route,
                    subject, other_name, outcome)
                VALUES (\(ticket), \(act.at), \(act.scope), \(act.bundleID), \(act.route),
                    \(act.subject), \(act.otherName), 'begun')
                """)
        }
        do {
            let result = try await body()
            await note("done", of: ticket)
            return result
        } catch {
            await note(code(error), of: ticket)
            throw error
        }
    }

    /// Writes what came of an act. Where that fails it stays `begun`: it was done or not, and its
    /// caller must hear which.
    private func note(_ result: String, of ticket: String) async {
        do {
            try await database.write(.together) { session in
                try session.execute(
                    "UPDATE audit_entry SET outcome = \(result) WHERE ticket = \(ticket)")
            }
        } catch {
            log.warning(
                "the end of an act is missing in the audit log", metadata: ["error": "\(error)"])
        }
    }

    /// The audit log, the newest first.
    ///
    /// - Parameter before: the number before which lines are; nil for the newest.
    public func audit(
        where filter: AuditFilter = AuditFilter(), before: Int64? = nil, limit: Int
    ) async throws -> [AuditEntry] {
        try await database.read { session in
            var query: SQL = """
                SELECT id, begun_at, token_scope, bundle_id, route, subject, outcome, other_name
                FROM audit_entry WHERE id < \(before ?? Int64.max)
                """
            if let scope = filter.scope { query += " AND token_scope = \(scope)" }
            if let bundleID = filter.bundleID { query += " AND bundle_id = \(bundleID)" }
            if let route = filter.route { query += " AND route = \(route)" }
            if let subject = filter.subject { query += " AND subject = \(subject)" }
            query += " ORDER BY id DESC LIMIT \(limit)"
            return try session.rows(query).map { row throws(StorageError) in
                AuditEntry(
                    id: try row.integer(0),
                    act: AuditedAct(
                        at: try row.instant(1), scope: try row.text(2),
                        bundleID: try row.textOrNil(3), route: try row.text(4),
                        subject: try row.textOrNil(5), otherName: try row.textOrNil(7)),
                    result: try row.text(6))
            }
        }
    }
}
