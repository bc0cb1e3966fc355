public import SubscriptionRules

/// What the world's clock shows, and whether it stands still although it should go.
///
/// The world never goes back, and never leaves the years 2000 to 2099. Where its clock would, since
/// the machine's was set back or is wrong, it holds until the machine's has caught up.
public struct WorldTime: Sendable, Hashable {
    /// Why a clock holds.
    public enum Hold: Sendable, Hashable {
        /// By the machine's clock it would be earlier than it was, or than the year 2000.
        case machineIsBehind(Span)
        /// By the machine's clock it would be 2100 or later.
        case rangeHasEnded
    }

    public let now: Instant
    /// Nil while it goes.
    public let hold: Hold?

    /// The last moment that a clock shows.
    static let last = Instant.latest - Span(milliseconds: 1)

    init(_ clock: StoreClock, machine: Instant, noEarlierThan latest: Instant?) {
        let wanted = clock.now(machine: machine)
        let earliest = min(max(latest ?? .earliest, .earliest), WorldTime.last)
        now = min(max(wanted, earliest), WorldTime.last)
        if wanted < earliest {
            hold = .machineIsBehind(earliest.since(wanted))
        } else {
            hold = wanted > WorldTime.last ? .rangeHasEnded : nil
        }
    }
}
