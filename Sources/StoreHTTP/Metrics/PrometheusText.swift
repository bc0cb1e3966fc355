import AppStoreWire
import Storage
import Store
import SubscriptionRules

/// Metrics as Prometheus reads them (text exposition format 0.0.4).
struct PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Adds what was counted about requests: each series once as a counter by status, and as one
    /// histogram a route.
    mutating func add(_ series: [MetricsRegistry.Label: MetricsRegistry.Histogram]) {
        let sorted = series.map { (labels: PrometheusText.labels($0.key), $0.key, $0.value) }
            .sorted { $0.labels < $1.labels }
        head("perennial_http_requests_total", "counter", "Requests answered.")
        for (labels, _, histogram) in sorted {
            let count = histogram.counts.reduce(0, +)
            line("perennial_http_requests_total", labels, "\(count)")
        }
        head("perennial_http_request_duration_seconds", "histogram", "How long answers took.")
        for (labels, _, histogram) in sorted { add(histogram, labels: labels) }
    }

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

    /// Adds how busy the database is.
    mutating func add(_ load: DatabaseLoad) {
        let figures: [(name: String, type: String, help: String, value: Int)] = [
            ("connections", "gauge", "How many transactions may run at once.", load.size),
            ("connections_in_use", "gauge", "How many of them run.", load.inUse),
            ("waiting", "gauge", "How many wait for their turn.", load.waiting),
            (
                "refused_total", "counter", "Refused since they would have waited too long.",
                load.refused
            ),
            ("connections_lost_total", "counter", "Connections that were lost.", load.lost),
        ]
        for figure in figures {
            head("perennial_database_\(figure.name)", figure.type, figure.help)
            line("perennial_database_\(figure.name)", "", "\(figure.value)")
        }
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

    private mutating func add(_ histogram: MetricsRegistry.Histogram, labels: String) {
        let name = "perennial_http_request_duration_seconds"
        var total = 0
        for (bound, count) in zip(MetricsRegistry.Histogram.bounds, histogram.counts) {
            total += count
            line("\(name)_bucket", "\(labels),le=\"\(bound)\"", "\(total)")
        }
        total += histogram.counts.last ?? 0
        line("\(name)_bucket", "\(labels),le=\"+Inf\"", "\(total)")
        line("\(name)_sum", labels, "\(histogram.sum)")
        line("\(name)_count", labels, "\(total)")
    }

    /// No value needs escaping: routes are our own, methods and statuses are bounded.
    private static func labels(_ label: MetricsRegistry.Label) -> String {
        "environment=\"\(label.environment.wire.rawValue)\",route=\"\(label.route)\","
            + "method=\"\(label.method)\",status=\"\(label.status)\""
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func line(_ name: String, _ labels: String, _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}
