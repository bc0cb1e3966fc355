// What is wrong with data sent about a purchase, messages or groups: 4000032 to 4000227 (API-7).

extension APIError {
    /// 4000032: consumption v1.
    public static let invalidAccountTenure = APIError(
        4_000_032, "InvalidAccountTenure",
        "`accountTenure` is not valid: send a whole number from 0 to 7.")

    /// 4000033: consumption v1.
    public static let invalidAppAccountToken = APIError(
        4_000_033, "InvalidAppAccountToken",
        "`appAccountToken` is not valid: send a UUID, or an empty text for none.")

    /// 4000034: consumption v1.
    public static let invalidConsumptionStatus = APIError(
        4_000_034, "InvalidConsumptionStatus",
        "`consumptionStatus` is not valid: send 0, 1, 2 or 3.")

    /// 4000035: consumption.
    public static let invalidCustomerConsented = APIError(
        4_000_035, "InvalidCustomerConsented",
        "`customerConsented` is not true: send consumption data only with the customer's consent.")

    /// 4000036: consumption.
    public static let invalidDeliveryStatus = APIError(
        4_000_036, "InvalidDeliveryStatus",
        "`deliveryStatus` is not valid: send one of the values that this version of the "
            + "endpoint defines.")

    /// 4000037: consumption v1.
    public static let invalidLifetimeDollarsPurchased = APIError(
        4_000_037, "InvalidLifetimeDollarsPurchased",
        "`lifetimeDollarsPurchased` is not valid: send a whole number from 0 to 7.")

    /// 4000038: consumption v1.
    public static let invalidLifetimeDollarsRefunded = APIError(
        4_000_038, "InvalidLifetimeDollarsRefunded",
        "`lifetimeDollarsRefunded` is not valid: send a whole number from 0 to 7.")

    /// 4000039: consumption v1.
    public static let invalidPlatform = APIError(
        4_000_039, "InvalidPlatform",
        "`platform` is not valid: send 0, 1 or 2.")

    /// 4000040: consumption v1.
    public static let invalidPlayTime = APIError(
        4_000_040, "InvalidPlayTime",
        "`playTime` is not valid: send a whole number from 0 to 7.")

    /// 4000041: consumption.
    public static let invalidSampleContentProvided = APIError(
        4_000_041, "InvalidSampleContentProvided",
        "`sampleContentProvided` is not valid: send true or false.")

    /// 4000042: consumption v1.
    public static let invalidUserStatus = APIError(
        4_000_042, "InvalidUserStatus",
        "`userStatus` is not valid: send 0, 1, 2, 3 or 4.")

    /// 4000043: consumption v1.
    public static let invalidTransactionNotConsumable = APIError(
        4_000_043, "InvalidTransactionNotConsumable",
        "The transaction is not a consumable: send consumption data for consumables only.")

    /// 4000044: consumption.
    public static let invalidRefundPreference = APIError(
        4_000_044, "InvalidRefundPreference",
        "`refundPreference` is not valid: send one of the values that this version of the "
            + "endpoint defines.")

    /// 4000047: consumption v1.
    public static let invalidTransactionTypeNotSupported = APIError(
        4_000_047, "InvalidTransactionTypeNotSupported",
        "This product type takes no consumption data here: use version 2 of the endpoint.")

    /// 4000048: see API-4.
    public static let appTransactionIdNotSupported = APIError(
        4_000_048, "AppTransactionIdNotSupported",
        "An app transaction id is not supported here: send a transaction id.")

    /// 4000161: retention.
    public static let invalidImage = APIError(
        4_000_161, "InvalidImage",
        "The image is not valid: send a PNG without transparency in the size that "
            + "`imageSize` asks for.")

    /// 4000162: retention.
    public static let headerTooLong = APIError(
        4_000_162, "HeaderTooLong",
        "The header is too long: send at most 66 characters.")

    /// 4000163: retention.
    public static let bodyTooLong = APIError(
        4_000_163, "BodyTooLong",
        "The body is too long: send at most 144 characters.")

    /// 4000164: retention.
    public static let invalidLocale = APIError(
        4_000_164, "InvalidLocale",
        "The locale is not valid: send a code such as en-US.")

    /// 4000175: retention.
    public static let altTextTooLong = APIError(
        4_000_175, "AltTextTooLong",
        "The alternative text is too long: send at most 150 characters.")

