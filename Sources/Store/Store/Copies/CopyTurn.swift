import Storage
import Synchronization
import TimeAndChance

/// A copy that is being made, or put back.
public struct CopyUnderWay: Sendable, Hashable {
    /// What is being done.
    public enum Work: String, Sendable, Hashable, CaseIterable {
        case snapshot, fork, rewind
    }

    public let work: Work
    /// The copy's name.
    public let name: String
    /// How much of it is done, in bytes.
    public let done: Int64
    /// How much that is in all, in bytes; an estimate, and 0 until there is one.
    public let total: Int64
}

/// Lets one copy be made at a time, and says how far it is.
final class CopyTurn: Sendable {
    private let turn = AsyncTurn()
    private let state = Mutex<CopyUnderWay?>(nil)

    /// What is under way.
    var underWay: CopyUnderWay? { state.withLock { $0 } }

    /// Does something about a copy when its turn comes.
    func take<T: Sendable>(
        _ work: CopyUnderWay.Work, _ name: String,
        _ body: @Sendable (@escaping @Sendable (CopyProgress) -> Void) async throws -> T
    ) async throws -> T {
        try await turn.take { [self] in
            state.withLock {
                $0 = CopyUnderWay(work: work, name: name, done: 0, total: 0)
            }
            defer { state.withLock { $0 = nil } }
            return try await body { [self] progress in
                state.withLock {
                    $0 = CopyUnderWay(
                        work: work, name: name, done: progress.done, total: progress.total)
                }
            }
        }
    }
}

/// Sees that another process has put the world back, by how often that was done.
final class RewindWatch: Sendable {
    private let known = Mutex<Int64?>(nil)

    /// - Returns: whether it was put back since the last look. Who looks at an older snapshot is
    ///   told nothing.
    func see(_ rewinds: Int64) -> Bool {
        known.withLock { known in
            defer { known = max(known ?? rewinds, rewinds) }
            return known.map { $0 < rewinds } ?? false
        }
    }
}
