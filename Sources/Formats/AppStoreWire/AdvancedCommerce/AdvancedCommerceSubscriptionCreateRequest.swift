/// An in-app request: begins a subscription of one or more items, or resumes one that has expired.
public struct AdvancedCommerceSubscriptionCreateRequest: WireEncodable, Hashable, Sendable {
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The currency of the prices, in ISO 4217.
    public var currency: String
    /// A code of subscriptions.
    public var taxCode: String
    /// What the whole subscription is called.
    public var descriptors: AdvancedCommerceDescriptors
    /// How long a period is.
    public var period: AdvancedCommercePeriod
    /// A transaction of the expired subscription that is resumed.
    public var previousTransactionId: String?
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?
    /// What it holds, each SKU once.
    public var items: [AdvancedCommerceSubscriptionCreateItem]

    /// Makes the value; what is not given stays absent.
    public init(
        requestInfo: AdvancedCommerceRequestInfo, currency: String, taxCode: String,
        descriptors: AdvancedCommerceDescriptors, period: AdvancedCommercePeriod,
        previousTransactionId: String? = nil, storefront: String? = nil,
        items: [AdvancedCommerceSubscriptionCreateItem]
    ) {
        self.requestInfo = requestInfo
        self.currency = currency
        self.taxCode = taxCode
        self.descriptors = descriptors
        self.period = period
        self.previousTransactionId = previousTransactionId
        self.storefront = storefront
        self.items = items
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        let info = try object.header(Self.operation)
        let currency = try object.currency()
        let taxCode = try object.taxCode()
        let descriptors = try AdvancedCommerceDescriptors(
            reading: object.object("descriptors", or: Refusal.nullDescriptors))
        let period = try object.period()
        let items = try object.items("items", AdvancedCommerceSubscriptionCreateItem.init(reading:))
        guard let items else { throw Refusal.nullItems }
        let previous = try object.optionalTransactionID(
            "previousTransactionId", or: Refusal.invalidPreviousTransactionId)
        let storefront = try object.storefront()
        try object.requireOnce(items.map(\.sku))
        try object.requireOtherNames(items.map(\.displayName), than: descriptors.displayName)
        self.init(
            requestInfo: info, currency: currency, taxCode: taxCode, descriptors: descriptors,
            period: period, previousTransactionId: previous, storefront: storefront, items: items)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("operation", Self.operation)
            json.field("version", "1")
            json.field("requestInfo", requestInfo)
            json.field("currency", currency)
            json.field("taxCode", taxCode)
            json.field("descriptors", descriptors)
            json.field("period", period)
            json.field("previousTransactionId", previousTransactionId)
            json.field("storefront", storefront)
            json.field("items", items)
        }
    }

    /// The operation's name on the wire.
    public static let operation = "CREATE_SUBSCRIPTION"
}
