/// Whether an order id is a customer's order (API-5.11).
public struct OrderLookupStatus: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The order holds at least one purchase of this app.
    public static let valid = OrderLookupStatus(rawValue: 0)
    /// No such order, or nothing of this app in it.
    public static let invalid = OrderLookupStatus(rawValue: 1)

    /// The published values, in the order of the reference.
    public static let known: [OrderLookupStatus] = [.valid, .invalid]
}
