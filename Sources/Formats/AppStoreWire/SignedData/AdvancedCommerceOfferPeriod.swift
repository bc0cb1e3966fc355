/// An offer period in Advanced Commerce (JWS-6), ISO 8601.
public struct AdvancedCommerceOfferPeriod: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Three days.
    public static let threeDays = AdvancedCommerceOfferPeriod(rawValue: "P3D")
    /// One week.
    public static let oneWeek = AdvancedCommerceOfferPeriod(rawValue: "P1W")
    /// Two weeks.
    public static let twoWeeks = AdvancedCommerceOfferPeriod(rawValue: "P2W")
    /// One month.
    public static let oneMonth = AdvancedCommerceOfferPeriod(rawValue: "P1M")
    /// Two months.
    public static let twoMonths = AdvancedCommerceOfferPeriod(rawValue: "P2M")
    /// Three months.
    public static let threeMonths = AdvancedCommerceOfferPeriod(rawValue: "P3M")
    /// Six months.
    public static let sixMonths = AdvancedCommerceOfferPeriod(rawValue: "P6M")
    /// Nine months.
    public static let nineMonths = AdvancedCommerceOfferPeriod(rawValue: "P9M")
    /// One year.
    public static let oneYear = AdvancedCommerceOfferPeriod(rawValue: "P1Y")

    /// The published values, in the order of the reference.
    public static let known: [AdvancedCommerceOfferPeriod] = [
        .threeDays, .oneWeek, .twoWeeks, .oneMonth, .twoMonths, .threeMonths, .sixMonths,
        .nineMonths, .oneYear,
    ]
}
