public import MerchantRules
import Storage
public import SubscriptionRules

/// How far an outage campaign is, and what became of everybody: the counts add up to the audience
/// (CMP-21).
public struct OutageReport: Hashable, Sendable {
    /// How many subscriptions have an outcome for a reason.
    public struct Count: Hashable, Sendable {
        /// An `OutageCampaignState.Outcome`.
        public var outcome: String
        /// By which call it was extended, why it was not, or what is waited for.
        public var reason: String
        /// The reason as a sentence.
        public var sentence: String
        public var count: Int64
    }

    /// A call for all subscribers of a product.
    public struct Call: Hashable, Sendable {
        public var productID: String
        public var environment: MerchantEnvironment
        public var requestIdentifier: String
        /// When the store took it; nil before.
        public var accepted: Instant?
        /// When the store was done with it.
        public var completed: Instant?
        /// How many the store says that it extended.
        public var succeeded: Int64?
        public var failed: Int64?
        /// Why it was not taken, or not looked at, the last time.
        public var problem: String?
    }

    /// How many mails have come so far.
    public struct Mails: Hashable, Sendable {
        /// `waiting`, `sent`, `noAddress`, `noRelay`, `refused` or `failed`.
        public var state: String
        public var count: Int64
    }

    public var bundleID: String
    public var name: String
    public var state: CampaignRunState
    public var started: Instant
    /// When it was started, paused, resumed, stopped or done last.
    public var moved: Instant
    /// Why it stands still, where it does.
    public var problem: String?
    /// How many subscriptions it is about.
    public var audience: Int64
    public var counts: [Count]
    /// How many were extended after another call had failed.
    public var retried: Int64
    public var calls: [Call]
    public var mails: [Mails]
    /// When something is due next; nil where nothing is.
    public var next: Instant?

    /// How many have an outcome.
    public func count(_ outcome: OutageCampaignState.Outcome) -> Int64 {
        counts.filter { $0.outcome == outcome.rawValue }.reduce(0) { $0 + $1.count }
    }
}

/// What became of one subscription.
public struct OutageSubscriber: Hashable, Sendable {
    /// The purchase's number: a page goes on behind it.
    public let id: Int64
    public let originalTransactionID: String
    public let environment: MerchantEnvironment
    /// The account that owns it now; nil where nobody does.
    public let account: String?
    public let productID: String
    public let storefront: String?
    public let outcome: OutageCampaignState.Outcome
    public let reason: String
    public let sentence: String
    public let days: Int64
    /// When it ended as the campaign began.
    public let endBefore: Instant?
    /// When it ends now; nil where it was not extended.
    public let end: Instant?
    /// How many calls were made for it alone.
    public let calls: Int64
    /// The failure before; nil where there was none.
    public let failure: String?
    public let requestIdentifier: String
    public let nextAttempt: Instant?
    /// What became of the mail; nil where there is none.
    public let mail: String?
}

extension Merchant {
    /// How far an outage is.
    ///
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`.
    public func outageReport(
        _ name: String, of bundleID: String
    ) async throws -> OutageReport {
        let app = try app(bundleID)
        return try await database.read { session in
            guard let row = try CampaignRow.find(name, of: app.id, session), row.kind == .outage
            else { throw MerchantError.unknownCampaign(name) }
            return try OutageReport(row, of: bundleID, session)
        }
    }

    /// What became of the subscribers of an outage, in the order in which the merchant has heard of
    /// them.
    ///
    /// - Parameters:
    ///   - outcome: only these; nil for all.
    ///   - after: the purchase behind which they are; nil for the first.
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`.
    public func outageSubscribers(
        _ name: String, of bundleID: String, _ outcome: OutageCampaignState.Outcome? = nil,
        after: Int64? = nil, limit: Int
    ) async throws -> [OutageSubscriber] {
        let app = try app(bundleID)
        return try await database.read { session in
            guard let row = try CampaignRow.find(name, of: app.id, session), row.kind == .outage
            else { throw MerchantError.unknownCampaign(name) }
            let columns = OutageExtension.columnNames().map { "e.\($0)" }.joined(separator: ", ")
            let only = outcome.map { OutageExtension.condition($0) } ?? "TRUE"
            return try session.rows(
                """
                SELECT \(raw: columns), a.name FROM campaign_extension e
                JOIN purchase p ON p.id = e.purchase LEFT JOIN account a ON a.id = p.account
                WHERE e.campaign = \(row.id) AND e.purchase > \(after ?? 0) AND (\(raw: only))
                ORDER BY e.purchase LIMIT \(limit)
                """
            ).map { row throws(StorageError) in
                OutageSubscriber(
                    try OutageExtension(row),
                    try row.textOrNil(OutageExtension.columnNames().count))
            }
        }
    }
}

// MARK: Reading it

extension CampaignRun {
    /// An outage, as all campaigns are shown.
    init(_ outage: OutageReport) {
        let counts = outage.counts.map {
            Count(name: $0.outcome, detail: $0.reason, count: $0.count)
        }
        let accepted = outage.calls.count { $0.accepted != nil }
        let calls = [("accepted", accepted), ("waiting", outage.calls.count - accepted)]
        self.init(
            bundleID: outage.bundleID, name: outage.name,
            kind: CampaignDefinition.Kind.outage.rawValue, state: outage.state,
            started: outage.started, moved: outage.moved, problem: outage.problem,
            audience: outage.audience, outcomes: counts, states: counts,
            messages: outage.mails.map { Count(name: "mail", detail: $0.state, count: $0.count) },
            calls: calls.filter { $0.1 > 0 }.map {
                Count(name: $0.0, detail: nil, count: Int64($0.1))
            })
    }
}

