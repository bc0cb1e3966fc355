/// Whether this subscriber had an increase of the same subscription within the past 12 months.
///
/// The day on which the 12 months are full still counts as within (TAB-7.2, safe side).
public struct FrequencyTest: Hashable, Sendable {
    /// When the last increased price was first charged; nil when there was none.
    public let previous: Instant?
    /// When the new price would first be charged.
    public let effective: Instant
    /// The first moment at which the previous increase no longer counts; nil without one.
    public let clearFrom: Instant?

    /// Tests the moment at which an increase would take effect. In Sandbox a year is the
    /// shortened one.
    public init(previous: Instant?, effective: Instant, tempo: Tempo, zone: BillingZone) {
        self.previous = previous
        self.effective = effective
        clearFrom = previous.map { previous in
            switch tempo {
            case .sandbox(let speed):
                return previous + speed.length(of: .year) + Span(milliseconds: 1)
            case .real:
                let lastDay = zone.wallClock(at: previous).date.adding(months: 12)
                let day = CivilDate(daysSinceEpoch: lastDay.daysSinceEpoch + 1)
                return zone.instant(of: day, milliseconds: 0)
            }
        }
    }

    /// Whether the frequency alone demands consent.
    public var demandsConsent: Bool { clearFrom.map { effective < $0 } ?? false }
}
