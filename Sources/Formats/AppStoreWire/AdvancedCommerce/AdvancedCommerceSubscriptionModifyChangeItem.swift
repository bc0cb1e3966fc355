/// An item that takes the place of another, or of itself with something changed.
public struct AdvancedCommerceSubscriptionModifyChangeItem: WireEncodable, Hashable, Sendable {
    /// The product that the subscription has now.
    public var currentSKU: String
    /// The developer's product, at most 128 characters.
    public var sku: String
    /// What the customer sees, at most 30 characters.
    public var displayName: String
    /// What is said of it, at most 45 characters; not shown.
    public var description: String
    /// In milliunits.
    public var price: Int64
    /// The offer that is given with it.
    public var offer: AdvancedCommerceOffer?
    /// What is charged at once for the rest of the period, in milliunits.
    public var proratedPrice: Int64?
    /// When it happens.
    public var effective: AdvancedCommerceEffective
    /// Why.
    public var reason: AdvancedCommerceReason

    /// Makes the value; what is not given stays absent.
    public init(
        currentSKU: String, sku: String, displayName: String, description: String, price: Int64,
        offer: AdvancedCommerceOffer? = nil, proratedPrice: Int64? = nil,
        effective: AdvancedCommerceEffective, reason: AdvancedCommerceReason
    ) {
        self.currentSKU = currentSKU
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
        self.offer = offer
        self.proratedPrice = proratedPrice
        self.effective = effective
        self.reason = reason
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            currentSKU: object.sku(
                "currentSKU", or: Refusal.nullCurrentSKU,
                tooLong: Refusal.currentSKULengthExceeded),
            sku: object.sku(or: Refusal.nullNewSKU), displayName: object.displayName(),
            description: object.description(), price: object.price(),
            effective: object.effective(),
            reason: object.choice(
                "reason", or: Refusal.nullReason, unknown: Refusal.invalidChangeReason))
        offer = try object.offer(itemPrice: price)
        proratedPrice = try object.proratedPrice(of: price)
        try object.require(
            offer == nil || proratedPrice == nil, or: Refusal.multiplePrices)
        try object.require(
            reason != .applyOffer || offer != nil, or: Refusal.invalidChangeReason)
        try object.require(
            proratedPrice == nil || effective == .immediately,
            or: Refusal.invalidProratedPriceForChangeItemWithEffectiveLater)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("currentSKU", currentSKU)
            json.field("SKU", sku)
            json.field("displayName", displayName)
            json.field("description", description)
            json.field("price", price)
            json.field("offer", offer)
            json.field("proratedPrice", proratedPrice)
            json.field("effective", effective)
            json.field("reason", reason)
        }
    }
}
