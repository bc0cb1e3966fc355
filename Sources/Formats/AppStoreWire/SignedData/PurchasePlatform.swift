/// The platform of the first download or purchase (JWS-9).
public struct PurchasePlatform: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// iPhone and iPad.
    public static let iOS = PurchasePlatform(rawValue: "iOS")
    /// Mac.
    public static let macOS = PurchasePlatform(rawValue: "macOS")
    /// Apple TV.
    public static let tvOS = PurchasePlatform(rawValue: "tvOS")
    /// Apple Vision.
    public static let visionOS = PurchasePlatform(rawValue: "visionOS")

    /// The published values, in the order of the reference.
    public static let known: [PurchasePlatform] = [.iOS, .macOS, .tvOS, .visionOS]
}
