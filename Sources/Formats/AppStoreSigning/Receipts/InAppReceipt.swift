/// One transaction in an app receipt (RCP-4).
///
/// All instants are in milliseconds since 1970 UTC and are stored to the second. What is `nil` is
/// not in the receipt, or has an empty text in it where real receipts have one.
public struct InAppReceipt: Sendable, Hashable {
    /// What kind of product was bought, in the numbers of attribute 1707.
    public enum ProductType: Int64, Sendable, Hashable, CaseIterable {
        /// Bought once and kept.
        case nonConsumable = 0
        /// Used up.
        case consumable = 1
        /// A subscription that the store does not renew.
        case nonRenewing = 2
        /// A subscription that the store renews.
        case autoRenewable = 3
    }

    /// Attribute 1701: how many were bought.
    public var quantity: Int64
    /// Attribute 1702: the product's id.
    public var productID: String
    /// Attribute 1703: the transaction's id; `0` in receipts of Xcode.
    public var transactionID: String
    /// Attribute 1704: when this was bought or renewed.
    public var purchaseDate: Int64
    /// Attribute 1705: the id of the transaction that began it all.
    public var originalTransactionID: String?
    /// Attribute 1706: when that one was.
    public var originalPurchaseDate: Int64?
    /// Attribute 1707: the kind of product.
    public var productType: ProductType?
    /// Attribute 1708: when the subscription expires.
    public var expiresDate: Int64?
    /// Attribute 1710: the product's number in the store; 0 in sandbox.
    public var storeItemID: Int64?
    /// Attribute 1711: the number of the subscription's purchase across devices.
    public var webOrderLineItemID: Int64?
    /// Attribute 1712: when the purchase was refunded or revoked.
    public var cancellationDate: Int64?
    /// Attribute 1713: whether this is a free trial.
    public var isTrialPeriod: Bool?
    /// Attribute 1719: whether this is an introductory price.
    public var isInIntroOfferPeriod: Bool?
    /// Attribute 1721: the promotional offer that was redeemed.
    public var promotionalOfferID: String?
    /// All attributes whose meaning nobody has published, as they stand in the receipt.
    public var otherAttributes: [ReceiptAttribute]

    /// Attributes as samples have them whose meaning is not known.
    public static let unexplainedAttributes: [ReceiptAttribute] =
        [.text(1709, "")] + (1714...1718).map { .text($0, "") } + [.integer(1722, 0)]

    /// Makes the value; what is not given stays absent.
    public init(
        quantity: Int64, productID: String, transactionID: String, purchaseDate: Int64,
        originalTransactionID: String? = nil, originalPurchaseDate: Int64? = nil,
        productType: ProductType? = nil, expiresDate: Int64? = nil, storeItemID: Int64? = nil,
        webOrderLineItemID: Int64? = nil, cancellationDate: Int64? = nil,
        isTrialPeriod: Bool? = nil, isInIntroOfferPeriod: Bool? = nil,
        promotionalOfferID: String? = nil,
        otherAttributes: [ReceiptAttribute] = InAppReceipt.unexplainedAttributes
    ) {
        self.quantity = quantity
        self.productID = productID
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
        self.originalTransactionID = originalTransactionID
        self.originalPurchaseDate = originalPurchaseDate
        self.productType = productType
        self.expiresDate = expiresDate
        self.storeItemID = storeItemID
        self.webOrderLineItemID = webOrderLineItemID
        self.cancellationDate = cancellationDate
        self.isTrialPeriod = isTrialPeriod
        self.isInIntroOfferPeriod = isInIntroOfferPeriod
        self.promotionalOfferID = promotionalOfferID
        self.otherAttributes = otherAttributes
    }
}
