/// Renames a subscription, its items or its tax code; nothing that is paid or delivered changes.
public struct AdvancedCommerceSubscriptionChangeMetadataRequest: WireEncodable, Hashable, Sendable {
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// What the whole subscription is called.
    public var descriptors: AdvancedCommerceSubscriptionChangeMetadataDescriptors?
    /// What its items are called.
    public var items: [AdvancedCommerceSubscriptionChangeMetadataItem]?
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?
    /// A code of subscriptions.
    public var taxCode: String?

    /// Makes the value; what is not given stays absent.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        descriptors: AdvancedCommerceSubscriptionChangeMetadataDescriptors? = nil,
        items: [AdvancedCommerceSubscriptionChangeMetadataItem]? = nil, storefront: String? = nil,
        taxCode: String? = nil
    ) {
        self.requestInfo = requestInfo
        self.descriptors = descriptors
        self.items = items
        self.storefront = storefront
        self.taxCode = taxCode
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(requestInfo: object.requestInfo())
        if let texts = try object.object("descriptors") {
            descriptors = try AdvancedCommerceSubscriptionChangeMetadataDescriptors(reading: texts)
        }
        items = try object.items(
            "items", AdvancedCommerceSubscriptionChangeMetadataItem.init(reading:))
        storefront = try object.storefront()
        taxCode = try object.optionalTaxCode()
        try object.require(
            descriptors != nil || items != nil || taxCode != nil,
            or: Refusal.invalidProductChanges)
        let items = items ?? []
        try object.requireOnce(items.map(\.currentSKU))
        try object.requireOnce(items.compactMap(\.sku))
        try object.requireOtherNames(items.map(\.displayName), than: descriptors?.displayName)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestInfo", requestInfo)
            json.field("descriptors", descriptors)
            json.field("items", items)
            json.field("storefront", storefront)
            json.field("taxCode", taxCode)
        }
    }
}
