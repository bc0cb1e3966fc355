/// An in-app request: adds, changes and removes items of a subscription, or changes its period.
public struct AdvancedCommerceSubscriptionModifyInAppRequest: WireEncodable, Hashable, Sendable {
    /// Any transaction of the subscription.
    public var transactionId: String
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The currency of the prices, in ISO 4217.
    public var currency: String?
    /// A code of subscriptions.
    public var taxCode: String?
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?
    /// What the whole subscription is called.
    public var descriptors: AdvancedCommerceSubscriptionModifyDescriptors?
    /// How long its periods are from now on.
    public var periodChange: AdvancedCommerceSubscriptionModifyPeriodChange?
    /// Whether the renewal date stays; otherwise a new period begins at once.
    public var retainBillingCycle: Bool
    /// What comes at once.
    public var addItems: [AdvancedCommerceSubscriptionModifyAddItem]?
    /// What becomes something else.
    public var changeItems: [AdvancedCommerceSubscriptionModifyChangeItem]?
    /// What goes.
    public var removeItems: [AdvancedCommerceSubscriptionModifyRemoveItem]?

    /// Makes the value; what is not given stays absent.
    public init(
        transactionId: String, requestInfo: AdvancedCommerceRequestInfo, currency: String? = nil,
        taxCode: String? = nil, storefront: String? = nil,
        descriptors: AdvancedCommerceSubscriptionModifyDescriptors? = nil,
        periodChange: AdvancedCommerceSubscriptionModifyPeriodChange? = nil,
        retainBillingCycle: Bool, addItems: [AdvancedCommerceSubscriptionModifyAddItem]? = nil,
        changeItems: [AdvancedCommerceSubscriptionModifyChangeItem]? = nil,
        removeItems: [AdvancedCommerceSubscriptionModifyRemoveItem]? = nil
    ) {
        self.transactionId = transactionId
        self.requestInfo = requestInfo
        self.currency = currency
        self.taxCode = taxCode
        self.storefront = storefront
        self.descriptors = descriptors
        self.periodChange = periodChange
        self.retainBillingCycle = retainBillingCycle
        self.addItems = addItems
        self.changeItems = changeItems
        self.removeItems = removeItems
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        let info = try object.header(Self.operation)
        try self.init(
            transactionId: object.transactionID(), requestInfo: info,
            retainBillingCycle: object.flag(
                "retainBillingCycle", or: Refusal.nullRetainBillingCycle))
        addItems = try object.items(
            "addItems", empty: Refusal.emptyAddChangeItems,
            AdvancedCommerceSubscriptionModifyAddItem.init(reading:))
        changeItems = try object.items(
            "changeItems", empty: Refusal.emptyAddChangeItems,
            AdvancedCommerceSubscriptionModifyChangeItem.init(reading:))
        removeItems = try object.items(
            "removeItems", AdvancedCommerceSubscriptionModifyRemoveItem.init(reading:))
        if let change = try object.object("periodChange") {
            periodChange = try AdvancedCommerceSubscriptionModifyPeriodChange(reading: change)
        }
        if let texts = try object.object("descriptors") {
            descriptors = try AdvancedCommerceSubscriptionModifyDescriptors(reading: texts)
        }
        currency = try object.optionalCurrency()
        taxCode = try object.optionalTaxCode()
        storefront = try object.storefront()
        try checkItems(object)
        try checkTimes()
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("operation", Self.operation)
            json.field("version", "1")
            json.field("transactionId", transactionId)
            json.field("requestInfo", requestInfo)
            json.field("currency", currency)
            json.field("taxCode", taxCode)
            json.field("storefront", storefront)
            json.field("descriptors", descriptors)
            json.field("periodChange", periodChange)
            json.field("retainBillingCycle", retainBillingCycle)
            json.field("addItems", addItems)
            json.field("changeItems", changeItems)
            json.field("removeItems", removeItems)
        }
    }

    /// The operation's name on the wire.
    public static let operation = "MODIFY_SUBSCRIPTION"
}
