/// A subscription period in Advanced Commerce (JWS-6), ISO 8601.
public struct AdvancedCommercePeriod: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One week.
    public static let oneWeek = AdvancedCommercePeriod(rawValue: "P1W")
    /// One month.
    public static let oneMonth = AdvancedCommercePeriod(rawValue: "P1M")
    /// Two months.
    public static let twoMonths = AdvancedCommercePeriod(rawValue: "P2M")
    /// Three months.
    public static let threeMonths = AdvancedCommercePeriod(rawValue: "P3M")
    /// Six months.
    public static let sixMonths = AdvancedCommercePeriod(rawValue: "P6M")
    /// One year.
    public static let oneYear = AdvancedCommercePeriod(rawValue: "P1Y")

    /// The published values, in the order of the reference.
    public static let known: [AdvancedCommercePeriod] = [
        .oneWeek, .oneMonth, .twoMonths, .threeMonths, .sixMonths, .oneYear,
    ]
}
