import AppStoreWire
import MerchantRules
import Storage
import SubscriptionRules

/// The register of a subscription's renewal information.
struct RenewalRecord: StoredRecord {
    var purchase: Int64
    var facts: RenewalFacts
    /// In milliunits.
    var renewalPrice: Int64?
    var currency: String?
    var signature: RegisterSignature

    static let blank = RenewalRecord(
        purchase: 0, facts: RenewalFacts(nextProductID: "", renewsAutomatically: false),
        renewalPrice: nil, currency: nil, signature: .blank)

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("purchase", &purchase)
        try facts.visit(&columns)
        try columns.column("renewal_price", &renewalPrice)
        try columns.column("currency", &currency)
        try signature.visit(&columns)
    }

    static let register = Register<Self>(
        table: "renewal_register", key: ["purchase"], precedence: ["signed_at", "rank"],
        content: "digest")
}

extension RenewalRecord {
    /// Goes into the register unless a newer record is there; the purchase's row is locked. The
    /// last grace period that was told of stays there whichever record is the newest: those that
    /// are signed after the store has stopped trying say nothing of it (STO-3).
    ///
    /// - Returns: whether that is news.
    func enter(_ session: any Session) throws(StorageError) -> Bool {
        let isNews = try Self.register.take(self, session)
        guard let ends = facts.graceOfFailure else { return isNews }
        let changed = try session.execute(
            """
            UPDATE renewal_register
            SET last_grace_ends_at = \(ends), last_grace_signed_at = \(signature.signedAt)
            WHERE purchase = \(purchase) AND (last_grace_ends_at IS NULL
                OR last_grace_ends_at < \(ends)
                OR last_grace_ends_at = \(ends)
                    AND last_grace_signed_at < \(signature.signedAt))
            """)
        return isNews || changed > 0
    }

    /// What verified renewal information says.
    init(_ payload: JWSRenewalInfoDecodedPayload, _ text: String, source: String) {
        self.init(
            purchase: 0,
            facts: RenewalFacts(
                nextProductID: payload.autoRenewProductId,
                renewsAutomatically: payload.autoRenewStatus == .on,
                isInBillingRetry: payload.isInBillingRetryPeriod ?? false,
                graceEnds: payload.gracePeriodExpiresDate.map(Instant.init(milliseconds:)),
                expirationIntent: payload.expirationIntent.map { Int64($0.rawValue) },
                priceIncreaseStatus: payload.priceIncreaseStatus.map { Int64($0.rawValue) }),
            renewalPrice: payload.renewalPrice, currency: payload.currency,
            signature: RegisterSignature(of: text, at: payload.signedDate, source: source))
    }
}
