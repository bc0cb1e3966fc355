import DueWork
import Outbox
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
                group.addTask {
                    await store.outbox.serve("notifications", log: store.log, wait: wait)
                }
                if let mails = store.mails {
                    group.addTask { await mails.serve("mails", log: store.log, wait: wait) }
                }
                group.addTask {
                    try await again("errands", every: .milliseconds(50)) {
                        try await store.runErrands()
                    }
                }
                group.addTask {
                    try await again("changes", every: Store.pauseBetweenLooks) {
                        try await store.wakeWaiting()
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
                await setbacks.meet(error, waiting: wait)
            }
            await wait(pause)
        }
    }
}

/// The service group logs its services by reflection, and a store holds a signing key.
extension Timekeeper: CustomStringConvertible, CustomReflectable {
    public var description: String { "Timekeeper" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
