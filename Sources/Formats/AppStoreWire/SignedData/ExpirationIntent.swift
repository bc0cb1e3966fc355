/// Why a subscription expired (JWS-4).
public struct ExpirationIntent: OpenEnum {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a value of any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The customer cancelled.
    public static let customerCancelled = ExpirationIntent(rawValue: 1)
    /// The payment failed.
    public static let billingError = ExpirationIntent(rawValue: 2)
    /// The customer did not consent to a price increase.
    public static let priceIncreaseDeclined = ExpirationIntent(rawValue: 3)
    /// The product was not for sale at renewal.
    public static let productUnavailable = ExpirationIntent(rawValue: 4)
    /// Another reason.
    public static let other = ExpirationIntent(rawValue: 5)

    /// The published values, in the order of the reference.
    public static let known: [ExpirationIntent] = [
        .customerCancelled, .billingError, .priceIncreaseDeclined, .productUnavailable, .other,
    ]
}
