import Store

/// How often an app may call each endpoint of the App Store Server API
/// (API-3, "Rate limits").
public struct RateLimits: Sendable, Hashable {
    /// The share of Apple's numbers in thousandths; nil for no limit at all.
    private let thousandths: Int?

    private init(_ thousandths: Int?) { self.thousandths = thousandths }

    /// A share of Apple's numbers.
    public init(percent: Int) { self.init(percent * 10) }

    /// A share of Apple's numbers, in thousandths of them.
    public init(thousandths: Int) { self.init(thousandths) }

    /// Apple's numbers; in Sandbox a tenth of them.
    public static let apple = RateLimits(percent: 100)
    /// No limit.
    public static let none = RateLimits(nil)

    /// How many calls an hour may have. Apple gives numbers a second and enforces them over the
    /// hour, so a burst is no offence.
    ///
    /// - Parameter perSecond: Apple's number for Production.
    func perHour(_ perSecond: Int, in environment: StoreEnvironment) -> Int? {
        guard let thousandths else { return nil }
        let hourly = perSecond * 3600 * thousandths / 1_000
        return environment == .sandbox ? hourly / 10 : hourly
    }
}
