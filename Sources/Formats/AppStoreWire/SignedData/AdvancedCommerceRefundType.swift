/// How much of an Advanced Commerce item was refunded (JWS-6).
public struct AdvancedCommerceRefundType: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All of it.
    public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
    /// The unused part.
    public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
    /// A stated amount.
    public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")

    /// The published values, in the order of the reference.
    public static let known: [AdvancedCommerceRefundType] = [.full, .prorated, .custom]
}
