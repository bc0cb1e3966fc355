/// The kind of subscription offer (JWS-3).
public struct OfferType: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// An introductory offer; never with an `offerIdentifier`.
    public static let introductory = OfferType(rawValue: 1)
    /// A promotional offer signed by the developer.
    public static let promotional = OfferType(rawValue: 2)
    /// An offer code.
    public static let offerCode = OfferType(rawValue: 3)
    /// A win-back offer.
    public static let winBack = OfferType(rawValue: 4)

    /// The published values, in the order of the reference.
    public static let known: [OfferType] = [.introductory, .promotional, .offerCode, .winBack]
}
