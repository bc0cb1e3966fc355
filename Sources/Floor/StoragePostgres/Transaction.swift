internal import Storage

/// Repeats a transaction until it is committed, refused for good, or has lost too often.
struct Transaction {
    private let connection: PostgresConnection
    private let begin: String
    private let company: Company?

    // Who lost a race goes alone the next time, so a second one can only be lost to another
    // program that writes into the same tables.
    private static let maximumAttempts = 10
    private static let maximumReconnections = 2

    /// - Parameter company: of a change; nil where nothing is changed.
    init(_ connection: PostgresConnection, _ begin: String, in company: Company?) {
        self.connection = connection
        self.begin = begin
        self.company = company
    }

    /// What an attempt that did not commit came to.
    private enum Attempt<T> {
        case done(T)
        case lostRace(StorageError)
        case lostConnection(StorageError)
    }

    func perform<T>(_ body: (any Session) throws -> T) throws -> T {
        var races = 0
        var reconnections = 0
        while true {
            let company = company.map { races == 0 ? $0 : .alone }
            switch try attempt(body, in: company) {
            case .done(let value): return value
            case .lostRace(let error):
                races += 1
                guard races < Self.maximumAttempts else { throw error }
            case .lostConnection(let error):
                reconnections += 1
                // Of a server that said nothing any more nothing comes the next time either.
                guard reconnections <= Self.maximumReconnections, !connection.isUnreachable
                else { throw error }
            }
        }
    }

    private func attempt<T>(
        _ body: (any Session) throws -> T, in company: Company?
    ) throws -> Attempt<T> {
        try connection.connectIfNeeded()
        do throws(StorageError) {
            try connection.tidy()
            let awaited: Beginning.Awaited
            if let company {
                awaited = .turn(company)
            } else {
                awaited = try connection.ourTables()
            }
            try connection.begin(begin, after: awaited)
        } catch {
            if connection.isLost { return .lostConnection(error) }
            throw error
        }
        let session = PostgresSession(connection)
        let result = Result { try body(session) }
        if let failure = session.failure { return try undo(failure, result, of: company) }
        switch result {
        case .failure(let error):
            try? connection.end("ROLLBACK")
            throw error
        case .success(let value):
            return try commit(value)
        }
    }

    /// Ends a transaction in which a statement failed, whatever the body made of it.
    private func undo<T>(
        _ failure: StorageError, _ result: Result<T, any Error>, of company: Company?
    ) throws -> Attempt<T> {
        if connection.isLost { return .lostConnection(failure) }
        try? connection.end("ROLLBACK")
        switch failure.code {
        case .serializationFailure: return .lostRace(failure)
        // Who goes together may have been overtaken by somebody who made the same row; alone it
        // is seen beforehand, or meant.
        case .uniqueViolation where company == .together: return .lostRace(failure)
        // The server said goodbye: nothing can come of this connection.
        case .connectionLost:
            connection.drop()
            return .lostConnection(failure)
        default: break
        }
        if case .failure(let error) = result { throw error }
        throw failure
    }

    private func commit<T>(_ value: T) throws -> Attempt<T> {
        do throws(StorageError) {
            try connection.end("COMMIT")
            return .done(value)
        } catch {
            guard !connection.isLost, error.code != .connectionLost else {
                connection.drop()
                throw StorageError(
                    .connectionLost,
                    "the connection was lost at COMMIT, so whether it happened is unknown")
            }
            try? connection.command("ROLLBACK")
            guard error.code == .serializationFailure else { throw error }
            return .lostRace(error)
        }
    }
}
