// Members of an Advanced Commerce request that are not in their form.

extension APIError.AdvancedCommerce {
    /// 4000006.
    public static let invalidTransactionId = APIError.invalidTransactionId

    /// 4000028.
    public static let invalidStorefront = APIError(
        4_000_028, "InvalidStorefront",
        "`storefront` is not valid: send an ISO 3166-1 alpha-3 code such as USA.")

    /// 4000033.
    public static let invalidAppAccountToken = APIError(
        4_000_033, "InvalidAppAccountToken",
        "`appAccountToken` is not valid: send a UUID, or an empty text for none.")

    /// 4000053.
    public static let invalidCurrency = APIError(
        4_000_053, "InvalidCurrency",
        "`currency` is not valid: send an ISO 4217 code such as USD.")

    /// 4000081.
    public static let invalidRequestReferenceId = APIError(
        4_000_081, "InvalidRequestReferenceId",
        "`requestReferenceId` is not a UUID: send one in its usual form of 36 characters.")

    /// 4000082.
    public static let invalidConsistencyToken = APIError(
        4_000_082, "InvalidConsistencyToken",
        "`consistencyToken` is not valid: send the one that the last renewal information "
            + "had.")

    /// 4000084: in-app requests.
    public static let unexpectedVersion = APIError(
        4_000_084, "UnexpectedVersion",
        "`version` is not known: send the text 1.")

    /// 4000086.
    public static let negativePrice = APIError(
        4_000_086, "NegativePrice",
        "`price` is negative: send 0 or more milliunits.")

    /// 4000087.
    public static let skuLengthExceeded = APIError(
        4_000_087, "SKULengthExceeded",
        "The SKU is too long: send at most 128 characters.")

    /// 4000088.
    public static let descriptionLengthExceeded = APIError(
        4_000_088, "DescriptionLengthExceeded",
        "`description` is too long: send at most 45 characters.")

    /// 4000089.
    public static let displayNameLengthExceeded = APIError(
        4_000_089, "DisplayNameLengthExceeded",
        "`displayName` is too long: send at most 30 characters.")

    /// 4000091: in-app requests.
    public static let negativeProratedPrice = APIError(
        4_000_091, "NegativeProratedPrice",
        "`proratedPrice` is negative: send 0 or more milliunits.")

    /// 4000094: in-app requests.
    public static let periodCountNotPositive = APIError(
        4_000_094, "PeriodCountNotPositive",
        "`periodCount` is not positive: send a whole number from 1 to 12.")

    /// 4000096: in-app requests.
    public static let invalidPreviousTransactionId = APIError(
        4_000_096, "InvalidPreviousTransactionId",
        "`previousTransactionId` is not valid: send the digits of a transaction of the "
            + "subscription that has expired.")

    /// 4000118.
    public static let invalidDisplayName = APIError(
        4_000_118, "InvalidDisplayName",
        "`displayName` is not valid: it must not be empty, have control characters, or be "
            + "the same for an item and the whole subscription.")

    /// 4000119.
    public static let invalidDescription = APIError(
        4_000_119, "InvalidDescription",
        "`description` is not valid: it must not be empty or have control characters.")

    /// 4000122.
    public static let invalidSKU = APIError(
        4_000_122, "InvalidSKU",
        "The SKU is not valid: it must not be empty or have control characters.")

    /// 4000123.
    public static let invalidRefundType = APIError(
        4_000_123, "InvalidRefundType",
        "`refundType` is not valid: send FULL or PRORATED, or CUSTOM for an item.")

    /// 4000124.
    public static let invalidRefundReason = APIError(
        4_000_124, "InvalidRefundReason",
        "`refundReason` is not valid: send one of the published reasons, such as "
            + "UNINTENDED_PURCHASE.")

    /// 4000125: in-app requests.
    public static let invalidChangeReason = APIError(
        4_000_125, "InvalidChangeReason",
        "`reason` of a changed item is not valid: send UPGRADE, DOWNGRADE, or APPLY_OFFER "
            + "with an offer.")

    /// 4000126: in-app requests.
    public static let invalidOfferReason = APIError(
        4_000_126, "InvalidOfferReason",
        "`reason` of the offer is not valid: send ACQUISITION, WIN_BACK or RETENTION.")

    /// 4000127.
    public static let invalidTaxProductCode = APIError(
        4_000_127, "InvalidTaxProductCode",
        "`taxCode` is not known for this kind of product: those of subscriptions end in "
            + "1, those of one-time charges in 2.")

