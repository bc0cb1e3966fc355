/// What a signed transaction says (JWS-3).
///
/// Times are milliseconds since 1970 UTC, money is milliunits of `currency`. Members that Apple has
/// sent from the first version are not optional; Xcode and older signatures lack some of the rest.
public struct JWSTransactionDecodedPayload: WireEncodable, Decodable, Hashable, Sendable {
    /// Unique per transaction; equals `originalTransactionId` in a first purchase.
    public var transactionId: String
    /// The first transaction of the chain, stable over renewals and plan changes.
    public var originalTransactionId: String
    /// The subscription purchase event; new for each renewal. Subscriptions only.
    public var webOrderLineItemId: String?
    /// The app that sold it.
    public var bundleId: String
    /// The product bought.
    public var productId: String
    /// The group of the product. Subscriptions only.
    public var subscriptionGroupIdentifier: String?
    /// When it was charged or restored, in milliseconds.
    public var purchaseDate: Int64
    /// The purchase date of the original transaction, in milliseconds.
    public var originalPurchaseDate: Int64
    /// When it ends, in milliseconds. Subscriptions only.
    public var expiresDate: Int64?
    /// How many were bought; 1 unless a consumable or seats.
    public var quantity: Int
    /// The product type.
    public var type: TransactionType
    /// The UUID, lower case, that the app or the merchant attached.
    public var appAccountToken: String?
    /// How the customer came to it.
    public var inAppOwnershipType: InAppOwnershipType
    /// When it was signed, in milliseconds; changes at every fetch.
    public var signedDate: Int64
    /// When it was refunded or revoked, in milliseconds.
    public var revocationDate: Int64?
    /// Why it was refunded.
    public var revocationReason: RevocationReason?
    /// How it was revoked (since version 1.19).
    public var revocationType: RevocationType?
    /// The refunded share in milli-percent: 100000 is all of it (since version 1.19).
    public var revocationPercentage: Int?
    /// True if the customer upgraded away from it; else absent (Xcode signs `false`).
    public var isUpgraded: Bool?
    /// The kind of offer applied.
    public var offerType: OfferType?
    /// The offer applied; never with an introductory offer.
    public var offerIdentifier: String?
    /// How the offer is paid.
    public var offerDiscountType: OfferDiscountType?
    /// How long the offer lasts, ISO 8601, period times count: `P2M` (since version 1.15).
    public var offerPeriod: String?
    /// The environment that signed it.
    public var environment: Environment
    /// The storefront, ISO 3166-1 alpha-3 (since version 1.8).
    public var storefront: String?
    /// The storefront's number: `143441` is the USA (since version 1.8).
    public var storefrontId: String?
    /// Bought or renewed (since version 1.8).
    public var transactionReason: TransactionReason?
    /// The recorded price in milliunits with offer and quantity applied (since version 1.10).
    public var price: Int64?
    /// The currency of `price`, ISO 4217.
    public var currency: String?
    /// One per customer and app (since version 1.15).
    public var appTransactionId: String?
    /// How a subscription is billed (since version 1.21).
    public var billingPlanType: BillingPlanType?
    /// The commitment of a monthly billed year (since version 1.21).
    public var commitmentInfo: TransactionCommitmentInfo?
    /// Advanced Commerce data (JWS-6).
    public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
    /// The original id before migration to Advanced Commerce.
    public var previousOriginalTransactionId: String?
    /// Base64 of the SHA-384 that ties the payload to a device (JWS-9); device only.
    public var deviceVerification: String?
    /// The UUID that `deviceVerification` was made with; device only.
    public var deviceVerificationNonce: String?

