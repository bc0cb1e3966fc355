package import Logging
import Synchronization

/// What a loop of background work met with: says once what failed and once that it is over, and
/// lets more time pass before each next attempt.
package final class Setbacks: Sendable {
    private let work: String
    private let log: Logger
    private let state = Mutex((count: 0, last: ""))

    private static let longest = 10

    /// - Parameter work: what is done, for the log.
    package init(_ work: String, log: Logger) {
        self.work = work
        self.log = log
    }

    /// It failed.
    ///
    /// - Returns: how long to wait before it is tried again.
    package func met(_ error: any Error) -> Duration {
        let words = "\(error)"
        let (count, isNews) = state.withLock { state in
            let isNews = state.last != words
            state = (state.count + 1, words)
            return (state.count, isNews)
        }
        // What is due stays due.
        let metadata: Logger.Metadata = ["work": "\(work)", "error": "\(words)"]
        if isNews {
            log.error("due work failed, trying again until it goes", metadata: metadata)
        } else {
            log.debug("due work failed again", metadata: metadata)
        }
        return .seconds(min(1 << min(count - 1, 4), Self.longest))
    }

    /// It went well.
    package func isOver() {
        let count = state.withLock { state in
            defer { state = (0, "") }
            return state.count
        }
        guard count > 0 else { return }
        log.notice(
            "due work goes on", metadata: ["work": "\(work)", "failures": "\(count)"])
    }
}

extension Setbacks {
    /// Makes an attempt at the work; where it fails, time passes before it returns.
    ///
    /// - Parameter wait: how time passes.
    /// - Returns: nil where it failed.
    @discardableResult
    package func attempt<T: Sendable>(
        waiting wait: @Sendable (Duration) async -> Void, _ work: @Sendable () async throws -> T
    ) async -> T? {
        do {
            let result = try await work()
            isOver()
            return result
        } catch {
            await meet(error, waiting: wait)
            return nil
        }
    }

    /// Lets time pass after a failure. Whoever stops is none.
    package func meet(
        _ error: any Error, waiting wait: @Sendable (Duration) async -> Void
    ) async {
        guard !(error is CancellationError), !Task.isCancelled else { return }
        await wait(met(error))
    }
}
