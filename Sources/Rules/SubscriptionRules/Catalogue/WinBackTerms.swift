/// Whom a win-back offer is for, among those whose subscription has ended (WIN-1).
public struct WinBackTerms: Hashable, Sendable {
    /// Which of several offers comes first (WIN-2).
    public enum Priority: String, Hashable, Sendable, CaseIterable {
        case high = "HIGH"
        case normal = "NORMAL"
    }

    /// The least paid service, in months; 0 for anybody who subscribed.
    public var paidMonths: Int
    /// How many months ago the subscription may have ended; nil for any time.
    public var monthsSinceEnd: ClosedRange<Int>?
    /// How many months must lie between two win-back offers of the group; nil for none.
    public var waitMonths: Int?
    public var priority: Priority

    /// What App Store Connect lets a developer choose, in months (WIN-1).
    public static let paidRange = 1...60
    public static let sinceEndRange = 1...24
    public static let waitRange = 2...24

    public init(
        paidMonths: Int = 0, monthsSinceEnd: ClosedRange<Int>? = nil, waitMonths: Int? = nil,
        priority: Priority = .normal
    ) {
        self.paidMonths = paidMonths
        self.monthsSinceEnd = monthsSinceEnd
        self.waitMonths = waitMonths
        self.priority = priority
    }
}
