internal import CPostgres
internal import Dispatch
internal import Storage

/// One connection with its prepared statements, used only on its own queue.
final class PostgresConnection: @unchecked Sendable {
    let queue = DispatchQueue(label: "perennial.postgres")
    private let url: PostgresURL
    private var handle: OpaquePointer?
    private var prepared: [String: [Prepared]] = [:]
    private var preparedCount = 0
    // A BEGIN that travels with the first statement, which saves a third of a small transaction's
    // waiting.
    private var pendingBegin: String?

    /// A statement that the server has parsed, for certain types of its parameters.
    struct Prepared {
        let name: String
        let types: [Oid]
    }

    // Lists of different lengths make many texts; more than a program has of its own.
    private static let maximumPrepared = 500
    private static let binary: CInt = 1

    init(_ url: PostgresURL) {
        self.url = url
    }

    deinit {
        PQfinish(handle)
    }

    /// Whether the connection was found dead, or was never made.
    var isLost: Bool {
        handle == nil || PQstatus(handle) == CONNECTION_BAD
    }

    /// Makes the connection unless it is there and sound.
    func connectIfNeeded() throws(StorageError) {
        guard isLost else { return }
        close()
        handle = try url.connect()
    }

    /// Ends the connection.
    func close() {
        PQfinish(handle)
        handle = nil
        prepared = [:]
        preparedCount = 0
        pendingBegin = nil
    }

    /// Starts a transaction, together with its first statement.
    func begin(_ text: String) {
        pendingBegin = text
    }

    /// Ends a transaction, by COMMIT or ROLLBACK; one without a statement never started.
    func end(_ text: String) throws(StorageError) {
        guard pendingBegin == nil else {
            pendingBegin = nil
            return
        }
        try command(text)
    }

    /// Runs a statement of our own without binds, such as BEGIN.
    func command(_ text: String) throws(StorageError) {
        let result = PQexec(handle, text)
        defer { PQclear(result) }
        try check(result, text)
    }

    /// Makes room among the prepared statements; between transactions.
    func tidy() throws(StorageError) {
        guard preparedCount > Self.maximumPrepared else { return }
        try command("DEALLOCATE ALL")
        prepared = [:]
        preparedCount = 0
    }

    /// Runs a statement and hands over its result.
    func run<T>(
        _ sql: SQL, _ read: (OpaquePointer) throws(StorageError) -> T
    ) throws(StorageError) -> T {
        let statement = try prepare(sql.text, for: sql.binds)
        let binds = EncodedBinds(sql.binds, types: statement.types)
        let result =
            if let begin = pendingBegin {
                try runWithBegin(begin, statement, binds, sql.text)
            } else {
                binds.withPointers { count, values, lengths, formats in
                    PQexecPrepared(
                        handle, statement.name, count, values, lengths, formats, Self.binary)
                }
            }
        defer { PQclear(result) }
        return try read(try check(result, sql.text))
    }

    /// Runs a statement that is not worth preparing, such as the declaration of a cursor.
    func runOnce<T>(
        _ sql: SQL, _ read: (OpaquePointer) throws(StorageError) -> T
    ) throws(StorageError) -> T {
        try refuseWrongCount(sql.text, sql.binds)
        try sendPendingBegin()
        let types = sql.binds.map(PostgresType.declared)
        let result = EncodedBinds(sql.binds, types: types)
            .withPointers { count, values, lengths, formats in
                PQexecParams(
                    handle, sql.text, count, types, values, lengths, formats, Self.binary)
            }
        defer { PQclear(result) }
        return try read(try check(result, sql.text))
    }

    /// The result if it is a success.
    @discardableResult
    private func check(
        _ result: OpaquePointer?, _ text: String
    ) throws(StorageError) -> OpaquePointer {
        let status = PQresultStatus(result)
        if let result, status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { return result }
        if isLost {
            throw StorageError(
                .connectionLost, "the connection to PostgreSQL was lost", statement: text)
        }
        if status == PGRES_EMPTY_QUERY {
            throw StorageError(.invalidStatement, "not exactly one statement", statement: text)
        }
        throw PostgresErrors.make(result, text)
    }

    private func refuseWrongCount(_ text: String, _ binds: [SQLValue]) throws(StorageError) {
        let needed = Placeholders.highest(in: text)
        guard needed == binds.count else {
            throw StorageError(
                .invalidStatement, "\(binds.count) binds for \(needed) placeholders",
                statement: text)
        }
    }
}

