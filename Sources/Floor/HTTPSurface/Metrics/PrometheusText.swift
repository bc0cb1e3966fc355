package import Storage

/// Metrics as Prometheus reads them (text exposition format 0.0.4).
package struct PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init() {}

    /// Adds what was counted about requests: each series once as a counter by status, and as one
    /// histogram a route.
    package mutating func add(_ series: [MetricsRegistry.Label: MetricsRegistry.Histogram]) {
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

    /// Adds how busy the database is.
    package mutating func add(_ load: DatabaseLoad) {
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
        "\(label.server.label)=\"\(label.server.value)\",route=\"\(label.route)\","
            + "method=\"\(label.method)\",status=\"\(label.status)\""
    }

    /// Begins a metric.
    ///
    /// - Parameter type: `counter`, `gauge` or `histogram`.
    package mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// Adds a value.
    ///
    /// - Parameter labels: as they are written between the braces; empty for none.
    package mutating func line(_ name: String, _ labels: String, _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}