    /// 4000128: in-app requests.
    public static let invalidOfferPeriod = APIError(
        4_000_128, "InvalidOfferPeriod",
        "`period` of the offer is not valid: send P3D, P1W, P2W, P1M, P2M, P3M, P6M, P9M "
            + "or P1Y.")

    /// 4000129: in-app requests.
    public static let invalidOfferPeriodCount = APIError(
        4_000_129, "InvalidOfferPeriodCount",
        "`periodCount` is too large: send a whole number from 1 to 12.")

    /// 4000130: in-app requests.
    public static let invalidRenewalPeriod = APIError(
        4_000_130, "InvalidRenewalPeriod",
        "`period` is not valid: send P1W, P1M, P2M, P3M, P6M or P1Y.")

    /// 4000132.
    public static let invalidAmount = APIError(
        4_000_132, "InvalidAmount",
        "The amount is not valid: it is more than the store takes, or no amount of the currency.")

    /// 4000136.
    public static let moreItemsThanAllowed = APIError(
        4_000_136, "MoreItemsThanAllowed",
        "There are too many items: send at most 100.")

    /// 4000151: in-app requests.
    public static let invalidProratedPrice = APIError(
        4_000_151, "InvalidProratedPrice",
        "`proratedPrice` is not valid: it is at most `price`, and only where the billing "
            + "cycle is kept.")

    /// 4000152: in-app requests.
    public static let invalidOfferPrice = APIError(
        4_000_152, "InvalidOfferPrice",
        "`price` of the offer is above the item's own price: lower it.")

    /// 4000154.
    public static let negativeRefundAmount = APIError(
        4_000_154, "NegativeRefundAmount",
        "`refundAmount` is negative: send milliunits above 0.")

    /// 4000155.
    public static let refundAmountWithoutCustom = APIError(
        4_000_155, "RefundAmountWithoutCustom",
        "`refundAmount` is only for the type CUSTOM: leave it out.")

    /// 4000160.
    public static let atLeastOneItem = APIError(
        4_000_160, "AtLeastOneItem",
        "The array of items is empty: send at least one item, or leave it out where it is "
            + "optional.")

    /// 4000165.
    public static let atLeastOneOfDisplayNameOrDescription = APIError(
        4_000_165, "AtLeastOneOfDisplayNameOrDescription",
        "`descriptors` change nothing: send a `displayName`, a `description` or both.")

    /// 4000167.
    public static let invalidTargetProductId = APIError(
        4_000_167, "InvalidTargetProductId",
        "`targetProductId` is not valid: name the app's generic subscription product.")

    /// 4000170: in-app requests.
    public static let currentSKULengthExceeded = APIError(
        4_000_170, "CurrentSKULengthExceeded",
        "`currentSKU` is too long: send at most 128 characters.")

    /// 4000172: in-app requests.
    public static let invalidOperation = APIError(
        4_000_172, "InvalidOperation",
        "`operation` is not known: send CREATE_ONE_TIME_CHARGE, CREATE_SUBSCRIPTION, "
            + "MODIFY_SUBSCRIPTION or REACTIVATE_SUBSCRIPTION.")

    /// 4000173.
    public static let malformedPayload = APIError(
        4_000_173, "MalformedPayload",
        "The request is not in its form: send a JSON object with members of the "
            + "documented types.")

    /// 4000174: in-app requests.
    public static let invalidSignature = APIError(
        4_000_174, "InvalidSignature",
        "The signature of the request is not valid: sign anew, with a key of this app's "
            + "team.")

    /// 4000179.
    public static let itemLimitExceeded = APIError(
        4_000_179, "ItemLimitExceeded",
        "The subscription would have too many items: send at most 100.")

    static let form: [APIError] = [
        invalidTransactionId, invalidStorefront, invalidAppAccountToken, invalidCurrency,
        invalidRequestReferenceId, invalidConsistencyToken, unexpectedVersion, negativePrice,
        skuLengthExceeded, descriptionLengthExceeded, displayNameLengthExceeded,
        negativeProratedPrice, periodCountNotPositive, invalidPreviousTransactionId,
        invalidDisplayName, invalidDescription, invalidSKU, invalidRefundType, invalidRefundReason,
        invalidChangeReason, invalidOfferReason, invalidTaxProductCode, invalidOfferPeriod,
        invalidOfferPeriodCount, invalidRenewalPeriod, invalidAmount, moreItemsThanAllowed,
        invalidProratedPrice, invalidOfferPrice, negativeRefundAmount, refundAmountWithoutCustom,
        atLeastOneItem, atLeastOneOfDisplayNameOrDescription, invalidTargetProductId,
        currentSKULengthExceeded, invalidOperation, malformedPayload, invalidSignature,
        itemLimitExceeded,
    ]
}
