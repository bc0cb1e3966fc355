/// The kind of store an app came from (JWS-9, since version 1.22).
public struct StoreType: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The public App Store.
    public static let consumer = StoreType(rawValue: "CONSUMER")

    /// The published values, in the order of the reference.
    public static let known: [StoreType] = [.consumer]
}
