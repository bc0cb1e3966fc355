import FoundationEssentials
import Storage
import SubscriptionRules

/// How far a call of a campaign is: a closed list.
public enum CampaignCallState: String, Hashable, Sendable, CaseIterable {
    case waiting
    /// It is on its way, and no answer is kept yet.
    case sending
    case accepted
    case failed
    /// It was never made, and is not needed any more.
    case dropped
}

/// What a call of a campaign asks the store for: a closed list.
public enum CampaignCallKind: String, Hashable, Sendable, CaseIterable {
    /// *Change Subscription Price*.
    case changePrice
    /// *Cancel a Subscription*: the merchant's policy for a refusal.
    case cancel
}

/// A call of the store for one subscriber.
struct PriceCallRow: StoredRecord {
    /// An item with its new price.
    struct Item: Codable, Hashable, Sendable {
        var sku: String
        var price: Int64
        var dependents: [String]
    }

    var id: Int64
    var campaign: Int64
    var purchase: Int64
    var kind: CampaignCallKind
    /// The items, as JSON.
    var items: String
    var transactionID: String
    /// The UUID of the request: the same each time that it is repeated.
    var reference: String
    var due: Instant
    /// The last moment for the renewal that is meant.
    var closes: Instant?
    /// The last moment for the renewal that is meant, also where a later call is taken: those with
    /// the least time are made first.
    var latest: Instant
    var state: CampaignCallState
    var attempts: Int64
    var nextAttempt: Instant
    var answered: Instant?
    /// The store's code of an error; nil where it took the call.
    var answerCode: Int64?
    var problem: String?

    static let blank = PriceCallRow(
        id: 0, campaign: 0, purchase: 0, kind: .changePrice, items: "[]", transactionID: "",
        reference: "", due: Instant(milliseconds: 0), closes: nil,
        latest: Instant(milliseconds: 0), state: .waiting, attempts: 0,
        nextAttempt: Instant(milliseconds: 0), answered: nil, answerCode: nil, problem: nil)

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("id", &id)
        try columns.column("campaign", &campaign)
        try columns.column("purchase", &purchase)
        try columns.column("kind", &kind)
        try columns.column("items", &items)
        try columns.column("transaction_id", &transactionID)
        try columns.column("reference", &reference)
        try columns.column("due_at", &due)
        try columns.column("closes_at", &closes)
        try columns.column("latest_at", &latest)
        try columns.column("state", &state)
        try columns.column("attempts", &attempts)
        try columns.column("next_attempt", &nextAttempt)
        try columns.column("answered_at", &answered)
        try columns.column("answer_code", &answerCode)
        try columns.column("problem", &problem)
    }

    private static let register = Register<Self>(table: "campaign_call", key: ["id"])

    /// The items as a text.
    static func text(_ items: [Item]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(items), as: UTF8.self)
    }

    var changes: [Item] {
        get throws(StorageError) {
            guard let read = try? JSONDecoder().decode([Item].self, from: Data(items.utf8)) else {
                throw StorageError(.corrupt, "the items of a campaign's call cannot be read")
            }
            return read
        }
    }

    func insert(_ session: any Session) throws(StorageError) {
        try session.execute(
            """
            INSERT INTO campaign_call (campaign, purchase, kind, items, transaction_id, reference,
                due_at, closes_at, latest_at, state, attempts, next_attempt)
            VALUES (\(campaign), \(purchase), \(kind.rawValue), \(items), \(transactionID),
                \(reference), \(due), \(closes), \(latest), \(state.rawValue), 0,
                \(nextAttempt))
            """)
    }

    /// Those that a condition chooses.
    static func all(
        where condition: SQL, _ session: any Session
    ) throws(StorageError) -> [PriceCallRow] {
        try register.records(where: condition, session)
    }

    /// Those of a subscriber, the first first.
    static func all(
        in campaign: Int64, of purchase: Int64, _ session: any Session
    ) throws(StorageError) -> [PriceCallRow] {
        try all(where: "campaign = \(campaign) AND purchase = \(purchase) ORDER BY id", session)
    }

    /// Whether a subscription is to be cancelled still: that is left to do for who is done with.
    static func isCancelling(
        in campaign: Int64, _ session: any Session
    ) throws(StorageError) -> Bool {
        try session.exists(
            """
            SELECT 1 FROM campaign_call
            WHERE campaign = \(campaign) AND kind = \(CampaignCallKind.cancel.rawValue)
                AND state IN ('waiting', 'sending')
            """)
    }

    /// It is on its way from now on.
    ///
    /// - Returns: whether it is; not where it was dropped since it was read.
    func begin(_ session: any Session) throws(StorageError) -> Bool {
        let open: [CampaignCallState] = [.waiting, .sending]
        let count = try session.execute(
            """
            UPDATE campaign_call SET state = \(CampaignCallState.sending.rawValue),
                attempts = attempts + 1
            WHERE id = \(id) AND state IN (\(list: open.map(\.rawValue)))
            """)
        return count > 0
    }

    /// Drops it, where it was never made.
    ///
    /// - Returns: whether it is dropped; not where it has begun since it was read.
    func drop(_ session: any Session) throws(StorageError) -> Bool {
        let count = try session.execute(
            """
            UPDATE campaign_call SET state = \(CampaignCallState.dropped.rawValue)
            WHERE id = \(id) AND state = \(CampaignCallState.waiting.rawValue) AND attempts = 0
            """)
        return count > 0
    }

    /// The store has certainly done nothing of it.
    func forgetAttempts(_ session: any Session) throws(StorageError) {
        try session.execute("UPDATE campaign_call SET attempts = 0 WHERE id = \(id)")
    }

    /// What came of it.
    func end(
        _ state: CampaignCallState, at now: Instant, code: Int64? = nil, next: Instant? = nil,
        problem: String? = nil, _ session: any Session
    ) throws(StorageError) {
        let answered = state == .accepted || state == .failed ? now : nil
        try session.execute(
            """
            UPDATE campaign_call SET state = \(state.rawValue), answered_at = \(answered),
                answer_code = \(code), next_attempt = \(next ?? nextAttempt),
                problem = \(problem)
            WHERE id = \(id)
            """)
    }
}
