// What is not there, and what is not the request's fault: 404, 429 and 500 (API-7).

extension APIError {
    /// 4040001: history, statuses, notification history.
    public static let accountNotFound = APIError(
        4_040_001, "AccountNotFound",
        "The customer account is not known: check the transaction id and the environment.")

    /// 4040002: retry.
    public static let accountNotFoundRetryable = APIError(
        4_040_002, "AccountNotFoundRetryable",
        "The customer account was not found this time: try again later.")

    /// 4040003: check `bid`.
    public static let appNotFound = APIError(
        4_040_003, "AppNotFound",
        "The app is not known: check the token's `bid` claim and the environment.")

    /// 4040004: retry.
    public static let appNotFoundRetryable = APIError(
        4_040_004, "AppNotFoundRetryable",
        "The app was not found this time: try again later.")

    /// 4040005: extend, refund v1, set token.
    public static let originalTransactionIdNotFound = APIError(
        4_040_005, "OriginalTransactionIdNotFound",
        "The original transaction id is not known: check the id, the app and the environment.")

    /// 4040006: retry.
    public static let originalTransactionIdNotFoundRetryable = APIError(
        4_040_006, "OriginalTransactionIdNotFoundRetryable",
        "The original transaction id was not found this time: try again later.")

    /// 4040007: test.
    public static let serverNotificationURLNotFound = APIError(
        4_040_007, "ServerNotificationURLNotFound",
        "No notification URL is set for this environment: set one, then ask again.")

    /// 4040008: test status.
    public static let testNotificationNotFound = APIError(
        4_040_008, "TestNotificationNotFound",
        "The test notification is not known, has expired, or has no result yet: ask again in "
            + "a moment.")

    /// 4040009: mass status.
    public static let statusRequestNotFound = APIError(
        4_040_009, "StatusRequestNotFound",
        "No mass extension has this product and request identifier: check both.")

    /// 4040010: any id path.
    public static let transactionIdNotFound = APIError(
        4_040_010, "TransactionIdNotFound",
        "The transaction id is not known: check the id, the app and the environment.")

    /// 4040014: retention.
    public static let imageNotFound = APIError(
        4_040_014, "ImageNotFound",
        "The image is not known: upload it first.")

    /// 4040015: retention.
    public static let messageNotFound = APIError(
        4_040_015, "MessageNotFound",
        "The message is not known: upload it first.")

    /// 4040018: retention.
    public static let performanceTestRunNotFound = APIError(
        4_040_018, "PerformanceTestRunNotFound",
        "The performance test is not known: start one first.")

    /// 4040019: app transaction.
    public static let appTransactionDoesNotExist = APIError(
        4_040_019, "AppTransactionDoesNotExist",
        "The customer has no app transaction: the app was never downloaded with this account.")

    /// 4040020: retention.
    public static let defaultMessageNotFound = APIError(
        4_040_020, "DefaultMessageNotFound",
        "No default message is set for this product and locale: set one first.")

    /// 4040021: retention.
    public static let realtimeUrlNotFound = APIError(
        4_040_021, "RealtimeUrlNotFound",
        "No realtime URL is set for this environment: set one first.")

    /// 4040022: groups (since version 1.22).
    public static let groupNotFound = APIError(
        4_040_022, "GroupNotFound",
        "The group is not known: ask Get Customer Groups for the customer's groups.")

    /// 4290000: all.
    public static let rateLimitExceeded = APIError(
        4_290_000, "RateLimitExceeded",
        "Too many requests: wait until the moment in the `Retry-After` header.")

    /// 5000000: all.
    public static let generalInternal = APIError(
        5_000_000, "GeneralInternal",
        "Something went wrong in the store: report it if it happens again.")

    /// 5000001: retry.
    public static let generalInternalRetryable = APIError(
        5_000_001, "GeneralInternalRetryable",
        "Something went wrong in the store this time: try again later.")

    static let notFoundErrors: [APIError] = [
        .accountNotFound, .accountNotFoundRetryable, .appNotFound, .appNotFoundRetryable,
        .originalTransactionIdNotFound, .originalTransactionIdNotFoundRetryable,
        .serverNotificationURLNotFound, .testNotificationNotFound, .statusRequestNotFound,
        .transactionIdNotFound, .imageNotFound, .messageNotFound, .performanceTestRunNotFound,
        .appTransactionDoesNotExist, .defaultMessageNotFound, .realtimeUrlNotFound, .groupNotFound,
        .rateLimitExceeded, .generalInternal, .generalInternalRetryable,
    ]
}
