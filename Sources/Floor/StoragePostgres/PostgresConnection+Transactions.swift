internal import CPostgres
internal import Storage

/// How a transaction begins.
struct Beginning {
    /// Before its first statement, one after the other.
    let commands: [Command]

    struct Command {
        let text: String
        let statement: PostgresConnection.Prepared
    }

    /// What a transaction waits for as it begins.
    enum Awaited {
        /// Its turn in the queue of all changes.
        case turn(Company)
        /// Whoever puts others in the place of tables, before a snapshot is taken: in one that is
        /// older than the new tables' rows they would be empty. Known by the table that is locked
        /// first, as SQL writes it.
        case tables(first: String)
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
    func begin(
        _ text: String, after awaited: Beginning.Awaited
    ) throws(StorageError) {
        hasNoLimits = false
        let wait: String? =
            switch awaited {
            case .turn(let company): company.joining
            case .tables(let first): "LOCK TABLE \(first) IN ACCESS SHARE MODE"
            case .nothing: nil
            }
        // Prepared: the server parses and plans them once for each connection.
        var commands = [Beginning.Command(text: text, statement: try prepare(text, for: []))]
        if let wait {
            commands.append(Beginning.Command(text: wait, statement: try prepare(wait, for: [])))
        }
        beginning = Beginning(commands: commands)
    }

    /// The table that every reading transaction locks before any other.
    static let lockedFirst = "migration"

    /// What a transaction that reads our tables waits for; nothing while there are none.
    func ourTables() throws(StorageError) -> Beginning.Awaited {
        if !hasTables {
            let sql: SQL = "SELECT (to_regclass(\(Self.lockedFirst)) IS NOT NULL)::int::bigint"
            hasTables = try runOnce(sql) { (result) throws(StorageError) in
                try ResultReader(result, sql.text).rows().first?.integer(0) == 1
            }
        }
        return hasTables ? .tables(first: Self.lockedFirst) : .nothing
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
        guard beginning != nil else { return }
        PQclear(try runWithBeginning(nil))
    }

    /// Begins, waits for what is to be waited for, and runs a statement if one is given; returns
    /// the statement's answer. All answers come together.
    func runWithBeginning(
        _ first: (statement: Prepared, binds: EncodedBinds, text: String)?
    ) throws(StorageError) -> OpaquePointer? {
        guard let commands = beginning?.commands else {
            preconditionFailure("nothing was to begin")
        }
        beginning = nil
        PQenterPipelineMode(handle)
        defer { PQexitPipelineMode(handle) }
        let none = EncodedBinds([], types: [])
        let isSent =
            commands.allSatisfy { send($0.statement, none) == 1 }
            && first.map { send($0.statement, $0.binds) == 1 } ?? true
        PQpipelineSync(handle)
        var failure: StorageError?
        for command in commands {
            let answer = try nextResult()
            defer { PQclear(answer) }
            do throws(StorageError) {
                // What comes behind a failure was not done, and says nothing of its own.
                if failure == nil { try check(answer, command.text) }
            } catch {
                failure = error
            }
        }
        let result = first == nil ? nil : try nextResult()
        PQclear(try nextResult())
        if let failure = failure ?? (isSent ? nil : notAllSent(first?.text ?? "BEGIN")) {
            PQclear(result)
            throw failure
        }
        return result
    }
}
