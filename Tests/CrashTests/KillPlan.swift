import Foundation
import Store
import TestSupport
import TimeAndChance

/// How hard several processes are tried: as CI has patience for, or as the environment says
/// (`make kills`).
struct KillPlan: Sendable, CustomStringConvertible {
    let processes: Int
    let customers: Int
    let kills: Int
    let seed: UInt64

    init() {
        processes = KillPlan.number("PROCESSES") ?? 3
        customers = KillPlan.number("CUSTOMERS") ?? 200
        kills = KillPlan.number("KILLS") ?? 6
        seed = KillPlan.number("SEED") ?? Randomness.number() % 1_000_000
    }

    /// How many answers and notifications there are between two kills on average: all together
    /// make the kills come while a year of so many customers goes by.
    var pause: Int { max(customers * 16 / max(kills, 1), 1) }

    /// Whether somebody may think that it stands still, unless each kill is shown.
    var isLong: Bool { customers > 1_000 }

    var description: String {
        "\(processes) processes, \(customers) customers, \(kills) kills, seed \(seed)"
    }

    static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        ProcessInfo.processInfo.environment["PERENNIAL_KILLS_\(name)"].flatMap { Number($0) }
    }
}
