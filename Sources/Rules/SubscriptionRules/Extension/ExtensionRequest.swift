/// A developer's wish to move a renewal date into the future (EXT-1, EXT-2), or a bonus that does
/// the same. Its limits are in `ExtensionEligibility`.
public struct ExtensionRequest: Hashable, Sendable {
    /// How many days: 1 to 90.
    public let days: Int
    /// Why.
    public let reason: ExtensionReason
    /// The time for nothing that rewards the customer for something: it takes the place of the
    /// days, is owed to no free offer or payment, and does not count among the two in a year; nil
    /// for what the developer asks for.
    public let bonus: CalendarPeriod?

    /// Makes a request from what the wire carries.
    ///
    /// - Throws: `invalidDays` outside of 1 to 90, `invalidReason` outside of 0 to 3.
    public init(days: Int, reasonCode: Int) throws(ExtensionRefusal) {
        guard ExtensionEligibility.daysAllowed.contains(days) else { throw .invalidDays }
        guard let reason = ExtensionReason(rawValue: reasonCode) else { throw .invalidReason }
        self.days = days
        self.reason = reason
        bonus = nil
    }

    /// A period for nothing (S308-98).
    public init(bonus: CalendarPeriod) {
        days = 0
        reason = .customerSatisfaction
        self.bonus = bonus
    }
}

/// Why a developer extends, with the numbers of `extendReasonCode` (TAB-8).
public enum ExtensionReason: Int, Hashable, Sendable, CaseIterable {
    /// The developer does not say.
    case undeclared = 0
    /// To please the customer.
    case customerSatisfaction = 1
    /// Something else.
    case other = 2
    /// The service failed or was interrupted.
    case serviceIssueOrOutage = 3
}

/// Why a subscription is not extended; nothing has changed (EXT-2 to EXT-6). The numbers in
/// brackets are Apple's error codes.
public enum ExtensionRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// Not 1 to 90 days (4000009).
    case invalidDays
    /// Not a reason code of 0 to 3 (4000010).
    case invalidReason
    /// It is a family member's; the purchaser's is extended for all (EXT-6; 4030007).
    case familyMember
    /// It is over (4030004).
    case expired
    /// The running period was refunded (REF-8, `ENG`; 4030004).
    case revoked
    /// A failed renewal is being tried again without access (4030004).
    case inBillingRetry
    /// Access lasts only by a grace period, and the paid time is over (4030004).
    case inGraceAfterExpiry
    /// The running period is free (4030004).
    case inFreeOffer
    /// No period was ever paid (EXT-3; 4030004).
    case neverPaid
    /// Two extensions lie within the past 365 days (EXT-2; 4030005).
    case limitReached
}
