/// The kind of a custom link token (JWS-5).
public struct ExternalPurchaseTokenType: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// For acquiring a customer.
    public static let acquisition = ExternalPurchaseTokenType(rawValue: "ACQUISITION")
    /// For services.
    public static let services = ExternalPurchaseTokenType(rawValue: "SERVICES")
    /// For core technology; announced for October 2026.
    public static let coreTechnology = ExternalPurchaseTokenType(rawValue: "CORE_TECHNOLOGY")

    /// The published values, in the order of the reference.
    public static let known: [ExternalPurchaseTokenType] = [
        .acquisition, .services, .coreTechnology,
    ]
}
