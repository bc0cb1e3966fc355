/// How long a database keeps anybody waiting. Whoever would wait longer is refused as `busy`, or as
/// `connectionLost` where the database does not answer.
public struct DatabaseLimits: Sendable, Hashable {
    /// How long somebody waits for a turn: for a free connection to PostgreSQL, for SQLite's
    /// writer.
    public var turn = Duration.seconds(5)
    /// How many wait for their turn at most; others are refused at once.
    public var waiting = 1000
    /// How long one statement waits for a lock of another transaction, or of another process.
    public var lock = Duration.seconds(5)
    /// How long one statement may take; nil for as long as it likes. SQLite has no such limit.
    public var statement: Duration? = .seconds(30)
    /// How long a transaction of PostgreSQL may do nothing, be it that whoever began it died.
    public var idle = Duration.seconds(60)
    /// How long PostgreSQL may say nothing before it is asked whether it is still there.
    public var silence = Duration.seconds(4)
    /// How long it has for the answer to that.
    public var answer = Duration.seconds(2)
    /// How long making a connection may take, in whole seconds and at least two.
    public var connecting = Duration.seconds(3)

    /// The limits described above, each at its usual value.
    public init() {}

    /// Lets everybody wait so long for a turn in the line of this process, and then so long again
    /// for what other transactions and other processes hold: the queue of changes, rows, a file.
    public mutating func wait(_ time: Duration) {
        turn = time
        lock = time
        // To wait for a lock is a statement too.
        if let limit = statement { statement = max(limit, time * 2) }
    }
}

/// How busy a database is, and what became of those who asked too much of it.
public struct DatabaseLoad: Sendable, Hashable {
    /// How many transactions may run at once: connections to PostgreSQL, one writer of SQLite.
    public var size: Int
    /// How many of them run.
    public var inUse: Int
    /// How many wait for their turn.
    public var waiting: Int
    /// How many were refused since they would have waited too long, so far.
    public var refused: Int
    /// How many connections were lost so far.
    public var lost: Int

    /// Makes a reading.
    public init(size: Int, inUse: Int, waiting: Int, refused: Int, lost: Int) {
        self.size = size
        self.inUse = inUse
        self.waiting = waiting
        self.refused = refused
        self.lost = lost
    }
}

extension StorageError {
    /// What a closed database answers.
    package static let closed = StorageError(.connectionLost, "the database is closed")

    /// What is answered where as many wait as may.
    package static func tooManyWait(_ limits: DatabaseLimits) -> StorageError {
        StorageError(.busy, "the database is busy: \(limits.waiting) wait for their turn already")
    }

    /// What is answered to whom no turn came.
    package static func waitedTooLong(_ limits: DatabaseLimits) -> StorageError {
        StorageError(.busy, "the database is busy: no turn came within \(limits.turn)")
    }
}

extension Duration {
    /// In whole milliseconds, one at least, as system calls take it.
    package var milliseconds: Int { max(1, Int(self / .milliseconds(1))) }
}
