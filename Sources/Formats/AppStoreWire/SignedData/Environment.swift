/// The server environment that a payload or reply belongs to (JWS-3).
public struct Environment: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Real purchases.
    public static let production = Environment(rawValue: "Production")
    /// Test purchases on the sandbox servers.
    public static let sandbox = Environment(rawValue: "Sandbox")
    /// Purchases made by Xcode on a device or simulator; not signed by the servers.
    public static let xcode = Environment(rawValue: "Xcode")
    /// Apple's own libraries under test.
    public static let localTesting = Environment(rawValue: "LocalTesting")

    /// The published values, in the order of the reference.
    public static let known: [Environment] = [.production, .sandbox, .xcode, .localTesting]
}
