/// A higher price of a line on its way to one subscriber: live in the storefront, not charged yet
/// (INC-2 to INC-12).
public struct PendingIncrease: Hashable, Sendable {
    /// The new price of the line for a period, in milliunits of the plan's currency.
    public let price: Int64
    /// When it went live.
    public let live: Instant
    /// Items of a merchant's plan that end with this one where the increase is refused or
    /// unanswered (ACS-3).
    public let dependents: [String]
    /// How far it has come.
    public internal(set) var phase: Phase

    /// How far an increase has come with one subscriber.
    public enum Phase: Hashable, Sendable {
        /// Nothing can be planned: renewal is off, a renewal failed, or it is over (INC-8, ACC-11).
        case waiting
        /// It will be announced.
        case planned(Schedule)
        /// The subscriber was asked and has not answered.
        case asked(Schedule)
        /// The subscriber agreed, or was told and need not agree.
        case accepted(Schedule)
        /// The subscriber declined and turned renewal off thereby (INC-12).
        case declined(Schedule)

        /// When the announcement is due; nil when nothing is to be announced.
        var announcement: Instant? {
            if case .planned(let schedule) = self { schedule.announcement } else { nil }
        }

        /// The same phase with other dates.
        func with(_ schedule: Schedule) -> Phase {
            switch self {
            case .waiting: .waiting
            case .planned: .planned(schedule)
            case .asked: .asked(schedule)
            case .accepted: .accepted(schedule)
            case .declined: .declined(schedule)
            }
        }
    }

    /// The dates of an increase, and what they were computed from.
    public struct Schedule: Hashable, Sendable {
        /// What the subscriber is asked: notice or consent.
        public var path: ConsentDecision.Path
        /// When the subscriber first hears of it.
        public var announcement: Instant
        /// The renewal that first charges it, R in the rules.
        public var renewal: Instant
        /// The subscriber as seen when this was planned: with it the decision and its reasons can
        /// be told again at any time.
        public var basis: RenewalOutlook
        /// What held in the storefront when this was planned; nil for the built-in figures.
        public var threshold: ConsentThresholds.Row?

        /// Restores a schedule as it was stored.
        public init(
            path: ConsentDecision.Path, announcement: Instant, renewal: Instant,
            basis: RenewalOutlook, threshold: ConsentThresholds.Row? = nil
        ) {
            self.path = path
            self.announcement = announcement
            self.renewal = renewal
            self.basis = basis
            self.threshold = threshold
        }
    }

    /// Restores an increase as it was stored.
    public init(price: Int64, live: Instant, phase: Phase, dependents: [String] = []) {
        self.dependents = dependents
        self.price = price
        self.live = live
        self.phase = phase
    }

    /// The dates, once there are some.
    public var schedule: Schedule? {
        switch phase {
        case .waiting: nil
        case .planned(let schedule), .asked(let schedule), .accepted(let schedule),
            .declined(let schedule):
            schedule
        }
    }

    /// What `priceIncreaseStatus` says: true for agreed or told, false for asked, nil while
    /// nothing is announced (INC-10).
    public var isAccepted: Bool? {
        switch phase {
        case .asked: false
        case .accepted: true
        case .waiting, .planned, .declined: nil
        }
    }

    /// The same increase with items of other names that depend on it.
    func naming(dependents: [String]) -> PendingIncrease {
        PendingIncrease(price: price, live: live, phase: phase, dependents: dependents)
    }

    /// Another billing zone moves renewals by hours, at the end of a month by up to three days, and
    /// never by half a week. Shortened periods know no zone.
    static func zoneDrift(at tempo: Tempo) -> Span {
        tempo == .real ? .hours(84) : Span(milliseconds: 0)
    }

    /// R stays the renewal that it was, now that its moment is fixed, when the zone has changed.
    mutating func keepRenewal(at end: Instant) {
        guard var schedule,
            abs(end.since(schedule.renewal).milliseconds)
                < Self.zoneDrift(at: schedule.basis.tempo).milliseconds
        else { return }
        schedule.renewal = end
        phase = phase.with(schedule)
    }

    /// Whether the whole notice begins again once a renewal that had no answer is paid: after a
    /// problem (INC-7), and where what was to be told was not told in time.
    func isToBePlannedAnew(_ afterProblem: Bool, at now: Instant) -> Bool {
        switch phase {
        case .waiting: true
        case .planned(let schedule): afterProblem || schedule.announcement < now
        case .asked, .accepted, .declined: afterProblem
        }
    }

    /// Whether a renewal needs an answer that was not given (INC-4).
    func lacksConsent(at renewal: Instant) -> Bool {
        if case .asked(let schedule) = phase { schedule.renewal <= renewal } else { false }
    }

    /// Whether an item of a merchant's plan ends with a renewal: the increase was refused, or not
    /// answered (ACS-2, ACS-3).
    func lapses(at renewal: Instant) -> Bool {
        switch phase {
        case .asked(let schedule), .declined(let schedule): schedule.renewal <= renewal
        case .waiting, .planned, .accepted: false
        }
    }

    /// The price that a renewal shows, if this increase has been announced for it (INC-13).
    func price(forRenewalAt moment: Instant) -> Int64? {
        switch phase {
        case .asked(let schedule), .accepted(let schedule):
            schedule.renewal <= moment ? price : nil
        case .waiting, .planned, .declined: nil
        }
    }
}

extension PendingIncrease.Phase {
    var isAsked: Bool { if case .asked = self { true } else { false } }
    var isDeclined: Bool { if case .declined = self { true } else { false } }
    var isTold: Bool { if case .accepted = self { true } else { false } }

    /// Whether the subscriber was asked, and has agreed.
    var isAgreedTo: Bool {
        if case .accepted(let schedule) = self { schedule.path == .consent } else { false }
    }

    mutating func accept() {
        switch self {
        case .asked(let schedule), .declined(let schedule): self = .accepted(schedule)
        case .waiting, .planned, .accepted: break
        }
    }

    mutating func decline() {
        switch self {
        case .asked(let schedule), .accepted(let schedule): self = .declined(schedule)
        case .waiting, .planned, .declined: break
        }
    }
}
