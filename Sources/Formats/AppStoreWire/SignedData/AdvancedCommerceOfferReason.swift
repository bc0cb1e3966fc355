/// Why an Advanced Commerce offer is given (JWS-6).
public struct AdvancedCommerceOfferReason: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To a new customer.
    public static let acquisition = AdvancedCommerceOfferReason(rawValue: "ACQUISITION")
    /// To a customer who left.
    public static let winBack = AdvancedCommerceOfferReason(rawValue: "WIN_BACK")
    /// To a customer who may leave.
    public static let retention = AdvancedCommerceOfferReason(rawValue: "RETENTION")

    /// The published values, in the order of the reference.
    public static let known: [AdvancedCommerceOfferReason] = [.acquisition, .winBack, .retention]
}
