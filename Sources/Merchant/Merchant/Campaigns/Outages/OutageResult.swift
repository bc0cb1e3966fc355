import AppStoreWire
import MerchantRules
import Storage
import SubscriptionRules

/// What a notification tells of extensions. One about a subscription names no request: only the
/// summary does.
struct ExtensionNews: Sendable {
    enum Outcome: Sendable {
        case extended
        case failed
        case complete(requestIdentifier: String, succeeded: Int64, failed: Int64)
    }

    let outcome: Outcome
    let signed: Instant

    init?(_ payload: ResponseBodyV2DecodedPayload) {
        signed = Instant(milliseconds: payload.signedDate)
        switch (payload.notificationType, payload.subtype) {
        case (.renewalExtended, _): outcome = .extended
        case (.renewalExtension, .failure?): outcome = .failed
        case (.renewalExtension, .summary?):
            guard let summary = payload.summary else { return nil }
            outcome = .complete(
                requestIdentifier: summary.requestIdentifier, succeeded: summary.succeededCount,
                failed: summary.failedCount)
        default: return nil
        }
    }
}

/// What a notification tells a running outage of one subscription, until it is taken in.
struct OutageResult: StoredRecord {
    var campaign: Int64
    /// The notification's.
    var uuid: String
    var purchase: Int64
    var isExtended: Bool
    /// When the subscription ends now.
    var end: Instant?
    var productID: String
    var transactionID: String
    var signed: Instant

    static let blank = OutageResult(
        campaign: 0, uuid: "", purchase: 0, isExtended: false, end: nil, productID: "",
        transactionID: "", signed: Instant(milliseconds: 0))

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("campaign", &campaign)
        try columns.column("uuid", &uuid)
        try columns.column("purchase", &purchase)
        try columns.column("is_extended", &isExtended)
        try columns.column("ends_at", &end)
        try columns.column("product_id", &productID)
        try columns.column("transaction_id", &transactionID)
        try columns.column("signed_at", &signed)
    }

    private static let register = Register<Self>(table: "outage_result", key: ["campaign", "uuid"])

    /// How far the merchant's clock and the store's may differ.
    private static let leeway = Span.seconds(10)

    /// Hands what a letter tells to the outages that asked for it: those that called for all
    /// subscribers of the product before the letter was signed, and were not done by then (CMP-22).
    ///
    /// It is of the letter's own transaction, after the registers have taken the letter in.
    static func note(
        _ evidence: Evidence, _ uuid: String, of app: Int64, _ session: any Session
    ) throws(StorageError) {
        guard let news = evidence.extensionNews else { return }
        if case .complete(let identifier, let succeeded, let failed) = news.outcome {
            return try complete(identifier, succeeded, failed, news, of: app, session)
        }
        guard let transaction = evidence.transaction,
            let number = evidence.originalTransactionID,
            let purchase = try PurchaseRow.find(number, of: app, evidence.environment, session)
        else { return }
        var isExtended = false
        if case .extended = news.outcome { isExtended = true }
        let campaigns = try session.rows(
            """
            SELECT campaign FROM outage_call
            WHERE app = \(app) AND environment = \(evidence.environment.rawValue)
                AND product_id = \(transaction.facts.productID)
                AND asked_at <= \(news.signed + leeway)
                AND (completed_at IS NULL OR completed_at >= \(news.signed - leeway))
            ORDER BY campaign
            """
        ).map { row throws(StorageError) in try row.integer(0) }
        for campaign in campaigns {
            _ = try register.take(
                OutageResult(
                    campaign: campaign, uuid: uuid, purchase: purchase.id, isExtended: isExtended,
                    end: transaction.facts.expires, productID: transaction.facts.productID,
                    transactionID: transaction.facts.transactionID, signed: news.signed),
                session)
        }
    }

    private static func complete(
        _ identifier: String, _ succeeded: Int64, _ failed: Int64, _ news: ExtensionNews,
        of app: Int64, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            UPDATE outage_call SET completed_at = \(news.signed), succeeded = \(succeeded),
                failed = \(failed)
            WHERE request_identifier = \(identifier) AND app = \(app) AND completed_at IS NULL
            """)
    }

    /// Some that a campaign has not taken in, in the order of their notifications' names.
    static func waiting(
        for campaign: Int64, limit: Int, _ session: any Session
    ) throws(StorageError) -> [OutageResult] {
        try register.records(
            where: "campaign = \(campaign) ORDER BY uuid LIMIT \(limit)", session)
    }

    func remove(_ session: any Session) throws(StorageError) {
        try session.execute(
            "DELETE FROM outage_result WHERE campaign = \(campaign) AND uuid = \(uuid)")
    }
}