extension PostgresConnection {
    /// The prepared statement for a text whose parameter types take the binds.
    private func prepare(
        _ text: String, for binds: [SQLValue]
    ) throws(StorageError) -> Prepared {
        let known = prepared[text]?.first { statement in
            statement.types.count == binds.count
                && zip(statement.types, binds).allSatisfy { PostgresType.isFit($0, for: $1) }
        }
        if let known { return known }
        try refuseWrongCount(text, binds)
        try sendPendingBegin()
        // Values have their types declared, so that a result's type never depends on what the
        // server guesses for a bare parameter.
        let types = binds.map(PostgresType.declared)
        let name = "p\(preparedCount)"
        let statement =
            types.contains(PostgresType.unknown)
            ? try prepareGuessing(text, name, types) : try prepare(text, name, types)
        prepared[text, default: []].append(statement)
        preparedCount += 1
        return statement
    }

    private func prepare(
        _ text: String, _ name: String, _ types: [Oid]
    ) throws(StorageError) -> Prepared {
        let result = PQprepare(handle, name, text, CInt(types.count), types)
        defer { PQclear(result) }
        try check(result, text)
        return Prepared(name: name, types: types)
    }

    /// Prepares with the server's guess for the types of NULLs. Where nothing hints at one, as in
    /// `$1 IS NULL`, it refuses to guess, but any type will do: then it is called text. The
    /// savepoint keeps the refusal from ending the transaction.
    private func prepareGuessing(
        _ text: String, _ name: String, _ known: [Oid]
    ) throws(StorageError) -> Prepared {
        var types = known
        while true {
            try command("SAVEPOINT perennial_guess")
            do throws(StorageError) {
                _ = try prepare(text, name, types)
                try command("RELEASE perennial_guess")
                break
            } catch {
                guard let index = PostgresErrors.undetermined(error), types.indices ~= index,
                    types[index] == PostgresType.unknown
                else { throw error }
                try command("ROLLBACK TO perennial_guess; RELEASE perennial_guess")
                types[index] = PostgresType.text
            }
        }
        let description = PQdescribePrepared(handle, name)
        defer { PQclear(description) }
        let described = try check(description, text)
        return Prepared(
            name: name, types: (0..<CInt(types.count)).map { PQparamtype(described, $0) })
    }
}

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
        try sendPendingBegin()
        PQenterPipelineMode(handle)
        defer { PQexitPipelineMode(handle) }
        var isSent = true
        for (binds, statement) in zip(rows, statements) where isSent {
            isSent =
                EncodedBinds(binds, types: statement.types)
                .withPointers { count, values, lengths, formats in
                    PQsendQueryPrepared(
                        handle, statement.name, count, values, lengths, formats, Self.binary)
                } == 1
        }
        isSent = PQpipelineSync(handle) == 1 && isSent
        let changed = try collect(text)
        guard isSent else { throw StorageError(.other, "not all was sent", statement: text) }
        return changed
    }

    /// Reads all answers up to the mark, even after an error, and sums the changes.
    private func collect(_ text: String) throws(StorageError) -> Int {
        var changed = 0
        var failure: StorageError?
        while !isLost, let result = nextResult() {
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

    private func sendPendingBegin() throws(StorageError) {
        guard let begin = pendingBegin else { return }
        pendingBegin = nil
        try command(begin)
    }

    /// Runs BEGIN and a statement with one wait for both answers; returns the statement's.
    private func runWithBegin(
        _ begin: String, _ statement: Prepared, _ binds: EncodedBinds, _ text: String
    ) throws(StorageError) -> OpaquePointer? {
        pendingBegin = nil
        PQenterPipelineMode(handle)
        defer { PQexitPipelineMode(handle) }
        let isSent =
            PQsendQueryParams(handle, begin, 0, nil, nil, nil, nil, Self.binary) == 1
            && binds.withPointers { count, values, lengths, formats in
                PQsendQueryPrepared(
                    handle, statement.name, count, values, lengths, formats, Self.binary)
            } == 1
        PQpipelineSync(handle)
        let begun = nextResult()
        defer { PQclear(begun) }
        let result = nextResult()
        PQclear(nextResult())
        do throws(StorageError) {
            try check(begun, begin)
            guard isSent else { throw StorageError(.other, "not all was sent", statement: text) }
        } catch {
            PQclear(result)
            throw error
        }
        return result
    }

    /// The next answer in a pipeline, or nil after the last.
    private func nextResult() -> OpaquePointer? {
        // Null separates the answers of one run from those of the next; twice, it is the end.
        PQgetResult(handle) ?? PQgetResult(handle)
    }

    /// The number of rows that a result says were changed.
    static func changes(_ result: OpaquePointer) -> Int {
        Int(String(cString: PQcmdTuples(result))) ?? 0
    }
}
