import Crypto
import MerchantRules
import Storage
import SubscriptionRules
import TimeAndChance

/// How far a message of a campaign is: a closed list.
public enum CampaignMessageState: String, Hashable, Sendable, CaseIterable {
    case waiting
    /// It was handed to a relay, whose answer is not kept yet.
    case sending
    case sent
    /// The sheet may be shown.
    case published
    /// The subscriber has answered the sheet.
    case answered
    /// The channel does not reach the subscriber.
    case unreachable
    /// It was not needed any more.
    case dropped
}

/// A message of a campaign to one subscriber, with its words.
struct PriceMessageRow: StoredRecord {
    var id: Int64
    var campaign: Int64
    var purchase: Int64
    var occasion: CommunicationTimetable.Occasion
    var channel: PriceMessage.Channel
    /// The how many-th it is of its occasion and channel.
    var step: Int64
    var due: Instant
    var state: CampaignMessageState
    var attempts: Int64
    /// When it is handed over next; of a sheet, from when the app shows it by itself.
    var nextAttempt: Instant
    var sent: Instant?
    /// A UUID that follows from campaign, subscriber and step: of a Message-ID the part before the
    /// at sign.
    var messageID: String
    var locale: String?
    var title: String
    var body: String
    /// SHA-256 of the title, an empty line and the body.
    var digest: String
    var problem: String?

