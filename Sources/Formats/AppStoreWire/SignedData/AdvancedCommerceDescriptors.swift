/// What the customer sees of an Advanced Commerce subscription (JWS-6).
public struct AdvancedCommerceDescriptors: WireEncodable, Decodable, Hashable, Sendable {
    /// The name, at most 30 characters.
    public var displayName: String
    /// The description, at most 45 characters.
    public var description: String

    /// Makes the texts.
    public init(displayName: String, description: String) {
        self.displayName = displayName
        self.description = description
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("displayName", displayName)
            json.field("description", description)
        }
    }
}
