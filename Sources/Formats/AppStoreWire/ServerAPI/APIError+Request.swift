// What is wrong with a request: 4000000 to 4000031 (API-7).

extension APIError {
    /// 4000000: order lookup, generic.
    public static let generalBadRequest = APIError(
        4_000_000, "GeneralBadRequest",
        "The request is not valid: check the path and send the order id as the customer's "
            + "receipt shows it.")

    /// 4000002: history, statuses.
    public static let invalidAppIdentifier = APIError(
        4_000_002, "InvalidAppIdentifier",
        "The app identifier is not valid: send the app's bundle id in the token's `bid` claim.")

    /// 4000004: group members (since version 1.22).
    public static let invalidLimit = APIError(
        4_000_004, "InvalidLimit",
        "The limit is not valid: send a whole number from 1 to 100.")

    /// 4000005: history, refunds.
    public static let invalidRequestRevision = APIError(
        4_000_005, "InvalidRequestRevision",
        "The revision is not valid: send the one of the previous reply, with the same filters.")

    /// 4000006: any id path.
    public static let invalidTransactionId = APIError(
        4_000_006, "InvalidTransactionId",
        "The transaction id is not valid: send the digits of an id that the store has signed.")

    /// 4000008: extend, refund v1.
    public static let invalidOriginalTransactionId = APIError(
        4_000_008, "InvalidOriginalTransactionId",
        "The original transaction id is not valid: send the digits of `originalTransactionId`.")

    /// 4000009: extend.
    public static let invalidExtendByDays = APIError(
        4_000_009, "InvalidExtendByDays",
        "`extendByDays` is not valid: send a whole number from 1 to 90.")

    /// 4000010: extend.
    public static let invalidExtendReasonCode = APIError(
        4_000_010, "InvalidExtendReasonCode",
        "`extendReasonCode` is not valid: send 0, 1, 2 or 3.")

    /// 4000011: extend.
    public static let invalidRequestIdentifier = APIError(
        4_000_011, "InvalidRequestIdentifier",
        "`requestIdentifier` is not valid: send a unique text of at most 128 characters; "
            + "mass requests need a UUID.")

    /// 4000012: notification history.
    public static let startDateTooFarInPast = APIError(
        4_000_012, "StartDateTooFarInPast",
        "`startDate` is too far in the past: the history holds 180 days.")

    /// 4000013: notification history.
    public static let startDateAfterEndDate = APIError(
        4_000_013, "StartDateAfterEndDate",
        "`startDate` is not before `endDate`: send a later end.")

    /// 4000014: notification history, group members.
    public static let invalidPaginationToken = APIError(
        4_000_014, "InvalidPaginationToken",
        "The pagination token is not valid: send the one of the previous reply, with the "
            + "same body.")

    /// 4000015: histories.
    public static let invalidStartDate = APIError(
        4_000_015, "InvalidStartDate",
        "`startDate` is not valid: send milliseconds since 1970 as a whole number.")

    /// 4000016: histories.
    public static let invalidEndDate = APIError(
        4_000_016, "InvalidEndDate",
        "`endDate` is not valid: send milliseconds since 1970 as a whole number, after the start.")

    /// 4000017: notification history.
    public static let paginationTokenExpired = APIError(
        4_000_017, "PaginationTokenExpired",
        "The pagination token has expired or belongs to another request: start again without one.")

    /// 4000018: notification history.
    public static let invalidNotificationType = APIError(
        4_000_018, "InvalidNotificationType",
        "The notification type or subtype is not valid: send a published type with a subtype "
            + "it can carry.")

    /// 4000019: notification history.
    public static let multipleFiltersSupplied = APIError(
        4_000_019, "MultipleFiltersSupplied",
        "More than one filter is given: send either `notificationType` or `transactionId`.")

    /// 4000020: test status.
    public static let invalidTestNotificationToken = APIError(
        4_000_020, "InvalidTestNotificationToken",
        "The test notification token is not valid: send the one that the test request returned.")

    /// 4000021: history.
    public static let invalidSort = APIError(
        4_000_021, "InvalidSort",
        "`sort` is not valid: send ASCENDING or DESCENDING.")

    /// 4000022: history.
    public static let invalidProductType = APIError(
        4_000_022, "InvalidProductType",
        "`productType` is not valid: send AUTO_RENEWABLE, NON_RENEWABLE, CONSUMABLE or "
            + "NON_CONSUMABLE.")

    /// 4000023: history, mass extend, default message.
    public static let invalidProductId = APIError(
        4_000_023, "InvalidProductId",
        "The product id is not valid: send the id of a product of this app.")

    /// 4000024: history.
    public static let invalidSubscriptionGroupIdentifier = APIError(
        4_000_024, "InvalidSubscriptionGroupIdentifier",
        "The subscription group identifier is not valid: send the digits of a group's identifier.")

    /// 4000025: history.
    public static let invalidExcludeRevoked = APIError(
        4_000_025, "InvalidExcludeRevoked",
        "`excludeRevoked` is not valid: send true or false, or better `revoked`.")

    /// 4000026: history.
    public static let invalidInAppOwnershipType = APIError(
        4_000_026, "InvalidInAppOwnershipType",
        "`inAppOwnershipType` is not valid: send PURCHASED, FAMILY_SHARED or ASSIGNED.")

    /// 4000027: mass extend.
    public static let invalidEmptyStorefrontCountryCodeList = APIError(
        4_000_027, "InvalidEmptyStorefrontCountryCodeList",
        "`storefrontCountryCodes` is empty: name storefronts, or leave the member out for "
            + "all of them.")

    /// 4000028: mass extend.
    public static let invalidStorefrontCountryCode = APIError(
        4_000_028, "InvalidStorefrontCountryCode",
        "A storefront country code is not valid: send ISO 3166-1 alpha-3 codes such as USA.")

    /// 4000030: history.
    public static let invalidRevoked = APIError(
        4_000_030, "InvalidRevoked",
        "`revoked` is not valid: send true or false.")

    /// 4000031: statuses.
    public static let invalidStatus = APIError(
        4_000_031, "InvalidStatus",
        "`status` is not valid: send 1, 2, 3, 4 or 5.")

    static let requestErrors: [APIError] = [
        .generalBadRequest, .invalidAppIdentifier, .invalidLimit, .invalidRequestRevision,
        .invalidTransactionId, .invalidOriginalTransactionId, .invalidExtendByDays,
        .invalidExtendReasonCode, .invalidRequestIdentifier, .startDateTooFarInPast,
        .startDateAfterEndDate, .invalidPaginationToken, .invalidStartDate, .invalidEndDate,
        .paginationTokenExpired, .invalidNotificationType, .multipleFiltersSupplied,
        .invalidTestNotificationToken, .invalidSort, .invalidProductType, .invalidProductId,
        .invalidSubscriptionGroupIdentifier, .invalidExcludeRevoked, .invalidInAppOwnershipType,
        .invalidEmptyStorefrontCountryCodeList, .invalidStorefrontCountryCode, .invalidRevoked,
        .invalidStatus,
    ]
}
