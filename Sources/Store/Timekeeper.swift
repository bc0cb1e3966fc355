import Logging
public import ServiceLifecycle

/// Background work: does what has become due by the clock, as long as the process runs. Events do
/// not wait for notifications, which may go out to a server that is slow or dead.
public struct Timekeeper: Service {
    private let store: Store

    public init(_ store: Store) { self.store = store }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            async let events: Void = again {
                try await store.settleEvents()
                try await store.refreshCallFaults()
            }
            async let notifications: Void = again {
                while try await store.deliverNext() {}
            }
            async let errands: Void = again { try await store.runErrands() }
            _ = await (events, notifications, errands)
        }
    }

    private func again(_ work: @Sendable () async throws -> Void) async {
        while !Task.isCancelled {
            do {
                try await work()
            } catch is CancellationError {
                return
            } catch {
                // A busy or restarting database: what is due stays due.
                store.log.error("due work failed, trying again", metadata: ["error": "\(error)"])
                await SystemTime.wait(.seconds(1))
            }
            await SystemTime.wait(.milliseconds(50))
        }
    }
}

/// The service group logs its services by reflection, and a store holds a signing key.
extension Timekeeper: CustomStringConvertible, CustomReflectable {
    public var description: String { "Timekeeper" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
