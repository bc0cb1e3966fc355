import AppStoreSigning
public import AppStoreWire
public import FoundationEssentials

/// A purchase, a renewal, or what became of one.
public struct Transaction: SignedValue, Identifiable {
    /// How the customer came to it.
    public typealias OwnershipType = InAppOwnershipType
    /// Bought or renewed.
    public typealias Reason = TransactionReason
    /// Why it was refunded.
    public typealias RevocationReason = AppStoreWire.RevocationReason
    /// How it was revoked.
    public typealias RevocationType = AppStoreWire.RevocationType
    /// Which kind of offer was applied.
    public typealias OfferType = AppStoreWire.OfferType
    /// How a subscription is billed.
    public typealias BillingPlanType = AppStoreWire.BillingPlanType
    /// The commitment of a year that is billed monthly.
    public typealias CommitmentInfo = TransactionCommitmentInfo
    /// What a merchant described itself.
    public typealias AdvancedCommerceInfo = AdvancedCommerceTransactionInfo

    /// Every member as it was signed: times in UNIX milliseconds, money in milliunits.
    public let payload: JWSTransactionDecodedPayload
    /// As it was signed: what a server verifies.
    public let jwsRepresentation: String
    /// Whether a restore brought it back: what was paid for was given before.
    public let isRestored: Bool
    /// For how long it has been kept on this device, by its clock, where the store was away when
    /// it was asked for; nil where the store answered.
    public let age: Duration?
    let isVerified: Bool
    let session: StoreSession

    static func result(
        _ payload: JWSTransactionDecodedPayload, _ error: JWSVerificationError?, jws: String,
        isRestored: Bool = false, age: Duration? = nil, session: StoreSession
    ) -> VerificationResult<Transaction> {
        let transaction = Transaction(
            payload: payload, jwsRepresentation: jws, isRestored: isRestored, age: age,
            isVerified: error == nil, session: session)
        return error.map { .unverified(transaction, $0) } ?? .verified(transaction)
    }

    /// Says that what was paid for has been given. It is written down on this device at once, so
    /// that the transaction is not given out again, and the store is told now or, if it is away,
    /// later. Finishing again is no error.
    ///
    /// - Throws: ``StoreKitError/systemError(_:)`` where it cannot be written down, and
    ///   ``StoreKitError/notVerified`` for what is not verified. A store that is away is no error.
    public func finish() async throws(StoreKitError) {
        guard isVerified else { throw .notVerified }
        try await session.finish(payload)
    }
}

extension Transaction: Hashable {
    public static func == (one: Transaction, other: Transaction) -> Bool {
        one.jwsRepresentation == other.jwsRepresentation && one.isRestored == other.isRestored
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(jwsRepresentation) }
}

extension Transaction {
    /// Unique for each transaction.
    public var id: UInt64 { UInt64(payload.transactionId) ?? 0 }
    /// The first transaction of the chain, stable over renewals and changes of plan.
    public var originalID: UInt64 { UInt64(payload.originalTransactionId) ?? 0 }
    /// The original identifier before the subscription moved to Advanced Commerce.
    public var previousOriginalID: UInt64? {
        payload.previousOriginalTransactionId.flatMap { UInt64($0) }
    }
    /// The subscription's purchase event, new for each renewal.
    public var webOrderLineItemID: String? { payload.webOrderLineItemId }
    /// The product that was bought.
    public var productID: String { payload.productId }
    /// Its subscription group.
    public var subscriptionGroupID: String? { payload.subscriptionGroupIdentifier }
    /// The app that sold it.
    public var appBundleID: String { payload.bundleId }
    /// One for each customer and app.
    public var appTransactionID: String? { payload.appTransactionId }
    /// When it was charged, by the store's clock.
    public var purchaseDate: Date { Date(milliseconds: payload.purchaseDate) }
    /// When the first of the chain was charged.
    public var originalPurchaseDate: Date { Date(milliseconds: payload.originalPurchaseDate) }
    /// When it ends; nil for what has no end.
    public var expirationDate: Date? { payload.expiresDate.map(Date.init(milliseconds:)) }
    /// How many were bought.
    public var purchasedQuantity: Int { payload.quantity }
    /// Whether the customer upgraded away from it: another transaction gives access.
    public var isUpgraded: Bool { payload.isUpgraded ?? false }
    /// The kind of product.
    public var productType: Product.ProductType { payload.type }
    /// The developer's own name for the customer.
    public var appAccountToken: UUID? { payload.appAccountToken.flatMap(UUID.init(uuidString:)) }
    /// How the customer came to it.
    public var ownershipType: OwnershipType { payload.inAppOwnershipType }
    /// Whether it was bought or renewed.
    public var reason: Reason? { payload.transactionReason }
    /// When it was refunded or revoked; nil while it was not.
    public var revocationDate: Date? { payload.revocationDate.map(Date.init(milliseconds:)) }
    /// Why it was refunded.
    public var revocationReason: RevocationReason? { payload.revocationReason }
    /// How it was revoked.
    public var revocationType: RevocationType? { payload.revocationType }
    /// The refunded share in milli-percent: 100000 is all of it.
    public var revocationPercentage: Int? { payload.revocationPercentage }
    /// The offer that was applied.
    public var offer: Offer? {
        payload.offerType.map {
            Offer(
                type: $0, id: payload.offerIdentifier, paymentMode: payload.offerDiscountType,
                period: payload.offerPeriod)
        }
    }
    /// The environment that signed it.
    public var environment: AppStore.Environment { payload.environment }
    /// Where it was bought.
    public var storefront: Storefront? {
        payload.storefront.map {
            Storefront(
                countryCode: $0, id: payload.storefrontId, currencyCode: payload.currency)
        }
    }
    /// What was charged, in thousandths of the currency's unit.
    public var priceMilliunits: Int64? { payload.price }
    /// What was charged, in units of the currency: exact.
    public var price: Decimal? { payload.price.map { Decimal(milliunits: $0) } }
    /// The currency, ISO 4217.
    public var currencyCode: String? { payload.currency }
    /// How the subscription is billed.
    public var billingPlanType: BillingPlanType? { payload.billingPlanType }
    /// The commitment that runs.
    public var commitmentInfo: CommitmentInfo? { payload.commitmentInfo }
    /// What the merchant described itself.
    public var advancedCommerceInfo: AdvancedCommerceInfo? { payload.advancedCommerceInfo }
    /// When it was signed, by the store's clock; another at each fetch.
    public var signedDate: Date { Date(milliseconds: payload.signedDate) }
    /// What ties it to a device, where the store signs such.
    public var deviceVerification: Data? {
        payload.deviceVerification.flatMap { Data(base64Encoded: $0) }
    }
    /// What ``deviceVerification`` was made with.
    public var deviceVerificationNonce: UUID? {
        payload.deviceVerificationNonce.flatMap(UUID.init(uuidString:))
    }

    /// An offer that was applied to a transaction.
    public struct Offer: Sendable, Hashable {
        /// How an offer is paid.
        public typealias PaymentMode = OfferDiscountType

        public let type: OfferType
        /// Nil for an introductory offer.
        public let id: String?
        public let paymentMode: PaymentMode?
        /// How long it lasts in all, ISO 8601.
        public let period: String?
    }
}
