/// Makes an ordinary subscription one of Advanced Commerce.
public struct AdvancedCommerceSubscriptionMigrateRequest: WireEncodable, Hashable, Sendable {
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// What the whole subscription is called.
    public var descriptors: AdvancedCommerceDescriptors
    /// What it holds now.
    public var items: [AdvancedCommerceSubscriptionMigrateItem]
    /// What it renews with, where a change is pending.
    public var renewalItems: [AdvancedCommerceSubscriptionMigrateRenewalItem]?
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?
    /// The app's generic subscription product.
    public var targetProductId: String
    /// A code of subscriptions.
    public var taxCode: String

    /// Makes the value; what is not given stays absent.
    public init(
        requestInfo: AdvancedCommerceRequestInfo, descriptors: AdvancedCommerceDescriptors,
        items: [AdvancedCommerceSubscriptionMigrateItem],
        renewalItems: [AdvancedCommerceSubscriptionMigrateRenewalItem]? = nil,
        storefront: String? = nil, targetProductId: String, taxCode: String
    ) {
        self.requestInfo = requestInfo
        self.descriptors = descriptors
        self.items = items
        self.renewalItems = renewalItems
        self.storefront = storefront
        self.targetProductId = targetProductId
        self.taxCode = taxCode
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        let info = try object.requestInfo()
        let descriptors = try AdvancedCommerceDescriptors(
            reading: object.object("descriptors", or: Refusal.nullDescriptors))
        let items = try object.items(
            "items", tooMany: Refusal.itemLimitExceeded,
            AdvancedCommerceSubscriptionMigrateItem.init(reading:))
        guard let items else { throw Refusal.nullItems }
        let renewalItems = try object.items(
            "renewalItems", tooMany: Refusal.itemLimitExceeded,
            AdvancedCommerceSubscriptionMigrateRenewalItem.init(reading:))
        let target = try object.text("targetProductId", or: Refusal.nullTargetProductId)
        try object.require(!target.isEmpty, or: Refusal.invalidTargetProductId)
        let taxCode = try object.taxCode()
        let storefront = try object.storefront()
        try object.requireOnce(items.map(\.sku))
        try object.requireOnce(renewalItems?.map(\.sku) ?? [])
        let names = items.map(\.displayName) + (renewalItems?.map(\.displayName) ?? [])
        try object.requireOtherNames(names, than: descriptors.displayName)
        self.init(
            requestInfo: info, descriptors: descriptors, items: items, renewalItems: renewalItems,
            storefront: storefront, targetProductId: target, taxCode: taxCode)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestInfo", requestInfo)
            json.field("descriptors", descriptors)
            json.field("items", items)
            json.field("renewalItems", renewalItems)
            json.field("storefront", storefront)
            json.field("targetProductId", targetProductId)
            json.field("taxCode", taxCode)
        }
    }
}
