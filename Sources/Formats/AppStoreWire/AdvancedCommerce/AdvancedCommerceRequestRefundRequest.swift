/// Asks for a refund of items of one transaction.
public struct AdvancedCommerceRequestRefundRequest: WireEncodable, Hashable, Sendable {
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The currency of the prices, in ISO 4217.
    public var currency: String?
    /// What money is to be given back for, each SKU once.
    public var items: [AdvancedCommerceRequestRefundItem]
    /// Whether the store may ask for consumption data before it decides.
    public var refundRiskingPreference: Bool
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?

    /// Makes the value; what is not given stays absent.
    public init(
        requestInfo: AdvancedCommerceRequestInfo, currency: String? = nil,
        items: [AdvancedCommerceRequestRefundItem], refundRiskingPreference: Bool,
        storefront: String? = nil
    ) {
        self.requestInfo = requestInfo
        self.currency = currency
        self.items = items
        self.refundRiskingPreference = refundRiskingPreference
        self.storefront = storefront
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        let info = try object.requestInfo()
        let currency = try object.optionalCurrency()
        let items = try object.items(
            "items", empty: Refusal.nullItems,
            AdvancedCommerceRequestRefundItem.init(reading:))
        guard let items else { throw Refusal.nullItems }
        let risking = try object.flag("refundRiskingPreference", or: Refusal.nullRefundRisking)
        let storefront = try object.storefront()
        try object.requireOnce(items.map(\.sku))
        let declined = items.count { $0.refundReason == .simulateRefundDecline }
        try object.require(
            declined == 0 || declined == items.count, or: Refusal.partialSimulateRefundDecline)
        self.init(
            requestInfo: info, currency: currency, items: items, refundRiskingPreference: risking,
            storefront: storefront)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestInfo", requestInfo)
            json.field("currency", currency)
            json.field("items", items)
            json.field("refundRiskingPreference", refundRiskingPreference)
            json.field("storefront", storefront)
        }
    }
}
