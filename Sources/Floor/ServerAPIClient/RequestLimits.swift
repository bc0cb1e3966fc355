import Synchronization

/// How often a client calls each endpoint at most, as a share of Apple's published limits (API-3).
///
/// Apple gives numbers a second and enforces them over the hour. So a client may send at once what
/// a minute allows, and goes on at an even pace that is slower by that minute: in no hour does it
/// send more than Apple allows.
public struct RequestLimits: Sendable, Hashable {
    private let percent: Int?

    private init(_ percent: Int?) { self.percent = percent }

    /// A share of Apple's numbers for Production, such as a half for each of two processes.
    ///
    /// - Parameter percent: 1 to 10,000.
    public init(percent: Int) {
        precondition((1...10_000).contains(percent), "\(percent) % is no share of a limit")
        self.init(percent)
    }

    /// Apple's limits in Production.
    public static let production = RequestLimits(percent: 100)
    /// Apple's limits in Sandbox: a tenth.
    public static let sandbox = RequestLimits(percent: 10)
    /// As fast as one asks, for a store that limits nothing.
    public static let none = RequestLimits(nil)

    func perHour(_ quota: RequestQuota) -> Int? { percent.map { quota.perSecond * 36 * $0 } }
}

/// What Apple limits together.
struct RequestQuota: Sendable, Hashable {
    let name: String
    /// Apple's number of requests a second in Production.
    let perSecond: Int

    init(_ name: String, _ perSecond: Int) {
        self.name = name
        self.perSecond = perSecond
    }
}

/// Gives each request its turn, so that no quota is exceeded.
final class RequestPace: Sendable {
    private let limits: RequestLimits
    /// When a quota's next request would be sent at an even pace.
    private let turns = Mutex<[RequestQuota: Duration]>([:])

    init(_ limits: RequestLimits) { self.limits = limits }

    /// Takes the next turn.
    ///
    /// - Parameter uptime: a stopwatch that never goes back.
    /// - Returns: how long to wait for it.
    func take(_ quota: RequestQuota, at uptime: Duration) -> Duration {
        guard let hourly = limits.perHour(quota) else { return .zero }
        let burst = max(1, hourly / 60)
        let interval = Duration.seconds(3600) / max(1, hourly - burst)
        return turns.withLock { turns in
            let turn = max(turns[quota] ?? uptime, uptime)
            turns[quota] = turn + interval
            return max(.zero, turn - uptime - interval * (burst - 1))
        }
    }
}
