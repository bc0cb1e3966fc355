import HTTPTypes
import Store
import Synchronization

/// What the servers count about their requests, for `/metrics`.
///
/// Our own registry: swift-metrics is only a facade, and a backend that writes Prometheus text is
/// not among our dependencies; one counter and one histogram do not need it. Labels are bounded:
/// routes come from the table of endpoints, never from a request's path.
final class MetricsRegistry: Sendable {
    /// What a request is counted under.
    struct Label: Hashable, Sendable {
        let environment: StoreEnvironment
        let method: String
        let route: String
        let status: Int

        init(
            environment: StoreEnvironment, method: HTTPRequest.Method, route: String, status: Int
        ) {
            self.environment = environment
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
    struct Histogram: Sendable {
        /// The upper bounds in seconds: from a look-up in memory to a year of renewals at once.
        static let bounds: [Double] = [
            0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
        ]

        /// Counts by bucket, not cumulated; the last one is for everything longer.
        private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
        private(set) var sum = 0.0

        mutating func add(_ seconds: Double) {
            counts[Histogram.bounds.firstIndex { seconds <= $0 } ?? Histogram.bounds.count] += 1
            sum += seconds
        }
    }

    private let series = Mutex<[Label: Histogram]>([:])

    /// Counts a request that was answered.
    func count(_ label: Label, took duration: Duration) {
        let seconds = duration / .seconds(1)
        series.withLock { $0[label, default: Histogram()].add(seconds) }
    }

    /// Everything counted so far.
    func snapshot() -> [Label: Histogram] { series.withLock { $0 } }
}
