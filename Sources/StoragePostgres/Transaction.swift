internal import Storage

/// Repeats a transaction until it is committed, refused for good, or has lost too often.
struct Transaction {
    private let connection: PostgresConnection
    private let begin: String

    // A race lost is repeated at once: the winner has committed. Who lost three races queues up
    // behind a lock with the other losers, so that a hot row is changed by one after the other
    // instead of by the luckiest; so few attempts are enough without ever sleeping.
    private static let freeAttempts = 3
    private static let maximumAttempts = 40
    private static let maximumReconnections = 2
    // Any number that no other program takes for a lock in the same database.
    private static let queueOfLosers = "7223372036854775"

    init(_ connection: PostgresConnection, _ begin: String) {
        self.connection = connection
        self.begin = begin
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
            let hasQueued = races >= Self.freeAttempts
            switch try attempt(body, queueing: hasQueued) {
            case .done(let value): return value
            case .lostRace(let error):
                races += 1
                guard races < Self.maximumAttempts else { throw error }
            case .lostConnection(let error):
                reconnections += 1
                guard reconnections <= Self.maximumReconnections else { throw error }
            }
        }
    }

    private func attempt<T>(
        _ body: (any Session) throws -> T, queueing: Bool
    ) throws -> Attempt<T> {
        try connection.connectIfNeeded()
        do throws(StorageError) {
            try connection.tidy()
            if queueing { try connection.command("SELECT pg_advisory_lock(\(Self.queueOfLosers))") }
            connection.begin(begin)
        } catch {
            if connection.isLost { return .lostConnection(error) }
            throw error
        }
        defer {
            if queueing {
                // If this fails the connection is lost, and the lock with it.
                try? connection.command("SELECT pg_advisory_unlock(\(Self.queueOfLosers))")
            }
        }
        let session = PostgresSession(connection)
        let result = Result { try body(session) }
        if let failure = session.failure { return try undo(failure, result) }
        switch result {
        case .failure(let error):
            try? connection.end("ROLLBACK")
            throw error
        case .success(let value):
            return try commit(value)
        }
    }

    /// Ends a transaction in which a statement failed, whatever the body made of it.
    private func undo<T>(_ failure: StorageError, _ result: Result<T, any Error>) throws
        -> Attempt<T>
    {
        if connection.isLost { return .lostConnection(failure) }
        try? connection.end("ROLLBACK")
        switch failure.code {
        case .serializationFailure: return .lostRace(failure)
        // The server said goodbye: nothing can come of this connection.
        case .connectionLost:
            connection.close()
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
                connection.close()
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
