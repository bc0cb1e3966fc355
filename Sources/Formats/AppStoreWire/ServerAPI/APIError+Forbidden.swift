// What a valid request may not do: 403 and 409 (API-7).

extension APIError {
    /// 4030004: extend.
    public static let subscriptionExtensionIneligible = APIError(
        4_030_004, "SubscriptionExtensionIneligible",
        "The subscription is not eligible for an extension: it must be active and paid for "
            + "at least once.")

    /// 4030005: extend.
    public static let subscriptionMaxExtension = APIError(
        4_030_005, "SubscriptionMaxExtension",
        "The subscription has had its two extensions in 365 days: wait until the first is a "
            + "year old.")

    /// 4030007: extend.
    public static let familySharedSubscriptionExtensionIneligible = APIError(
        4_030_007, "FamilySharedSubscriptionExtensionIneligible",
        "A family member's subscription cannot be extended: extend the purchaser's, and the "
            + "family follows.")

    /// 4030014: retention.
    public static let maximumNumberOfImagesReached = APIError(
        4_030_014, "MaximumNumberOfImagesReached",
        "The app has its 2000 images: delete one that is not used.")

    /// 4030016: retention.
    public static let maximumNumberOfMessagesReached = APIError(
        4_030_016, "MaximumNumberOfMessagesReached",
        "The app has its 2000 messages: delete one that is not used.")

    /// 4030017: retention.
    public static let messageNotApproved = APIError(
        4_030_017, "MessageNotApproved",
        "The message is not approved: choose an approved one.")

    /// 4030018: retention.
    public static let imageNotApproved = APIError(
        4_030_018, "ImageNotApproved",
        "The image is not approved: choose a message whose images are approved.")

    /// 4030019: retention.
    public static let imageInUse = APIError(
        4_030_019, "ImageInUse",
        "The image is in use: delete the messages that show it first.")

    /// 4030026: retention.
    public static let forbiddenNoPassingTest = APIError(
        4_030_026, "ForbiddenNoPassingTest",
        "No performance test has passed yet: pass one in the sandbox before setting the "
            + "production URL.")

    /// 4030028: extend (since version 1.22).
    public static let assignedSubscriptionExtensionIneligible = APIError(
        4_030_028, "AssignedSubscriptionExtensionIneligible",
        "An assigned subscription cannot be extended: extend the one that holds the seats.")

    /// 4090000: retention.
    public static let imageAlreadyExists = APIError(
        4_090_000, "ImageAlreadyExists",
        "The image identifier is in use: choose another.")

    /// 4090001: retention.
    public static let messageAlreadyExists = APIError(
        4_090_001, "MessageAlreadyExists",
        "The message identifier is in use: choose another.")

    static let forbiddenErrors: [APIError] = [
        .subscriptionExtensionIneligible, .subscriptionMaxExtension,
        .familySharedSubscriptionExtensionIneligible, .maximumNumberOfImagesReached,
        .maximumNumberOfMessagesReached, .messageNotApproved, .imageNotApproved, .imageInUse,
        .forbiddenNoPassingTest, .assignedSubscriptionExtensionIneligible, .imageAlreadyExists,
        .messageAlreadyExists,
    ]
}
