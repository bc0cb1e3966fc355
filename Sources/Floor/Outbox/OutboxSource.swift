package import Storage
package import SubscriptionRules

/// What an outbox asks of the program whose messages it delivers: it stores them, in transactions
/// with what they tell of, and knows what they say and to whom.
package protocol OutboxSource: Sendable {
    associatedtype Attempt: OutboxAttempt
    /// A change in which messages are taken up.
    associatedtype Work: OutboxWork

    /// Where the messages are.
    var table: OutboxTable { get }

    /// Runs queries at one moment, which the program's clock shows.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session, _ now: Instant) throws -> T
    ) async throws -> T

    /// Runs a change in which messages are taken up, beside those of others.
    func change<T: Sendable>(_ body: @escaping @Sendable (Work) throws -> T) async throws -> T

    /// An attempt at a message that is due. Whatever in its row cannot be is thrown as `corrupt`,
    /// and the row is set aside.
    func attempt(_ row: Row, in work: Work) throws -> Attempt

    /// Which of these go out now, in their order; the others were put off.
    func goingOut(_ due: [Attempt], by moment: Instant, in work: Work) throws -> [Attempt]

    /// Makes the text that every attempt repeats, in no transaction, since that may take long.
    ///
    /// - Returns: nil where the message has one already.
    func seal(_ attempt: Attempt) throws -> Attempt?

    /// Keeps the text, before it goes out for the first time.
    ///
    /// - Returns: with the text that another process has kept, if one was faster.
    func saveSealed(_ attempt: Attempt, in session: any Session) throws -> Attempt

    /// Makes the attempt; every failure is an outcome.
    func carry(_ attempt: Attempt) async -> Attempt

    /// Keeps what an attempt came to, and when the next one is.
    func save(_ attempt: Attempt, in session: any Session) throws

    /// What these attempts came to was kept.
    func kept(_ attempts: [Attempt])
}

/// One attempt to deliver a message, from being taken up to being kept.
package protocol OutboxAttempt: Sendable {
    associatedtype Subject: Hashable, Sendable

    /// The number of the message.
    var id: Int64 { get }
    /// What it is about: what is about one goes out in order, what is about several side by side.
    var subject: Subject { get }
    /// Whether the receiver has it, as far as is known.
    var hasArrived: Bool { get }
    /// Whether it goes out once each earlier message of its lane that is due was tried, since it
    /// sums them up.
    var sumsUp: Bool { get }
}

extension OutboxAttempt {
    package var sumsUp: Bool { false }
}

/// A change of a program's at one moment.
package protocol OutboxWork {
    var session: any Session { get }
    /// What the program's clock shows.
    var now: Instant { get }
}

/// Which of the messages that are due are tried.
package struct DueMessages: Sendable {
    /// Until when; nil for what the clock shows, which may go on meanwhile.
    package var moment: Instant?
    /// How many of a lane at most.
    package var limit: Int
    /// A condition on the table of messages.
    package var which: SQL
    /// Whether it is looked again while a slow server has a post and nothing else was due.
    package var looksAgain: Bool
    /// Whether what another process is delivering is waited for.
    package var waitsForOthers: Bool

    package init(
        by moment: Instant? = nil, limit: Int = .max, which: SQL = "TRUE",
        looksAgain: Bool = false, waitsForOthers: Bool = true
    ) {
        self.moment = moment
        self.limit = limit
        self.which = which
        self.looksAgain = looksAgain
        self.waitsForOthers = waitsForOthers
    }
}
