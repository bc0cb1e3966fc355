import Letters
import Mail
import Outbox
import Storage
import SubscriptionRules

/// A mail to a customer: what it says, as it was when it came to be said; once it was taken up, how
/// it is said; and what became of it.
struct MailRecord: Sendable {
    /// What becomes of a mail.
    enum State: String {
        /// It is to be handed over, at once or again.
        case waiting
        /// There was nobody to hand it to: it is for the operator to read.
        case kept
        /// The relay has taken it.
        case delivered
        /// The relay has refused it for good: a bounce.
        case refused
        /// The relay would not take it in all attempts.
        case givenUp
        /// What it says was not true any more when it was to go out.
        case dropped
    }

    let id: Int64
    let app: Int64
    let environment: StoreEnvironment
    let customer: Int64
    let subscription: Int64?
    let created: Instant
    /// Some of what it says may not be true any more when it goes out.
    var content: CustomerMail
    /// How it comes to the customer.
    let channel: LetterChannel
    /// When it was seen in the app.
    var seen: Instant?
    /// The same in every attempt, so that who gets it twice can tell.
    let messageID: String
    /// Where it goes; nil for nowhere but the mailbox.
    let recipient: String?
    /// As it was written; nil before it was taken up.
    var written: WrittenLetter?
    var state: State
    /// Why it was dropped.
    var reason: String?
    var attempts: Int
    var nextAttempt: Instant?

    static let columns = """
        id, app, environment, customer, subscription, created_at, letter, message_id, recipient, \
        subject, plain, html, language, state, reason, attempts, next_attempt, kind, \
        channel, seen_at
        """

    /// The table as the outbox knows it: a lane for each app and environment.
    static let outbox = OutboxTable(
        "mail", laneColumns: ["app", "environment"], columns: columns,
        isOpen: CopyStanding.delivers)

    static func insert(_ records: [MailRecord], in session: any Session) throws {
        guard !records.isEmpty else { return }
        try session.executeMany(
            """
            INSERT INTO mail (\(columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                $18, $19, $20)
            """, records.map(\.values))
    }

    private var values: [SQLValue] {
        [
            id.sqlValue, app.sqlValue, environment.sqlValue, customer.sqlValue,
            subscription.sqlValue, created.sqlValue, LetterText.text(content).sqlValue,
            messageID.sqlValue, recipient.sqlValue, (written?.subject).sqlValue,
            (written?.text).sqlValue, (written?.html).sqlValue, (written?.language).sqlValue,
            state.rawValue.sqlValue, reason.sqlValue, attempts.sqlValue, nextAttempt.sqlValue,
            content.kind.rawValue.sqlValue, channel.rawValue.sqlValue, seen.sqlValue,
        ]
    }

    init(
        id: Int64, app: Int64, environment: StoreEnvironment, customer: Int64,
        subscription: Int64?, created: Instant, content: CustomerMail,
        channel: LetterChannel, messageID: String, recipient: String?
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.customer = customer
        self.subscription = subscription
        self.created = created
        self.content = content
        self.channel = channel
        self.messageID = messageID
        self.recipient = recipient
        (written, state, reason, attempts, nextAttempt) = (nil, .waiting, nil, 0, created)
    }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "mail", MailRecord.columns)
        id = try row.identifier(0)
        app = try row.identifier(1)
        environment = try row.value(2)
        customer = try row.identifier(3)
        subscription = try row.identifierOrNil(4)
        created = try row.instant(5)
        content = try row.decoded(6) { text throws(StorageError) in try LetterText.content(text) }
        messageID = try row.text(7)
        recipient = try row.textOrNil(8)
        written =
            row.isNull(9)
            ? nil
            : WrittenLetter(
                subject: try row.text(9), text: try row.text(10), html: try row.text(11),
                language: try row.text(12))
        state = try row.parsed(13, State.init(rawValue:))
        reason = try row.textOrNil(14)
        attempts = try row.count(15)
        nextAttempt = try row.instantOrNil(16)
        channel = try row.parsed(18, LetterChannel.init(rawValue:))
        seen = try row.instantOrNil(19)
    }

    /// Keeps how it is written, which every attempt repeats. Another process may have been faster:
    /// then it is as that one wrote it.
    mutating func saveWritten(in session: any Session) throws {
        let count = try session.execute(
            """
            UPDATE mail SET subject = \(written?.subject), plain = \(written?.text),
                html = \(written?.html), language = \(written?.language)
            WHERE id = \(id) AND subject IS NULL
            """)
        guard count == 0 else { return }
        guard let kept = try MailRecord.find(id, in: session) else {
            throw StorageError(.corrupt, "mail \(id) is gone")
        }
        written = kept.written
    }

    /// Keeps what it says, less what is not true any more.
    func saveContent(in session: any Session) throws {
        try session.execute(
            "UPDATE mail SET letter = \(LetterText.text(content)) WHERE id = \(id)")
    }

    func saveState(in session: any Session) throws {
        try session.execute(
            """
            UPDATE mail SET state = \(state.rawValue), reason = \(reason),
                attempts = \(attempts), next_attempt = \(nextAttempt)
            WHERE id = \(id)
            """)
    }

    /// Records an attempt at the relay.
    func save(attemptAt: Instant, _ outcome: MailOutcome, in session: any Session) throws {
        try saveState(in: session)
        try session.execute(
            """
            INSERT INTO mail_attempt (mail, number, at, outcome, reply)
            VALUES (\(id), \(attempts), \(attemptAt), \(outcome.name), \(outcome.reply))
            ON CONFLICT (mail, number) DO NOTHING
            """)
    }
}

