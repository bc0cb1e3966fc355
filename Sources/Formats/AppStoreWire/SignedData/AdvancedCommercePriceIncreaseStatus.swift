/// The state of an item's price increase (JWS-6, since version 1.19).
public struct AdvancedCommercePriceIncreaseStatus: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer has not been told yet.
    public static let scheduled = AdvancedCommercePriceIncreaseStatus(rawValue: "SCHEDULED")
    /// Told; consent is awaited.
    public static let pending = AdvancedCommercePriceIncreaseStatus(rawValue: "PENDING")
    /// Consented, or consent is not needed.
    public static let accepted = AdvancedCommercePriceIncreaseStatus(rawValue: "ACCEPTED")

    /// The published values, in the order of the reference.
    public static let known: [AdvancedCommercePriceIncreaseStatus] = [
        .scheduled, .pending, .accepted,
    ]
}
