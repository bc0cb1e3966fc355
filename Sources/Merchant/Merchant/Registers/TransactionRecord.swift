import AppStoreWire
import Crypto
import MerchantRules
import Storage
import SubscriptionRules
import TimeAndChance

/// The register of one transaction: what was signed last about it (ING-3).
struct TransactionRecord: StoredRecord {
    var purchase: Int64
    var facts: TransactionFacts
    /// In milliunits.
    var price: Int64?
    var currency: String?
    var signature: RegisterSignature

    static let blank = TransactionRecord(
        purchase: 0,
        facts: TransactionFacts(
            transactionID: "", productID: "", kind: .consumable,
            purchased: Instant(milliseconds: 0)),
        price: nil, currency: nil, signature: .blank)

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("purchase", &purchase)
        try columns.column("transaction_id", &facts.transactionID)
        try columns.column("product_id", &facts.productID)
        try columns.column("group_id", &facts.groupID)
        try columns.column("kind", &facts.kind)
        try columns.column("purchased_at", &facts.purchased)
        try columns.column("expires_at", &facts.expires)
        try columns.column("is_upgraded", &facts.isUpgraded)
        try columns.column("revoked_at", &facts.revoked)
        try columns.column("revocation", &facts.revocation)
        try columns.column("is_shared", &facts.isShared)
        try columns.column("quantity", &facts.quantity)
        try columns.column("refunded_share", &facts.refundedShare)
        try columns.column("is_renewal", &facts.isRenewal)
        try columns.column("price", &price)
        try columns.column("currency", &currency)
        try signature.visit(&columns)
    }

    static let register = Register<Self>(
        table: "transaction_register", key: ["purchase", "transaction_id"],
        precedence: ["signed_at", "rank"], content: "digest")
}

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
        try columns.column("next_product_id", &facts.nextProductID)
        try columns.column("renews", &facts.renewsAutomatically)
        try columns.column("is_in_billing_retry", &facts.isInBillingRetry)
        try columns.column("grace_ends_at", &facts.graceEnds)
        try columns.column("expiration_intent", &facts.expirationIntent)
        try columns.column("renewal_price", &renewalPrice)
        try columns.column("currency", &currency)
        try signature.visit(&columns)
    }

    static let register = Register<Self>(
        table: "renewal_register", key: ["purchase"], precedence: ["signed_at", "rank"],
        content: "digest")
}

/// By what one record wins over another, and where it came from.
struct RegisterSignature: Hashable, Sendable {
    /// The signed text's own date, not that of the notification around it.
    var signedAt: Instant
    /// Of two records of one date the app's does not replace the store's own: a device may send
    /// what it got long ago.
    var rank: Int64
    /// By which two records are known to say the same.
    var digest: String
    /// The notification's UUID, `app` or `api`.
    var source: String
    /// As it was signed.
    var text: String

    static let blank = RegisterSignature(
        signedAt: Instant(milliseconds: 0), rank: 0, digest: "", source: "", text: "")

    /// - Parameter text: a verified JWS.
    init(of text: String, at signedAt: Int64, source: String) {
        // Two signatures of one payload differ; what they sign does not.
        let parts = text.split(separator: ".")
        let payload = parts.count == 3 ? parts[1] : text[...]
        let digest = SHA256.hash(data: Array(payload.utf8))
        self.init(
            signedAt: Instant(milliseconds: signedAt), rank: source == "app" ? 0 : 1,
            digest: digest.hexadecimal, source: source, text: text)
    }

    private init(
        signedAt: Instant, rank: Int64, digest: String, source: String,
        text: String
    ) {
        self.signedAt = signedAt
        self.rank = rank
        self.digest = digest
        self.source = source
        self.text = text
    }

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("signed_at", &signedAt)
        try columns.column("rank", &rank)
        try columns.column("digest", &digest)
        try columns.column("source", &source)
        try columns.column("signed_text", &text)
    }
}

extension TransactionRecord {
    /// What a verified transaction says.
    init(_ payload: JWSTransactionDecodedPayload, _ text: String, source: String) {
        let isSharing = [.familyRevoke, .assignmentRevoke].contains(payload.revocationType)
        self.init(
            purchase: 0,
            facts: TransactionFacts(
                transactionID: payload.transactionId,
                productID: payload.productId, groupID: payload.subscriptionGroupIdentifier,
                kind: TransactionFacts.Kind(payload.type),
                purchased: Instant(milliseconds: payload.purchaseDate),
                expires: payload.expiresDate.map(Instant.init(milliseconds:)),
                isUpgraded: payload.isUpgraded ?? false,
                revoked: payload.revocationDate.map(Instant.init(milliseconds:)),
                revocation: payload.revocationDate.map { _ in isSharing ? .sharing : .refund },
                isShared: payload.inAppOwnershipType != .purchased,
                quantity: Int64(payload.quantity),
                refundedShare: payload.revocationPercentage.map(Int64.init),
                isRenewal: payload.transactionReason == .renewal),
            price: payload.price, currency: payload.currency,
            signature: RegisterSignature(
                of: text, at: payload.signedDate, source: source))
    }
}

extension TransactionFacts.Kind {
    /// A kind that Apple adds later is treated as one that is bought for good.
    fileprivate init(_ type: TransactionType) {
        self =
            switch type {
            case .autoRenewableSubscription: .autoRenewable
            case .nonRenewingSubscription: .nonRenewing
            case .consumable: .consumable
            default: .nonConsumable
            }
    }
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
