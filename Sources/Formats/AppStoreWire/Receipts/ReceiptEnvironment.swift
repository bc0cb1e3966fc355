/// Where an app receipt comes from: attribute 0 of the receipt, `receipt_type` of the reply
/// (RCP-3.1).
public struct ReceiptEnvironment: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The App Store.
    public static let production = Self(rawValue: "Production")
    /// The App Store, bought in volume.
    public static let productionVPP = Self(rawValue: "ProductionVPP")
    /// The sandbox.
    public static let sandbox = Self(rawValue: "ProductionSandbox")
    /// The sandbox, as bought in volume.
    public static let sandboxVPP = Self(rawValue: "ProductionVPPSandbox")
    /// Local testing in Xcode.
    public static let xcode = Self(rawValue: "Xcode")

    /// The values that were seen.
    public static let known: [Self] = [
        .production, .productionVPP, .sandbox, .sandboxVPP, .xcode,
    ]
}
