internal import Dispatch
internal import Storage
internal import Synchronization

/// Runs write transactions one after the other on the only connection that writes.
///
/// Transactions that queue up while a commit waits for the disk share the next commit, each in a
/// savepoint of its own: as serial as before, and many times as many a second.
final class Writer: Sendable {
    private let connection: Connection
    private let limits: DatabaseLimits
    private let queue = DispatchQueue(label: "perennial.sqlite.writer")
    private let waiting = Mutex(Waiting())

    private struct Waiting {
        var line = WaitingLine<any WriteJob>()
        /// What has the connection to itself, outside of any transaction; each returns what hands
        /// its result over.
        var alone: [@Sendable () -> @Sendable () -> Void] = []
        var isTurnOfAlone = false
        var isRunning = false
        var isClosed = false
        var refused = 0
    }

    // So that the first of those who share a commit does not wait for ever.
    private static let maximumShare = 100

    init(_ connection: Connection, limits: DatabaseLimits) {
        self.connection = connection
        self.limits = limits
    }

    /// How busy it is.
    var load: DatabaseLoad {
        waiting.withLock { waiting in
            DatabaseLoad(
                size: 1, inUse: waiting.isRunning ? 1 : 0, waiting: waiting.line.count,
                refused: waiting.refused, lost: 0)
        }
    }

    /// Runs a body in a transaction, without blocking the caller's thread.
    func perform<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        let place = Mutex<Int?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(Job(body: body, continuation: continuation), place)
            }
        } onCancel: {
            // Under the lock under which the place was taken: who finds none here is refused there.
            waiting.withLock { waiting in
                place.withLock { $0 }.flatMap { waiting.line.leave($0) }
            }?.fail(CancellationError())
        }
    }

    /// Runs work that has the connection to itself, in no transaction, as soon as the transaction
    /// under way is over.
    func performAlone<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let isClosed = waiting.withLock { waiting in
                guard !waiting.isClosed else { return true }
                waiting.alone.append { [connection] in
                    let result = Result { try body(connection) }
                    return { continuation.resume(with: result) }
                }
                start(&waiting)
                return false
            }
            if isClosed { continuation.resume(throwing: StorageError.closed) }
        }
    }

    /// Refuses new transactions, waits for those accepted, and closes the connection.
    func close() async {
        waiting.withLock { $0.isClosed = true }
        await withCheckedContinuation { continuation in
            queue.async {
                self.connection.close()
                continuation.resume()
            }
        }
    }

    /// Lets a transaction wait for its turn, unless it is refused at once.
    private func enter(_ job: any WriteJob, _ place: borrowing Mutex<Int?>) {
        let refusal = waiting.withLock { waiting -> (any Error)? in
            if waiting.isClosed { return StorageError.closed }
            // A writer that is free is nothing to wait for.
            if waiting.isRunning, Task.isCancelled { return CancellationError() }
            guard !waiting.isRunning || waiting.line.count < limits.waiting else {
                waiting.refused += 1
                return StorageError.tooManyWait(limits)
            }
            let number = waiting.line.enter(job)
            place.withLock { $0 = number }
            if waiting.isRunning { expireLater(number) } else { start(&waiting) }
            return nil
        }
        if let refusal { job.fail(refusal) }
    }

    /// Begins to work, unless it does. Under the lock: what was accepted comes before a closing.
    private func start(_ waiting: inout Waiting) {
        guard !waiting.isRunning else { return }
        waiting.isRunning = true
        queue.async { self.work() }
    }

    private func expireLater(_ number: Int) {
        // Not on the writer's own queue, which is what is waited for.
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .milliseconds(limits.turn.milliseconds)
        ) { [weak self, limits] in
            self?.waiting.withLock { waiting in
                let job = waiting.line.leave(number)
                if job != nil { waiting.refused += 1 }
                return job
            }?.fail(StorageError.waitedTooLong(limits))
        }
    }

    /// What is done between two looks at who waits.
    private enum Turn {
        case transactions([any WriteJob])
        case alone([@Sendable () -> @Sendable () -> Void])
    }

    private func work() {
        var turn = nextTurn()
        while let current = turn {
            let results = take(current)
            turn = nextTurn()
            // Not before, or who has a result and writes again would find a writer that is busy.
            for handOver in results { handOver() }
        }
    }

    /// Transactions first, and then in turns with what has the connection to itself; nil where
    /// nobody waits, and the writer is free.
    private func nextTurn() -> Turn? {
        waiting.withLock { waiting in
            if !waiting.alone.isEmpty, waiting.isTurnOfAlone || waiting.line.count == 0 {
                waiting.isTurnOfAlone = false
                defer { waiting.alone = [] }
                return .alone(waiting.alone)
            }
            let jobs = waiting.line.takeFirst(Self.maximumShare)
            waiting.isTurnOfAlone = !jobs.isEmpty
            waiting.isRunning = !jobs.isEmpty
            return jobs.isEmpty ? nil : .transactions(jobs)
        }
    }

    /// - Returns: what hands over the results that were not handed over yet.
    private func take(_ turn: Turn) -> [() -> Void] {
        switch turn {
        case .alone(let works): return works.map { $0() }
        case .transactions(let jobs):
            if jobs.count > 1, runTogether(jobs) { return jobs.map { job in { job.handOver() } } }
            for job in jobs.dropLast() {
                runAlone(job)
                // Those behind it may wait long for the file.
                job.handOver()
            }
            return jobs.suffix(1).map { job in
                runAlone(job)
                return { job.handOver() }
            }
        }
    }

    private func runAlone(_ job: any WriteJob) {
        do throws(StorageError) {
            try connection.step("BEGIN IMMEDIATE")
            if job.run(SQLiteSession(connection)) {
                try connection.step("COMMIT")
            } else {
                rollBack()
            }
        } catch {
            rollBack()
            job.keep(error)
        }
    }

    /// False if the shared transaction failed, so that each must run alone and only those that are
    /// to blame fail; what they did is then undone.
    private func runTogether(_ jobs: [any WriteJob]) -> Bool {
        do throws(StorageError) {
            try connection.step("BEGIN IMMEDIATE")
        } catch {
            // Somebody else holds the file: each of them alone would wait as long again.
            for job in jobs { job.keep(error) }
            return true
        }
        do throws(StorageError) {
            for job in jobs {
                try connection.step("SAVEPOINT one_of_many")
                // Some errors, such as a full disk, end the whole transaction by themselves: then
                // there is no savepoint to go back to, and the next step throws.
                if !job.run(SQLiteSession(connection)) {
                    try connection.step("ROLLBACK TO one_of_many")
                }
                try connection.step("RELEASE one_of_many")
            }
            try connection.step("COMMIT")
        } catch {
            rollBack()
            return false
        }
        return true
    }

    private func rollBack() {
        guard connection.isInTransaction else { return }
        // Can only fail where SQLite has rolled back already.
        try? connection.step("ROLLBACK")
    }
}

