/// What Apple taxes alike: a published row of tax codes for Advanced Commerce.
///
/// Apple hands out others on request; only these are known here.
public struct AdvancedCommerceTaxCategory: Hashable, Sendable {
    /// What is sold, in a few words.
    public let name: String
    /// The code of its subscriptions; absent where there are none.
    public let subscription: String?
    /// The code of its one-time charges.
    public let oneTimeCharge: String

    init(_ name: String, _ subscription: String?, _ oneTimeCharge: String) {
        self.name = name
        self.subscription = subscription
        self.oneTimeCharge = oneTimeCharge
    }

    /// The published categories, in the order of Apple's table; the first is the default.
    public static let known = [
        AdvancedCommerceTaxCategory("App Store software", "C003-00-1", "C003-00-2"),
        AdvancedCommerceTaxCategory("Audiobook with ISBN, offline", "S007-01-1", "S007-01-2"),
        AdvancedCommerceTaxCategory(
            "Audiobook with ISBN, offline, list price, distributed roles", "S007-010409-1",
            "S007-010409-2"),
        AdvancedCommerceTaxCategory("Audiobook without ISBN, offline", "S008-02-1", "S008-02-2"),
        AdvancedCommerceTaxCategory(
            "Book with ISBN, offline, list price, interactive, profanity", "S001-03050614-1",
            "S001-03050614-2"),
        AdvancedCommerceTaxCategory(
            "Book with ISBN, offline, list price, profanity, illegal acts", "S001-03060714-1",
            "S001-03060714-2"),
        AdvancedCommerceTaxCategory(
            "Book without ISBN, offline, complete, profanity, illegal acts", "S002-02040708-1",
            "S002-02040708-2"),
        AdvancedCommerceTaxCategory("Book without ISBN, complete", "S002-02-1", "S002-02-2"),
        AdvancedCommerceTaxCategory("Boosting", nil, "C025-00-2"),
        AdvancedCommerceTaxCategory("Game, mostly online", "C009-0102-1", "C009-01-2"),
        AdvancedCommerceTaxCategory("Video, pay per view", nil, "S022-00-2"),
        AdvancedCommerceTaxCategory("Video, pay per view, only live or linear", nil, "S022-01-2"),
        AdvancedCommerceTaxCategory("Video, purchase, offline", nil, "S020-01-2"),
        AdvancedCommerceTaxCategory("Video, rental, streaming", nil, "S019-01-2"),
        AdvancedCommerceTaxCategory("Video, subscription", "S021-08-1", "S021-08-2"),
        AdvancedCommerceTaxCategory(
            "Video, subscription, over 10 % live or linear", "S021-0308-1", "S021-0308-2"),
    ]

    static let subscriptionCodes = Set(known.compactMap(\.subscription))
    static let oneTimeChargeCodes = Set(known.map(\.oneTimeCharge))
}
