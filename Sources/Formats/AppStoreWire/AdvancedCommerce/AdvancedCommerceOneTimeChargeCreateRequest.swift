/// An in-app request: charges once for something.
public struct AdvancedCommerceOneTimeChargeCreateRequest: WireEncodable, Hashable, Sendable {
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The currency of the prices, in ISO 4217.
    public var currency: String
    /// A code of one-time charges.
    public var taxCode: String
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?
    /// What is bought.
    public var item: AdvancedCommerceOneTimeChargeItem

    /// Makes the value; what is not given stays absent.
    public init(
        requestInfo: AdvancedCommerceRequestInfo, currency: String, taxCode: String,
        storefront: String? = nil, item: AdvancedCommerceOneTimeChargeItem
    ) {
        self.requestInfo = requestInfo
        self.currency = currency
        self.taxCode = taxCode
        self.storefront = storefront
        self.item = item
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        let info = try object.header(Self.operation)
        try self.init(
            requestInfo: info, currency: object.currency(),
            taxCode: object.taxCode(AdvancedCommerceTaxCategory.oneTimeChargeCodes),
            storefront: object.storefront(),
            item: AdvancedCommerceOneTimeChargeItem(
                reading: object.object("item", or: Refusal.nullItem)))
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("operation", Self.operation)
            json.field("version", "1")
            json.field("requestInfo", requestInfo)
            json.field("currency", currency)
            json.field("taxCode", taxCode)
            json.field("storefront", storefront)
            json.field("item", item)
        }
    }

    /// The operation's name on the wire.
    public static let operation = "CREATE_ONE_TIME_CHARGE"
}
