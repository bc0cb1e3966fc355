import Synchronization

/// What forms led to, so that one that is sent again, by a double click, by going back or by
/// reloading, does nothing again and shows the same. Kept by the process, for the forms that were
/// sent last.
package final class FormsTaken: Sendable {
    private struct State {
        var outcomes: [String: Task<String, any Error>] = [:]
        var order: [String] = []
    }

    private let state = Mutex(State())
    private let most: Int

    /// - Parameter most: how many forms are remembered.
    package init(most: Int = 10_000) { self.most = most }

    /// Does what a form asks, unless it was taken before.
    ///
    /// What failed is forgotten, so that it can be sent again.
    ///
    /// - Parameters:
    ///   - id: what the form carries that no other does; nil for one that may be sent at will.
    ///   - work: answers the path that the browser goes to. It goes on although the browser left.
    package func once(
        _ id: String?, _ work: @escaping @Sendable () async throws -> String
    ) async throws -> String {
        guard let id else { return try await work() }
        let task = state.withLock { state in
            if let running = state.outcomes[id] { return running }
            let task = Task { try await work() }
            state.outcomes[id] = task
            state.order.append(id)
            if state.order.count > most {
                state.outcomes[state.order.removeFirst()] = nil
            }
            return task
        }
        do {
            return try await task.value
        } catch {
            state.withLock { state in
                // Whoever waited for the same may have sent it again meanwhile.
                guard state.outcomes[id] == task else { return }
                state.outcomes[id] = nil
                state.order.removeAll { $0 == id }
            }
            throw error
        }
    }
}
