/// Why a transaction came to be (JWS-3).
public struct TransactionReason: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer bought, upgraded or resubscribed.
    public static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// The store renewed; also the renewal that applies a downgrade.
    public static let renewal = TransactionReason(rawValue: "RENEWAL")

    /// The published values, in the order of the reference.
    public static let known: [TransactionReason] = [.purchase, .renewal]
}
