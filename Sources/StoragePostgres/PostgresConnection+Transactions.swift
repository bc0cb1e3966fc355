internal import CPostgres
internal import Storage

/// How a transaction begins.
struct Beginning {
    let text: String
    /// Where it queues up before that.
    let queue: WriteQueue?
}

/// Where changes queue up before they begin, whichever process they are of: any number of them go
/// together until one loses a race, and that one goes alone, in the order of asking. What goes
/// alone can lose to nobody, and who asks after it waits for it: so nobody loses for ever.
///
/// A lock of the session and not of the transaction, since that one would be taken with a snapshot
/// of the moment at which the waiting began.
enum WriteQueue {
    case together, alone

    // Any number that no other program takes for a lock in the same database, and the schema.
    private static let key = "722337203, hashtext(COALESCE(current_schema(), ''))"

    /// What joins the queue, and waits.
    var joining: String {
        switch self {
        case .together: "SELECT pg_advisory_lock_shared(\(Self.key))"
        case .alone: "SELECT pg_advisory_lock(\(Self.key))"
        }
    }

    /// What lets the next one go.
    var leaving: String {
        switch self {
        case .together: "SELECT pg_advisory_unlock_shared(\(Self.key))"
        case .alone: "SELECT pg_advisory_unlock(\(Self.key))"
        }
    }
}

extension PostgresConnection {
    /// Starts a transaction, together with its first statement: BEGIN travels with that one, which
    /// saves a third of a small transaction's waiting.
    ///
    /// - Parameter queue: where it queues up before that; nil for nowhere.
    func begin(_ text: String, in queue: WriteQueue?) {
        beginning = Beginning(text: text, queue: queue)
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
        guard let queue = joined else { return try command(text) }
        joined = nil
        PQenterPipelineMode(handle)
        defer { PQexitPipelineMode(handle) }
        // The queue is left whatever came of the end, as a statement of its own.
        let isSent = send(text) && PQpipelineSync(handle) == 1 && send(queue.leaving)
        PQpipelineSync(handle)
        let ended = try nextResult()
        defer { PQclear(ended) }
        // If the connection breaks here, what was ended is ended, and the queue is left too.
        for _ in 1...3 { PQclear(try? nextResult()) }
        try check(ended, text)
        guard isSent else { throw notAllSent(text) }
    }

    /// Begins the transaction whose first statement has to wait for an answer of its own.
    func sendBeginning() throws(StorageError) {
        guard let beginning else { return }
        self.beginning = nil
        if let queue = beginning.queue {
            try command(queue.joining)
            joined = queue
        }
        try command(beginning.text)
    }

    /// Joins the queue, begins and runs a statement with one wait for all answers; returns the
    /// statement's.
    func runWithBeginning(
        _ statement: Prepared, _ binds: EncodedBinds, _ text: String
    ) throws(StorageError) -> OpaquePointer? {
        guard let beginning else { preconditionFailure("nothing was to begin") }
        self.beginning = nil
        PQenterPipelineMode(handle)
        defer { PQexitPipelineMode(handle) }
        var isSent = true
        if let queue = beginning.queue {
            isSent = send(queue.joining) && PQpipelineSync(handle) == 1
        }
        isSent = isSent && send(beginning.text) && send(statement, binds) == 1
        PQpipelineSync(handle)
        if let queue = beginning.queue {
            let entered = try nextResult()
            defer { PQclear(entered) }
            PQclear(try nextResult())
            do throws(StorageError) {
                try check(entered, queue.joining)
            } catch {
                // What was sent behind it was done all the same.
                for _ in 1...3 { PQclear(try? nextResult()) }
                throw error
            }
            joined = queue
        }
        let begun = try nextResult()
        defer { PQclear(begun) }
        let result = try nextResult()
        PQclear(try nextResult())
        do throws(StorageError) {
            try check(begun, beginning.text)
            guard isSent else { throw notAllSent(text) }
        } catch {
            PQclear(result)
            throw error
        }
        return result
    }
}
