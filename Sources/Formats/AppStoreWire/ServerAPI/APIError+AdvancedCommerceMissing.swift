// What an Advanced Commerce request lacks.

extension APIError.AdvancedCommerce {
    /// 4000079.
    public static let nullRequestInfo = APIError(
        4_000_079, "NullRequestInfo",
        "`requestInfo` is missing: send an object with a `requestReferenceId`.")

    /// 4000080.
    public static let nullRequestReferenceId = APIError(
        4_000_080, "NullRequestReferenceId",
        "`requestReferenceId` is missing: send a UUID that no other request has.")

    /// 4000083: in-app requests.
    public static let nullVersion = APIError(
        4_000_083, "NullVersion",
        "`version` is missing: send the text 1.")

    /// 4000085: in-app requests.
    public static let nullTransactionId = APIError(
        4_000_085, "NullTransactionId",
        "`transactionId` is missing: name a transaction of the subscription.")

    /// 4000092: in-app requests.
    public static let nullOfferPeriod = APIError(
        4_000_092, "NullOfferPeriod",
        "`period` of the offer is missing: send one such as P1M.")

    /// 4000093: in-app requests.
    public static let nullPeriodCount = APIError(
        4_000_093, "NullPeriodCount",
        "`periodCount` of the offer is missing: send a whole number from 1 to 12.")

    /// 4000095: in-app requests.
    public static let nullReason = APIError(
        4_000_095, "NullReason",
        "`reason` is missing: say why the item is changed or the offer given.")

    /// 4000098: in-app requests.
    public static let nullCurrency = APIError(
        4_000_098, "NullCurrency",
        "`currency` is missing: send an ISO 4217 code such as USD.")

    /// 4000099.
    public static let nullTaxCode = APIError(
        4_000_099, "NullTaxCode",
        "`taxCode` is missing: send one such as C003-00-1, the default for subscriptions, "
            + "or C003-00-2 for a one-time charge.")

    /// 4000100.
    public static let nullStorefront = APIError(
        4_000_100, "NullStorefront",
        "`storefront` is missing: send an ISO 3166-1 alpha-3 code such as USA.")

    /// 4000101.
    public static let nullItems = APIError(
        4_000_101, "NullItems",
        "`items` is missing: send an array with at least one item.")

    /// 4000102: in-app requests.
    public static let nullItem = APIError(
        4_000_102, "NullItem",
        "`item` is missing: send what is charged for.")

    /// 4000103.
    public static let nullDescriptors = APIError(
        4_000_103, "NullDescriptors",
        "`descriptors` is missing: send a `displayName` and a `description` of the "
            + "subscription.")

    /// 4000104: in-app requests.
    public static let nullPeriod = APIError(
        4_000_104, "NullPeriod",
        "`period` is missing: send P1W, P1M, P2M, P3M, P6M or P1Y.")

    /// 4000105.
    public static let nullSKU = APIError(
        4_000_105, "NullSKU",
        "`SKU` is missing: name the product in at most 128 characters.")

    /// 4000106.
    public static let nullDisplayName = APIError(
        4_000_106, "NullDisplayName",
        "`displayName` is missing: send at most 30 characters.")

    /// 4000107.
    public static let nullDescription = APIError(
        4_000_107, "NullDescription",
        "`description` is missing: send at most 45 characters.")

    /// 4000109.
    public static let nullPrice = APIError(
        4_000_109, "NullPrice",
        "`price` is missing: send milliunits of the currency, so that 9.99 is 9990.")

    /// 4000110: in-app requests.
    public static let nullRetainBillingCycle = APIError(
        4_000_110, "NullRetainBillingCycle",
        "`retainBillingCycle` is missing: send true to keep the renewal date, false to "
            + "begin a new period.")

    /// 4000111.
    public static let nullEffective = APIError(
        4_000_111, "NullEffective",
        "`effective` is missing: send IMMEDIATELY or NEXT_BILL_CYCLE.")

    /// 4000112: in-app requests.
    public static let nullNewSKU = APIError(
        4_000_112, "NullNewSKU",
        "`SKU` of a changed item is missing: name the product that takes the place of "
            + "`currentSKU`, or the same one.")

    /// 4000153.
    public static let nullRefundAmount = APIError(
        4_000_153, "NullRefundAmount",
        "`refundAmount` is missing: a refund of the type CUSTOM says how much, in "
            + "milliunits.")

    /// 4000156.
    public static let nullRefundReason = APIError(
        4_000_156, "NullRefundReason",
        "`refundReason` is missing: send one such as UNINTENDED_PURCHASE.")

    /// 4000157.
    public static let nullRefundType = APIError(
        4_000_157, "NullRefundType",
        "`refundType` is missing: say how much of the price is to be given back.")

    /// 4000159.
    public static let nullRefundRisking = APIError(
        4_000_159, "NullRefundRisking",
        "`refundRiskingPreference` is missing: send true to be asked for consumption "
            + "data, otherwise false.")

    /// 4000166.
    public static let nullTargetProductId = APIError(
        4_000_166, "NullTargetProductId",
        "`targetProductId` is missing: name the app's generic subscription product.")

    /// 4000169.
    public static let nullCurrentSKU = APIError(
        4_000_169, "NullCurrentSKU",
        "`currentSKU` is missing: name the product that the subscription has now.")

    /// 4000171: in-app requests.
    public static let nullAdvancedCommerceData = APIError(
        4_000_171, "NullAdvancedCommerceData",
        "The purchase has no Advanced Commerce data: send the signed request along.")

    static let missing: [APIError] = [
        nullRequestInfo, nullRequestReferenceId, nullVersion, nullTransactionId, nullOfferPeriod,
        nullPeriodCount, nullReason, nullCurrency, nullTaxCode, nullStorefront, nullItems, nullItem,
        nullDescriptors, nullPeriod, nullSKU, nullDisplayName, nullDescription, nullPrice,
        nullRetainBillingCycle, nullEffective, nullNewSKU, nullRefundAmount, nullRefundReason,
        nullRefundType, nullRefundRisking, nullTargetProductId, nullCurrentSKU,
        nullAdvancedCommerceData,
    ]
}
