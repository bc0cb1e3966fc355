/// What a customer is sent before a renewal that first charges a higher price, or the standard
/// price after an offer in Korea: on which channel, how many days ahead, how often, and what takes
/// it back. The timetable of TAB-7.3 and KOR-3 as data, on which a campaign can be built.
public struct CommunicationTimetable: Hashable, Sendable {
    /// What it is about.
    public enum Occasion: String, Hashable, Sendable, CaseIterable {
        /// A higher price of which the customer is only told.
        case notice
        /// A higher price to which the customer must agree.
        case consent
        /// The end of an offer in Korea, to which the customer must agree.
        case koreanConversion
    }

    /// One channel.
    public struct Row: Hashable, Sendable {
        /// The way it is sent.
        public let channel: PriceMessage.Channel
        /// How many days before the renewal the first one is sent: days of 24 hours, in Korea civil
        /// days in Seoul, of which that of the renewal is none (KOR-2).
        public let daysBefore: Int
        /// What must hold for it to be sent.
        public let condition: PriceMessage.Condition
        /// After how many days at the earliest it is sent again while there is no answer; nil for
        /// what is sent once (ACC-1).
        public let repeatsAfterDays: Int?
        /// What takes back what was not sent yet (ACC-3, ACC-11).
        public let withdrawnBy: [MessageWithdrawal]
    }

    /// What it is about.
    public let occasion: Occasion
    /// The length of the plan's periods.
    public let period: CalendarPeriod
    /// The channels, in the order mail, sheet, push.
    public let rows: [Row]

    /// The days between two requests on one channel (ACC-1, ACC-12).
    static let daysBetweenRequests = 7
    /// The days before a renewal at which a notice is pushed to who has not seen the sheet (INC-5).
    static let daysOfPush = 7
    /// The days in which consent to the end of an offer counts in Korea (KOR-2).
    static let daysInKorea = 30

    /// The timetable of an occasion for plans of a length.
    public init(_ occasion: Occasion, for period: CalendarPeriod) {
        self.occasion = occasion
        self.period = period
        rows = PriceMessage.Channel.allCases.map { channel in
            switch occasion {
            case .notice: Self.notice(on: channel, for: period)
            case .consent:
                Self.request(on: channel, ConsentDecision.Path.consent.lead(for: period))
            case .koreanConversion: Self.request(on: channel, Self.daysInKorea)
            }
        }
    }

    /// That of a path; nil where nothing is sent.
    public init?(of path: ConsentDecision.Path, for period: CalendarPeriod) {
        switch path {
        case .notice: self.init(.notice, for: period)
        case .consent: self.init(.consent, for: period)
        case .none, .unavailable: return nil
        }
    }

    /// Every occasion for plans of every length.
    public static let all = Occasion.allCases.flatMap { occasion in
        CalendarPeriod.billing.map { CommunicationTimetable(occasion, for: $0) }
    }

    private static func notice(
        on channel: PriceMessage.Channel, for period: CalendarPeriod
    ) -> Row {
        let lead = ConsentDecision.Path.notice.lead(for: period)
        return switch channel {
        case .mail: row(channel, lead, .always)
        case .sheet: row(channel, lead, .atFirstLaunch, besides: [.sheetSeen])
        case .push: row(channel, daysOfPush, .unlessSheetWasSeen, besides: [.sheetSeen])
        }
    }

    private static func request(on channel: PriceMessage.Channel, _ lead: Int) -> Row {
        Row(
            channel: channel, daysBefore: lead, condition: .untilAnswered,
            repeatsAfterDays: daysBetweenRequests,
            withdrawnBy: [.answered] + MessageWithdrawal.always)
    }

    private static func row(
        _ channel: PriceMessage.Channel, _ days: Int, _ condition: PriceMessage.Condition,
        besides: [MessageWithdrawal] = []
    ) -> Row {
        Row(
            channel: channel, daysBefore: days, condition: condition, repeatsAfterDays: nil,
            withdrawnBy: besides + MessageWithdrawal.always)
    }
}

/// What takes back a message about a price that was not sent yet (ACC-3, ACC-11, TAB-7.3).
public enum MessageWithdrawal: String, Hashable, Sendable, CaseIterable {
    /// The customer has agreed or refused.
    case answered
    /// The customer has looked at the sheet, or tapped its button.
    case sheetSeen
    /// Renewal was turned off.
    case renewalTurnedOff
    /// Another plan or another item is to come, so that the price will not be charged.
    case planChanged
    /// The running period was refunded.
    case refunded
    /// The subscription is over.
    case ended
    /// The new price was taken back, or another one has taken its place.
    case priceWithdrawn
    /// A renewal failed: everything waits, and begins anew with full notice after the recovery.
    case billingRetry

    /// What takes back any of them.
    static let always: [MessageWithdrawal] = allCases.filter {
        $0 != .answered && $0 != .sheetSeen
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

extension PriceChangeRoute {
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
