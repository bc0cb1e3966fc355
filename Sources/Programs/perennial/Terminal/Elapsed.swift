import Store
import SubscriptionRules
import TimeAndChance

/// A line that counts the seconds while something takes long.
enum Elapsed {
    /// Does something; where somebody watches, shows that it goes on.
    ///
    /// - Parameter state: says how far it is, where that is known; asked once a second.
    static func watch<Value: Sendable>(
        _ what: String, isWatched: Bool = Output.isWatched,
        state: @escaping @Sendable () async -> String? = { nil },
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard isWatched else { return try await body() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                await count(what, state)
                return nil
            }
            while let value = try await group.next() {
                guard let value else { continue }
                group.cancelAll()
                try await group.waitForAll()
                return value
            }
            preconditionFailure("the work ended without a result")
        }
    }

    /// Counts until cancelled. Nothing is shown of what is done in a moment.
    private static func count(
        _ what: String, _ state: @Sendable () async -> String?
    ) async {
        let start = SystemTime.now()
        let marks = ["|", "/", "-", "\\"]
        var turn = 0
        var shown: String?
        // Here and not where the work ends, so that nothing is written after it.
        defer { if turn > 0 { Output.hint("\r\u{1B}[K") } }
        await SystemTime.wait(.milliseconds(300))
        while !Task.isCancelled {
            let seconds = SystemTime.now().since(start).milliseconds / 1000
            if turn % 10 == 0 { shown = await state() }
            let state = shown.map { ", \($0)" } ?? ""
            Output.hint("\r\(marks[turn % marks.count]) \(what)\(state), \(seconds) s\u{1B}[K")
            turn += 1
            await SystemTime.wait(.milliseconds(100))
        }
    }
}