    static let blank = PriceMessageRow(
        id: 0, campaign: 0, purchase: 0, occasion: .notice, channel: .mail, step: 0,
        due: Instant(milliseconds: 0), state: .waiting, attempts: 0,
        nextAttempt: Instant(milliseconds: 0), sent: nil, messageID: "", locale: nil, title: "",
        body: "", digest: "", problem: nil)

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("id", &id)
        try columns.column("campaign", &campaign)
        try columns.column("purchase", &purchase)
        try columns.column("occasion", &occasion)
        try columns.column("channel", &channel)
        try columns.column("step", &step)
        try columns.column("due_at", &due)
        try columns.column("state", &state)
        try columns.column("attempts", &attempts)
        try columns.column("next_attempt", &nextAttempt)
        try columns.column("sent_at", &sent)
        try columns.column("message_id", &messageID)
        try columns.column("locale", &locale)
        try columns.column("title", &title)
        try columns.column("body", &body)
        try columns.column("digest", &digest)
        try columns.column("problem", &problem)
    }

    private static let register = Register<Self>(table: "campaign_message", key: ["id"])

    /// The language as a mail may name it: devices write `de_DE` for de-DE, and more behind it. Nil
    /// where it is none.
    var language: String? {
        guard let name = locale?.prefix(while: { $0 != "@" }) else { return nil }
        let tag = String(name.map { $0 == "_" ? "-" : $0 })
        let isTag = tag.split(separator: "-", omittingEmptySubsequences: false).allSatisfy {
            (1...8).contains($0.count)
                && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        return isTag ? tag : nil
    }

    /// Writes the words, and the digest of them.
    mutating func say(_ title: String, _ body: String) {
        (self.title, self.body) = (title, body)
        digest = SHA256.hash(data: Array("\(title)\n\n\(body)".utf8)).hexadecimal
    }

    /// Keeps words that were written anew.
    func keepWords(_ session: any Session) throws(StorageError) {
        try session.execute(
            """
            UPDATE campaign_message SET title = \(title), body = \(body), digest = \(digest)
            WHERE id = \(id)
            """)
    }

    func insert(_ session: any Session) throws(StorageError) {
        try session.execute(
            """
            INSERT INTO campaign_message (campaign, purchase, occasion, channel, step, due_at,
                state, attempts, next_attempt, sent_at, message_id, locale, title, body, digest)
            VALUES (\(campaign), \(purchase), \(occasion.rawValue), \(channel.rawValue), \(step),
                \(due), \(state.rawValue), 0, \(nextAttempt), \(sent), \(messageID), \(locale),
                \(title), \(body), \(digest))
            """)
    }

    /// How many there were of an occasion on a channel.
    static func count(
        in campaign: Int64, of purchase: Int64, _ message: CampaignMessage,
        _ session: any Session
    ) throws(StorageError) -> Int64 {
        try session.row(
            """
            SELECT COUNT(*) FROM campaign_message
            WHERE campaign = \(campaign) AND purchase = \(purchase)
                AND occasion = \(message.occasion.rawValue)
                AND channel = \(message.channel.rawValue)
            """
        )?.integer(0) ?? 0
    }

    /// Those that a condition chooses.
    static func all(
        where condition: SQL, _ session: any Session
    ) throws(StorageError) -> [PriceMessageRow] {
        try register.records(where: condition, session)
    }

    /// The words that were put last of an occasion, on the sheet.
    static func sheet(
        in campaign: Int64, of purchase: Int64, _ occasion: CommunicationTimetable.Occasion,
        _ session: any Session
    ) throws(StorageError) -> PriceMessageRow? {
        try all(
            where: """
                campaign = \(campaign) AND purchase = \(purchase)
                    AND occasion = \(occasion.rawValue)
                    AND channel = \(PriceMessage.Channel.sheet.rawValue)
                ORDER BY step DESC LIMIT 1
                """, session
        ).first
    }

    /// The customer has seen a sheet: the app does not show it by itself before a moment.
    static func hide(
        _ id: Int64, until moment: Instant, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            UPDATE campaign_message SET next_attempt = \(moment)
            WHERE id = \(id) AND state = \(CampaignMessageState.published.rawValue)
            """)
    }

    /// Drops what was not handed over yet, and takes sheets from the app.
    static func drop(
        in campaign: Int64, of purchase: Int64, _ session: any Session
    ) throws(StorageError) {
        let waiting: [CampaignMessageState] = [.waiting, .published]
        try session.execute(
            """
            UPDATE campaign_message SET state = \(CampaignMessageState.dropped.rawValue)
            WHERE campaign = \(campaign) AND purchase = \(purchase)
                AND state IN (\(list: waiting.map(\.rawValue)))
            """)
    }

    /// The subscriber has answered: the sheet goes, and no request that waits goes out.
    static func answer(
        in campaign: Int64, of purchase: Int64, _ occasion: CommunicationTimetable.Occasion,
        _ session: any Session
    ) throws(StorageError) {
        try closeSheets(in: campaign, of: purchase, occasion, as: .answered, session)
        guard occasion != .notice else { return }
        try session.execute(
            """
            UPDATE campaign_message SET state = \(CampaignMessageState.dropped.rawValue)
            WHERE campaign = \(campaign) AND purchase = \(purchase)
                AND occasion = \(occasion.rawValue)
                AND state = \(CampaignMessageState.waiting.rawValue)
            """)
    }

    /// Takes the sheets of an occasion from the app.
    static func closeSheets(
        in campaign: Int64, of purchase: Int64, _ occasion: CommunicationTimetable.Occasion,
        as state: CampaignMessageState, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            UPDATE campaign_message SET state = \(state.rawValue)
            WHERE campaign = \(campaign) AND purchase = \(purchase)
                AND occasion = \(occasion.rawValue)
                AND state = \(CampaignMessageState.published.rawValue)
            """)
    }

    /// Whether it is to be handed over again, after it was handed over in vain or by a process that
    /// has died: what was dropped meanwhile could not be dropped while it was on its way.
    func isWanted(_ session: any Session) throws(StorageError) -> Bool {
        let row = try PriceSubscriberRow.all(
            where: "campaign = \(campaign) AND purchase = \(purchase)", session
        ).first
        guard let row, try PriceStateText.record(of: row).waits(for: occasion, on: channel) else {
            return false
        }
        return try !session.exists(
            """
            SELECT 1 FROM campaign_message
            WHERE campaign = \(campaign) AND purchase = \(purchase)
                AND occasion = \(occasion.rawValue) AND channel = \(channel.rawValue)
                AND step > \(step)
            """)
    }

    /// It is handed over from now on.
    ///
    /// - Returns: whether it is; not where it was dropped since it was read.
    func begin(_ session: any Session) throws(StorageError) -> Bool {
        let open: [CampaignMessageState] = [.waiting, .sending]
        let count = try session.execute(
            """
            UPDATE campaign_message SET state = \(CampaignMessageState.sending.rawValue),
                attempts = attempts + 1
            WHERE id = \(id) AND state IN (\(list: open.map(\.rawValue)))
            """)
        return count > 0
    }

    /// What came of it.
    func end(
        _ state: CampaignMessageState, at now: Instant, next: Instant? = nil,
        problem: String? = nil, _ session: any Session
    ) throws(StorageError) {
        let sent = state == .sent ? now : nil
        try session.execute(
            """
            UPDATE campaign_message SET state = \(state.rawValue), sent_at = \(sent),
                next_attempt = \(next ?? nextAttempt), problem = \(problem)
            WHERE id = \(id)
            """)
    }
}
