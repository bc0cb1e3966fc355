import Synchronization

/// Whether the database answers, asked once a second at most however often `/health` is.
package final class HealthWatch: Sendable {
    private struct State {
        var asking: Task<Bool, Never>?
        var answered: (at: Duration, isThere: Bool)?
    }

    private let state = Mutex(State())
    private let uptime: @Sendable () -> Duration

    /// For how long an answer counts.
    private static let life = Duration.seconds(1)

    package init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// Whether it is there; everybody who asks at the same time waits for one answer, and nobody
    /// to hear again that it is away.
    package func isThere(_ check: @escaping @Sendable () async throws -> Void) async -> Bool {
        let (known, asking) = state.withLock { state -> (Bool?, Task<Bool, Never>?) in
            if let answered = state.answered, uptime() - answered.at < Self.life {
                return (answered.isThere, nil)
            }
            let asking = state.asking ?? Task { await self.ask(check) }
            state.asking = asking
            return (state.answered?.isThere == false ? false : nil, asking)
        }
        if let known { return known }
        return await asking?.value ?? false
    }

    private func ask(_ check: @Sendable () async throws -> Void) async -> Bool {
        var isThere = true
        do { try await check() } catch { isThere = false }
        state.withLock { state in
            state.asking = nil
            state.answered = (uptime(), isThere)
        }
        return isThere
    }
}

/// The database did not answer when it was asked whether it is there.
package struct DatabaseIsAway: Error {
    package init() {}
}
