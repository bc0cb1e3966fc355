import MerchantRules
import Storage
import SubscriptionRules
import TimeAndChance

/// The row of one subscription in an outage that runs: the state machine of `MerchantRules`, and
/// what a process has to know that goes on after a crash.
struct OutageExtension: StoredRecord {
    /// A state of `OutageCampaignState`.
    enum Word: String, Sendable, CaseIterable {
        case planned
        case requested
        case extended
        case failed
        case retried
        case notEligible
        case leftOut
    }

    /// What has become of the mail to its customer.
    enum Mailing: String, Sendable, CaseIterable {
        case waiting
        case sent
        /// Nobody knows an address.
        case noAddress
        /// The merchant has no relay.
        case noRelay
        /// The relay has refused it, or it cannot be written.
        case refused
        /// The relay has not taken it for as long as it was tried.
        case failed
    }

    var campaign: Int64
    var purchase: Int64
    var environment: MerchantEnvironment
    var originalTransactionID: String
    /// The transaction that counted when the campaign began.
    var transactionID: String
    var productID: String
    var storefront: String?
    /// When that transaction ended then.
    var knownEnd: Instant?
    var state: Word
    /// A refusal, a reason to leave it out, or the code of a failure.
    var reason: String?
    var extendedTo: Instant?
    var extendedBy: ExtensionRoute?
    var days: Int64
    /// Of every single call for it: a repetition is the same request to the store.
    var requestIdentifier: String
    var attempts: Int64
    var nextAttempt: Instant?
    /// Whether a call is on its way, or was when a process died.
    var isCalling: Bool
    /// How the last failure is called, kept also once it is extended.
    var answerCode: String?
    var mail: Mailing?
    var mailAt: Instant?
    var mailAttempts: Int64

    static let blank = OutageExtension(
        campaign: 0, purchase: 0, environment: .production, originalTransactionID: "",
        transactionID: "", productID: "", storefront: nil, knownEnd: nil, state: .planned,
        reason: nil, extendedTo: nil, extendedBy: nil, days: 0, requestIdentifier: "", attempts: 0,
        nextAttempt: nil, isCalling: false, answerCode: nil, mail: nil, mailAt: nil,
        mailAttempts: 0)

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("campaign", &campaign)
        try columns.column("purchase", &purchase)
        try columns.column("environment", &environment)
        try columns.column("original_transaction_id", &originalTransactionID)
        try columns.column("transaction_id", &transactionID)
        try columns.column("product_id", &productID)
        try columns.column("storefront", &storefront)
        try columns.column("known_end", &knownEnd)
        try columns.column("state", &state)
        try columns.column("reason", &reason)
        try columns.column("extended_to", &extendedTo)
        try columns.column("extended_by", &extendedBy)
        try columns.column("days", &days)
        try columns.column("request_identifier", &requestIdentifier)
        try columns.column("attempts", &attempts)
        try columns.column("next_attempt", &nextAttempt)
        try columns.column("is_calling", &isCalling)
        try columns.column("answer_code", &answerCode)
        try columns.column("mail", &mail)
        try columns.column("mail_at", &mailAt)
        try columns.column("mail_attempts", &mailAttempts)
    }

    static let register = Register<Self>(
        table: "campaign_extension", key: ["campaign", "purchase"])

    func save(_ session: any Session) throws(StorageError) {
        _ = try Self.register.take(self, session)
    }

    /// Those of a campaign that a condition chooses, a column of which an index begins with.
    static func some(
        of campaign: Int64, where condition: SQL, _ session: any Session
    ) throws(StorageError) -> [OutageExtension] {
        try register.records(where: "campaign = \(campaign) AND \(condition)", session)
    }

    /// When the next thing is due in a campaign; nil where nothing is.
    static func nextMoment(
        of campaign: Int64, _ session: any Session
    ) throws(StorageError) -> Instant? {
        let due: [SQL] = [
            "SELECT MIN(next_attempt) FROM campaign_extension WHERE next_attempt IS NOT NULL",
            "SELECT MIN(mail_at) FROM campaign_extension WHERE mail_at IS NOT NULL",
            "SELECT MIN(next_look) FROM outage_call WHERE is_reconciled = 0",
        ]
        var moments: [Instant] = []
        for query in due {
            let row = try session.row(query + " AND campaign = \(campaign)")
            if let first = try row?.instantOrNil(0) { moments.append(first) }
        }
        return moments.min()
    }

    /// Whether a campaign has one.
    static func exists(
        in campaign: Int64, where condition: SQL, _ session: any Session
    ) throws(StorageError) -> Bool {
        try session.exists(
            """
            SELECT 1 FROM campaign_extension WHERE campaign = \(campaign) AND \(condition) LIMIT 1
            """)
    }
}

