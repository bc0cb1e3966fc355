public import MerchantRules
import Storage
public import SubscriptionRules

/// A message of a campaign, for operators.
public struct CampaignMessageReport: Hashable, Sendable {
    public let id: Int64
    public let originalTransactionID: String
    /// The account that owns the purchase now; nil where nobody does.
    public let account: String?
    public let occasion: String
    public let channel: String
    public let step: Int64
    public let due: Instant
    public let state: CampaignMessageState
    public let attempts: Int64
    public let sent: Instant?
    public let messageID: String
    public let title: String
    public let body: String
    public let digest: String
    public let problem: String?
}

/// A subscriber of a campaign that was started, for operators.
public struct CampaignSubscriberReport: Hashable, Sendable {
    /// The purchase's number: a page goes on behind it.
    public let id: Int64
    public let originalTransactionID: String
    public let account: String?
    public let productID: String
    public let storefront: String?
    public let currency: String?
    public let cohort: String
    public let state: String
    public let detail: String?
    public let outcome: CampaignOutcome
    public let outcomeAt: Instant
    public let nextMoment: Instant?
    public let oldPrice: Int64
    public let newPrice: Int64
    public let priceNow: Int64
    public let isRenewing: Bool
}

/// What narrows the subscribers of a campaign.
public struct CampaignFilter: Hashable, Sendable {
    public var outcome: CampaignOutcome?
    public var cohort: String?
    public var originalTransactionID: String?

    public init(
        outcome: CampaignOutcome? = nil, cohort: String? = nil,
        originalTransactionID: String? = nil
    ) {
        self.outcome = outcome
        self.cohort = cohort
        self.originalTransactionID = originalTransactionID
    }
}

/// What proves the answers of one subscriber, for whoever wants to verify them.
public struct CampaignConsents: Hashable, Sendable {
    /// One answer: the text of which the digest is the SHA-256.
    public struct Answer: Hashable, Sendable {
        public let evidence: String
        public let digest: String
    }

    /// A call that rests on it, with what the store said.
    public struct Call: Hashable, Sendable {
        public let reference: String
        public let kind: CampaignCallKind
        public let items: [String]
        public let state: CampaignCallState
        public let answered: Instant?
        public let code: Int64?
    }

    public let campaign: String
    public let originalTransactionID: String
    public let answers: [Answer]
    public let calls: [Call]
}

extension Merchant {
    /// The messages of a campaign behind one, in the order in which they were written.
    ///
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`.
    public func campaignMessages(
        _ name: String, of bundleID: String, channel: String? = nil,
        state: CampaignMessageState? = nil, originalTransactionID: String? = nil,
        after: Int64? = nil, limit: Int
    ) async throws -> [CampaignMessageReport] {
        let row = try await campaignRow(name, of: bundleID, .price)
        return try await database.read { session in
            var condition: SQL = "campaign = \(row.id) AND id > \(after ?? 0)"
            if let channel { condition += " AND channel = \(channel)" }
            if let state { condition += " AND state = \(state.rawValue)" }
            if let originalTransactionID {
                condition += """
                     AND purchase IN (SELECT p.id FROM purchase p WHERE p.app = \(row.app)
                        AND p.original_transaction_id = \(originalTransactionID))
                    """
            }
            let found = try PriceMessageRow.all(
                where: condition + " ORDER BY id LIMIT \(limit)", session)
            let names = try Self.purchaseNames(found.map(\.purchase), session)
            return found.map { one in
                CampaignMessageReport(
                    id: one.id, originalTransactionID: names[one.purchase]?.0 ?? "",
                    account: names[one.purchase]?.1, occasion: one.occasion.rawValue,
                    channel: one.channel.rawValue, step: one.step, due: one.due, state: one.state,
                    attempts: one.attempts, sent: one.sent, messageID: one.messageID,
                    title: one.title, body: one.body, digest: one.digest, problem: one.problem)
            }
        }
    }

    /// The subscribers of a campaign behind one.
    ///
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`.
    public func campaignSubscribers(
        _ name: String, of bundleID: String, _ filter: CampaignFilter = CampaignFilter(),
        after: Int64? = nil, limit: Int
    ) async throws -> [CampaignSubscriberReport] {
        let row = try await campaignRow(name, of: bundleID, .price)
        return try await database.read { session in
            var condition: SQL = "campaign = \(row.id) AND purchase > \(after ?? 0)"
            if let outcome = filter.outcome { condition += " AND outcome = \(outcome.rawValue)" }
            if let cohort = filter.cohort { condition += " AND cohort = \(cohort)" }
            if let wanted = filter.originalTransactionID {
                condition += """
                     AND purchase IN (SELECT p.id FROM purchase p WHERE p.app = \(row.app)
                        AND p.original_transaction_id = \(wanted))
                    """
            }
            let found = try PriceSubscriberRow.all(
                where: condition + " ORDER BY purchase LIMIT \(limit)", session)
            let names = try Self.purchaseNames(found.map(\.purchase), session)
            return found.map { one in
                CampaignSubscriberReport(
                    id: one.purchase, originalTransactionID: names[one.purchase]?.0 ?? "",
                    account: names[one.purchase]?.1, productID: one.productID,
                    storefront: one.storefront, currency: one.currency, cohort: one.cohort,
                    state: one.state.rawValue, detail: one.detail, outcome: one.outcome,
                    outcomeAt: one.outcomeAt, nextMoment: one.due, oldPrice: one.oldPrice,
                    newPrice: one.newPrice, priceNow: one.priceNow, isRenewing: one.isRenewing)
            }
        }
    }

    /// What proves the answers of a subscriber.
    ///
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`, `unknownPurchase`.
    public func consents(
        _ name: String, of bundleID: String, originalTransactionID: String
    ) async throws -> CampaignConsents {
        let row = try await campaignRow(name, of: bundleID, .price)
        return try await database.read { session in
            let found = try session.row(
                """
                SELECT p.id FROM purchase p
                JOIN price_subscriber s ON s.purchase = p.id AND s.campaign = \(row.id)
                WHERE p.app = \(row.app) AND p.original_transaction_id = \(originalTransactionID)
                ORDER BY p.id LIMIT 1
                """)
            guard let purchase = try found?.integer(0) else {
                throw MerchantError.unknownPurchase(originalTransactionID)
            }
            let answers = try PriceConsentRow.all(in: row.id, of: purchase, session)
            let calls = try PriceCallRow.all(in: row.id, of: purchase, session)
            return CampaignConsents(
                campaign: name, originalTransactionID: originalTransactionID,
                answers: answers.map { .init(evidence: $0.evidence, digest: $0.digest) },
                calls: try calls.map { one throws(StorageError) in
                    CampaignConsents.Call(
                        reference: one.reference, kind: one.kind,
                        items: try one.changes.map(\.sku), state: one.state,
                        answered: one.answered, code: one.answerCode)
                })
        }
    }

    /// Original transactions and accounts of purchases, by number.
    static func purchaseNames(
        _ purchases: [Int64], _ session: any Session
    ) throws(StorageError) -> [Int64: (String, String?)] {
        guard !purchases.isEmpty else { return [:] }
        let rows = try session.rows(
            """
            SELECT p.id, p.original_transaction_id, a.name
            FROM purchase p LEFT JOIN account a ON a.id = p.account
            WHERE p.id IN (\(list: Set(purchases)))
            """)
        var names: [Int64: (String, String?)] = [:]
        for row in rows {
            let id = try row.integer(0)
            names[id] = (try row.text(1), try row.textOrNil(2))
        }
        return names
    }
}
