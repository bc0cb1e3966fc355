internal import CPostgres
internal import Storage

/// How a transaction begins.
struct Beginning {
    /// Before its first statement, one after the other.
    let commands: [String]

    /// What a transaction waits for as it begins.
    enum Awaited {
        /// Its turn in the queue of all changes.
        case turn(Company)
        /// Whoever puts other tables in the place of ours, before a snapshot is taken: in one that
        /// is older than the new tables' rows they would be empty.
        case tables
        case nothing
    }
}

/// The queue of all changes, whichever process they are of, in the order of asking: any number of
/// them go together, and one that goes alone waits for those before it and keeps those behind it
/// waiting. PostgreSQL lets go of the lock once everybody can see what was committed.
extension Company {
    // Any number that no other program takes for a lock in the same database, and the schema.
    private static let key = "722337203, hashtext(COALESCE(current_schema(), ''))"

    /// What joins the queue, and waits.
    var joining: String {
        switch self {
        case .together: "SELECT pg_advisory_xact_lock_shared(\(Self.key))"
        case .alone: "SELECT pg_advisory_xact_lock(\(Self.key))"
        }
    }
}

extension PostgresConnection {
    /// Starts a transaction, together with its first statement: BEGIN travels with that one, which
    /// saves a third of a small transaction's waiting.
    ///
    /// - Parameter awaited: what it waits for before that statement.
    func begin(_ text: String, after awaited: Beginning.Awaited) {
        let wait: String? =
            switch awaited {
            case .turn(let company): company.joining
            case .tables where hasTables: "LOCK TABLE \(Self.lockedFirst) IN ACCESS SHARE MODE"
            case .tables, .nothing: nil
            }
        beginning = Beginning(commands: [text] + (wait.map { [$0] } ?? []))
        hasNoLimits = false
    }

    /// The table that every reading transaction locks before any other.
    static let lockedFirst = "migration"

    /// Finds out whether there are tables yet, until there are.
    func lookForTables() throws(StorageError) {
        guard !hasTables else { return }
        let sql: SQL = "SELECT (to_regclass(\(Self.lockedFirst)) IS NOT NULL)::int::bigint"
        hasTables = try runOnce(sql) { (result) throws(StorageError) in
            try ResultReader(result, sql.text).rows().first?.integer(0) == 1
        }
    }

    /// Lets the statements of the transaction under way take as long as they need.
    func liftLimits() throws(StorageError) {
        try sendBeginning()
        try command("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        hasNoLimits = true
    }

    /// Ends a transaction, by COMMIT or ROLLBACK; one without a statement never started.
    func end(_ text: String) throws(StorageError) {
        guard beginning == nil else {
            beginning = nil
            return
        }
        try command(text)
    }

    /// Begins the transaction whose first statement has to wait for an answer of its own.
    func sendBeginning() throws(StorageError) {
        guard let beginning else { return }
        self.beginning = nil
        try command(beginning.commands.joined(separator: "; "))
    }

    /// Begins, joins the queue and runs a statement with one wait for all answers; returns the
    /// statement's.
    func runWithBeginning(
        _ statement: Prepared, _ binds: EncodedBinds, _ text: String
    ) throws(StorageError) -> OpaquePointer? {
        guard let beginning else { preconditionFailure("nothing was to begin") }
        self.beginning = nil
        let texts = beginning.commands
        PQenterPipelineMode(handle)
        defer { PQexitPipelineMode(handle) }
        let isSent = texts.allSatisfy(send) && send(statement, binds) == 1
        PQpipelineSync(handle)
        var failure: StorageError?
        for text in texts {
            let answer = try nextResult()
            defer { PQclear(answer) }
            do throws(StorageError) {
                // What comes behind a failure was not done, and says nothing of its own.
                if failure == nil { try check(answer, text) }
            } catch {
                failure = error
            }
        }
        let result = try nextResult()
        PQclear(try nextResult())
        if let failure = failure ?? (isSent ? nil : notAllSent(text)) {
            PQclear(result)
            throw failure
        }
        return result
    }
}
