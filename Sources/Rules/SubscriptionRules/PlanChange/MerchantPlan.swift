/// What a merchant says of a plan that it describes itself (ACM-1): the store knows the generic
/// product under which it is sold, and keeps the words.
public struct MerchantPlan: Hashable, Sendable {
    /// What customers read of the plan as a whole.
    public var texts: DisplayTexts
    /// The tax code of what is sold.
    public var taxCode: String
    /// The UUID of the request that made the plan what it is, in lower case.
    public var requestID: String
    /// The ordinary subscription that it goes on for, by its first transaction; nil for what began
    /// as a merchant's (ACM-6).
    public var migratedFrom: Int64?

    public init(
        texts: DisplayTexts, taxCode: String, requestID: String, migratedFrom: Int64? = nil
    ) {
        self.migratedFrom = migratedFrom
        self.texts = texts
        self.taxCode = taxCode
        self.requestID = requestID
    }
}

/// A name that customers see, and a description.
public struct DisplayTexts: Hashable, Sendable {
    public var displayName: String
    public var description: String

    public init(displayName: String, description: String) {
        self.displayName = displayName
        self.description = description
    }
}
