/// Who changes a price and who tells the subscribers.
public enum PriceChangeRoute: String, Hashable, Sendable, CaseIterable {
    /// A price scheduled in App Store Connect; the store sends everything (TAB-6).
    case appStoreConnect
    /// Advanced Commerce as of 2025, mode M: the merchant tells and asks first, then calls the
    /// store (TAB-7.3).
    case merchantManaged
    /// Advanced Commerce of today, mode S: the merchant calls first, the store tells and asks
    /// (TAB-7.4).
    case storeManaged

    /// The ways in which a merchant changes prices that it describes itself.
    public static let ofMerchants: [PriceChangeRoute] = [.merchantManaged, .storeManaged]

    /// Whether a price can be raised this way in a storefront: Advanced Commerce takes no increase
    /// in India (ACP-5). A price can be lowered everywhere.
    public func takesIncreases(in storefront: String) -> Bool {
        self == .appStoreConnect || storefront != "IND"
    }

    /// What happens at the renewal when required consent was not given.
    var withoutConsent: CommunicationCalendar.Outcome {
        switch self {
        case .appStoreConnect, .storeManaged: .expires
        case .merchantManaged: .oldPrice
        }
    }

    /// Days before a renewal at which the new price must at least be live for that renewal to
    /// charge it; nil where the whole lead is needed instead.
    ///
    /// App Store Connect: weekly 7, monthly 27, longer 30 (INC-3); with a notice only, weekly 27,
    /// which makes it the 4th renewal (INC-5). Advanced Commerce publishes no shorter notice than
    /// its timetable (TAB-7.3).
    func leastNotice(_ path: ConsentDecision.Path, for period: CalendarPeriod) -> Int? {
        switch self {
        case .merchantManaged, .storeManaged: nil
        case .appStoreConnect:
            if period.isWeekly { path == .notice ? 27 : 7 } else { period.months == 1 ? 27 : 30 }
        }
    }
}

extension ConsentDecision.Path {
    /// Days before the renewal at which the first message goes out: a notice 27 (INC-5); a
    /// consent request 7 for weekly, 27 for monthly and 60 for longer plans (INC-2, TAB-7.3).
    func lead(for period: CalendarPeriod) -> Int {
        guard self == .consent else { return 27 }
        if period.isWeekly { return 7 }
        return period.months == 1 ? 27 : 60
    }
}
