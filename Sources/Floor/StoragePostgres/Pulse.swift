internal import Dispatch
internal import Storage
internal import Synchronization

/// A connection beside the pool by which one sees whether the server answers, behind nobody who
/// waits for a turn. It is made when somebody asks first.
///
/// Unchecked since what came of the last beat is only touched on the connection's queue.
final class Pulse: @unchecked Sendable {
    private let connection: PostgresConnection
    private let asked = Atomic(0)
    private let lost = Atomic(0)
    /// How many had asked when the last beat began and when it ended, and what came of it.
    private var last: (begun: Int, ended: Int, failure: StorageError?)?

    init(_ url: PostgresURL, limits: DatabaseLimits) {
        connection = PostgresConnection(url, limits: limits, pulse: nil)
    }

    /// How many connections were lost so far.
    var lostConnections: Int { lost.load(ordering: .relaxed) }

    /// A connection of the pool was lost.
    func countLost() { lost.add(1, ordering: .relaxed) }

    /// Asks the server whether it is there, for a few seconds at most; throws `connectionLost`.
    func check() async throws {
        let number = asked.add(1, ordering: .sequentiallyConsistent).newValue
        let failure = await withCheckedContinuation { continuation in
            connection.queue.async { continuation.resume(returning: self.beat(for: number)) }
        }
        if let failure { throw failure }
    }

    /// Whether the server is there; blocks the thread, for a few seconds at most.
    func beatsNow() -> Bool {
        let number = asked.add(1, ordering: .sequentiallyConsistent).newValue
        return connection.queue.sync { beat(for: number) } == nil
    }

    /// Ends the connection.
    func close() async {
        await withCheckedContinuation { continuation in
            connection.queue.async {
                self.connection.close()
                continuation.resume()
            }
        }
    }

    /// One beat answers everybody who had asked when it began, and one that fails, which takes its
    /// time, also those who asked before it ended.
    private func beat(for number: Int) -> StorageError? {
        if let last, number <= (last.failure == nil ? last.begun : last.ended) {
            return last.failure
        }
        let begun = asked.load(ordering: .sequentiallyConsistent)
        var failure: StorageError?
        do throws(StorageError) {
            try beat()
        } catch {
            failure = error
        }
        last = (begun, asked.load(ordering: .sequentiallyConsistent), failure)
        return failure
    }

    private func beat() throws(StorageError) {
        do throws(StorageError) {
            try connection.connectIfNeeded()
            try connection.command("SELECT 1")
        } catch {
            // A connection that was lost since the last time says nothing about the server.
            guard connection.isLost, !connection.isUnreachable else { throw error }
            try connection.connectIfNeeded()
            try connection.command("SELECT 1")
        }
    }
}
