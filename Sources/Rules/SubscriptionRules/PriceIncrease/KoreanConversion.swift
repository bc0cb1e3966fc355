/// In Korea the step from a free trial to a paid period, or from a discounted offer to the
/// standard price, needs consent given within the 30 days that end the day before it (KOR-1 to
/// KOR-4). Without it the subscription expires at that step, with intent 3 (KOR-5). Worked
/// examples are a table (TAB-7.5).
///
/// Days are civil days in Seoul: UTC+9, no daylight saving (KOR-8; the zone is our choice).
public struct KoreanConversion: Hashable, Sendable {
    /// The renewal that would first charge the standard price, D in the rules (KOR-7).
    public let moment: Instant
    /// What it turns into what.
    public let kind: OfferConversion
    /// The first moment at which consent may be asked for and given.
    public let opens: Instant
    /// The first moment at which it is too late: midnight in Seoul at the start of day D.
    public let closes: Instant
    /// What is sent: every way of asking at once, then weekly on each until an answer (KOR-3; the
    /// repetition is our choice).
    public let messages: [PriceMessage]

    /// The code of the storefront that the rule holds in.
    public static let storefront = "KOR"

    /// Plans the window of an offer.
    ///
    /// - Parameters:
    ///   - bought: when the offer began.
    ///   - moment: the renewal that first charges the standard price.
    ///   - tempo: in Sandbox the window is a shortened 30 days and a shortened day, not civil
    ///     days, and only the sheet is shown.
    public init(
        _ kind: OfferConversion, bought: Instant, converts moment: Instant, tempo: Tempo = .real
    ) {
        self.kind = kind
        self.moment = moment
        let day = tempo.span(days: 1, of: .month)
        let formula: (opens: Instant, closes: Instant)
        switch tempo {
        case .real:
            let midnight = Self.midnight(of: Self.civilDay(of: moment))
            formula = (midnight - .days(CommunicationTimetable.daysInKorea), midnight)
        case .sandbox:
            let window = tempo.span(days: CommunicationTimetable.daysInKorea, of: .month)
            formula = (moment - window, moment - day)
        }
        opens = max(formula.opens, bought)
        closes = max(formula.closes, opens)
        messages = PriceMessage.requests(
            on: tempo == .real ? PriceMessage.Channel.allCases : [.sheet], from: opens,
            before: closes,
            every: tempo.span(days: CommunicationTimetable.daysBetweenRequests, of: .month),
            lastSent: [:])
    }

    /// The window of the offer that a subscriber is in; nil when none runs.
    ///
    /// - Parameter bought: when the offer began; nil when the running period is its first.
    public init?(_ outlook: RenewalOutlook, bought: Instant? = nil) {
        guard let conversion = outlook.conversion else { return nil }
        self.init(
            conversion.kind, bought: bought ?? outlook.periodStart, converts: conversion.moment,
            tempo: outlook.tempo)
    }

    /// The first and the last day in Seoul on which consent counts; nil in Sandbox, where windows
    /// last minutes, and when there is no such day.
    public var days: ClosedRange<CivilDate>? {
        guard closes > opens, closes == Self.midnight(of: Self.civilDay(of: moment)) else {
            return nil
        }
        return Self.civilDay(of: opens)...Self.civilDay(of: closes - Span(milliseconds: 1))
    }

    /// Whether consent given at a moment counts (KOR-2).
    public func accepts(at moment: Instant) -> Bool { moment >= opens && moment < closes }

    /// Whether the offer is converted, given when the subscriber agreed, if ever (KOR-5).
    public func converts(agreed: Instant?) -> Bool { agreed.map(accepts) ?? false }

    /// The day that the wall clock shows in Seoul.
    public static func civilDay(of instant: Instant) -> CivilDate {
        BillingZone.utc.wallClock(at: instant + seoul).date
    }

    private static func midnight(of day: CivilDate) -> Instant {
        BillingZone.utc.instant(of: day, milliseconds: 0) - seoul
    }

    private static let seoul: Span = .hours(9)
}

extension CivilDate: Comparable {
    /// Earlier days come first.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