extension OutageReport {
    init(
        _ row: CampaignRow, of bundleID: String, _ session: any Session
    ) throws(StorageError) {
        self.bundleID = bundleID
        name = row.name
        state = row.state
        started = row.started
        moved = row.moved
        problem = row.problem
        (audience, retried, counts, calls, mails, next) = (0, 0, [], [], [], nil)
        // One count a state and reason; of failures, whether another call is to come.
        let rows = try session.rows(
            """
            SELECT state, reason, extended_by, COUNT(*), COUNT(next_attempt)
            FROM campaign_extension WHERE campaign = \(row.id)
            GROUP BY state, reason, extended_by
            """)
        for found in rows {
            var one = OutageExtension.blank
            one.state = OutageExtension.Word(rawValue: try found.text(0)) ?? .planned
            one.reason = try found.textOrNil(1)
            one.extendedBy = try found.textOrNil(2).flatMap { ExtensionRoute(rawValue: $0) }
            let due = try found.integer(4)
            add(one, try found.integer(3) - due)
            one.nextAttempt = row.started
            add(one, due)
        }
        let order = OutageCampaignState.Outcome.allCases.map(\.rawValue)
        counts.sort { first, second in
            let places = [first, second].map { order.firstIndex(of: $0.outcome) ?? 0 }
            return (places[0], -first.count, first.reason)
                < (places[1], -second.count, second.reason)
        }
        calls = try OutageCall.all(of: row.id, session).map { Call($0) }
        mails = try session.rows(
            """
            SELECT mail, COUNT(*) FROM campaign_extension
            WHERE campaign = \(row.id) AND mail IS NOT NULL GROUP BY mail ORDER BY mail
            """
        ).map { found throws(StorageError) in
            Mails(state: try found.text(0), count: try found.integer(1))
        }
        next = try OutageExtension.nextMoment(of: row.id, session)
    }

    private mutating func add(_ one: OutageExtension, _ count: Int64) {
        guard count > 0 else { return }
        audience += count
        if one.extendedBy == .retry { retried += count }
        let (outcome, reason, sentence) = (one.outcome, one.shownReason, one.sentence)
        let place = counts.firstIndex {
            $0.outcome == outcome.rawValue && $0.reason == reason
        }
        if let place {
            counts[place].count += count
        } else {
            counts.append(
                Count(
                    outcome: outcome.rawValue, reason: reason, sentence: sentence, count: count))
        }
    }
}

extension OutageReport.Call {
    fileprivate init(_ call: OutageCall) {
        self.init(
            productID: call.productID, environment: call.environment,
            requestIdentifier: call.requestIdentifier, accepted: call.accepted,
            completed: call.completed, succeeded: call.succeeded, failed: call.failed,
            problem: call.problem)
    }
}

extension OutageSubscriber {
    fileprivate init(_ one: OutageExtension, _ account: String?) {
        self.init(
            id: one.purchase, originalTransactionID: one.originalTransactionID,
            environment: one.environment, account: account, productID: one.productID,
            storefront: one.storefront, outcome: one.outcome, reason: one.shownReason,
            sentence: one.sentence, days: one.state == .extended ? one.days : 0,
            endBefore: one.knownEnd, end: one.extendedTo, calls: one.attempts,
            failure: one.answerCode, requestIdentifier: one.requestIdentifier,
            nextAttempt: one.nextAttempt, mail: one.mail?.rawValue)
    }
}

extension OutageExtension {
    /// Where it stands in a report.
    var outcome: OutageCampaignState.Outcome {
        switch state {
        case .planned, .requested, .retried: .waiting
        case .extended: .extended
        case .failed: nextAttempt == nil ? .failed : .waiting
        case .notEligible: .notEligible
        case .leftOut: .leftOut
        }
    }

    /// The condition on `e` for those of an outcome.
    static func condition(_ outcome: OutageCampaignState.Outcome) -> String {
        switch outcome {
        case .waiting:
            """
            e.state IN ('planned', 'requested', 'retried')
            OR e.state = 'failed' AND e.next_attempt IS NOT NULL
            """
        case .failed: "e.state = 'failed' AND e.next_attempt IS NULL"
        case .extended: "e.state = 'extended'"
        case .notEligible: "e.state = 'notEligible'"
        case .leftOut: "e.state = 'leftOut'"
        }
    }

    /// The reason as a word: the route of an extension, a refusal, a code.
    fileprivate var shownReason: String {
        switch state {
        case .extended: (extendedBy ?? .mass).rawValue
        case .planned, .requested, .retried: state.rawValue
        case .failed, .notEligible, .leftOut: reason ?? state.rawValue
        }
    }

    /// The reason as a sentence.
    fileprivate var sentence: String {
        switch state {
        case .planned: "No call was made for it."
        case .requested: "The store has been asked, and has not answered."
        case .retried: "A call for it alone is on its way."
        case .extended:
            switch extendedBy ?? .mass {
            case .mass: "By the call for all subscribers of the product."
            case .single: "By a call for it alone."
            case .retry: "By a call for it alone, after another one had failed."
            }
        case .notEligible: PlanReasons.sentence(.notEligible, reason ?? "")
        case .leftOut: PlanReasons.sentence(.leftOut, reason ?? "")
        case .failed: failureSentence
        }
    }

    private var failureSentence: String {
        let last =
            switch ExtensionFailure(code: reason ?? "") {
            case .refused(let code)?: "The store refuses it with \(code)."
            case .noAnswer?: "The store does not say whether it was extended."
            case .leftOutOfMany?: "The call for all left it out, and single calls fail."
            case nil: "It failed."
            }
        return nextAttempt == nil ? last : last + " It is tried again."
    }
}
