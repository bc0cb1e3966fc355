/// Lays out the messages before the first renewal at a new price; which renewal that is stands in
/// `CalendarPlanner+FirstRenewal`.
struct CalendarPlanner {
    let path: ConsentDecision.Path
    let route: PriceChangeRoute
    let live: Instant
    let outlook: RenewalOutlook
    /// The first renewal at the standard price, where an offer runs when the change comes (INC-6).
    let offerEnd: Instant?

    init(
        path: ConsentDecision.Path, route: PriceChangeRoute, live: Instant,
        outlook: RenewalOutlook
    ) {
        self.path = path
        self.route = route
        self.live = live
        self.outlook = outlook
        offerEnd = outlook.conversion.flatMap { live <= $0.moment ? $0.moment : nil }
    }

    var isSandbox: Bool { outlook.tempo != .real }

    func span(_ days: Int) -> Span { outlook.tempo.span(days: days, of: outlook.period) }

    /// From when days of notice count: the change, or the end of what blocked it. After billing
    /// retry, and after renewal was off, notice starts in full (INC-7, ACC-11); Advanced Commerce
    /// knows no announcement inside an offer either (TAB-7.3 "blocked", ACP-4).
    var start: Instant {
        guard path != .none else { return live }
        let unblocked =
            switch outlook.expectation {
            case .recovered(let moment), .turnedOnAgain(let moment): max(live, moment)
            case .renews, .inBillingRetry, .willNotRenew: live
            }
        guard route != .appStoreConnect, let offerEnd else { return unblocked }
        return max(unblocked, offerEnd)
    }

    /// When the first message goes out if nothing delays it. A request does not start before the
    /// period that R ends: a 2-month period may have 59 days (ACC-9).
    func firstDay(before renewal: ComingRenewal) -> Instant {
        let usual = usualFirstDay(before: renewal)
        return path == .consent ? max(usual, renewal.periodStart) : usual
    }

    private func usualFirstDay(before renewal: ComingRenewal) -> Instant {
        renewal.moment - span(path.lead(for: outlook.period))
    }

    /// The messages about a change that a renewal is the first to charge.
    ///
    /// - Parameter agreed: when the first goes out, where that is fixed already.
    func messages(
        for renewal: ComingRenewal, from agreed: Instant? = nil,
        lastSent: [PriceMessage.Channel: Instant]
    ) -> [PriceMessage] {
        let first = agreed ?? max(firstDay(before: renewal), start)
        guard let timetable = CommunicationTimetable(of: path, for: outlook.period) else {
            return []
        }
        let rows = timetable.rows.filter { !isSandbox || $0.channel == .sheet }
        guard path == .notice else {
            return PriceMessage.requests(
                on: rows.map(\.channel), from: first, before: answerBy(renewal) ?? renewal.moment,
                every: span(CommunicationTimetable.daysBetweenRequests), lastSent: lastSent)
        }
        let lead = path.lead(for: outlook.period)
        return rows.filter { lastSent[$0.channel] == nil }.map { row in
            let isLater = row.daysBefore < lead
            return PriceMessage(
                channel: row.channel,
                moment: isLater ? max(first, renewal.moment - span(row.daysBefore)) : first,
                condition: row.condition)
        }.inOrder
    }

    /// The last moment for consent (INC-4); in mode M the call must still be made (ACC-10).
    func answerBy(_ renewal: ComingRenewal) -> Instant? {
        guard path == .consent else { return nil }
        return route == .merchantManaged ? renewal.moment - span(1) : renewal.moment
    }

    /// Mode M: a call changes the next renewal, so it comes in the period that R ends, once
    /// everything was sent, and at least 24 hours before R (ACP-2, ACC-6).
    func callWindow(_ renewal: ComingRenewal) -> CommunicationCalendar.CallWindow? {
        guard route == .merchantManaged else { return nil }
        let told =
            switch path {
            case .none, .unavailable: start
            case .consent: firstDay(before: renewal)
            case .notice: renewal.moment - span(CommunicationTimetable.daysOfPush)
            }
        return .init(
            opens: max(told, renewal.periodStart, start), closes: renewal.moment - span(1))
    }

    /// The last moment for a call that means this renewal, in real time and outside of offers: it
    /// decides in which order calls are made, and nothing else.
    func lastCall(_ renewal: ComingRenewal) -> Instant {
        if let window = callWindow(renewal) { return window.closes }
        return path == .none ? renewal.moment - span(1) : firstDay(before: renewal)
    }

    /// That the change and the running period lie far apart: periods between them are reckoned, or
    /// the new price is late. Shortened periods are not counted: there may be millions of them.
    private var distance: [CalendarRemark] {
        guard !isSandbox, outlook.expectation == .renews else { return [] }
        if live > outlook.periodEnd {
            let before = outlook.renewals.prefix { $0.moment < live }
            return [.renewalsBefore(before.count)]
        }
        let lead = route.leastNotice(path, for: outlook.period) ?? path.lead(for: outlook.period)
        let needed = path == .none ? span(0) : span(lead)
        let isInOffer = outlook.offer != nil || outlook.nextOffer != nil
        let isLate = !isInOffer && outlook.periodStart.since(live) > needed
        return isLate ? [.couldBeCharged(since: outlook.periodStart)] : []
    }

    /// What else shaped the dates.
    func remarks(on renewal: ComingRenewal) -> [CalendarRemark] {
        var remarks = distance
        guard path != .none else { return remarks }
        switch outlook.expectation {
        case .recovered(let moment) where moment >= live:
            remarks.append(.recovered(at: moment))
        case .turnedOnAgain(let moment) where moment >= live:
            remarks.append(.turnedOnAgain(at: moment))
        case .renews, .recovered, .turnedOnAgain, .inBillingRetry, .willNotRenew: break
        }
        let usual = usualFirstDay(before: renewal)
        if max(firstDay(before: renewal), start) > usual {
            remarks.append(.shortenedLead(usual: usual))
        }
        if outlook.period.isWeekly, path == .notice { remarks.append(.fourthRenewal) }
        if isSandbox { remarks.append(.sandbox) }
        return remarks
    }
}
