/// How a yearly subscription is billed (JWS-3, since version 1.21).
public struct BillingPlanType: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The whole period at its start.
    public static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    /// Monthly, with a commitment of twelve months.
    public static let monthly = BillingPlanType(rawValue: "MONTHLY")

    /// The published values, in the order of the reference.
    public static let known: [BillingPlanType] = [.billedUpfront, .monthly]
}
