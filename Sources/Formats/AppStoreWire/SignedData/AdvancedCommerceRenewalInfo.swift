/// Advanced Commerce data of renewal information (JWS-6).
public struct AdvancedCommerceRenewalInfo: WireEncodable, Decodable, Hashable, Sendable {
    /// Opaque; send it back with the next change.
    public var consistencyToken: String
    /// What the customer sees.
    public var descriptors: AdvancedCommerceDescriptors
    /// What the next period holds.
    public var items: [AdvancedCommerceRenewalItem]
    /// The subscription period.
    public var period: AdvancedCommercePeriod
    /// The UUID of the request that made it.
    public var requestReferenceId: String
    /// The tax code.
    public var taxCode: String

    /// Makes the data; what is not given stays absent.
    public init(
        consistencyToken: String, descriptors: AdvancedCommerceDescriptors,
        items: [AdvancedCommerceRenewalItem], period: AdvancedCommercePeriod,
        requestReferenceId: String, taxCode: String
    ) {
        self.consistencyToken = consistencyToken
        self.descriptors = descriptors
        self.items = items
        self.period = period
        self.requestReferenceId = requestReferenceId
        self.taxCode = taxCode
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("consistencyToken", consistencyToken)
            json.field("descriptors", descriptors)
            json.field("items", items)
            json.field("period", period)
            json.field("requestReferenceId", requestReferenceId)
            json.field("taxCode", taxCode)
        }
    }
}
