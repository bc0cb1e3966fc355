/// The Billing Grace Period settings of an app (GRA-2).
public enum GracePeriod: String, Hashable, Sendable, CaseIterable {
    case threeDays = "THREE_DAYS"
    case sixteenDays = "SIXTEEN_DAYS"
    case twentyEightDays = "TWENTY_EIGHT_DAYS"

    /// The cap of a plan that renews weekly (GRA-3).
    static let mostDaysOfAWeek = 6

    /// The length in days, before the cap for weekly plans.
    public var days: Int {
        switch self {
        case .threeDays: 3
        case .sixteenDays: 16
        case .twentyEightDays: 28
        }
    }
}

/// Which failed renewals get a grace period (GRA-4).
public enum GraceScope: String, Hashable, Sendable, CaseIterable {
    /// Also the step from a free offer to the first payment.
    case allRenewals = "ALL_RENEWALS"
    /// Only where a paid period came before.
    case paidToPaidOnly = "PAID_TO_PAID_ONLY"
}

extension Tempo {
    /// How long access lasts after a failed renewal (GRA-2, GRA-3, SBX-4). A recovery in
    /// grace counts from the due date, so grace must not outlast the period that it opens: a weekly
    /// plan has six days at most.
    public func grace(_ setting: GracePeriod, for period: CalendarPeriod) -> Span {
        let isWeekly = (period.days ?? .max) <= 7
        switch self {
        case .real:
            return .days(isWeekly ? min(setting.days, GracePeriod.mostDaysOfAWeek) : setting.days)
        case .sandbox(let speed):
            return speed.length(of: isWeekly ? .week : .month)
        }
    }
}

extension Subscription {
    /// When a grace period of the renewal that is due would end; nil without one. It belongs to
    /// the renewal that failed, so a plan that was waiting decides its length; and it never
    /// outlasts the period that a recovery in it would open. What is billed monthly under a
    /// commitment has none (GRA-7).
    func graceEnd(under conditions: Conditions) -> Instant? {
        let isCovered = conditions.graceScope == .allRenewals || newestPeriod.isPaid
        guard let setting = conditions.gracePeriod, isCovered else { return nil }
        let next = renewalPlan
        guard next.billing == .upFront else { return nil }
        return min(
            newestPeriod.end + conditions.tempo.grace(setting, for: next.period),
            nextEnd(of: next, under: conditions))
    }
}
