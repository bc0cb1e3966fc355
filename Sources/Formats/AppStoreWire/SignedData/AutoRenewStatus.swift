/// Whether a subscription renews at its end (JWS-4).
public struct AutoRenewStatus: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The customer turned renewal off.
    public static let off = AutoRenewStatus(rawValue: 0)
    /// The subscription renews.
    public static let on = AutoRenewStatus(rawValue: 1)

    /// The published values, in the order of the reference.
    public static let known: [AutoRenewStatus] = [.off, .on]
}
