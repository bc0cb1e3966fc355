/// What an item is called from now on, or from its next renewal.
public struct AdvancedCommerceSubscriptionChangeMetadataItem: WireEncodable, Hashable, Sendable {
    /// The product that the subscription has now.
    public var currentSKU: String
    /// When it changes.
    public var effective: AdvancedCommerceEffective
    /// The product's new name.
    public var sku: String?
    /// What the customer sees, at most 30 characters.
    public var displayName: String?
    /// What is said of it, at most 45 characters.
    public var description: String?

    /// Makes the value; what is not given stays absent.
    public init(
        currentSKU: String, effective: AdvancedCommerceEffective, sku: String? = nil,
        displayName: String? = nil, description: String? = nil
    ) {
        self.currentSKU = currentSKU
        self.effective = effective
        self.sku = sku
        self.displayName = displayName
        self.description = description
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            currentSKU: object.sku("currentSKU", or: Refusal.nullCurrentSKU),
            effective: object.effective(), sku: object.optionalSKU(),
            displayName: object.optionalDisplayName(), description: object.optionalDescription())
        try object.require(
            sku != nil || displayName != nil || description != nil,
            or: Refusal.invalidProductChanges)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("currentSKU", currentSKU)
            json.field("effective", effective)
            json.field("SKU", sku)
            json.field("displayName", displayName)
            json.field("description", description)
        }
    }
}
