/// Changes the price of a subscription's items.
public struct AdvancedCommerceSubscriptionPriceChangeRequest: WireEncodable, Hashable, Sendable {
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The currency of the prices, in ISO 4217.
    public var currency: String?
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?
    /// What changes, each SKU once.
    public var items: [AdvancedCommerceSubscriptionPriceChangeItem]

    /// Makes the value; what is not given stays absent.
    public init(
        requestInfo: AdvancedCommerceRequestInfo, currency: String? = nil,
        storefront: String? = nil, items: [AdvancedCommerceSubscriptionPriceChangeItem]
    ) {
        self.requestInfo = requestInfo
        self.currency = currency
        self.storefront = storefront
        self.items = items
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        let info = try object.requestInfo()
        let currency = try object.optionalCurrency()
        let storefront = try object.storefront()
        let items = try object.items(
            "items", empty: Refusal.nullItems,
            AdvancedCommerceSubscriptionPriceChangeItem.init(reading:))
        guard let items else { throw Refusal.nullItems }
        self.init(requestInfo: info, currency: currency, storefront: storefront, items: items)
        try object.requireOnce(
            items.map(\.sku), or: Refusal.itemCannotBeSpecifiedMultipleTimes)
        try checkDependents()
    }

    /// A dependent depends on one item, and on none that depends on another itself.
    private func checkDependents() throws(APIError) {
        let dependents = items.flatMap { Set($0.dependentSKUs ?? []) }
        guard Set(dependents).count == dependents.count else {
            throw Refusal.dependentSKUsCannotBeShared
        }
        let leaders = items.filter { !($0.dependentSKUs ?? []).isEmpty }.map(\.sku)
        guard Set(dependents).isDisjoint(with: leaders) else {
            throw Refusal.dependentSKUsCannotBeChained
        }
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestInfo", requestInfo)
            json.field("currency", currency)
            json.field("storefront", storefront)
            json.field("items", items)
        }
    }
}
