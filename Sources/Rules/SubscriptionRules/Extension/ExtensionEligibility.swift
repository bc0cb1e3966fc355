/// What is known of a subscription when an extension is asked for.
public struct ExtensionEligibility: Hashable, Sendable {
    /// What the subscription is in.
    public enum Status: Hashable, Sendable, CaseIterable {
        /// Inside its newest period, whether it renews or not (EXT-9).
        case active
        /// A renewal failed; access lasts by a grace period, the period itself has ended (GRA-9).
        case grace
        /// A renewal failed and access has stopped.
        case billingRetry
        /// It is over.
        case expired
        /// The running period was refunded.
        case revoked
    }

    /// What the subscription is in.
    public var status: Status
    /// When the newest period ends, extensions included.
    public var expires: Instant
    /// The length of the plan's periods; matters in Sandbox only.
    public var period: CalendarPeriod
    /// Whether the running period costs nothing.
    public var isInFreeOffer: Bool
    /// Periods that were paid, offers that cost money and the running period included (EXT-3).
    public var paidPeriods: Int
    /// When it was extended before, in any order.
    public var extensions: [Instant]
    /// Whether it came by Family Sharing: members are extended with the purchaser (EXT-6).
    public var isFamilyMember: Bool

    /// Gathers what is known.
    public init(
        status: Status, expires: Instant, period: CalendarPeriod, isInFreeOffer: Bool,
        paidPeriods: Int, extensions: [Instant] = [], isFamilyMember: Bool = false
    ) {
        self.status = status
        self.expires = expires
        self.period = period
        self.isInFreeOffer = isInFreeOffer
        self.paidPeriods = paidPeriods
        self.extensions = extensions
        self.isFamilyMember = isFamilyMember
    }

    /// The days that one extension may have (EXT-2).
    public static let daysAllowed = 1...90

    /// How many extensions a subscription may have within 365 days (EXT-2).
    public static let mostExtensions = 2

    /// Why it cannot be extended at a moment, or nil when it can. Of several reasons the first
    /// in the order of `ExtensionRefusal` is given.
    ///
    /// The 365 days count back from the moment: an extension exactly 365 days ago no longer
    /// counts (EXT-11). In Sandbox they are a shortened year.
    public func refusal(at now: Instant, tempo: Tempo = .real) -> ExtensionRefusal? {
        if isFamilyMember { return .familyMember }
        switch status {
        case .expired: return .expired
        case .revoked: return .revoked
        case .billingRetry: return .inBillingRetry
        case .grace where expires <= now: return .inGraceAfterExpiry
        case .active where expires <= now: return .expired
        case .active, .grace: break
        }
        if isInFreeOffer { return .inFreeOffer }
        if paidPeriods < 1 { return .neverPaid }
        let recent = extensions.count { $0 > now - Self.year(tempo) && $0 <= now }
        return recent < Self.mostExtensions ? nil : .limitReached
    }

    /// From when on earlier extensions allow another one, be it past; nil where there are too few
    /// to forbid any (EXT-11).
    public static func nextAllowed(after extensions: [Instant], tempo: Tempo = .real) -> Instant? {
        let newest = extensions.sorted().suffix(mostExtensions)
        guard newest.count == mostExtensions, let oldest = newest.first else { return nil }
        return oldest + year(tempo)
    }

    private static func year(_ tempo: Tempo) -> Span {
        tempo == .real ? Span.days(365) : tempo.span(days: 360, of: .month)
    }
}
