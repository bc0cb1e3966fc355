/// Advanced Commerce data of a transaction (JWS-6). Money is milliunits.
public struct AdvancedCommerceTransactionInfo: WireEncodable, Decodable, Hashable, Sendable {
    /// What the customer sees. Subscriptions only.
    public var descriptors: AdvancedCommerceDescriptors?
    /// What was bought.
    public var items: [AdvancedCommerceTransactionItem]
    /// The subscription period.
    public var period: AdvancedCommercePeriod?
    /// The UUID of the request that made it.
    public var requestReferenceId: String
    /// The tax code.
    public var taxCode: String
    /// The price without tax in milliunits.
    public var taxExclusivePrice: Int64?
    /// The tax in milliunits.
    public var estimatedTax: Int64?
    /// The tax rate as decimal text: `0.15`.
    public var taxRate: String?

    /// Makes the data; what is not given stays absent.
    public init(
        descriptors: AdvancedCommerceDescriptors? = nil, items: [AdvancedCommerceTransactionItem],
        period: AdvancedCommercePeriod? = nil, requestReferenceId: String, taxCode: String,
        taxExclusivePrice: Int64? = nil, estimatedTax: Int64? = nil, taxRate: String? = nil
    ) {
        self.descriptors = descriptors
        self.items = items
        self.period = period
        self.requestReferenceId = requestReferenceId
        self.taxCode = taxCode
        self.taxExclusivePrice = taxExclusivePrice
        self.estimatedTax = estimatedTax
        self.taxRate = taxRate
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("descriptors", descriptors)
            json.field("items", items)
            json.field("period", period)
            json.field("requestReferenceId", requestReferenceId)
            json.field("taxCode", taxCode)
            json.field("taxExclusivePrice", taxExclusivePrice)
            json.field("estimatedTax", estimatedTax)
            json.field("taxRate", taxRate)
        }
    }
}
