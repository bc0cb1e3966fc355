internal import CPostgres
internal import Dispatch
internal import Storage

/// One connection with its prepared statements, used only on its own queue.
final class PostgresConnection: @unchecked Sendable {
    let queue = DispatchQueue(label: "perennial.postgres")
    let limits: DatabaseLimits
    /// What tells a server that is gone from a statement that takes its time; nil for the
    /// connection by which that is found out.
    let pulse: Pulse?
    /// Whether nothing has come of it since the server could not be reached, or said nothing.
    private(set) var isUnreachable = false
    /// How long the server lets a statement take; nil for as long as it likes.
    private(set) var longest: Duration?
    private(set) var handle: OpaquePointer?
    /// How the transaction begins whose first statement has not come yet.
    var beginning: Beginning?
    /// Whether our tables were seen.
    var hasTables = false
    /// Whether the transaction under way has no limits.
    var hasNoLimits = false
    private let url: PostgresURL
    private var prepared: [String: [Prepared]] = [:]
    private var preparedCount = 0

    /// A statement that the server has parsed, for certain types of its parameters.
    struct Prepared {
        let name: String
        let types: [Oid]
    }

    // Lists of different lengths make many texts; more than a program has of its own.
    private static let maximumPrepared = 500
    static let binary: CInt = 1

    init(_ url: PostgresURL, limits: DatabaseLimits, pulse: Pulse?) {
        self.url = url
        self.limits = limits
        self.pulse = pulse
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
        dropIfLost()
        isUnreachable = true
        handle = try url.connect(limits)
        do throws(StorageError) {
            longest = try askLongest()
        } catch {
            drop()
            throw error
        }
        isUnreachable = false
    }

    /// How long the server lets a statement run, whoever has set it.
    private func askLongest() throws(StorageError) -> Duration? {
        let sql: SQL = """
            SELECT (EXTRACT(EPOCH FROM current_setting('statement_timeout')::interval) * 1000)
                ::bigint
            """
        let rows = try runOnce(sql) { (result) throws(StorageError) in
            try ResultReader(result, sql.text).rows()
        }
        let milliseconds = try rows.first?.integer(0) ?? 0
        return milliseconds == 0 ? nil : .milliseconds(milliseconds)
    }

    /// Ends the connection.
    func close() {
        PQfinish(handle)
        handle = nil
        prepared = [:]
        preparedCount = 0
        beginning = nil
        hasTables = false
    }

    /// Ends a connection of which nothing can come any more.
    func drop() {
        guard handle != nil else { return }
        pulse?.countLost()
        close()
    }

    /// Ends the connection if it was found dead.
    func dropIfLost() {
        if isLost { drop() }
    }

    /// Ends a connection on which the server has gone silent.
    func breakOff() {
        isUnreachable = true
        drop()
    }

    /// Runs a statement of our own without binds, such as BEGIN.
    func command(_ text: String) throws(StorageError) {
        let result = try lastResult(of: PQsendQuery(handle, text))
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
            if beginning != nil {
                try runWithBeginning((statement, binds, sql.text))
            } else {
                try lastResult(of: send(statement, binds))
            }
        defer { PQclear(result) }
        return try read(try check(result, sql.text))
    }

    /// Runs a statement that is not worth preparing, such as the declaration of a cursor.
    func runOnce<T>(
        _ sql: SQL, _ read: (OpaquePointer) throws(StorageError) -> T
    ) throws(StorageError) -> T {
        try refuseWrongCount(sql.text, sql.binds)
        try sendBeginning()
        let types = sql.binds.map(PostgresType.declared)
        let isSent = EncodedBinds(sql.binds, types: types)
            .withPointers { count, values, lengths, formats in
                PQsendQueryParams(
                    handle, sql.text, count, types, values, lengths, formats, Self.binary)
            }
        let result = try lastResult(of: isSent)
        defer { PQclear(result) }
        return try read(try check(result, sql.text))
    }

    /// The result if it is a success.
    @discardableResult
    func check(
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
    func prepare(
        _ text: String, for binds: [SQLValue]
    ) throws(StorageError) -> Prepared {
        let known = prepared[text]?.first { statement in
            statement.types.count == binds.count
                && zip(statement.types, binds).allSatisfy { PostgresType.isFit($0, for: $1) }
        }
        if let known { return known }
        try refuseWrongCount(text, binds)
        try sendBeginning()
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
        let result = try lastResult(
            of: PQsendPrepare(handle, name, text, CInt(types.count), types))
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
        let description = try lastResult(of: PQsendDescribePrepared(handle, name))
        defer { PQclear(description) }
        let described = try check(description, text)
        return Prepared(
            name: name, types: (0..<CInt(types.count)).map { PQparamtype(described, $0) })
    }
}
