/// Whether a purchase was delivered (API-5.7).
public struct DeliveryStatus: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Delivered, and it works.
    public static let delivered = DeliveryStatus(rawValue: "DELIVERED")
    /// Not delivered: the quality was bad.
    public static let undeliveredQualityIssue = DeliveryStatus(
        rawValue: "UNDELIVERED_QUALITY_ISSUE")
    /// Not delivered: the customer got the wrong item.
    public static let undeliveredWrongItem = DeliveryStatus(rawValue: "UNDELIVERED_WRONG_ITEM")
    /// Not delivered: the developer's server was down.
    public static let undeliveredServerOutage = DeliveryStatus(
        rawValue: "UNDELIVERED_SERVER_OUTAGE")
    /// Not delivered for another reason.
    public static let undeliveredOther = DeliveryStatus(rawValue: "UNDELIVERED_OTHER")

    /// The published values, in the order of the reference.
    public static let known: [DeliveryStatus] = [
        .delivered, .undeliveredQualityIssue, .undeliveredWrongItem, .undeliveredServerOutage,
        .undeliveredOther,
    ]
}
