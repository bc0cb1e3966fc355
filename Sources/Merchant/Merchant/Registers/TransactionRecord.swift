import AppStoreWire
import MerchantRules
import Storage
import SubscriptionRules

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
        try facts.visit(&columns)
        try columns.column("price", &price)
        try columns.column("currency", &currency)
        try signature.visit(&columns)
    }

    static let register = Register<Self>(
        table: "transaction_register", key: ["purchase", "transaction_id"],
        precedence: ["signed_at", "rank"], content: "digest")
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
