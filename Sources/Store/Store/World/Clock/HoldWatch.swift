import Logging
import SubscriptionRules
import Synchronization

/// Says once when the world's clock begins to hold, and when it goes again.
final class HoldWatch: Sendable {
    private let isHeld = Mutex(false)
    private let log: Logger

    /// Less than this is what keeping a machine's clock right does every day.
    private static let worthSaying = Span.seconds(2)

    init(log: Logger) { self.log = log }

    func see(_ time: WorldTime) {
        let isHeld: Bool =
            switch time.hold {
            case .machineIsBehind(let span): span >= HoldWatch.worthSaying
            case .rangeHasEnded: true
            case nil: false
            }
        let before = self.isHeld.withLock { held in
            defer { held = isHeld }
            return held
        }
        guard before != isHeld else { return }
        switch time.hold {
        case .machineIsBehind(let span) where isHeld:
            log.warning(
                "the machine's clock went back; the store's stands still until it has caught up",
                metadata: [
                    "now": "\(time.now.iso8601)", "behind": "\(span.milliseconds / 1000) s",
                ])
        case .rangeHasEnded:
            log.warning(
                "the store's clock stands still at the end of 2099: the machine's is beyond it",
                metadata: ["now": "\(time.now.iso8601)"])
        case .machineIsBehind, nil:
            log.notice(
                "the machine's clock has caught up; the store's goes again",
                metadata: ["now": "\(time.now.iso8601)"])
        }
    }
}
