/// What more is known of a notification's event (NTF-2).
public struct Subtype: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first subscription in the group.
    public static let initialBuy = Subtype(rawValue: "INITIAL_BUY")
    /// A new subscription after expiry.
    public static let resubscribe = Subtype(rawValue: "RESUBSCRIBE")
    /// A plan change at the next renewal.
    public static let downgrade = Subtype(rawValue: "DOWNGRADE")
    /// A plan change with effect at once.
    public static let upgrade = Subtype(rawValue: "UPGRADE")
    /// Renewal was turned on.
    public static let autoRenewEnabled = Subtype(rawValue: "AUTO_RENEW_ENABLED")
    /// Renewal was turned off.
    public static let autoRenewDisabled = Subtype(rawValue: "AUTO_RENEW_DISABLED")
    /// Ended because the customer had turned renewal off.
    public static let voluntary = Subtype(rawValue: "VOLUNTARY")
    /// Ended because billing retry ended unpaid.
    public static let billingRetry = Subtype(rawValue: "BILLING_RETRY")
    /// Ended because a price increase was not consented to.
    public static let priceIncrease = Subtype(rawValue: "PRICE_INCREASE")
    /// A grace period begins.
    public static let gracePeriod = Subtype(rawValue: "GRACE_PERIOD")
    /// Told of an increase that needs consent.
    public static let pending = Subtype(rawValue: "PENDING")
    /// Consented, or told of an increase that needs no consent.
    public static let accepted = Subtype(rawValue: "ACCEPTED")
    /// Renewed in billing retry.
    public static let billingRecovery = Subtype(rawValue: "BILLING_RECOVERY")
    /// Ended because the product was not available.
    public static let productNotForSale = Subtype(rawValue: "PRODUCT_NOT_FOR_SALE")
    /// A mass extension has finished.
    public static let summary = Subtype(rawValue: "SUMMARY")
    /// A mass extension failed for one subscription.
    public static let failure = Subtype(rawValue: "FAILURE")
    /// A token was made and not reported.
    public static let unreported = Subtype(rawValue: "UNREPORTED")
    /// A custom link token was made.
    public static let created = Subtype(rawValue: "CREATED")
    /// A custom link token is still active.
    public static let activeTokenReminder = Subtype(rawValue: "ACTIVE_TOKEN_REMINDER")

    /// The published values, in the order of the reference.
    public static let known: [Subtype] = [
        .initialBuy, .resubscribe, .downgrade, .upgrade, .autoRenewEnabled, .autoRenewDisabled,
        .voluntary, .billingRetry, .priceIncrease, .gracePeriod, .pending, .accepted,
        .billingRecovery, .productNotForSale, .summary, .failure, .unreported, .created,
        .activeTokenReminder,
    ]
}
