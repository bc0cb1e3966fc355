/// How the customer came to a transaction (JWS-3).
public struct InAppOwnershipType: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer bought it.
    public static let purchased = InAppOwnershipType(rawValue: "PURCHASED")
    /// A family member bought it and shares it.
    public static let familyShared = InAppOwnershipType(rawValue: "FAMILY_SHARED")
    /// A seat of a multi-seat subscription (since version 1.22, sandbox).
    public static let assigned = InAppOwnershipType(rawValue: "ASSIGNED")

    /// The published values, in the order of the reference.
    public static let known: [InAppOwnershipType] = [.purchased, .familyShared, .assigned]
}
