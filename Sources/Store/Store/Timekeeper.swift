import Logging
public import ServiceLifecycle
import Storage
import SubscriptionRules
public import TimeAndChance

/// Background work: does what has become due by the clock, as long as the process runs. Events do
/// not wait for notifications, which may go out to a server that is slow or dead, and one lane of
/// notifications waits for no other.
public struct Timekeeper: Service {
    private let store: Store
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameter wait: how time passes between two looks, replaced in tests.
    public init(
        _ store: Store, wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait
    ) {
        self.store = store
        self.wait = wait
    }

    /// Works until it is cancelled.
    ///
    /// - Throws: `StorageError` with `newerSchema` once a later version has migrated the database.
    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await again("events", every: .milliseconds(50)) {
                        try await store.settleEvents()
                        try await store.refreshCallFaults()
                    }
                }
                group.addTask { await deliver() }
                group.addTask {
                    try await again("errands", every: .milliseconds(50)) {
                        try await store.runErrands()
                    }
                }
                // Several times in each claim time, so that one that fails costs nothing.
                let beat = Duration.milliseconds(store.membership.claimTime.milliseconds / 5)
                group.addTask {
                    try await again("being heard of", every: beat) { try await store.beat() }
                }
                group.addTask {
                    try await again("looking around", every: .seconds(1)) {
                        try await store.lookAround()
                    }
                }
                // Where one of them throws, the others are cancelled.
                for try await _ in group {}
            }
        }
    }

    /// - Throws: `StorageError` with `newerSchema`.
    private func again(
        _ name: String, every pause: Duration, _ work: @Sendable () async throws -> Void
    ) async throws {
        let setbacks = Setbacks(name, log: store.log)
        while !Task.isCancelled {
            do {
                try await work()
                setbacks.isOver()
            } catch let error as StorageError where error.code == .newerSchema {
                throw error
            } catch {
                await meet(error, setbacks)
            }
            await wait(pause)
        }
    }

    /// Looks again and again in which lanes something is due, and serves those that are not being
    /// served.
    private func deliver() async {
        let looking = Setbacks("notifications", log: store.log)
        var setbacks: [Lane: Setbacks] = [:]
        await withTaskGroup(of: Lane?.self) { group in
            var served: Set<Lane> = []
            group.addTask { nil }
            for await lane in group {
                if let lane {
                    served.remove(lane)
                    continue
                }
                if Task.isCancelled { continue }
                let due = await attempt(looking) { try await store.lanes().free } ?? []
                for lane in due where served.insert(lane).inserted {
                    let own = setbacks[lane] ?? Setbacks("notifications", log: store.log)
                    setbacks[lane] = own
                    group.addTask {
                        await attempt(own) {
                            let due = DueDeliveries(looksAgain: true)
                            while try await store.deliver(due, in: lane) ?? 0 > 0 {}
                        }
                        return lane
                    }
                }
                group.addTask {
                    await wait(.milliseconds(50))
                    return nil
                }
            }
        }
    }

    /// - Returns: nil where the work failed; it waits for a while then.
    @discardableResult
    private func attempt<T: Sendable>(
        _ setbacks: Setbacks, _ work: @Sendable () async throws -> T
    ) async -> T? {
        do {
            let result = try await work()
            setbacks.isOver()
            return result
        } catch {
            await meet(error, setbacks)
            return nil
        }
    }

    private func meet(_ error: any Error, _ setbacks: Setbacks) async {
        // Whoever stops is no setback.
        guard !(error is CancellationError), !Task.isCancelled else { return }
        await wait(setbacks.met(error))
    }
}

/// The service group logs its services by reflection, and a store holds a signing key.
extension Timekeeper: CustomStringConvertible, CustomReflectable {
    public var description: String { "Timekeeper" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
