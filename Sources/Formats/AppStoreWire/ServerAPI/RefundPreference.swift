/// What the developer would like a refund request to end with (API-5.7).
public struct RefundPreference: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No refund.
    public static let decline = RefundPreference(rawValue: "DECLINE")
    /// The whole price.
    public static let grantFull = RefundPreference(rawValue: "GRANT_FULL")
    /// The unused share of the price.
    public static let grantProrated = RefundPreference(rawValue: "GRANT_PRORATED")

    /// The published values, in the order of the reference.
    public static let known: [RefundPreference] = [.decline, .grantFull, .grantProrated]
}