/// A transaction that waits to be run, whatever its result's type.
private protocol WriteJob: Sendable {
    /// Runs the body and keeps its result; false if what it did must be undone.
    func run(_ session: SQLiteSession) -> Bool
    /// Keeps an error instead.
    func keep(_ error: any Error)
    /// Hands over what was kept, once it is committed or undone.
    func handOver()
}

extension WriteJob {
    /// Hands an error over at once.
    fileprivate func fail(_ error: any Error) {
        keep(error)
        handOver()
    }
}

// Unchecked since the result is only touched by whoever took it out of the line.
private final class Job<T: Sendable>: WriteJob, @unchecked Sendable {
    private let body: @Sendable (any Session) throws -> T
    private let continuation: CheckedContinuation<T, any Error>
    private var result: Result<T, any Error>?

    init(
        body: @escaping @Sendable (any Session) throws -> T,
        continuation: CheckedContinuation<T, any Error>
    ) {
        self.body = body
        self.continuation = continuation
    }

    func run(_ session: SQLiteSession) -> Bool {
        var outcome = Result { try body(session) }
        // The body may have caught the error, but what follows it was never done.
        if case .success = outcome, let failure = session.failure { outcome = .failure(failure) }
        result = outcome
        if case .failure = outcome { return false }
        return true
    }

    func keep(_ error: any Error) { result = .failure(error) }

    func handOver() {
        guard let result else { preconditionFailure("a transaction ended before it ran") }
        continuation.resume(with: result)
    }
}
