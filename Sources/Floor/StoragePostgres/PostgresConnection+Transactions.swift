internal import CPostgres
internal import Storage

/// How a transaction begins.
struct Beginning {
    let text: String
    /// In whose company it changes anything; nil where it does not.
    let company: Company?
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
    /// - Parameter company: in which it changes anything; nil where it does not.
    func begin(_ text: String, in company: Company?) {
        beginning = Beginning(text: text, company: company)
        hasNoLimits = false
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
        try command(
            ([beginning.text] + (beginning.company.map { [$0.joining] } ?? []))
                .joined(separator: "; "))
    }

    /// Begins, joins the queue and runs a statement with one wait for all answers; returns the
    /// statement's.
    func runWithBeginning(
        _ statement: Prepared, _ binds: EncodedBinds, _ text: String
    ) throws(StorageError) -> OpaquePointer? {
        guard let beginning else { preconditionFailure("nothing was to begin") }
        self.beginning = nil
        let texts = [beginning.text] + (beginning.company.map { [$0.joining] } ?? [])
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