/// By which call a subscription was extended.
public enum ExtensionRoute: String, Hashable, Sendable, CaseIterable {
    /// That for all subscribers of its product.
    case mass
    /// One of its own.
    case single
    /// One of its own, after another one had failed.
    case retry
}

// MARK: The state machine

extension OutageExtension {
    /// What the rules know of it.
    func machine(isStopped: Bool) throws(StorageError) -> OutageCampaignState {
        OutageCampaignState(
            state: try ruled, attempts: Int(attempts), notBefore: nextAttempt, isStopped: isStopped)
    }

    private var ruled: OutageCampaignState.State {
        get throws(StorageError) {
            switch state {
            case .planned: return .planned
            case .requested: return .requested
            case .retried: return .retried
            case .extended:
                if let extendedTo { return .extended(to: extendedTo) }
            case .failed:
                if let failure = ExtensionFailure(code: reason ?? "") { return .failed(failure) }
            case .notEligible:
                if let refusal = ExtensionRefusal(rawValue: reason ?? "") {
                    return .notEligible(refusal)
                }
            case .leftOut:
                if let left = OutageLeftOutReason(rawValue: reason ?? "") { return .leftOut(left) }
            }
            throw StorageError(.corrupt, "an extension of \(state.rawValue) has no such reason")
        }
    }

    /// Takes the state that the rules have come to.
    mutating func take(_ machine: OutageCampaignState) {
        reason = nil
        switch machine.state {
        case .planned: state = .planned
        case .requested: state = .requested
        case .retried: state = .retried
        case .extended(let end): (state, extendedTo) = (.extended, end)
        case .failed(let failure):
            (state, reason) = (.failed, failure.code)
        case .notEligible(let refusal): (state, reason) = (.notEligible, refusal.rawValue)
        case .leftOut(let left): (state, reason) = (.leftOut, left.rawValue)
        }
        attempts = Int64(machine.attempts)
        nextAttempt = machine.notBefore
    }

    /// How a subscription begins in a campaign.
    init(
        _ member: AudienceMember, of campaign: OutageCampaign, in row: CampaignRow, at now: Instant
    ) {
        self = .blank
        self.campaign = row.id
        purchase = member.purchase
        environment = member.environment
        originalTransactionID = member.originalTransactionID
        transactionID = member.transactionID
        productID = member.productID
        storefront = member.subscriber?.storefront
        knownEnd = member.subscriber?.renews
        days = Int64(campaign.grantedDays)
        requestIdentifier = Self.requestIdentifier(
            of: member.originalTransactionID, campaign, member.environment)
        guard let subscriber = member.subscriber else {
            (state, reason) = (.leftOut, OutageLeftOutReason.unknownTerms.rawValue)
            return
        }
        let plan = campaign.plan(for: subscriber, at: now)
        take(OutageCampaignState(plan, of: campaign, at: now))
        recheck(from: now, until: OutageExtension.lastRecheck(of: row))
    }

    /// The identifier of every single call for a subscription: the same again after a crash, so
    /// that the store extends it once.
    static func requestIdentifier(
        of originalTransactionID: String, _ campaign: OutageCampaign,
        _ environment: MerchantEnvironment
    ) -> String {
        DerivedUUID.text(
            seed: "outage \(campaign.bundleID) \(environment.name) \(campaign.name)",
            purpose: "single \(originalTransactionID)", number: 0)
    }

    // MARK: What may pass

    /// How often a state is looked at that may pass (CMP-23).
    static let recheckPause = Span.days(1)

    /// Until when that is done: as long as the store tries to renew what was not paid.
    static func lastRecheck(of row: CampaignRow) -> Instant { row.started + .days(60) }

    /// Looks again later where the state may pass and nothing else brings it on.
    mutating func recheck(from now: Instant, until last: Instant) {
        guard nextAttempt == nil, !isCalling, mayPass else { return }
        let next = now + Self.recheckPause
        nextAttempt = next <= last ? next : nil
    }

    /// Whether only another state of the subscription helps.
    var mayPass: Bool {
        switch state {
        case .failed: ExtensionFailure(code: reason ?? "")?.retry == .onceItChanges
        case .notEligible: ExtensionRefusal(rawValue: reason ?? "")?.mayPass ?? false
        case .planned, .requested, .extended, .retried, .leftOut: false
        }
    }
}
