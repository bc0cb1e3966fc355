/// What a subscription is called from now on, or from its next renewal.
public struct AdvancedCommerceSubscriptionChangeMetadataDescriptors: WireEncodable, Hashable,
    Sendable
{
    /// When it changes.
    public var effective: AdvancedCommerceEffective
    /// What the customer sees, at most 30 characters.
    public var displayName: String?
    /// What is said of it, at most 45 characters.
    public var description: String?

    /// Makes the value; what is not given stays absent.
    public init(
        effective: AdvancedCommerceEffective, displayName: String? = nil,
        description: String? = nil
    ) {
        self.effective = effective
        self.displayName = displayName
        self.description = description
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            effective: object.effective(), displayName: object.optionalDisplayName(),
            description: object.optionalDescription())
        try object.require(
            displayName != nil || description != nil,
            or: Refusal.atLeastOneOfDisplayNameOrDescription)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("effective", effective)
            json.field("displayName", displayName)
            json.field("description", description)
        }
    }
}