extension MailRecord {
    static func find(_ id: Int64, in session: any Session) throws -> MailRecord? {
        try session.row("SELECT \(raw: columns) FROM mail WHERE id = \(id)")
            .map { try MailRecord($0) }
    }

    /// The attempts made at the relay, first to last.
    static func attempts(
        of id: Int64, in session: any Session
    ) throws -> [(at: Instant, outcome: MailOutcome)] {
        try session.rows(
            "SELECT at, outcome, reply FROM mail_attempt WHERE mail = \(id) ORDER BY number"
        ).map { row in
            (try row.instant(0), MailOutcome(name: try row.text(1), reply: try row.textOrNil(2)))
        }
    }

    /// What a customer was told of a subscription from a moment on.
    static func sent(
        about subscription: Int64, since moment: Instant, in session: any Session
    ) throws -> [SentLetter] {
        try session.rows(
            """
            SELECT id, kind, channel, created_at, seen_at, letter FROM mail
            WHERE subscription = \(subscription) AND created_at >= \(moment)
            """
        ).map { row in
            let row = StoredRow(row, of: "mail", "id, kind, channel, created_at, seen_at, letter")
            let kind = try row.parsed(1, MailKind.init(rawValue:))
            return SentLetter(
                kind: kind, channel: try row.parsed(2, LetterChannel.init(rawValue:)),
                at: try row.instant(3), seen: try row.instantOrNil(4),
                prices: kind.tellsPrices
                    ? try row.decoded(5) { text throws(StorageError) in
                        try LetterText.content(text).prices
                    } : [])
        }
    }

    /// What a customer is to be shown in an app, oldest first: of what was said again the newest. A
    /// notice is said once, and another one is about other prices.
    static func unseen(
        customer: Int64, app: Int64, after: Int64, limit: Int, in session: any Session
    ) throws -> [MailRecord] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM mail
            WHERE customer = \(customer) AND app = \(app) AND channel = 'inApp'
                AND seen_at IS NULL AND state <> 'dropped' AND id > \(after)
                AND NOT EXISTS (
                    SELECT 1 FROM mail n WHERE n.customer = mail.customer AND n.id > mail.id
                        AND n.channel = 'inApp' AND n.kind = mail.kind
                        AND n.kind <> \(MailKind.priceIncreaseNotice.rawValue)
                        AND n.subscription = mail.subscription)
            ORDER BY id LIMIT \(limit)
            """
        ).map { try MailRecord($0) }
    }

    /// It was seen, and with it what said the same before.
    func saveSeen(at moment: Instant, in session: any Session) throws {
        try session.execute(
            """
            UPDATE mail SET seen_at = \(moment)
            WHERE customer = \(customer) AND channel = 'inApp' AND seen_at IS NULL
                AND (id = \(id) OR (subscription = \(subscription)
                    AND kind = \(content.kind.rawValue) AND id < \(id)
                    AND kind <> \(MailKind.priceIncreaseNotice.rawValue)))
            """)
    }

    /// Mails of an environment, newest first.
    ///
    /// - Parameter since: only those that came to be said then or later.
    static func page(
        of environment: StoreEnvironment, customer: Int64?, subscription: Int64?, kind: MailKind?,
        channel: LetterChannel?, state: String?, since: Instant?, before: Int64?, limit: Int,
        in session: any Session
    ) throws -> [MailRecord] {
        var condition: SQL = "environment = \(environment)"
        if let channel { condition += " AND channel = \(channel.rawValue)" }
        if let customer { condition += " AND customer = \(customer)" }
        if let subscription { condition += " AND subscription = \(subscription)" }
        if let kind { condition += " AND kind = \(kind.rawValue)" }
        if let state { condition += " AND state = \(state)" }
        if let since { condition += " AND created_at >= \(since)" }
        if let before { condition += " AND id < \(before)" }
        return try session.rows(
            "SELECT \(raw: columns) FROM mail WHERE " + condition
                + " ORDER BY id DESC LIMIT \(limit)"
        ).map { try MailRecord($0) }
    }
}

/// What came of an attempt at the relay, as it is kept: a name and what the relay said.
struct MailOutcome: Hashable, Sendable {
    let name: String
    let reply: String?

    init(name: String, reply: String?) {
        self.name = name
        self.reply = reply
    }

    init(_ outcome: RelayOutcome) {
        switch outcome {
        case .delivered(let reply): self.init(name: "DELIVERED", reply: reply.line)
        case .refused(let reply): self.init(name: "REFUSED", reply: reply.line)
        case .postponed(let trouble): self.init(name: "POSTPONED", reply: trouble.line)
        case .unknown(let trouble): self.init(name: "UNKNOWN", reply: trouble.line)
        }
    }
}

extension RelayReply {
    fileprivate var line: String { text.isEmpty ? "\(code)" : "\(code) \(text)" }
}

extension RelayTrouble {
    fileprivate var line: String {
        switch self {
        case .reply(let reply): reply.line
        case .noConnection: "no connection"
        case .connectionLost: "the connection was lost"
        case .timedOut: "timed out"
        case .tls: "no encryption that both agree on"
        case .credentials: "the user or the password is wrong"
        case .stopped: "the program ended"
        case .other(let words): words
        }
    }
}
