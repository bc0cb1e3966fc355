package import HTTPTypes
import Synchronization

/// What the servers count about their requests, for `/metrics`.
///
/// Our own registry: swift-metrics is only a facade, and a backend that writes Prometheus text is
/// not among our dependencies; one counter and one histogram do not need it. Labels are bounded:
/// routes come from the table of endpoints, never from a request's path.
package final class MetricsRegistry: Sendable {
    /// What a request is counted under.
    package struct Label: Hashable, Sendable {
        package let server: ServerName
        package let method: String
        package let route: String
        package let status: Int

        package init(
            server: ServerName, method: HTTPRequest.Method, route: String, status: Int
        ) {
            self.server = server
            self.method = Label.methods.contains(method) ? method.rawValue : "other"
            self.route = route
            self.status = status
        }

        /// A client can invent methods; only these are told apart.
        private static let methods: Set<HTTPRequest.Method> = [
            .get, .head, .post, .put, .patch, .delete, .options,
        ]
    }

    /// How many requests took at most how long.
    package struct Histogram: Sendable {
        /// The upper bounds in seconds: from a look-up in memory to a year of renewals at once.
        package static let bounds: [Double] = [
            0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
        ]

        /// Counts by bucket, not cumulated; the last one is for everything longer.
        package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
        package private(set) var sum = 0.0

        package init() {}

        package mutating func add(_ seconds: Double) {
            counts[Histogram.bounds.firstIndex { seconds <= $0 } ?? Histogram.bounds.count] += 1
            sum += seconds
        }
    }

    private let series = Mutex<[Label: Histogram]>([:])

    package init() {}

    /// Counts a request that was answered.
    package func count(_ label: Label, took duration: Duration) {
        let seconds = duration / .seconds(1)
        series.withLock { $0[label, default: Histogram()].add(seconds) }
    }

    /// Everything counted so far.
    package func snapshot() -> [Label: Histogram] { series.withLock { $0 } }
}
