public import SubscriptionRules

/// The clock of a world. Business goes by it; only request tokens go by the machine's clock.
public struct StoreClock: Sendable, Hashable {
    /// How the clock goes.
    public enum Mode: String, Sendable, CaseIterable {
        /// The machine's time; cannot be moved. For real deployments.
        case system
        /// The machine's time plus an offset that can grow. For development.
        case running
        /// Stands still until it is advanced. For automated tests.
        case frozen
    }

    /// How it goes.
    public let mode: Mode
    /// The offset of a running clock or the moment of a frozen one, in milliseconds; else 0.
    var value: Int64

    init(mode: Mode, value: Int64) {
        self.mode = mode
        self.value = value
    }

    /// A new clock.
    ///
    /// - Parameters:
    ///   - moment: what it shows first; nil for the machine's time. A system clock ignores it.
    ///   - machine: the machine's time.
    public init(_ mode: Mode, showing moment: Instant?, machine: Instant) {
        self.mode = mode
        switch mode {
        case .system: value = 0
        case .running: value = (moment ?? machine).since(machine).milliseconds
        case .frozen:
            let shown = min(max(moment ?? machine, .earliest), WorldTime.last)
            value = shown.milliseconds
        }
    }

    /// What the clock would show by the machine's clock alone; see `WorldTime`.
    func now(machine: Instant) -> Instant {
        switch mode {
        case .system: machine
        case .running: machine + Span(milliseconds: value)
        case .frozen: Instant(milliseconds: value)
        }
    }

    /// Moves the clock forward; it never goes back, and a system clock never moves.
    mutating func move(to moment: Instant, machine: Instant) {
        switch mode {
        case .system: break
        case .running: value = max(value, moment.since(machine).milliseconds)
        case .frozen: value = max(value, moment.milliseconds)
        }
    }
}