    /// Makes a payload; what is not given stays absent.
    public init(
        transactionId: String, originalTransactionId: String, webOrderLineItemId: String? = nil,
        bundleId: String, productId: String, subscriptionGroupIdentifier: String? = nil,
        purchaseDate: Int64, originalPurchaseDate: Int64, expiresDate: Int64? = nil, quantity: Int,
        type: TransactionType, appAccountToken: String? = nil,
        inAppOwnershipType: InAppOwnershipType, signedDate: Int64, revocationDate: Int64? = nil,
        revocationReason: RevocationReason? = nil, revocationType: RevocationType? = nil,
        revocationPercentage: Int? = nil, isUpgraded: Bool? = nil, offerType: OfferType? = nil,
        offerIdentifier: String? = nil, offerDiscountType: OfferDiscountType? = nil,
        offerPeriod: String? = nil, environment: Environment, storefront: String? = nil,
        storefrontId: String? = nil, transactionReason: TransactionReason? = nil,
        price: Int64? = nil, currency: String? = nil, appTransactionId: String? = nil,
        billingPlanType: BillingPlanType? = nil, commitmentInfo: TransactionCommitmentInfo? = nil,
        advancedCommerceInfo: AdvancedCommerceTransactionInfo? = nil,
        previousOriginalTransactionId: String? = nil, deviceVerification: String? = nil,
        deviceVerificationNonce: String? = nil
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.webOrderLineItemId = webOrderLineItemId
        self.bundleId = bundleId
        self.productId = productId
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.expiresDate = expiresDate
        self.quantity = quantity
        self.type = type
        self.appAccountToken = appAccountToken
        self.inAppOwnershipType = inAppOwnershipType
        self.signedDate = signedDate
        self.revocationDate = revocationDate
        self.revocationReason = revocationReason
        self.revocationType = revocationType
        self.revocationPercentage = revocationPercentage
        self.isUpgraded = isUpgraded
        self.offerType = offerType
        self.offerIdentifier = offerIdentifier
        self.offerDiscountType = offerDiscountType
        self.offerPeriod = offerPeriod
        self.environment = environment
        self.storefront = storefront
        self.storefrontId = storefrontId
        self.transactionReason = transactionReason
        self.price = price
        self.currency = currency
        self.appTransactionId = appTransactionId
        self.billingPlanType = billingPlanType
        self.commitmentInfo = commitmentInfo
        self.advancedCommerceInfo = advancedCommerceInfo
        self.previousOriginalTransactionId = previousOriginalTransactionId
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("transactionId", transactionId)
            json.field("originalTransactionId", originalTransactionId)
            json.field("webOrderLineItemId", webOrderLineItemId)
            json.field("bundleId", bundleId)
            json.field("productId", productId)
            json.field("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
            json.field("purchaseDate", purchaseDate)
            json.field("originalPurchaseDate", originalPurchaseDate)
            json.field("expiresDate", expiresDate)
            json.field("quantity", quantity)
            json.field("type", type)
            json.field("appAccountToken", appAccountToken)
            json.field("inAppOwnershipType", inAppOwnershipType)
            json.field("signedDate", signedDate)
            json.field("revocationDate", revocationDate)
            json.field("revocationReason", revocationReason)
            json.field("revocationType", revocationType)
            json.field("revocationPercentage", revocationPercentage)
            json.field("isUpgraded", isUpgraded)
            json.field("offerType", offerType)
            json.field("offerIdentifier", offerIdentifier)
            json.field("offerDiscountType", offerDiscountType)
            json.field("offerPeriod", offerPeriod)
            json.field("environment", environment)
            json.field("storefront", storefront)
            json.field("storefrontId", storefrontId)
            json.field("transactionReason", transactionReason)
            json.field("price", price)
            json.field("currency", currency)
            json.field("appTransactionId", appTransactionId)
            json.field("billingPlanType", billingPlanType)
            json.field("commitmentInfo", commitmentInfo)
            json.field("advancedCommerceInfo", advancedCommerceInfo)
            json.field("previousOriginalTransactionId", previousOriginalTransactionId)
            json.field("deviceVerification", deviceVerification)
            json.field("deviceVerificationNonce", deviceVerificationNonce)
        }
    }
}
