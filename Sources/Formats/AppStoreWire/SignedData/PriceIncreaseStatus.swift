/// The customer's answer to a pending price increase (JWS-4).
public struct PriceIncreaseStatus: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No answer yet to an increase that needs consent.
    public static let pending = PriceIncreaseStatus(rawValue: 0)
    /// Consented, or notified of an increase that needs no consent.
    public static let accepted = PriceIncreaseStatus(rawValue: 1)

    /// The published values, in the order of the reference.
    public static let known: [PriceIncreaseStatus] = [.pending, .accepted]
}
