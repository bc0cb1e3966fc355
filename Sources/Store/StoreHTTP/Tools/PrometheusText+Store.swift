import DueWork
import HTTPSurface
import Store
import SubscriptionRules

extension PrometheusText {
    /// Adds what the engine can tell at once.
    mutating func add(_ clock: ClockReading) {
        head("perennial_store_clock_seconds", "gauge", "What the store's clock shows.")
        line(
            "perennial_store_clock_seconds", "mode=\"\(clock.mode.rawValue)\"",
            PrometheusText.seconds(clock.now.milliseconds))
        head(
            "perennial_store_clock_held_seconds", "gauge",
            "How far the machine's clock is behind the store's, which waits for it.")
        var behind: Int64 = 0
        if case .machineIsBehind(let span) = clock.hold { behind = span.milliseconds }
        line("perennial_store_clock_held_seconds", "", PrometheusText.seconds(behind))
        // Without background work this falls behind: the one number that says so.
        let late = clock.nextEvent.map { max(0, clock.now.since($0).milliseconds) } ?? 0
        head(
            "perennial_store_lateness_seconds", "gauge",
            "How long the first due event has been waiting, by the store's clock, as it was seen "
                + "a second ago.")
        line("perennial_store_lateness_seconds", "", PrometheusText.seconds(late))
    }

    /// Adds in how many lanes this process delivers.
    mutating func add(lanes count: Int) {
        head(
            "perennial_store_lanes_held", "gauge",
            "Lanes, an app in an environment each, in which this process delivers now.")
        line("perennial_store_lanes_held", "", "\(count)")
    }

    /// Adds how many damaged rows of each table due work passes over.
    mutating func add(rowsSetAside rows: [DamagedRow]) {
        head(
            "perennial_store_rows_set_aside", "gauge",
            "Damaged rows that nothing happens to any more, by table.")
        let tables = Dictionary(grouping: rows, by: \.table).mapValues(\.count)
        for (table, count) in tables.sorted(by: { $0.key < $1.key }) {
            line("perennial_store_rows_set_aside", "table=\"\(table)\"", "\(count)")
        }
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
