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
    /// What verified renewal information says.
    init(_ payload: JWSRenewalInfoDecodedPayload, _ text: String, source: String) {
        self.init(
            purchase: 0,
            facts: RenewalFacts(
                nextProductID: payload.autoRenewProductId,
                renewsAutomatically: payload.autoRenewStatus == .on,
                isInBillingRetry: payload.isInBillingRetryPeriod ?? false,
                graceEnds: payload.gracePeriodExpiresDate.map(Instant.init(milliseconds:)),
                expirationIntent: payload.expirationIntent.map { Int64($0.rawValue) }),
            renewalPrice: payload.renewalPrice, currency: payload.currency,
            signature: RegisterSignature(of: text, at: payload.signedDate, source: source))
    }
}
