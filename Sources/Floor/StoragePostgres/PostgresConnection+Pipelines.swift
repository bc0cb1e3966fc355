internal import CPostgres
internal import Storage

/// One statement for many rows.
extension PostgresConnection {
    // The answers to so many runs fit into the socket's buffers, so that the server never waits
    // for us to read while we wait for it to.
    private static let pipelined = 256

    /// Runs one statement for each list of binds without waiting for each answer; returns the
    /// number of rows changed in all.
    func runMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        var changed = 0
        var start = 0
        while start < rows.count {
            let end = min(start + Self.pipelined, rows.count)
            changed += try runPipelined(text, rows[start..<end])
            start = end
        }
        return changed
    }

    private func runPipelined(
        _ text: String, _ rows: ArraySlice<[SQLValue]>
    ) throws(StorageError) -> Int {
        // Preparing waits for an answer, so all that is needed is prepared before.
        var statements: [Prepared] = []
        statements.reserveCapacity(rows.count)
        for binds in rows {
            statements.append(try prepare(text, for: binds))
        }
        try sendBeginning()
        PQenterPipelineMode(handle)
        defer { PQexitPipelineMode(handle) }
        var isSent = true
        for (binds, statement) in zip(rows, statements) where isSent {
            isSent = send(statement, EncodedBinds(binds, types: statement.types)) == 1
        }
        isSent = PQpipelineSync(handle) == 1 && isSent
        let changed = try collect(text)
        guard isSent else { throw notAllSent(text) }
        return changed
    }

    /// Reads all answers up to the mark, even after an error, and sums the changes.
    private func collect(_ text: String) throws(StorageError) -> Int {
        var changed = 0
        var failure: StorageError?
        while !isLost, let result = try nextResult() {
            defer { PQclear(result) }
            let status = PQresultStatus(result)
            if status == PGRES_PIPELINE_SYNC {
                if let failure { throw failure }
                return changed
            }
            if status == PGRES_PIPELINE_ABORTED { continue }
            do throws(StorageError) {
                changed += Self.changes(try check(result, text))
            } catch {
                failure = failure ?? error
            }
        }
        throw failure
            ?? StorageError(
                .connectionLost, "the connection to PostgreSQL was lost", statement: text)
    }

    /// The number of rows that a result says were changed.
    static func changes(_ result: OpaquePointer) -> Int {
        Int(String(cString: PQcmdTuples(result))) ?? 0
    }
}
