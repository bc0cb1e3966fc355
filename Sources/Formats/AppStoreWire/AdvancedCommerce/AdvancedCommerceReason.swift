/// Why an item of an Advanced Commerce subscription is changed.
public struct AdvancedCommerceReason: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To something better.
    public static let upgrade = AdvancedCommerceReason(rawValue: "UPGRADE")
    /// To something less.
    public static let downgrade = AdvancedCommerceReason(rawValue: "DOWNGRADE")
    /// To the same with an offer.
    public static let applyOffer = AdvancedCommerceReason(rawValue: "APPLY_OFFER")

    /// The published values, in the order of the reference.
    public static let known: [AdvancedCommerceReason] = [.upgrade, .downgrade, .applyOffer]
}
