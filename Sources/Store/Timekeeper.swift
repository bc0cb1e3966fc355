import Logging
public import ServiceLifecycle
import SubscriptionRules

/// Background work: does what has become due by the clock, as long as the process runs. Events do
/// not wait for notifications, which may go out to a server that is slow or dead, and one lane of
/// notifications waits for no other.
public struct Timekeeper: Service {
    private let store: Store

    public init(_ store: Store) { self.store = store }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            async let events: Void = again {
                try await store.settleEvents()
                try await store.refreshCallFaults()
            }
            async let notifications: Void = deliver()
            async let errands: Void = again { try await store.runErrands() }
            async let beats: Void = beat()
            _ = await (events, notifications, errands, beats)
        }
    }

    /// Is heard of several times in each claim time, so that one time that fails costs nothing.
    private func beat() async {
        let pause = Duration.milliseconds(store.membership.claimTime.milliseconds / 5)
        while !Task.isCancelled {
            await attempt { try await store.beat() }
            await SystemTime.wait(pause)
        }
    }

    private func again(_ work: @Sendable () async throws -> Void) async {
        while !Task.isCancelled {
            await attempt(work)
            await pause()
        }
    }

    /// Looks again and again in which lanes something is due, and serves those that are not being
    /// served.
    private func deliver() async {
        await withTaskGroup(of: Lane?.self) { group in
            var served: Set<Lane> = []
            group.addTask { nil }
            for await lane in group {
                if let lane {
                    served.remove(lane)
                    continue
                }
                if Task.isCancelled { continue }
                let due = await attempt { try await store.lanes().free } ?? []
                for lane in due where served.insert(lane).inserted {
                    group.addTask {
                        await attempt {
                            let due = DueDeliveries(looksAgain: true)
                            while try await store.deliver(due, in: lane) ?? 0 > 0 {}
                        }
                        return lane
                    }
                }
                group.addTask {
                    await pause()
                    return nil
                }
            }
        }
    }

    /// - Returns: nil where the work failed; it waits for a while then.
    @discardableResult
    private func attempt<T: Sendable>(_ work: @Sendable () async throws -> T) async -> T? {
        do {
            return try await work()
        } catch is CancellationError {
            return nil
        } catch {
            // A busy or restarting database: what is due stays due.
            store.log.error("due work failed, trying again", metadata: ["error": "\(error)"])
            await SystemTime.wait(.seconds(1))
            return nil
        }
    }

    private func pause() async { await SystemTime.wait(.milliseconds(50)) }
}

/// The service group logs its services by reflection, and a store holds a signing key.
extension Timekeeper: CustomStringConvertible, CustomReflectable {
    public var description: String { "Timekeeper" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