    /// 4000183: set token.
    public static let invalidAppAccountTokenUUID = APIError(
        4_000_183, "InvalidAppAccountTokenUUID",
        "`appAccountToken` is not a UUID: send one in its usual form of 36 characters.")

    /// 4000185: set token, consumption v2.
    public static let familyTransactionNotSupported = APIError(
        4_000_185, "FamilyTransactionNotSupported",
        "A family-shared transaction is not supported here: send the purchaser's transaction.")

    /// 4000187: set token.
    public static let transactionIdIsNotOriginalTransactionId = APIError(
        4_000_187, "TransactionIdIsNotOriginalTransactionId",
        "The id is not an original transaction id: send `originalTransactionId` of the "
            + "transaction.")

    /// 4000209: consumption v2.
    public static let consumptionPercentageAutoRenewableSubscription = APIError(
        4_000_209, "ConsumptionPercentageAutoRenewableSubscription",
        "`consumptionPercentage` is not for auto-renewable subscriptions: leave it out.")

    /// 4000211: retention.
    public static let invalidPerformanceTestRequest = APIError(
        4_000_211, "InvalidPerformanceTestRequest",
        "The performance test request is not valid: send the original transaction id of a "
            + "sandbox subscription.")

    /// 4000212: retention.
    public static let invalidRequestId = APIError(
        4_000_212, "InvalidRequestId",
        "The request id is not valid: send the one that the performance test request returned.")

    /// 4000213: retention.
    public static let existingPerformanceTestRun = APIError(
        4_000_213, "ExistingPerformanceTestRun",
        "A performance test is already running: wait for its result.")

    /// 4000215: retention.
    public static let badRequestRealtimeUrl = APIError(
        4_000_215, "BadRequestRealtimeUrl",
        "The realtime URL is not valid: send an https URL of at most 256 characters.")

    /// 4000216: retention.
    public static let badRequestImageSize = APIError(
        4_000_216, "BadRequestImageSize",
        "The image has the wrong size for its place: use a FULL_SIZE image in a message, "
            + "BULLET_POINT in a bullet.")

    /// 4000218: retention.
    public static let badRequestTooManyBulletPoints = APIError(
        4_000_218, "BadRequestTooManyBulletPoints",
        "There are too many bullet points: send at most 5.")

    /// 4000219: retention.
    public static let badRequestBulletPointTextTooLong = APIError(
        4_000_219, "BadRequestBulletPointTextTooLong",
        "The text of a bullet point is too long: send at most 66 characters.")

    /// 4000224: retention.
    public static let badRequestAboveImageRequiresAnImage = APIError(
        4_000_224, "BadRequestAboveImageRequiresAnImage",
        "`headerPosition` ABOVE_IMAGE needs an image: add one, or leave the position out.")

    /// 4000225: groups (since version 1.22).
    public static let invalidGroupId = APIError(
        4_000_225, "InvalidGroupId",
        "The group id is not valid: send one that Get Customer Groups returned.")

    /// 4000227: set token, consumption v2 (since version 1.22).
    public static let invalidAssignedTransactionNotSupported = APIError(
        4_000_227, "InvalidAssignedTransactionNotSupported",
        "An assigned transaction is not supported here: send the transaction of whoever "
            + "bought the seats.")

    static let dataErrors: [APIError] = [
        .invalidAccountTenure, .invalidAppAccountToken, .invalidConsumptionStatus,
        .invalidCustomerConsented, .invalidDeliveryStatus, .invalidLifetimeDollarsPurchased,
        .invalidLifetimeDollarsRefunded, .invalidPlatform, .invalidPlayTime,
        .invalidSampleContentProvided, .invalidUserStatus, .invalidTransactionNotConsumable,
        .invalidRefundPreference, .invalidTransactionTypeNotSupported,
        .appTransactionIdNotSupported, .invalidImage, .headerTooLong, .bodyTooLong, .invalidLocale,
        .altTextTooLong, .invalidAppAccountTokenUUID, .familyTransactionNotSupported,
        .transactionIdIsNotOriginalTransactionId, .consumptionPercentageAutoRenewableSubscription,
        .invalidPerformanceTestRequest, .invalidRequestId, .existingPerformanceTestRun,
        .badRequestRealtimeUrl, .badRequestImageSize, .badRequestTooManyBulletPoints,
        .badRequestBulletPointTextTooLong, .badRequestAboveImageRequiresAnImage, .invalidGroupId,
        .invalidAssignedTransactionNotSupported,
    ]
}
