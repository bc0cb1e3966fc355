/// How an offer is paid (JWS-3).
public struct OfferDiscountType: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing is charged.
    public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
    /// The reduced price, each period.
    public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
    /// The reduced price once, for several periods.
    public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
    /// A reduced one-time purchase (since version 1.18).
    public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")

    /// The published values, in the order of the reference.
    public static let known: [OfferDiscountType] = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime]
}
