import TestFloor
import TimeAndChance

/// How hard merchants are tried: as CI has patience for, or as the environment says (`make kills`).
struct MerchantKillPlan: Sendable, CustomStringConvertible {
    let backend: Backend
    /// Only one process can serve a file.
    let processes: Int
    let customers: Int
    let kills: Int
    let seed: UInt64

    init(_ backend: Backend) {
        self.backend = backend
        processes = backend == .postgres ? KillPlan.number("PROCESSES") ?? 4 : 1
        customers = KillPlan.number("MERCHANT_CUSTOMERS") ?? 24
        kills = KillPlan.number("KILLS") ?? 4
        seed = KillPlan.number("SEED") ?? Randomness.number() % 1_000_000
    }

    var description: String {
        "\(backend.rawValue), \(processes) merchants, \(customers) customers, \(kills) kills, "
            + "seed \(seed)"
    }
}
