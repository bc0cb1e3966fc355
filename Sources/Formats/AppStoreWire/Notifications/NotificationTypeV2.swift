/// The event that a notification tells of (NTF-2).
public struct NotificationTypeV2: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A first subscription in its group, or a new one after expiry.
    public static let subscribed = NotificationTypeV2(rawValue: "SUBSCRIBED")
    /// A renewal was paid, on time or after billing retry.
    public static let didRenew = NotificationTypeV2(rawValue: "DID_RENEW")
    /// The plan was changed, or a pending change withdrawn.
    public static let didChangeRenewalPref = NotificationTypeV2(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// Renewal was turned on or off.
    public static let didChangeRenewalStatus = NotificationTypeV2(
        rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// An offer was applied to an active subscription.
    public static let offerRedeemed = NotificationTypeV2(rawValue: "OFFER_REDEEMED")
    /// A renewal was not paid; billing retry begins.
    public static let didFailToRenew = NotificationTypeV2(rawValue: "DID_FAIL_TO_RENEW")
    /// The grace period ended unpaid; retry goes on.
    public static let gracePeriodExpired = NotificationTypeV2(rawValue: "GRACE_PERIOD_EXPIRED")
    /// The subscription ended.
    public static let expired = NotificationTypeV2(rawValue: "EXPIRED")
    /// The customer was told of a price increase, or answered.
    public static let priceIncrease = NotificationTypeV2(rawValue: "PRICE_INCREASE")
    /// A refund was granted.
    public static let refund = NotificationTypeV2(rawValue: "REFUND")
    /// A refund was refused.
    public static let refundDeclined = NotificationTypeV2(rawValue: "REFUND_DECLINED")
    /// A granted refund was undone after a dispute.
    public static let refundReversed = NotificationTypeV2(rawValue: "REFUND_REVERSED")
    /// A refund is asked for; the store wants data within 12 hours.
    public static let consumptionRequest = NotificationTypeV2(rawValue: "CONSUMPTION_REQUEST")
    /// Access through family sharing was lost.
    public static let revoke = NotificationTypeV2(rawValue: "REVOKE")
    /// A product other than an auto-renewable subscription was bought.
    public static let oneTimeCharge = NotificationTypeV2(rawValue: "ONE_TIME_CHARGE")
    /// One renewal date was extended.
    public static let renewalExtended = NotificationTypeV2(rawValue: "RENEWAL_EXTENDED")
    /// A mass extension failed for one subscription, or has finished.
    public static let renewalExtension = NotificationTypeV2(rawValue: "RENEWAL_EXTENSION")
    /// The developer asked for it.
    public static let test = NotificationTypeV2(rawValue: "TEST")
    /// An external purchase token was made or is not reported.
    public static let externalPurchaseToken = NotificationTypeV2(
        rawValue: "EXTERNAL_PURCHASE_TOKEN")
    /// A guardian withdrew consent for a child's use of the app.
    public static let rescindConsent = NotificationTypeV2(rawValue: "RESCIND_CONSENT")
    /// Advanced Commerce: the metadata was changed.
    public static let metadataUpdate = NotificationTypeV2(rawValue: "METADATA_UPDATE")
    /// Advanced Commerce: the subscription was migrated.
    public static let migration = NotificationTypeV2(rawValue: "MIGRATION")
    /// Advanced Commerce: a price was changed.
    public static let priceChange = NotificationTypeV2(rawValue: "PRICE_CHANGE")

    /// The published values, in the order of the reference.
    public static let known: [NotificationTypeV2] = [
        .subscribed, .didRenew, .didChangeRenewalPref, .didChangeRenewalStatus, .offerRedeemed,
        .didFailToRenew, .gracePeriodExpired, .expired, .priceIncrease, .refund, .refundDeclined,
        .refundReversed, .consumptionRequest, .revoke, .oneTimeCharge, .renewalExtended,
        .renewalExtension, .test, .externalPurchaseToken, .rescindConsent, .metadataUpdate,
        .migration, .priceChange,
    ]
}
