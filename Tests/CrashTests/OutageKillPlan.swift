import TestFloor
import TimeAndChance

/// How hard an outage campaign is tried: as CI has patience for, or as the environment says
/// (`make kills`).
struct OutageKillPlan: Sendable, CustomStringConvertible {
    let backend: Backend
    /// How many subscribers buy; the others are copies of them.
    let buyers: Int
    let copies: Int
    let kills: Int
    let seed: UInt64

    init(_ backend: Backend) {
        self.backend = backend
        let wanted = KillPlan.number("OUTAGE_SUBSCRIBERS") ?? 300
        buyers = max(min(wanted, 100), 1)
        copies = max(wanted / buyers, 1)
        kills = KillPlan.number("OUTAGE_KILLS") ?? 3
        seed = KillPlan.number("SEED") ?? Randomness.number() % 1_000_000
    }

    var subscribers: Int { buyers * copies }

    var description: String {
        "\(backend.rawValue), \(subscribers) subscribers, \(kills) kills, seed \(seed)"
    }
}
