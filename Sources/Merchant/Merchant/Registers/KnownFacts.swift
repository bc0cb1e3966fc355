import MerchantRules
import Storage
import SubscriptionRules

/// A transaction's register as access is judged by it: without the signed text, which both
/// databases keep apart from the row and which is a hundred times as long.
struct KnownTransaction: StoredRecord {
    var purchase: Int64
    var facts: TransactionFacts
    /// In milliunits.
    var price: Int64?
    var currency: String?
    /// What said so: a notification's UUID, `app` or `api`.
    var source: String

    static let blank = KnownTransaction(
        purchase: 0,
        facts: TransactionFacts(
            transactionID: "", productID: "", kind: .consumable,
            purchased: Instant(milliseconds: 0)),
        price: nil, currency: nil, source: "")

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("purchase", &purchase)
        try facts.visit(&columns)
        try columns.column("price", &price)
        try columns.column("currency", &currency)
        try columns.column("source", &source)
    }

    static let register = Register<Self>(
        table: "transaction_register", key: ["purchase", "transaction_id"])
}

/// The register of a subscription's renewal information in the same way.
struct KnownRenewal: StoredRecord {
    var facts: RenewalFacts
    /// In milliunits.
    var renewalPrice: Int64?
    var currency: String?
    var source: String

    static let blank = KnownRenewal(
        facts: RenewalFacts(nextProductID: "", renewsAutomatically: false),
        renewalPrice: nil, currency: nil, source: "")

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try facts.visit(&columns)
        try columns.column("signed_at", &facts.signed)
        var (ends, signed) = (facts.lastGrace?.ends, facts.lastGrace?.signed)
        try columns.column("last_grace_ends_at", &ends)
        try columns.column("last_grace_signed_at", &signed)
        facts.lastGrace = nil
        if let ends, let signed { facts.lastGrace = RenewalFacts.Grace(ends: ends, signed: signed) }
        try columns.column("renewal_price", &renewalPrice)
        try columns.column("currency", &currency)
        try columns.column("source", &source)
    }
}

extension TransactionFacts {
    /// The columns of a register that hold the facts.
    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("transaction_id", &transactionID)
        try columns.column("product_id", &productID)
        try columns.column("group_id", &groupID)
        try columns.column("kind", &kind)
        try columns.column("purchased_at", &purchased)
        try columns.column("expires_at", &expires)
        try columns.column("is_upgraded", &isUpgraded)
        try columns.column("revoked_at", &revoked)
        try columns.column("revocation", &revocation)
        try columns.column("is_shared", &isShared)
        try columns.column("quantity", &quantity)
        try columns.column("refunded_share", &refundedShare)
        try columns.column("is_renewal", &isRenewal)
    }
}

extension RenewalFacts {
    /// The columns of a register that hold the facts.
    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("next_product_id", &nextProductID)
        try columns.column("renews", &renewsAutomatically)
        try columns.column("is_in_billing_retry", &isInBillingRetry)
        try columns.column("grace_ends_at", &graceEnds)
        try columns.column("expiration_intent", &expirationIntent)
        try columns.column("price_increase_status", &priceIncreaseStatus)
    }
}
